"""Tables of events, metrics and agents."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace
from textual.message import Message

from store.findings import Json
from store.kinds.journals import Agent, Event, Measure
from store.records.answers import Lead
from store.times import parse
from widgets.bars import Item, Items
from widgets.charts import took
from widgets.lines import Report
from widgets.memory_table import bar
from widgets.sheet import Pieces, Sheet
from widgets.table import OPEN, Column, Table, brief, fit_path, told, toned

# Scales that the tables of journals need besides the records.

_TOLD = len("99m 59s")
_LEAST = 4
"""Cells of a bar below which only the number is shown."""


class Scale(Struct, frozen=True):
    """The scale of bars, and where the proof of claims was found."""

    longest: float = 0.0
    """The seconds of a full bar: the longest duration listed."""
    leads: Mapping[str, Lead] = field(default_factory=dict[str, Lead])
    """The proof of claims, and what titles rows, by ref, as far as searched."""

    def duration(self, seconds: float | None, width: int) -> Pieces:
        """A duration as a bar and a number."""
        if seconds is None:
            return []
        figure = took(seconds)
        room = width - _TOLD - 1
        told = [(f"{figure:>{_TOLD}}", "muted")]
        if room < _LEAST or not self.longest:
            return told
        filled = max(seconds / self.longest, 0.5 / room if seconds > 0 else 0.0)
        return [*bar(filled, room, "arrow"), (" ", ""), *told]


# Cells shared by several tables of journals: times, values, sessions.

_MINUTE = len("2026-02-14 10:30")
_DAY = len("2026-02-14")
_SESSION = 8


def instant(text: str | None) -> str:
    """A time to the minute, as written."""
    return told(text).replace("T", " ")[:_MINUTE]


_UUID = re.compile(r"^([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
"""A whole identifier, of which the start is enough to read."""

_session = toned(lambda record: told(record.session)[:_SESSION], "faint")
"""The start of a session's name."""


def value(found: Json) -> str:
    """A counted value in readable form: `25 atomars · 1 rules`."""
    match found:
        case None:
            return ""
        case str():
            return told(found)
        case dict():
            pairs = found.items()
            return " · ".join(
                f"{value(each)} {told(name).replace('_', ' ')}" for name, each in pairs
            )
        case list():
            return ", ".join(map(value, found))
        case int() | float() if not isinstance(found, bool):
            is_whole = isinstance(found, int)
            return f"{found:,}" if is_whole else f"{round(found, 3):.12g}"
        case _:
            return told(json.dumps(found))


def epoch(found: Json) -> str:
    """A time from a ledger in full."""
    if isinstance(found, bool) or not isinstance(found, str | int | float):
        return ""
    return parse(found).iso


# Columns of agents, from their ledgers.

_SMALL, _MEDIUM, _LARGE = 60, 90, 130
_TONES = {"running": "active", "failed": "error", "rejected": "error", "done": "ok"}
_TIMES = ("started_ts", "finished_ts")
_TOKENS = ("tokens_in", "tokens_out")
_MICRO_CENTS = 1_000_000
"""How many of the ledger's smallest cost units make a cent."""


def columns(of: Callable[[], Scale]) -> tuple[Column[Agent], ...]:
    """The columns from left to right."""

    def duration(agent: Agent, width: int) -> Pieces:
        began, ended = (_number(agent.columns.get(name)) for name in _TIMES)
        return of().duration(ended - began, width) if began and ended else []

    return (
        Column("", "about", _about, gap=0),
        Column("", "status", _status, ((30, 8),), gap=2),
        Column("", "duration", duration, ((40, 7), (_SMALL, 22)), gap=2),
        Column("", "tokens", _tokens, ((_MEDIUM, 6),), 2, True),  # noqa: FBT003  # a gap, aligned right
        Column("", "cost", _cost, ((_LARGE, 8),), 2, True),  # noqa: FBT003  # likewise
        Column("", "model", _model, ((_LARGE, OPEN),), gap=2),
        Column("started", "started", _started, ((_MEDIUM, 16),), gap=2),
    )


def _about(agent: Agent, _width: int) -> Pieces:
    told_by = (agent.columns.get(name) for name in ("summary", "branch", "id"))
    return [(value(next(filter(None, told_by), None)) or "?", "title")]


