"""Columns of the vault: what is kept, what is in danger, what is damaged."""

from store.records.vault import KeptReport
from tui.faces.columns.cells import field, minute, ref, second, size, store
from tui.faces.columns.column import Column, Listed


def _is_gone(record: Listed) -> str:
    return "only here" if isinstance(record, KeptReport) and record.gone else ""


KEPT = (
    ref(),
    Column("Kept", minute("at"), 16, piped=second("at")),
    Column("Title", field("title")),
    Column("Files", field("files"), 5, right=True),
    Column("Size", size("bytes"), 7, right=True),
    Column("", _is_gone, 9, is_sparse=True),
    Column("Path", field("path"), is_path=True),
    store(),
)

ENDANGERED = (
    ref(),
    Column("Removed", minute("removed"), 16, piped=second("removed")),
    Column("Title", field("title")),
    Column("Size", size("bytes"), 7, right=True),
    Column("Path", field("path"), is_path=True),
    store(),
)

DAMAGES = (
    Column("What", field("message")),
    Column("Path", field("path"), is_path=True),
    store(),
)
