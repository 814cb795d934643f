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
    connection.execute(
        "DELETE FROM problems WHERE store = ? AND origin = 'check'", (store,)
    )
    _complain(connection, store, StoreEvidence(connection, store, sides))


def check_near(
    connection: sqlite3.Connection,
    store: int,
    sides: Iterable[Side],
    sources: Iterable[int],
    paths: Iterable[bytes],
) -> None:
    """Replace what the checks said about some paths by what they say of some sources.

    Of memories that share an identifier all sources are meant, or none. What an index
    says of the whole store is not looked at.
    """
    connection.executemany(
        "DELETE FROM problems WHERE path = ? AND store = ? AND origin = 'check'",
        [(path, store) for path in paths],
    )
    _complain(connection, store, StoreEvidence(connection, store, sides, sources))


def _complain(
    connection: sqlite3.Connection, store: int, evidence: StoreEvidence
) -> None:
    """Keep what the checks say."""
    complaints = [complaint for run in CHECKS for complaint in run(evidence)]
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
