"""Say of each problem which command mends it, as far as its format can."""

import os
import shlex
import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING

from store.discover import Found
from store.edits.refusals import NotPossibleError
from store.errors import UnreadableError
from store.records.problem import Problem

if TYPE_CHECKING:
    from store.edits.port import Scribe

_FIX = "fix"
"""The word for mending."""

_PROBLEMS = (
    "SELECT id, code, severity, ref, path, line, message FROM problems WHERE store = ?"
)
_PROBLEMS_AT = _PROBLEMS.replace("store = ?", "+store = ? AND path = ?")


def offer_fixes(
    connection: sqlite3.Connection,
    row: int,
    found: Found,
    paths: Iterable[bytes] | None = None,
) -> None:
    """Note them for all problems of a store, or for those of some paths there."""
    cursor = connection.cursor()
    cursor.row_factory = sqlite3.Row
    if paths is None:
        problems = cursor.execute(_PROBLEMS, (row,)).fetchall()
    else:
        problems = [
            problem
            for path in paths
            for problem in cursor.execute(_PROBLEMS_AT, (row, path))
        ]
    if not problems or not found.format.editable:
        return
    try:
        with found.format.scribe(found.path) as scribe:
            fixes = [
                (_fix(scribe, found, problem), problem["id"]) for problem in problems
            ]
    except (NotPossibleError, UnreadableError):
        return
    connection.executemany("UPDATE problems SET fix = ? WHERE id = ?", fixes)


def _fix(scribe: "Scribe", found: Found, row: sqlite3.Row) -> str | None:
    """The command that mends a problem, where there is one."""
    problem = Problem(
        code=row["code"],
        severity=row["severity"],
        store=str(found.path),
        ref=row["ref"],
        path=os.fsdecode(row["path"]),
        line=row["line"],
        message=row["message"],
        fix=None,
    )
    if scribe.possible(problem).get(_FIX) != "":
        return None
    return f"recollect health --fix {problem.code} -s {shlex.quote(problem.store)}"