def _status(agent: Agent, _width: int) -> Pieces:
    status = value(agent.columns.get("status"))
    return [(status, _TONES.get(status, "muted"))]


def _tokens(agent: Agent, _width: int) -> Pieces:
    total = sum(int(_number(agent.columns.get(name))) for name in _TOKENS)
    return [(brief(total), "muted")] if total > 0 else []


def _cost(agent: Agent, _width: int) -> Pieces:
    fine = _number(agent.columns.get("cost_micro_cents")) / _MICRO_CENTS
    cents = fine or _number(agent.columns.get("cost_cents"))
    return [(f"${cents / 100:.2f}", "muted")] if cents else []


_model = toned(lambda agent: told(value(agent.columns.get("model"))), "faint")


def _started(agent: Agent, _width: int) -> Pieces:
    found = agent.columns.get("started_ts") or agent.columns.get("started")
    return [(instant(epoch(found)), "faint")]


def _number(found: Json) -> float:
    """A number; 0 if it is not one."""
    return found if isinstance(found, int | float) else 0


# Columns of events: what happened, with which tool, to which file.

_EVENTS_SMALL, _EVENTS_MEDIUM, _EVENTS_LARGE = 50, 90, 130


def columns_events() -> tuple[Column[Event], ...]:
    """The columns from left to right."""
    return (
        Column("", "", _failed, ((0, 1),), gap=0),
        Column("event_class", "class", _class, ((0, 18), (_EVENTS_LARGE, 24))),
        Column("", "message", _message, ((30, OPEN),), gap=2),
        Column("", "file", _file, ((_EVENTS_MEDIUM, 24), (_EVENTS_LARGE, 36)), gap=2),
        Column("session", "session", _session, ((_EVENTS_LARGE, 8),), gap=2),
        Column("at", "when", _when, ((_EVENTS_SMALL, 16),), gap=2),
    )


_failed = toned(lambda event: "✗" if event.is_error else "", "error")
_class = toned(lambda event: told(event.event_class), "title")
_when = toned(lambda event: instant(event.at), "faint")


def _message(event: Event, _width: int) -> Pieces:
    line = (event.message or "").strip().partition("\n")[0]
    return [(told(line), "muted")]


def _file(event: Event, width: int) -> Pieces:
    return [(fit_path(told(event.file_path), width), "muted")]


# Columns of metrics: tasks, sessions, claims, tools used by agents.

_BAR = ((30, 7), (_SMALL, 14), (_LARGE, 30))
_METRIC = ((_MEDIUM, 26), (_LARGE, OPEN))
_WHEN = ((_SMALL, 10), (_LARGE, 16))

_KINDS = {"toolstats": "tools"}
"""Kinds that are shown as their section is named."""

_TIERS = {"REAL": "ok", "FROM-JOURNAL": "arrow"}

Of = Callable[[], Scale]
"""Returns the current scale when called."""

Columns = tuple[Column[Measure], ...]


def tasks(of: Of) -> Columns:
    """Tasks: duration, exit code, metric."""
    return (
        Column("name", "task", _name, gap=0),
        _duration(of),
        Column("", "exit", _exit, ((_SMALL, 4),), gap=2, is_right=True),
        Column("", "metric", _metric, _METRIC, gap=2),
        Column("at", "when", _when_measures, _WHEN, gap=2),
    )


def sessions(of: Of) -> Columns:
    """Sessions: duration, start and end."""
    return (
        Column("session", "session", _titled(of), gap=0),
        _duration(of),
        Column("start", "began", _start, ((_SMALL, 16),), gap=2),
        Column("end", "ended", _end, ((_MEDIUM, 16),), gap=2),
    )


def claims(of: Of) -> Columns:
    """Claims: their evidence, and whether it exists."""

    def pointer(measure: Measure, _width: int) -> Pieces:
        return [*_proof(measure, of()), (told(measure.pointer), "muted")]

    return (
        Column("", "claim", _claim, gap=0),
        Column("", "evidence", _tier, ((30, 4), (_SMALL, 12)), gap=2),
        Column("", "pointer", pointer, ((30, 10), (50, 18), (_SMALL, OPEN)), gap=2),
        Column("session", "session", _session, ((_MEDIUM, 8),), gap=2),
        Column("at", "when", _when_measures, _WHEN, gap=2),
    )


