"""What some messages of a transcript add up to, from their rows; pure.

Rows are taken column by column: there are hundreds of thousands, and what runs over
columns that are mostly empty takes a fraction of what looks at every message.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import orjson

from store.catalogue.rows.cells import Cell, Row
from store.catalogue.rows.transcripts import COLUMNS, COMPACTION, at_of, uuid_of

COLUMN = {name: number for number, name in enumerate(COLUMNS["messages"].split())}
"""Where each column stands in the row of a message."""

_PROMPT = 400
"""Characters of a prompt that a title may need."""

Moment = tuple[int, str | None]
"""An instant in microseconds, and its text."""


@dataclass(frozen=True, slots=True)
class Before:
    """What was said last before; a row leaves out what it would only repeat."""

    cwd: str | None = None
    branch: str | None = None
    model: str | None = None

    def after(self, rows: Sequence[Row]) -> "Before":
        """The same, once some more was said."""
        return Before(
            _last(rows, "cwd") or self.cwd,
            _last(rows, "branch") or self.branch,
            _last(rows, "model") or self.model,
        )


@dataclass(slots=True)
class Part:
    """Messages of a transcript, added up."""

    key: str = ""
    """What the first that counts goes by; it stays when more is said."""
    session: str | None = None
    cwd: str | None = None
    branch: str | None = None
    prompt: str | None = None
    """The beginning of the first thing that was asked."""
    first: Moment | None = None
    last: Moment | None = None
    entries: int = 0
    messages: int = 0
    prompts: int = 0
    tools: int = 0
    errors: int = 0
    compactions: int = 0
    unanswered: int = 0
    tokens: tuple[int, ...] = (0, 0, 0, 0)
    models: tuple[str, ...] = ()


def add_up(rows: Sequence[Row], counted: Sequence[Row], before: Before) -> Part:
    """Add up messages; `counted` are those that the gap rule goes by."""
    prompts = [row for row in rows if row[COLUMN["kind"]] == "prompt"]
    calls = {call for several in _lists(rows, "calls") for call in several}
    answers = {call for several in _lists(rows, "answers") for call in several}
    model = {before.model: None} if rows[0][COLUMN["model"]] is None else {}
    models = model | dict.fromkeys(_cells(rows, "model"))
    tokens = [str(cell).split() for cell in _cells(rows, "tokens")]
    return Part(
        key=_key((counted or rows)[0]),
        session=_text(next(_cells(rows, "session"), None)),
        cwd=_text(next(_cells(rows, "cwd"), None)) or before.cwd,
        branch=_text(next(_cells(rows, "branch"), None)) or before.branch,
        prompt=str(prompts[0][-1])[:_PROMPT] if prompts else None,
        first=_first(counted),
        last=_latest(counted),
        entries=_sum(rows, "entries"),
        messages=len(rows),
        prompts=len(prompts),
        tools=sum(map(len, _lists(rows, "tools"))),
        errors=_sum(rows, "errors"),
        compactions=sum((number(c) or 0) & COMPACTION for c in _cells(rows, "flags")),
        unanswered=len(calls - answers),
        tokens=tuple(sum(map(int, column)) for column in zip(*tokens, strict=True))
        or (0, 0, 0, 0),
        models=tuple(str(m) for m in models if tokens and m and str(m)[0] != "<"),
    )


def number(cell: Cell) -> int | None:
    """The number that a cell holds."""
    return cell if isinstance(cell, int) else None


def _cells(rows: Sequence[Row], name: str) -> Iterator[Cell]:
    """What stands in a column where something does."""
    column = COLUMN[name]
    return (row[column] for row in rows if row[column] is not None)


def _lists(rows: Sequence[Row], name: str) -> list[list[str]]:
    """The lists in a column, read at once."""
    return orjson.loads(f"[{','.join(map(str, _cells(rows, name)))}]")


def _sum(rows: Sequence[Row], name: str) -> int:
    return sum(cell for cell in _cells(rows, name) if isinstance(cell, int))


def _last(rows: Sequence[Row], name: str) -> str | None:
    """The last that a column says."""
    column = COLUMN[name]
    return next((_text(row[column]) for row in reversed(rows) if row[column]), None)


def _text(cell: Cell) -> str | None:
    return cell if isinstance(cell, str) else None


def _key(row: Row) -> str:
    """What a message goes by."""
    return _text(row[COLUMN["key"]]) or uuid_of(row[COLUMN["uuid"]]) or ""


def _first(rows: Sequence[Row]) -> Moment | None:
    """When the earliest of these messages was written."""
    begin, at = COLUMN["at_micros"], COLUMN["at"]
    timed = [
        (moment, row) for row in rows if (moment := number(row[begin])) is not None
    ]
    if not timed:
        return None
    moment, row = min(timed, key=lambda pair: pair[0])
    return moment, at_of(row[at], moment)


def _latest(rows: Sequence[Row]) -> Moment | None:
    """When the last line of these messages was written."""
    begin, end, at = (COLUMN[name] for name in ("at_micros", "until_micros", "at"))
    timed = [
        (max(moment, number(row[end]) or moment), row)
        for row in rows
        if (moment := number(row[begin])) is not None
    ]
    if not timed:
        return None
    moment, row = max(timed, key=lambda pair: pair[0])
    is_own = moment == row[begin]
    return moment, at_of(row[at] if is_own else None, moment)
