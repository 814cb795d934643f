"""When each problem was met first: kept for as long as one of its kind is there."""

import sqlite3
from collections.abc import Iterable

_IS_FIRST = "SELECT NOT EXISTS (SELECT 1 FROM noticed WHERE store = ?)"
_MET = """
    INSERT OR IGNORE INTO noticed (store, path, code, ref, at)
    SELECT problems.store, problems.path, problems.code, coalesce(problems.ref, ''),
        min(?1, CASE WHEN ?2 THEN coalesce(sources.mtime_ns / 1000, 0) ELSE ?1 END)
    FROM problems LEFT JOIN sources
        ON sources.store = problems.store AND sources.path = problems.path
    WHERE problems.store = ?3
"""
_MET_AT = _MET.replace(
    "problems.store = ?3", "problems.path = ?4 AND problems.store = ?3"
)
_NO_MORE = """
    DELETE FROM noticed WHERE store = ?1 AND code <> '' AND (path, code, ref) NOT IN
        (SELECT path, code, coalesce(ref, '') FROM problems WHERE store = ?1)
"""
_NO_MORE_AT = """
    DELETE FROM noticed WHERE store = ?1 AND path = ?2 AND code <> ''
        AND (code, ref) NOT IN (
            SELECT code, coalesce(ref, '') FROM problems WHERE path = ?2 AND store = ?1
        )
"""
_MARK = "INSERT OR IGNORE INTO noticed VALUES (?, X'', '', '', ?)"
"""A store whose problems were noticed once is known by a row without a code."""


def notice(connection: sqlite3.Connection, store: int, now: int) -> None:
    """Note which problems of a store are met for the first time, and forget the mended.

    `now` is in microseconds since 1970. Of a store that is read for the first time
    nobody can tell; there a problem is as old as what its file says, and one that lies
    in no file that is read is as old as can be.
    """
    (is_first,) = connection.execute(_IS_FIRST, (store,)).fetchone()
    connection.execute(_MET, (now, is_first, store))
    connection.execute(_NO_MORE, (store,))
    connection.execute(_MARK, (store, now))


def notice_near(
    connection: sqlite3.Connection, store: int, now: int, paths: Iterable[bytes]
) -> None:
    """The same for the problems of some paths of a store that was noticed before."""
    for path in paths:
        connection.execute(_MET_AT, (now, False, store, path))
        connection.execute(_NO_MORE_AT, (store, path))
