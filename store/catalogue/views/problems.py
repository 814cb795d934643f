"""Problems, as lists show them."""

import os
import sqlite3

from store.catalogue.views.view import View
from store.records.problem import Problem


def _problem(row: sqlite3.Row, _now: int) -> Problem:
    """A problem."""
    return Problem(
        code=row["code"],
        severity=row["severity"],
        store=os.fsdecode(row["store_path"]),
        ref=row["ref"],
        path=os.fsdecode(row["path"]),
        line=row["line"],
        message=row["message"],
        fix=row["fix"],
    )


PROBLEMS: View[Problem] = View(
    make=_problem,
    table="problems",
    ties=(
        "problems.path",
        "problems.line",
        "problems.code",
        "problems.message",
        "stores.path",
        "problems.id",
    ),
    columns="problems.*, stores.path AS store_path, stores.format AS format",
    belongs={"stores": "JOIN stores ON stores.id = problems.store"},
    sorts={
        "severity": (
            "CASE problems.severity WHEN 'error' THEN 0 "
            "WHEN 'warning' THEN 1 ELSE 2 END"
        ),
        "code": "problems.code",
        "path": "problems.path",
        "store": "stores.path",
    },
)
