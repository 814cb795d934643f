"""Columns of the memories that are like one."""

from store.clean import clean
from store.records.similar import Similar
from tui.faces.columns.cells import field, share, short_ref
from tui.faces.columns.column import Column, Listed


def _of_memory(name: str, record: Listed) -> str:
    """A field of the memory as it is, or nothing."""
    value = getattr(record.memory, name) if isinstance(record, Similar) else None
    return clean(str(value or ""))


def _short_ref(record: Listed) -> str:
    return short_ref(_of_memory("ref", record))


def _linked(record: Listed) -> str:
    return "linked" if isinstance(record, Similar) and record.linked else ""


SIMILAR = (
    Column(
        "Ref", _short_ref, len("5b1c2d3e"), piped=lambda one: _of_memory("ref", one)
    ),
    Column("Like", share("score"), 4, right=True),
    Column("Type", lambda one: _of_memory("type", one), 13),
    Column("Title", lambda one: _of_memory("title", one)),
    Column("Why", field("reason")),
    Column("Linked", _linked, 6, is_sparse=True),
    Column("Store", lambda one: _of_memory("store", one), is_path=True, is_spare=True),
)
