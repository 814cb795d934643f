"""Columns of agents, as their ledgers tell of them."""

from collections.abc import Callable

from store.findings import Json
from store.records.agent import Agent
from widgets.columns.cells import told
from widgets.columns.column import OPEN, Column
from widgets.columns.numbers import brief
from widgets.journals.tables.cells import epoch, instant, value
from widgets.journals.tables.scale import Scale
from widgets.lines.pieces import Pieces

_SMALL, _MEDIUM, _LARGE = 60, 90, 130
_TONES = {"running": "active", "failed": "error", "rejected": "error", "done": "ok"}
_TIMES = ("started_ts", "finished_ts")
_TOKENS = ("tokens_in", "tokens_out")
_MICRO_CENTS = 1_000_000
"""How many of the ledger's smallest units of cost are a cent."""


def columns(of: Callable[[], Scale]) -> tuple[Column[Agent], ...]:
    """From left to right."""

    def duration(agent: Agent, width: int) -> Pieces:
        began, ended = (_number(agent.columns.get(name)) for name in _TIMES)
        return of().duration(ended - began, width) if began and ended else []

    return (
        Column("", "about", _about, gap=0),
        Column("", "status", _status, ((30, 8),), gap=2),
        Column("", "duration", duration, ((40, 7), (_SMALL, 22)), gap=2),
        Column("", "tokens", _tokens, ((_MEDIUM, 6),), 2, True),  # noqa: FBT003  # a gap, and at the right
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
    """What it cost, in dollars."""
    fine = _number(agent.columns.get("cost_micro_cents")) / _MICRO_CENTS
    cents = fine or _number(agent.columns.get("cost_cents"))
    return [(f"${cents / 100:.2f}", "muted")] if cents else []


def _model(agent: Agent, _width: int) -> Pieces:
    return [(told(value(agent.columns.get("model"))), "faint")]


def _started(agent: Agent, _width: int) -> Pieces:
    found = agent.columns.get("started_ts") or agent.columns.get("started")
    return instant(epoch(found))


def _number(found: Json) -> float:
    """A number, where that is one."""
    return found if isinstance(found, int | float) else 0
