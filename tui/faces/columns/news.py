"""Columns of what is new in stores: what is new in none of them takes no room."""

from store.records.news import News
from tui.faces.columns.cells import field, number
from tui.faces.columns.column import Column, Listed
from tui.faces.instants import to_the_minute


def _since(record: Listed) -> str:
    if not isinstance(record, News):
        return ""
    return to_the_minute(record.looked) if record.looked else "never looked at"


NEWS = (
    Column("Store", field("name"), 20),
    Column("Since", _since, 16),
    number("Memories", "memories", 8),
    number("Edges", "edges", 6),
    number("Episodes", "episodes", 8),
    number("Conversations", "conversations", 13),
    number("Messages", "messages", 8),
    number("Documents", "documents", 9),
    number("Problems", "problems", 8),
    Column("Path", field("store"), is_path=True),
)
