"""Put messages together whose lines were read in several pieces.

A message of a model comes in several lines, and a file is read in pieces or while it
grows; what belongs to one message is one row, however it came.
"""

import sqlite3
from functools import reduce

from store.catalogue.rows.transcripts import COLUMNS, again, found_again
from store.transcript import join

_NAMES = COLUMNS["messages"].split()

_FAR = 20_000
"""Lines between two parts of a message beyond which they are not looked for."""

_SPLIT = (
    "SELECT key FROM messages WHERE source = ? AND line >= ? AND key IS NOT NULL "
    "GROUP BY key HAVING count(*) > 1"
)
_PARTS = (
    f"SELECT id, {', '.join(_NAMES)} FROM messages "
    "WHERE source = ? AND key = ? AND line >= ? ORDER BY line"
)
_KEPT = (
    f"UPDATE messages SET {', '.join(f'{name} = ?' for name in _NAMES)} WHERE id = ?"
)


def put_together(connection: sqlite3.Connection, source: int, line: int) -> None:
    """Make one row of every message of which a part was added from a line on."""
    near = (source, line - _FAR)
    for (key,) in connection.execute(_SPLIT, near).fetchall():
        _join(connection, source, (source, key, line - _FAR))


def _join(
    connection: sqlite3.Connection, source: int, parts_of: tuple[int, str, int]
) -> None:
    """The first row of a message takes in the others."""
    (first, *kept), *others = connection.execute(_PARTS, parts_of).fetchall()
    parts = [kept, *(row[1:] for row in others)]
    whole = reduce(
        join, (found_again(dict(zip(_NAMES, r, strict=True))) for r in parts)
    )
    connection.execute(_KEPT, (kept[0], *again(whole)[1:], first))
    connection.executemany(
        "DELETE FROM messages WHERE id = ?", [(row[0],) for row in others]
    )
    line = _NAMES.index("line")
    connection.executemany(
        "UPDATE writes SET line = ? WHERE source = ? AND line = ?",
        [(whole.line, source, row[line]) for row in parts[1:]],
    )
