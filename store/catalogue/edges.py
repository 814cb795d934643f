"""A store's edges, made anew from everything that its files say of them."""

import sqlite3
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import cast

from store.catalogue.keys import Keys
from store.catalogue.refs import ref
from store.derive.agreement import Word, agree
from store.findings import Side

_RESOLVED = """
    CREATE TEMP TABLE IF NOT EXISTS resolved (
        key TEXT PRIMARY KEY, rank INTEGER NOT NULL
    ) WITHOUT ROWID
"""

_NAMED = """
    SELECT start FROM claims WHERE store = ?1
    UNION SELECT "end" FROM claims WHERE store = ?1
"""

_CLAIMS = """
    SELECT starts.rank, ends.rank, type, side, edge_id, strength, context, created,
        created_at, start_title, end_title, source, line
    FROM claims
    JOIN resolved AS starts ON starts.key = claims.start
    JOIN resolved AS ends ON ends.key = claims."end"
    WHERE claims.store = ?
    ORDER BY 1, 2, 3
"""

_INSERT = """
    INSERT INTO edges (store, source, ref, edge_id, type, start, "end", start_key,
        end_key, start_title, end_title, strength, context, created, created_at, sides,
        line)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

_CONCERN = """
    UPDATE problems SET ref = edges.ref FROM edges
    WHERE problems.store = ?1 AND problems.origin = 'source'
        AND edges.source = problems.source AND edges.sides LIKE 'file%'
"""
"""What is wrong with an edge file concerns the edge."""

_ENDS = itemgetter(0, 1, 2)
"""What claims about one edge share: the ranks of its ends, and its type."""

_SEVERAL = 2
"""Edge files that speak of the same link, from which on their order matters."""

_Meant = tuple[str, int | None]
"""The key that an end goes by, and the memory that it is; None where it is none."""


def replace_edges(
    connection: sqlite3.Connection, store: int, path: bytes, keys: Keys
) -> None:
    """Write the store's edges anew from all claims.

    Claims come sorted by what they are about and are put together as they come, so
    that only the keys of their ends and the names of edges are held, never the claims.
    """
    ends = _rank_ends(connection, store, keys)
    connection.execute("DELETE FROM edges WHERE store = ?", (store,))
    rows = ((store, *row) for row in _edges(connection, store, path, ends))
    connection.executemany(_INSERT, rows)
    connection.execute(_CONCERN, (store,))


def _rank_ends(connection: sqlite3.Connection, store: int, keys: Keys) -> list[_Meant]:
    """Number the ends that claims name; keys of the same memory share a number.

    Numbers follow the order of the keys, so that edges come in the same order whatever
    was read first; and numbers sort several times faster than keys.
    """
    named = connection.execute(_NAMED, (store,))
    meant = {key: keys.meant(key) for (key,) in named}
    ends = sorted(set(meant.values()))
    ranks = {end: rank for rank, end in enumerate(ends)}
    connection.execute(_RESOLVED)
    connection.execute("DELETE FROM resolved")
    connection.executemany(
        "INSERT INTO resolved VALUES (?, ?)",
        ((key, ranks[end]) for key, end in meant.items()),
    )
    return ends


def _edges(
    connection: sqlite3.Connection, store: int, path: bytes, ends: list[_Meant]
) -> Iterator[tuple[object, ...]]:
    """The rows of all edges; those that share a name are numbered."""
    claims = connection.cursor().execute(_CLAIMS, (store,))
    namesakes: dict[str, int] = {}
    for about, group in groupby(claims, _ENDS):
        first, last, kind = cast("tuple[int, int, str]", about)
        (start_key, start), (end_key, end) = ends[first], ends[last]
        words = [Word((claim[3],), *claim[4:]) for claim in group]
        for edge in agree(_in_order(connection, words)):
            own = (edge.edge_id,) if edge.edge_id else (start_key, end_key, kind)
            name = ref("edge", path, *own)
            number = namesakes.get(name, 0)
            namesakes[name] = number + 1
            yield (
                edge.source,
                ref("edge", path, *own, str(number)) if number else name,
                edge.edge_id,
                kind,
                start,
                end,
                start_key,
                end_key,
                edge.start_title,
                edge.end_title,
                edge.strength,
                edge.context,
                edge.created,
                edge.created_at,
                " ".join(edge.sides),
                edge.line,
            )


def _in_order(connection: sqlite3.Connection, words: list[Word]) -> list[Word]:
    """The words in order of their files, where that decides: between edge files."""
    if sum(word.sides[0] == Side.FILE for word in words) < _SEVERAL:
        return words
    question = "SELECT path FROM sources WHERE id = ?"
    return sorted(
        words,
        key=lambda word: connection.execute(question, (word.source,)).fetchone()[0],
    )
