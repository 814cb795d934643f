"""Columns of the journal: changes, and the backups that they kept."""

from store.records.reports import Past
from tui.faces.columns.cells import field, minute, second, size, store
from tui.faces.columns.column import Column, Listed
from tui.faces.plan import done


def _done(record: Listed) -> str:
    return done(record.action) if isinstance(record, Past) else ""


def _is_undone(record: Listed) -> str:
    return "undone" if isinstance(record, Past) and record.undone else ""


def _dimmed(record: Listed) -> str:
    return "dim" if _is_undone(record) else ""


CHANGES = (
    Column("Change", field("change"), 12, style=_dimmed),
    Column("When", minute("at"), 16, piped=second("at")),
    Column("What", _done, style=_dimmed),
    Column("", _is_undone, 6, style=_dimmed),
    store(),
)

BACKUPS = (
    Column("Backup", field("backup"), 20),
    Column("When", minute("at"), 16, piped=second("at")),
    Column("Before", field("action"), is_sparse=True),
    Column("Size", size("bytes"), 7, right=True),
    Column("Path", field("path"), is_path=True),
    store(),
)
