"""What some messages of a transcript add up to, from their rows; pure.

Rows are taken column by column: there are hundreds of thousands, and what runs over
columns that are mostly empty takes a fraction of what looks at every message.
"""

from collections.abc import Iterator, Sequence

import orjson
from msgspec import Struct

from store.catalogue.rows.cells import Cell, Row
from store.catalogue.rows.transcripts import COLUMNS, COMPACTION, at_of, uuid_of

COLUMN = {name: number for number, name in enumerate(COLUMNS["messages"].split())}
"""Where each column stands in the row of a message."""

PROMPT = 400
"""Characters of a prompt that a title may need."""

Moment = tuple[int, str | None]
"""An instant in microseconds, and its text."""


class Before(Struct, frozen=True):
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


class Part(Struct):
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


class Sum:
    """Adds up messages, some at a time, in order of their lines."""

    def __init__(self) -> None:
        self.part = Part()
        self._is_keyed = False
        self._models: dict[str, None] = {}
        self._calls: set[str] = set()
        self._answers: set[str] = set()

    def take(self, rows: Sequence[Row], counted: Sequence[Row], before: Before) -> None:
        """Add messages; `counted` are those that the gap rule goes by."""
        self._name(rows, counted)
        self._count(rows)
        self._pair(rows)
        self._spend(rows, before)
        self._reach(counted)
        part = self.part
        part.session = part.session or _first(rows, "session")
        part.cwd = part.cwd or _first(rows, "cwd") or before.cwd
        part.branch = part.branch or _first(rows, "branch") or before.branch

    def _name(self, rows: Sequence[Row], counted: Sequence[Row]) -> None:
        """Note what the first message goes by, best one that counts."""
        if self._is_keyed:
            return
        self._is_keyed = bool(counted)
        if counted or not self.part.key:
            row = (counted or rows)[0]
            key, uuid = row[COLUMN["key"]], row[COLUMN["uuid"]]
            self.part.key = (key if isinstance(key, str) else uuid_of(uuid)) or ""

    def _count(self, rows: Sequence[Row]) -> None:
        part = self.part
        prompts = [row for row in rows if row[COLUMN["kind"]] == "prompt"]
        if prompts and part.prompt is None:
            part.prompt = str(prompts[0][-1])[:PROMPT]
        part.prompts += len(prompts)
        part.messages += len(rows)
        part.entries += _sum(rows, "entries")
        part.errors += _sum(rows, "errors")
        flags = _cells(rows, "flags")
        part.compactions += sum((number(each) or 0) & COMPACTION for each in flags)

    def _pair(self, rows: Sequence[Row]) -> None:
        """Note what was called and what was answered."""
        self.part.tools += sum(map(len, _lists(rows, "tools")))
        self._calls.update(*_lists(rows, "calls"))
        self._answers.update(*_lists(rows, "answers"))
        paired = self._calls & self._answers
        self._calls -= paired
        self._answers -= paired
        self.part.unanswered = len(self._calls)

    def _spend(self, rows: Sequence[Row], before: Before) -> None:
        """Add tokens; whoever spent them is a model."""
        spent = [str(cell).split() for cell in _cells(rows, "tokens")]
        if not spent:
            return
        added = [sum(map(int, column)) for column in zip(*spent, strict=True)]
        self.part.tokens = tuple(map(sum, zip(self.part.tokens, added, strict=True)))
        if rows[0][COLUMN["model"]] is None and before.model:
            self._models[before.model] = None
        for model in _cells(rows, "model"):
            self._models[str(model)] = None
        self.part.models = tuple(name for name in self._models if name[0] != "<")

    def _reach(self, rows: Sequence[Row]) -> None:
        """Reach over the times of messages."""
        begin, at = COLUMN["at_micros"], COLUMN["at"]
        part = self.part
        timed = [row for row in rows if row[begin] is not None]
        if not timed:
            return
        row = min(timed, key=lambda each: number(each[begin]) or 0)
        first = number(row[begin]) or 0
        if part.first is None or first < part.first[0]:
            part.first = (first, at_of(row[at], first))
        row = max(timed, key=_end)
        last = _end(row)
        if part.last is None or last > part.last[0]:
            is_own = last == row[begin]
            part.last = (last, at_of(row[at] if is_own else None, last))


def number(cell: Cell) -> int | None:
    """The number that a cell holds."""
    return cell if isinstance(cell, int) else None


def _end(row: Row) -> int:
    """When the last line of a message was written."""
    begin, end = row[COLUMN["at_micros"]], row[COLUMN["until_micros"]]
    return max(number(begin) or 0, number(end) or 0)


def _cells(rows: Sequence[Row], name: str) -> Iterator[Cell]:
    """What stands in a column where something does."""
    column = COLUMN[name]
    return (row[column] for row in rows if row[column] is not None)


def _lists(rows: Sequence[Row], name: str) -> list[list[str]]:
    """The lists in a column, read at once."""
    return orjson.loads(f"[{','.join(map(str, _cells(rows, name)))}]")


def _sum(rows: Sequence[Row], name: str) -> int:
    return sum(cell for cell in _cells(rows, name) if isinstance(cell, int))


def _first(rows: Sequence[Row], name: str) -> str | None:
    """The first that a column says."""
    return next((cell for cell in _cells(rows, name) if isinstance(cell, str)), None)


def _last(rows: Sequence[Row], name: str) -> str | None:
    """The last that a column says."""
    return _first(rows[::-1], name)
