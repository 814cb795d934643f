"""Run every check over a store and keep what they say as problems."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator

from store.catalogue.evidence import StoreEvidence
from store.findings import Side
from store.health import (
    dangling,
    duplicate_id,
    idle_state,
    index_counts,
    index_drift,
    lost_link,
    missing_edge_file,
    one_sided,
    stale_title,
    unlisted,
)
from store.health.complaint import Complaint
from store.health.evidence import Evidence

CHECKS: tuple[Callable[[Evidence], Iterator[Complaint]], ...] = (
    dangling.check,
    one_sided.check,
    stale_title.check,
    duplicate_id.check,
    lost_link.check,
    missing_edge_file.check,
    unlisted.check,
    idle_state.check,
    index_drift.check,
    index_counts.check,
)


def check(connection: sqlite3.Connection, store: int, sides: Iterable[Side]) -> None:
    """Replace what the checks said about a store the last time."""
    evidence = StoreEvidence(connection, store, sides)
    complaints = [complaint for run in CHECKS for complaint in run(evidence)]
    connection.execute(
        "DELETE FROM problems WHERE store = ? AND origin = 'check'", (store,)
    )
    connection.executemany(
        "INSERT INTO problems "
        "(store, origin, path, ref, code, severity, line, message) "
        "VALUES (?, 'check', ?, ?, ?, ?, ?, ?)",
        (
            (
                store,
                complaint.path,
                complaint.ref,
                complaint.code,
                complaint.severity,
                complaint.line,
                complaint.message,
            )
            for complaint in complaints
        ),
    )
