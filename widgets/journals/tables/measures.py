"""Columns of figures: tasks, sessions, claims, what tools an agent used."""

from collections.abc import Callable

from store.records.measure import Measure
from widgets.columns.cells import told
from widgets.columns.column import OPEN, Column
from widgets.columns.numbers import brief
from widgets.journals.tables.cells import instant, session, value
from widgets.journals.tables.scale import Scale
from widgets.lines.pieces import Pieces

_SMALL, _MEDIUM, _LARGE = 60, 90, 130
_BAR = ((30, 7), (_SMALL, 22), (_LARGE, 30))

_TIERS = {"REAL": "ok", "FROM-JOURNAL": "arrow"}

Of = Callable[[], Scale]
"""What bars are drawn by, when it is asked."""

Columns = tuple[Column[Measure], ...]


def tasks(of: Of) -> Columns:
    """Tasks: how long they took, how they ended, what came of them."""
    return (
        Column("name", "task", _name, gap=0),
        _duration(of),
        Column("", "exit", _exit, ((_SMALL, 4),), gap=2, is_right=True),
        Column("", "metric", _metric, ((_MEDIUM, OPEN),), gap=2),
        Column("at", "when", _when, ((_LARGE, 16),), gap=2),
    )


def sessions(of: Of) -> Columns:
    """Sessions: how long they took, and when."""
    return (
        Column("session", "session", _session, gap=0),
        _duration(of),
        Column("start", "began", _start, ((_SMALL, 16),), gap=2),
        Column("end", "ended", _end, ((_MEDIUM, 16),), gap=2),
    )


def claims(of: Of) -> Columns:
    """Claims: on what evidence they rest, and whether that is there."""

    def pointer(measure: Measure, _width: int) -> Pieces:
        return [*_proof(measure, of()), (told(measure.pointer), "muted")]

    return (
        Column("", "claim", _claim, gap=0),
        Column("", "evidence", _tier, ((30, 4), (_SMALL, 12)), gap=2),
        Column("", "pointer", pointer, ((30, 10), (50, 18), (_SMALL, OPEN)), gap=2),
        Column("session", "session", _short_session, ((_MEDIUM, 8),), gap=2),
        Column("at", "when", _when, ((_LARGE, 16),), gap=2),
    )


def tools(of: Of) -> Columns:
    """What agents used: how they came out, calls, tokens."""
    return (
        Column("", "agent", _agent, gap=0),
        _duration(of),
        Column("", "calls", _counted("tool_use_count"), ((_SMALL, 5),), 2, True),  # noqa: FBT003  # a gap, and at the right
        Column("", "in", _counted("tokens_in"), ((_MEDIUM, 5),), 2, True),  # noqa: FBT003  # likewise
        Column("", "out", _counted("tokens_out"), ((_MEDIUM, 5),), 2, True),  # noqa: FBT003  # likewise
        Column("at", "when", _when, ((_MEDIUM, 16),), gap=2),
    )


def everything(of: Of) -> Columns:
    """Figures of any kind, one below the other."""

    def metric(measure: Measure, _width: int) -> Pieces:
        told_by = (value(measure.metric), "muted")
        return [*_proof(measure, of()), told_by] if measure.pointer else [told_by]

    return (
        Column("kind", "kind", _kind, ((30, 9),), gap=0),
        Column("name", "name", _any_name),
        _duration(of),
        Column("", "metric", metric, ((_MEDIUM, OPEN),), gap=2),
        Column("at", "when", _when, ((_LARGE, 16),), gap=2),
    )


def _duration(of: Of) -> Column[Measure]:
    def cell(measure: Measure, width: int) -> Pieces:
        return of().duration(measure.duration_s, width)

    return Column("duration_s", "duration", cell, _BAR, gap=2)


def _kind(measure: Measure, _width: int) -> Pieces:
    return [(told(measure.kind), "muted")]


def _name(measure: Measure, _width: int) -> Pieces:
    return [(told(measure.name or measure.id) or "?", "title")]


def _any_name(measure: Measure, width: int) -> Pieces:
    match measure.kind:
        case "claim":
            return _claim(measure, width)
        case "session":
            return _session(measure, width)
        case _:
            return _name(measure, width)


def _session(measure: Measure, _width: int) -> Pieces:
    return [(told(measure.session or measure.id) or "unknown", "title")]


def _short_session(measure: Measure, _width: int) -> Pieces:
    return session(measure.session)


def _agent(measure: Measure, _width: int) -> Pieces:
    return [(told(measure.id) or "?", "title")]


def _claim(measure: Measure, _width: int) -> Pieces:
    return [(value(measure.metric) or "(nothing is said)", "title")]


def _tier(measure: Measure, _width: int) -> Pieces:
    """The evidence; what is only estimated is warned of."""
    tier = told(measure.source)
    if tier.startswith("ESTIMATE"):
        return [(tier.partition("-")[0], "warning")]
    return [(tier, _TIERS.get(tier, "muted"))]


def _proof(measure: Measure, scale: Scale) -> Pieces:
    """Whether what proves a claim is there; nothing as long as nobody has looked."""
    lead = scale.leads.get(measure.ref)
    is_here = bool(measure.points_to) or (lead is not None and lead.is_here)
    if is_here:
        return [("✓ ", "ok")]
    return [("  ", "")] if lead is None else [("✗ ", "error")]


def _exit(measure: Measure, _width: int) -> Pieces:
    if measure.exit is None:
        return []
    return [(f"✗{measure.exit}", "error")] if measure.exit else [("✓", "ok")]


def _metric(measure: Measure, _width: int) -> Pieces:
    return [(value(measure.metric), "muted")]


def _when(measure: Measure, _width: int) -> Pieces:
    return instant(measure.at or measure.end or measure.start)


def _start(measure: Measure, _width: int) -> Pieces:
    return instant(measure.start)


def _end(measure: Measure, _width: int) -> Pieces:
    return instant(measure.end)


def _counted(name: str) -> Callable[[Measure, int], Pieces]:
    """One of the counts of an agent."""

    def cell(measure: Measure, _width: int) -> Pieces:
        counts = measure.metric
        count = counts.get(name) if isinstance(counts, dict) else None
        return [(brief(count), "muted")] if isinstance(count, int) else []

    return cell
