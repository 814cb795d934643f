"""Columns of events: what happened, with which tool, to which file."""

from store.records.event import Event
from widgets.columns.cells import fit_path, told
from widgets.columns.column import OPEN, Column
from widgets.journals.tables.cells import instant, session
from widgets.lines.pieces import Pieces

_SMALL, _MEDIUM, _LARGE = 50, 90, 130


def columns() -> tuple[Column[Event], ...]:
    """From left to right."""
    return (
        Column("", "", _failed, ((0, 1),), gap=0),
        Column("event_class", "class", _class, ((0, 18), (_LARGE, 24))),
        Column("", "message", _message, ((30, OPEN),), gap=2),
        Column("", "file", _file, ((_MEDIUM, 24), (_LARGE, 36)), gap=2),
        Column("session", "session", _session, ((_LARGE, 8),), gap=2),
        Column("at", "when", _when, ((_SMALL, 16),), gap=2),
    )


def _failed(event: Event, _width: int) -> Pieces:
    return [("✗", "error")] if event.is_error else []


def _class(event: Event, _width: int) -> Pieces:
    return [(told(event.event_class), "title")]


def _message(event: Event, _width: int) -> Pieces:
    line = (event.message or "").strip().partition("\n")[0]
    return [(told(line), "muted")]


def _file(event: Event, width: int) -> Pieces:
    return [(fit_path(told(event.file_path), width), "muted")]


def _session(event: Event, _width: int) -> Pieces:
    return session(event.session)


def _when(event: Event, _width: int) -> Pieces:
    return instant(event.at)
