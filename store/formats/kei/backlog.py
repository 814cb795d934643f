"""Lists of what is to be done: of the audit, and of the nightly work in the mirror.

The audit's lines are `- [VERDICT yyyy-mm-dd] class ×count rest`, below a comment that
says how many sessions were looked at; other lists are plain list items.
"""

import re

from msgspec import Struct

from store.findings import Value

_SESSIONS = re.compile(r"<!--\s*session_count:\s*(\d{1,18})\s*-->")
_ITEM = re.compile(r"[ \t]*[-*+][ \t]+(?:\[([^\]\n]{0,80})\][ \t]*)?(.*)")
_VERDICT = re.compile(r"([A-Z][A-Z-]{2,20})(?:[ \t]+(\d{4}-\d\d-\d\d))?")
_COUNTED = re.compile(r"(\S+)[ \t]+[×x](\d{1,18})(?:[ \t]+|$)(.*)")
_DONE = frozenset({"x", "X"})


class Item(Struct, frozen=True, kw_only=True):
    """One entry of a list."""

    line: int
    state: str | None
    """Its verdict; `open` or `done` of a list with boxes."""
    date: str | None = None
    event_class: str | None = None
    """What recurred, and how often."""
    count: int | None = None
    text: str = ""

    def as_fact(self) -> Value:
        """The entry for a document's facts."""
        facts = {
            "line": str(self.line),
            "state": self.state,
            "date": self.date,
            "class": self.event_class,
            "count": None if self.count is None else str(self.count),
            "text": self.text,
        }
        return {key: value for key, value in facts.items() if value}


class Backlog(Struct, frozen=True):
    """A whole list."""

    items: tuple[Item, ...]
    sessions: int | None
    """How many sessions were looked at for it."""


def read_backlog(text: str) -> Backlog:
    """The entries of a list, and what its head says."""
    lines = enumerate(text.split("\n"), 1)
    items = (_item(number, line.rstrip("\r")) for number, line in lines)
    told = _SESSIONS.search(text)
    return Backlog(tuple(filter(None, items)), int(told[1]) if told else None)


def _item(number: int, line: str) -> Item | None:
    found = _ITEM.fullmatch(line)
    if not found:
        return None
    mark, rest = found[1], found[2].strip()
    verdict = _VERDICT.fullmatch(mark.strip()) if mark else None
    if verdict:
        return _judged(number, verdict[1], verdict[2], rest)
    if mark is not None and mark.strip() in {"", *_DONE}:
        return Item(line=number, state="done" if mark in _DONE else "open", text=rest)
    words = f"[{mark}] {rest}" if mark is not None else rest
    return Item(line=number, state=None, text=words) if words else None


def _judged(number: int, state: str, date: str | None, rest: str) -> Item:
    counted = _COUNTED.fullmatch(rest)
    if not counted:
        return Item(line=number, state=state, date=date, text=rest)
    return Item(
        line=number,
        state=state,
        date=date,
        event_class=counted[1],
        count=int(counted[2]),
        text=counted[3],
    )
