"""Columns of the memories that stand more than once."""

from store.clean import clean
from store.records.double import Double
from tui.faces.columns.cells import field, share, short_ref
from tui.faces.columns.column import Column, Listed


def _of_memory(name: str, record: Listed) -> str:
    """A field of the memory as it is, or nothing."""
    value = getattr(record.memory, name) if isinstance(record, Double) else None
    return clean(str(value or ""))


def _short_ref(record: Listed) -> str:
    return short_ref(_of_memory("ref", record))


def _first(record: Listed) -> str:
    """The first of its group, as short as refs are shown."""
    return short_ref(record.of) if isinstance(record, Double) else ""


DOUBLES = (
    Column(
        "Ref", _short_ref, len("5b1c2d3e"), piped=lambda one: _of_memory("ref", one)
    ),
    Column("One with", _first, len("5b1c2d3e"), piped=field("of")),
    Column("Share", share("share"), 5, right=True),
    Column("Type", lambda one: _of_memory("type", one), 13),
    Column("Title", lambda one: _of_memory("title", one)),
    Column("Why", field("why")),
    Column("Path", lambda one: _of_memory("path", one), is_path=True, is_spare=True),
    Column("Store", lambda one: _of_memory("store", one), is_path=True, is_spare=True),
)
