"""A store's edges, made anew from everything that its files say of them."""

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, cast

from store.catalogue.keys import Keys
from store.catalogue.refs import ref
from store.catalogue.rows.cells import Row
from store.derive.agreement import Word, agree

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
    ORDER BY 1, 2, 3, claims.id
"""

COLUMNS = (
    'store, source, ref, edge_id, type, start, "end", start_key, end_key, start_title, '
    "end_title, strength, context, created, created_at, sides, line"
)
"""What is kept of an edge, in the order of `row_of`."""

INSERT = f"INSERT INTO edges ({COLUMNS}) VALUES ({', '.join('?' * 17)})"

_CONCERN = """
    UPDATE problems SET ref = edges.ref FROM edges
    WHERE problems.store = ?1 AND problems.origin = 'source'
        AND edges.source = problems.source AND edges.sides LIKE 'file%'
"""
_CONCERN_OF = _CONCERN.replace("problems.store = ?1", "problems.source = ?1")

_ENDS = itemgetter(0, 1, 2)
"""What claims about one edge share: the ranks of its ends, and its type."""

Meant = tuple[str, int | None]
"""The key that an end goes by, and the memory that it is; None where it is none."""


class About(NamedTuple):
    """What claims about one edge share; in the order of the store's edges."""

    start: Meant
    end: Meant
    type: str

    @property
    def own(self) -> tuple[str, ...]:
        """What the edge goes by where it has no identifier of its own."""
        return (self.start[0], self.end[0], self.type)


def replace_edges(
    connection: sqlite3.Connection, store: int, path: bytes, keys: Keys
) -> None:
    """Write the store's edges anew from all claims.

    Claims come sorted by what they are about and are put together as they come, so
    that only the keys of their ends and the names of edges are held, never the claims.
    """
    ends = _rank_ends(connection, store, keys)
    connection.execute("DELETE FROM edges WHERE store = ?", (store,))
    connection.executemany(INSERT, _edges(connection, store, path, ends))
    connection.execute(_CONCERN, (store,))


def concern_edges(connection: sqlite3.Connection, sources: Iterable[int]) -> None:
    """What is wrong with an edge file concerns the edge: note that for some files."""
    connection.executemany(_CONCERN_OF, [(source,) for source in sources])


def _rank_ends(connection: sqlite3.Connection, store: int, keys: Keys) -> list[Meant]:
    """Number the ends that claims name; keys of the same memory share a number.

    Numbers follow the order of the keys and of the paths, so that edges come in the
    same order whatever was read first; and they sort several times faster than keys.
    """
    named = connection.execute(_NAMED, (store,))
    meant = {key: keys.meant(key) for (key,) in named}
    ends = sorted(set(meant.values()), key=keys.order)
    ranks = {end: rank for rank, end in enumerate(ends)}
    connection.execute(_RESOLVED)
    connection.execute("DELETE FROM resolved")
    connection.executemany(
        "INSERT INTO resolved VALUES (?, ?)",
        ((key, ranks[end]) for key, end in meant.items()),
    )
    return ends


def _edges(
    connection: sqlite3.Connection, store: int, path: bytes, ends: list[Meant]
) -> Iterator[tuple[object, ...]]:
    """The rows of all edges; those that share a name are numbered."""
    claims = connection.cursor().execute(_CLAIMS, (store,))
    namesakes: dict[str, int] = {}
    for about, group in groupby(claims, _ENDS):
        first, last, kind = cast("tuple[int, int, str]", about)
        what = About(ends[first], ends[last], kind)
        words = [Word((claim[3],), *claim[4:]) for claim in group]
        for edge in agree(in_order(connection, words)):
            own = own_of(what, edge)
            name = ref("edge", path, *own)
            number = namesakes.get(name, 0)
            namesakes[name] = number + 1
            name = name_of(path, own, number) if number else name
            yield row_of(store, what, edge, name)


def own_of(what: About, edge: Word) -> tuple[str, ...]:
    """What an edge goes by: its own identifier, or else what it is about."""
    if edge.edge_id:
        return (edge.edge_id,)
    return what.own


def name_of(path: bytes, own: tuple[str, ...], number: int) -> str:
    """The ref of an edge, or of one of several that go by the same."""
    return ref("edge", path, *own, *([str(number)] if number else []))


def row_of(store: int, what: About, edge: Word, name: str) -> Row:
    """An edge as it is kept."""
    (start_key, start), (end_key, end), kind = what
    return (
        store,
        edge.source,
        name,
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


def in_order(connection: sqlite3.Connection, words: list[Word]) -> list[Word]:
    """The words in order of their files, where that decides: those of one side."""
    if len({word.sides[0] for word in words}) == len(words):
        return words
    question = "SELECT path FROM sources WHERE id = ?"
    return sorted(
        words,
        key=lambda word: connection.execute(question, (word.source,)).fetchone()[0],
    )
