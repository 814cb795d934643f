"""Columns of the versions of a file."""

from tui.faces.columns.cells import beginning, field, minute, number, ref
from tui.faces.columns.column import Column

VERSIONS = (
    ref(),
    Column("When", minute("at"), 16),
    Column("By", field("by"), 7),
    Column("What", beginning("what")),
    Column("Who", field("who"), 16, is_sparse=True),
    number("+", "added", 5),
    number("-", "removed", 5),
)
