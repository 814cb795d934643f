"""Columns of what is due for a review."""

from store.clean import clean
from store.records.due import Due
from tui.faces.columns.cells import field, short_ref
from tui.faces.columns.column import Column, Listed


def _of_memory(name: str, record: Listed) -> str:
    """A field of the memory as it is, or nothing."""
    value = getattr(record.memory, name) if isinstance(record, Due) else None
    return clean(str(value or ""))


def _short_ref(record: Listed) -> str:
    return short_ref(_of_memory("ref", record))


DUE = (
    Column(
        "Ref", _short_ref, len("5b1c2d3e"), piped=lambda one: _of_memory("ref", one)
    ),
    Column("Queue", field("queue"), len("duplicates")),
    Column("Type", lambda one: _of_memory("type", one), 13),
    Column("Title", lambda one: _of_memory("title", one)),
    Column("Why", field("why")),
    Column("Store", lambda one: _of_memory("store", one), is_path=True, is_spare=True),
)
