"""Columns of stores: what none of them holds takes no room."""

from store.records.reports import StoreReport
from tui.faces.columns.cells import field, number, size
from tui.faces.columns.column import Column, Listed


def _writable(record: Listed) -> str:
    return "" if isinstance(record, StoreReport) and record.writable else "read-only"


STORES = (
    Column("Store", field("name"), 20),
    Column("Format", field("format"), 12),
    number("Memories", "memories", 8),
    number("Problems", "problems", 8),
    Column("Path", field("path"), is_path=True),
    number("Edges", "edges", 6),
    number("Episodes", "episodes", 8),
    number("Conversations", "conversations", 13),
    number("Messages", "messages", 8),
    number("Events", "events", 8),
    number("Measures", "measures", 8),
    Column("Size", size("bytes"), 7, right=True),
    Column("", _writable, 9, is_sparse=True),
)