def tools(of: Of) -> Columns:
    """Agents' tool use: outcome, calls, tokens."""
    return (
        Column("", "agent", _titled(of), gap=0),
        _duration(of),
        Column("", "calls", _counted("tool_use_count"), ((_SMALL, 5),), 2, True),  # noqa: FBT003  # a gap, aligned right
        Column("", "in", _counted("tokens_in"), ((_MEDIUM, 5),), 2, True),  # noqa: FBT003  # likewise
        Column("", "out", _counted("tokens_out"), ((_MEDIUM, 5),), 2, True),  # noqa: FBT003  # likewise
        Column("at", "when", _when_measures, _WHEN, gap=2),
    )


def everything(of: Of) -> Columns:
    """Metrics of all kinds."""

    def metric(measure: Measure, _width: int) -> Pieces:
        if measure.kind != "claim":
            return [(value(measure.metric), "muted")]
        return [*_proof(measure, of()), *_tier(measure, 0)]

    return (
        Column("kind", "kind", _kind, ((30, 9),), gap=0),
        Column("name", "name", _titled(of)),
        _duration(of),
        Column("", "metric", metric, _METRIC, gap=2),
        Column("at", "when", _when_measures, _WHEN, gap=2),
    )


def _duration(of: Of) -> Column[Measure]:
    def cell(measure: Measure, width: int) -> Pieces:
        return of().duration(measure.duration_s, width)

    return Column("duration_s", "duration", cell, _BAR, gap=2)


_kind = toned(lambda one: _KINDS.get(one.kind, told(one.kind)), "muted")
_name = toned(lambda one: told(one.name) or _calls(one) or told(one.id) or "?", "title")
_session_measures = toned(
    lambda one: _UUID.sub(r"\1", told(one.session or one.id)) or "unknown", "title"
)
_claim = toned(lambda one: value(one.metric) or "(no text)", "title")
_metric = toned(lambda one: value(one.metric), "muted")
_start = toned(lambda one: instant(one.start), "faint")
_end = toned(lambda one: instant(one.end), "faint")


def _calls(measure: Measure) -> str:
    """What names the tool use of an agent, which has only an identifier."""
    counts = measure.metric
    calls = counts.get("tool_use_count") if isinstance(counts, dict) else None
    if not isinstance(calls, int):
        return ""
    return f"agent with {calls} tool call{'' if calls == 1 else 's'}"


def _titled(of: Of) -> Callable[[Measure, int], Pieces]:
    """The name of a row: of a session or an agent the title of its conversation."""

    def named(measure: Measure, width: int) -> Pieces:
        if measure.kind == "claim":
            return _claim(measure, width)
        lead = of().leads.get(measure.ref)
        if lead is not None and lead.title and measure.kind in TITLED:
            return [(told(lead.title), "title")]
        is_session = measure.kind == "session"
        return (_session_measures if is_session else _name)(measure, width)

    return named


TITLED = frozenset({"session", "toolstats"})
"""Metrics that only an identifier names, so that a conversation does."""


def _tier(measure: Measure, _width: int) -> Pieces:
    """The evidence; an estimate is shown as a warning."""
    tier = told(measure.source)
    if tier.startswith("ESTIMATE"):
        return [(tier.partition("-")[0], "warning")]
    return [(tier, _TIERS.get(tier, "muted"))]


def _proof(measure: Measure, scale: Scale) -> Pieces:
    """Whether the proof of a claim exists; blank until it was searched."""
    lead = scale.leads.get(measure.ref)
    is_here = bool(measure.points_to) or (lead is not None and lead.is_here)
    if is_here:
        return [("✓ ", "ok")]
    return [("  ", "")] if lead is None else [("✗ ", "error")]


def _exit(measure: Measure, _width: int) -> Pieces:
    if measure.exit is None:
        return []
    return [(f"✗{measure.exit}", "error")] if measure.exit else [("✓", "ok")]


def _when_measures(measure: Measure, width: int) -> Pieces:
    when = instant(measure.at or measure.end or measure.start)
    return [(when[: _DAY if width < _MINUTE else None], "faint")]


