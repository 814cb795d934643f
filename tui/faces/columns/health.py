"""Columns of problems beside what mends them."""

from store.records.problem import Problem
from tui.faces.columns.cells import field
from tui.faces.columns.column import Column, Listed
from tui.faces.columns.pages import PROBLEMS

_PROGRAM = "recollect "
_STORE = " -s "


def _fix(record: Listed) -> str:
    """The command without the program, and the store, which has its own column."""
    fix = record.fix if isinstance(record, Problem) else None
    return (fix or "").removeprefix(_PROGRAM).partition(_STORE)[0]


HEALTH = (
    *PROBLEMS[:-1],
    Column("Fix", _fix, 34, is_sparse=True, piped=field("fix")),
    PROBLEMS[-1],
)
