"""Columns of what journals and ledgers hold: events, measures, agents."""

from collections.abc import Callable

from store.clean import clean
from store.findings import Json
from store.records.agent import Agent
from store.records.event import Event
from store.records.measure import Measure
from store.times import parse
from tui.faces.columns.cells import (
    beginning,
    few_digits,
    field,
    minute,
    ref,
    store,
    style_of,
)
from tui.faces.columns.column import Column, Listed
from tui.faces.instants import to_the_minute
from tui.faces.quantities import lasted
from tui.faces.values import in_short, in_whole

_MICRO_CENTS = 1_000_000
"""How many of the ledger's smallest units of cost are a cent."""


def _failed(record: Listed) -> str:
    return "✗" if isinstance(record, Event) and record.is_error else ""


def _red(_record: Listed) -> str:
    return "red"


def _duration(record: Listed) -> str:
    if not isinstance(record, Measure) or record.duration_s is None:
        return ""
    return lasted(record.duration_s)


def _when(record: Listed) -> str:
    """When a measure was written down, else when what it tells of ended or began."""
    if not isinstance(record, Measure):
        return ""
    return clean(record.at or record.end or record.start or "")


def _minute(record: Listed) -> str:
    return to_the_minute(_when(record))


def _evidence(record: Listed) -> str:
    """Where a figure comes from, and whether what it points to is there."""
    if not isinstance(record, Measure):
        return ""
    mark = "" if not record.pointer else " ✓" if record.points_to else " ✗"
    return clean(record.source or "") + mark


def _metric(record: Listed) -> str:
    return in_short(record.metric) if isinstance(record, Measure) else ""


def _metric_whole(record: Listed) -> str:
    return in_whole(record.metric) if isinstance(record, Measure) else ""


def _told(record: Listed, *names: str) -> Json:
    """What an agent's ledger says in the first of these columns that says something."""
    if not isinstance(record, Agent):
        return None
    told = (record.columns.get(name) for name in names)
    return next((value for value in told if value not in (None, "")), None)


def _column(*names: str) -> Callable[[Listed], str]:
    """What a ledger says in one of these columns."""

    def cell(record: Listed) -> str:
        return in_short(_told(record, *names))

    return cell


def _status_style(record: Listed) -> str:
    return style_of(_told(record, "status"))


def _started(record: Listed) -> str:
    """When an agent was started; ledgers tell it as an epoch."""
    began = _told(record, "started_ts", "started")
    if isinstance(began, str | int | float) and not isinstance(began, bool):
        return clean(parse(began).iso)
    return ""


def _started_minute(record: Listed) -> str:
    return to_the_minute(_started(record))


def _cost(record: Listed) -> str:
    """What an agent cost, in dollars."""
    fine, coarse = _told(record, "cost_micro_cents"), _told(record, "cost_cents")
    if isinstance(fine, int | float) and fine:
        return f"${fine / _MICRO_CENTS / 100:.2f}"
    return f"${coarse / 100:.2f}" if isinstance(coarse, int | float) else ""


def _total(record: Listed) -> int:
    """All tokens of an agent."""
    told = (_told(record, "tokens_in"), _told(record, "tokens_out"))
    return sum(int(number) for number in told if isinstance(number, int | float))


def _tokens(record: Listed) -> str:
    return few_digits(_total(record))


def _all_tokens(record: Listed) -> str:
    return str(_total(record) or "")


EVENTS = (
    ref(),
    Column("When", minute("at"), 16, piped=field("at")),
    Column("", _failed, 1, style=_red, is_sparse=True),
    Column("Class", field("event_class"), 16),
    Column("Message", beginning("message")),
    Column("Tool", field("tool"), 12),
    Column("File", field("file_path"), is_path=True),
    Column("Session", field("session"), is_spare=True),
    store(),
)

MEASURES = (
    ref(),
    Column("When", _minute, 16, piped=_when),
    Column("Kind", field("kind"), 9),
    Column("Name", field("name")),
    Column("Duration", _duration, 11, right=True, piped=field("duration_s")),
    Column("Exit", field("exit"), 4, right=True, is_sparse=True),
    Column("Evidence", _evidence, 14),
    Column("Metric", _metric, piped=_metric_whole),
    store(),
)

AGENTS = (
    ref(),
    Column("Id", _column("id"), 14),
    Column("Status", _column("status"), 8, style=_status_style),
    Column("Started", _started_minute, 16, piped=_started),
    Column("About", _column("summary", "branch")),
    Column("Model", _column("model"), 16, is_sparse=True),
    Column("Cost", _cost, 8, right=True, is_sparse=True),
    Column("Tokens", _tokens, 6, right=True, is_sparse=True, piped=_all_tokens),
    store(),
)