def _counted(name: str) -> Callable[[Measure, int], Pieces]:
    """One of an agent's counts."""

    def cell(measure: Measure, _width: int) -> Pieces:
        counts = measure.metric
        count = counts.get(name) if isinstance(counts, dict) else None
        return [(brief(count), "muted")] if isinstance(count, int) else []

    return cell


_OF_MEASURES = {"tasks": tasks, "sessions": sessions, "claims": claims, "tools": tools}
"""The columns of each section of metrics; others have those of `everything`."""


# The bar of sections: name, count, and which one is shown.

_SHORT = 3


_FIRST_OTHER = "events"
"""The first section that `all`, the metrics, does not include."""


def section_bar(names: Iterable[str], here: str, amounts: Mapping[str, int]) -> Items:
    """The names, each reported on a click."""
    return Items(
        tuple(_item(name, amounts.get(name), is_here=name == here) for name in names),
        gap=0,
    )


def _item(name: str, amount: int | None, *, is_here: bool) -> Item:
    """A section: with its count, without it, shortened."""
    count = "" if amount is None else f" {brief(amount)}"
    texts = (f"{name}{count}", name, name[:_SHORT])
    tone = "tab_here" if is_here else "tab_empty" if amount == 0 else "muted"
    is_apart = name == _FIRST_OTHER
    edge, edge_tone = ("│", "faint") if is_apart else (" ", tone)
    forms: tuple[Pieces, ...] = tuple(
        [(edge, edge_tone), (f"{text} ", tone)] for text in texts
    )
    return Item(forms, 2 if is_here else 1, keeps=is_here, name=name)


# The list of a journal, with the columns of the current section.


class Journal(Table[Any]):
    """Metrics, events or agents, one row each."""

    class ProofsWanted(Report):
        """The proof of some claims is needed, given by rows."""

        rows: Sequence[int]

        def can_replace(self, message: Message) -> bool:
            """Only the latest request matters."""
            return isinstance(message, Journal.ProofsWanted)

    def __init__(self, sheet: Sheet, section: str) -> None:
        super().__init__(sheet, ())
        self._scale = Scale()
        self._section = ""
        self._sought: tuple[int, ...] = ()
        self.turn(section)

    @property
    def leads(self) -> Mapping[str, Lead]:
        """The proof of claims, as far as known."""
        return self._scale.leads

    def turn(self, section: str) -> None:
        """Show the columns of a section."""
        if section != self._section:
            self._section = section
            self.columns = self._of(section)
            self._drawn_anew()

    def measure_by(self, longest: float) -> None:
        """Set the number of seconds at which bars are full."""
        if longest != self._scale.longest:
            self._scale = replace(self._scale, longest=longest)
            self._drawn_anew()

    def lead(self, leads: Mapping[str, Lead]) -> None:
        """Add the proof of more claims."""
        self._scale = replace(self._scale, leads={**self._scale.leads, **leads})
        self._sought = ()
        self._drawn_anew()

    def seek_proofs(self, *, anew: bool = False) -> None:
        """Request the proof of claims in view that is not known yet."""
        lines, sheet = self.lines, self.lines.sheet
        seen = lines.rows.page(lines.first, lines.first + sheet.room)
        rows = [
            lines.key(at)
            for at, record in enumerate(seen, lines.first)
            if isinstance(record, Measure)
            and (record.pointer or record.kind in TITLED)
            and (anew or record.ref not in self.leads)
        ]
        wanted = tuple(row for row in rows if isinstance(row, int))
        if wanted and (anew or wanted != self._sought):
            self._sought = wanted
            sheet.post_message(self.ProofsWanted(sheet, wanted))

    def viewed(self) -> None:
        """Search proof for what came into view."""
        self.seek_proofs()

    def _of(self, section: str) -> tuple[Column[Any], ...]:
        if section in {"events", "errors"}:
            return columns_events()
        if section == "agents":
            return columns(self._now)
        return _OF_MEASURES.get(section, everything)(self._now)

    def _now(self) -> Scale:
        return self._scale

    def _drawn_anew(self) -> None:
        if self.lines.sheet.is_attached:
            self.renew()
