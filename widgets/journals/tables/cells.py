"""Cells that several tables of journals have: instants, values, names of sessions."""

import json

from store.findings import Json
from store.times import parse
from widgets.columns.cells import told
from widgets.lines.pieces import Pieces

_MINUTE = len("2026-02-14 10:30")
_SESSION = 8


def instant(text: str | None) -> Pieces:
    """An instant to the minute, as it was written."""
    return [(told(text).replace("T", " ")[:_MINUTE], "faint")] if text else []


def session(text: str | None) -> Pieces:
    """The beginning of what a session is called."""
    return [(told(text)[:_SESSION], "faint")] if text else []


def value(found: Json) -> str:
    """What was counted, as people read it: `25 atomars · 1 rules`."""
    match found:
        case None:
            return ""
        case str():
            return told(found)
        case dict():
            pairs = found.items()
            return " · ".join(f"{value(each)} {told(name)}" for name, each in pairs)
        case list():
            return ", ".join(map(value, found))
        case float():
            return f"{round(found, 3):.12g}"
        case _:
            return told(json.dumps(found))


def epoch(found: Json) -> str:
    """An instant as a ledger has it, in whole."""
    if isinstance(found, bool) or not isinstance(found, str | int | float):
        return ""
    return parse(found).iso
