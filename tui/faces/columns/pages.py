"""Columns of documents and of problems."""

from store.clean import clean
from store.records.problem import Problem
from tui.faces.columns.cells import field, ref, size, store, styled
from tui.faces.columns.column import Column, Listed


def _place(record: Listed) -> str:
    if not isinstance(record, Problem):
        return ""
    return clean(record.path) + (f":{record.line}" if record.line else "")


DOCUMENTS = (
    ref(),
    Column("Role", field("role"), 12),
    Column("Path", field("path"), is_path=True),
    Column("Size", size("text_bytes"), 7, right=True),
    Column("Title", field("title")),
    store(),
)

PROBLEMS = (
    Column("", field("severity"), 7, style=styled("severity")),
    Column("Code", field("code"), 18),
    Column("What", field("message")),
    Column("Where", _place, is_path=True),
    store(),
)
