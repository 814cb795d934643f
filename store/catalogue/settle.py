"""What depends on several files: resolve keys, combine claims into edges."""

import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import orjson

from store.catalogue.conversation_links import settle_conversations
from store.derive.memories import Word, agree, vigour
from store.findings import SHORT, short_key
from store.kinds.edges import EDGES
from store.kinds.table import Row, holdable, ref
from store.text import regex
from store.times import clock

# Resolve keys to memories of a store: by identifier, path or name.

_OWN_END = regex(r"-([0-9a-f]{6})\.md$", re.IGNORECASE)
"""The end of a file name that consists of a title and an identifier."""


_MEANT = """
    CREATE TEMP TABLE IF NOT EXISTS meant (
        id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, row INTEGER
    )
"""
"""The keys in the files of a store, and the row of the memory that each refers to."""

_NAMED = """
    INSERT OR IGNORE INTO meant (key)
    SELECT start FROM claims WHERE store = ?1
    UNION ALL SELECT "end" FROM claims WHERE store = ?1
    UNION ALL SELECT target FROM episodes WHERE store = ?1 AND target IS NOT NULL
    UNION ALL SELECT target FROM mentions WHERE store = ?1 AND target IS NOT NULL
"""
_MEMORIES = """
    SELECT memories.id, memories."key", sources.path, memories.names
    FROM sources CROSS JOIN memories ON memories.source = sources.id
    WHERE sources.store = ? ORDER BY sources.path, memories.line, memories.id
"""
_UNKNOWN = """
    SELECT key FROM meant
    WHERE row IS NULL AND (key LIKE 'path:%' OR key LIKE 'file:%')
"""
_FIRST = "UPDATE meant SET row = ? WHERE key = ? AND row IS NULL"


def resolve_keys(connection: sqlite3.Connection, store: int) -> None:
    """Find the memory for each key in a store's files, in the table `meant`.

    If several memories have a key, the first by path and line has it.
    """
    run = connection.execute
    run(_MEANT)
    run("DELETE FROM meant")
    run(_NAMED, (store,))
    _find_holders(connection, store)
    unknown = [key for (key,) in run(_UNKNOWN)]
    others = {(one,) for key in unknown for one in readings(key)}
    added = "INSERT OR IGNORE INTO meant (key) VALUES (?)"
    if connection.executemany(added, others).rowcount > 0:
        _find_holders(connection, store)
    for key in unknown:
        for one in readings(key):
            row = run("SELECT row FROM meant WHERE key = ?", (one,)).fetchone()
            run(_FIRST, (row[0], key))


def _find_holders(connection: sqlite3.Connection, store: int) -> None:
    """Find the memories that have the keys in `meant`.

    Claims can't name a path that is not UTF-8.
    """
    rows = connection.execute("SELECT key FROM meant WHERE key LIKE ?", (f"{SHORT}%",))
    owners: dict[str, set[str]] = {key: set() for (key,) in rows}

    def held() -> Iterator[tuple[int, str]]:
        for row, own, path, names in connection.execute(_MEMORIES, (store,)):
            for key in keys_of(own, os.fsdecode(path), names):
                if key in owners:
                    owners[key].add(own)
                if key.isascii() or key == holdable(key):
                    yield row, key

    connection.executemany(_FIRST, held())
    connection.executemany(
        "UPDATE meant SET row = NULL WHERE key = ?",
        [(key,) for key, own in owners.items() if len(own) > 1],
    )


def keys_of(key: str, path: str, names: str) -> Iterator[str]:
    """All keys of a memory, its own first."""
    yield key
    yield f"path:{path}"
    yield file_key(path)
    if key.startswith("id:"):
        yield short_key(key)
    yield from names.split()


def readings(key: str) -> Iterator[str]:
    """A key, and the keys to try if no memory has it.

    If a path does not exist, the file name is tried, and then the beginning of an
    identifier at the end of the file name. So links still work if a memory was moved
    within its store, or renamed.
    """
    yield key
    if key.startswith("path:"):
        yield file_key(key)
    own = _OWN_END.search(key) if key.startswith(("path:", "file:")) else None
    if own:
        yield short_key(own[1])


def file_key(path: str) -> str:
    """The key for the file name of a path, or of a key with a path."""
    return f"file:{path.removeprefix('path:').rpartition('/')[2]}"


def is_short(key: str) -> bool:
    """Whether a key may fit several memories, in which case it refers to none."""
    return key.startswith(SHORT)


_ORDERED = """
    SELECT coalesce(starts.row, -starts.id), coalesce(ends.row, -ends.id), claims.type,
        claims.id, starts.id, ends.id
    FROM claims JOIN meant AS starts ON starts.key = claims.start
    JOIN meant AS ends ON ends.key = claims."end"
    WHERE claims.store = ? ORDER BY 1, 2, 3, 4
"""
"""The claims, those about the same ends and of the same type together."""

_CLAIMS = """
    SELECT id, side, edge_id, strength, context, created, created_at, start_title,
        end_title, source, line
    FROM claims WHERE id IN (SELECT value FROM json_each(?))
"""
_ENDS = """
    SELECT meant.id, coalesce(memories."key", meant.key), row
    FROM meant LEFT JOIN memories ON memories.id = row
    WHERE meant.id IN (SELECT value FROM json_each(?))
"""
_AT_ONCE = 1000

COLUMNS = ("store", "source", *EDGES.table.filled)
"""The columns of an edge, in the order of `row_of`."""

_CONCERN = """
    UPDATE problems SET ref = edges.ref FROM edges
    WHERE problems.store = ?1 AND problems.origin = 'source'
        AND edges.source = problems.source AND edges.sides LIKE 'file%'
"""
_CONCERN_OF = _CONCERN.replace("problems.store = ?1", "problems.source = ?1")

Meant = tuple[str, int | None]
"""The key of an end, and its memory's row; None if there is no memory."""


class About(NamedTuple):
    """What all claims about an edge share; sorts in the order of the store's edges."""

    start: Meant
    end: Meant
    type: str

    @property
    def own(self) -> tuple[str, ...]:
        """The identity of an edge without an identifier."""
        return (self.start[0], self.end[0], self.type)


def replace_edges(connection: sqlite3.Connection, store: int, path: bytes) -> None:
    """Rebuild the store's edges from all claims, once their keys are resolved.

    The claims are read a thousand at a time, sorted by edge, so that the memory needed
    does not grow with them.
    """
    connection.execute("DELETE FROM edges WHERE store = ?", (store,))
    connection.executemany(EDGES.table.insert, _edges(connection, store, path))
    _number_namesakes(connection, store, path)
    connection.execute(_CONCERN, (store,))


def concern_edges(connection: sqlite3.Connection, sources: Iterable[int]) -> None:
    """Attach the problems of some edge files to their edges."""
    connection.executemany(_CONCERN_OF, [(source,) for source in sources])


def _edges(connection: sqlite3.Connection, store: int, path: bytes) -> Iterator[Row]:
    """The rows of all edges; several may have the same ref."""
    for what, group in groupby(_claims(connection, store), itemgetter(slice(0, 3))):
        several = list(group)
        _, start, end, _ = several[0][3:]
        about = About(start, end, what[2])
        words = [Word((side,), *rest) for *_, (side, *rest) in several]
        for edge in agree(in_order(connection, words)):
            yield row_of(store, about, edge, ref("edge", path, *own_of(about, edge)))


def _claims(connection: sqlite3.Connection, store: int) -> Iterator[tuple[Any, ...]]:
    """All claims in order, each after what those about the same edge share."""
    ordered = connection.execute(_ORDERED, (store,))
    while several := ordered.fetchmany(_AT_ONCE):
        numbers = orjson.dumps([row[3] for row in several]).decode()
        found = {row[0]: row[1:] for row in connection.execute(_CLAIMS, (numbers,))}
        met = {end for row in several for end in row[4:]}
        rows = connection.execute(_ENDS, (orjson.dumps([*met]).decode(),))
        ends = {row[0]: row[1:] for row in rows}
        for *about, number, start, end in several:
            yield (*about, number, ends[start], ends[end], found[number])


_NAMESAKES = """
    SELECT ref, id, edge_id, start_key, start, end_key, "end", type FROM edges
    WHERE store = ?1 AND ref IN (
        SELECT ref FROM edges WHERE store = ?1 GROUP BY ref HAVING count(*) > 1
    )
"""
_WHERE = """
    SELECT sources.path, memories.line IS NOT NULL, memories.line, memories.id
    FROM memories JOIN sources ON sources.id = memories.source WHERE memories.id = ?
"""


def _number_namesakes(connection: sqlite3.Connection, store: int, path: bytes) -> None:
    """Give the edges of a store that have the same ref different ones."""
    rows = connection.execute(_NAMESAKES, (store,)).fetchall()
    found: dict[str, list[tuple[About, int, str | None]]] = {}
    for name, number, edge_id, start_key, start, end_key, end, kind in rows:
        about = About((start_key, start), (end_key, end), kind)
        found.setdefault(name, []).append((about, number, edge_id))
    for several in found.values():
        several.sort(key=lambda one: (order_of(connection, one[0]), one[1]))
        for place, (about, number, edge_id) in enumerate(several[1:], 1):
            own = (edge_id,) if edge_id else about.own
            connection.execute(
                "UPDATE edges SET ref = ? WHERE id = ?",
                (name_of(path, own, place), number),
            )


def order_of(connection: sqlite3.Connection, about: About) -> tuple[object, ...]:
    """The sort key of an edge: its ends' keys, paths and lines."""

    def where(memory: int | None) -> tuple[object, ...]:
        return tuple(connection.execute(_WHERE, (memory,)).fetchone() or ())

    (start_key, start), (end_key, end), kind = about
    return (start_key, where(start), end_key, where(end), kind)


def own_of(what: About, edge: Word) -> tuple[str, ...]:
    """The identity of an edge: its own identifier, or else its ends and type."""
    if edge.edge_id:
        return (edge.edge_id,)
    return what.own


def name_of(path: bytes, own: tuple[str, ...], number: int) -> str:
    """The ref of an edge, numbered if several have the same identity."""
    return ref("edge", path, *own, *([str(number)] if number else []))


def row_of(store: int, what: About, edge: Word, name: str) -> Row:
    """The row of an edge."""
    (start_key, start), (end_key, end), kind = what
    own = (store, name, kind, start, end, start_key, end_key, " ".join(edge.sides))
    return _IN_ORDER((*edge, *own))


_IN_ORDER: Callable[[tuple[Any, ...]], Row] = itemgetter(
    *map(
        (
            *("told", *Word._fields[1:], "store", "ref", "type", "start", "end"),
            *("start_key", "end_key", "sides"),
        ).index,
        COLUMNS,
    )
)
"""Puts the cells of an edge in the order of its columns."""


def in_order(connection: sqlite3.Connection, words: list[Word]) -> list[Word]:
    """The claims in the order of their files, if two are of the same side."""
    if len({word.sides[0] for word in words}) == len(words):
        return words
    question = "SELECT path FROM sources WHERE id = ?"
    return sorted(
        words,
        key=lambda word: connection.execute(question, (word.source,)).fetchone()[0],
    )


# Combine the findings of a store's files: edges, counts, vigour, refs.
#
# This runs after changed files were read. Whatever depends on more than one file is
# computed here from the rows, and replaced for the whole store.

_OF_STORE = "memories.store = ?1"
_OF_SOME = "memories.id IN (SELECT value FROM json_each(?2))"
_TOLD_OF_SOME = f"""
    AND "key" IN (SELECT "key" FROM memories WHERE {_OF_SOME})
"""

_VIGOUR = """
    UPDATE OR FAIL memories SET vigour = fresh.vigour, access_count = fresh.count,
        accessed = fresh.last, accessed_at = fresh.last_at
    FROM (
        SELECT memories.id AS id,
            max(coalesce(accesses.count, 0), 0) AS count,
            accesses.last AS last,
            accesses.last_at AS last_at,
            vigour(
                memories.importance, coalesce(accesses.count, 0), memories.type,
                memories.pinned, sources.mtime_ns / 1000,
                accesses.last_at, memories.updated_at, memories.created_at
            ) AS vigour
        FROM memories JOIN sources ON sources.id = memories.source LEFT JOIN (
            SELECT key, max(count) AS count, last, last_at
            FROM accesses WHERE store = ?1 {told} GROUP BY key
        ) AS accesses ON accesses.key = memories.key
        WHERE {memories} AND memories.fades
    ) AS fresh
    WHERE memories.id = fresh.id AND (
        memories.vigour IS NOT fresh.vigour OR memories.access_count <> fresh.count
        OR memories.accessed IS NOT fresh.last
    )
"""


_DUPLICATES = """
    SELECT "key" FROM memories WHERE store = ? AND "key" LIKE 'id:%'
    GROUP BY "key" HAVING count(*) > 1 OR max(is_copy)
"""
_CALLED = """
    SELECT memories.id, sources.path, memories.line, memories.is_copy
    FROM memories JOIN sources ON sources.id = memories.source
    WHERE memories."key" = ? AND memories.store = ?
    ORDER BY sources.path, memories.line, memories.id
"""
_COUNTED = """
    (SELECT count(*) FROM edges WHERE "end" = memories.id),
    (SELECT count(*) FROM edges WHERE start = memories.id)
"""
_COUNT_LINKS = f"""
    UPDATE OR FAIL memories SET (links_in, links_out) = (SELECT {_COUNTED})
    WHERE {{memories}} AND (links_in, links_out) <> (SELECT {_COUNTED})
"""
"""This and the vigour break no constraint. Without FAIL, SQLite keeps all pages before
the update in memory, to undo it in case one does."""
_RESOLVE = """
    UPDATE {0} SET memory = meant.row FROM meant
    WHERE {0}.store = ? AND meant.key = {0}.target AND {0}.memory IS NOT meant.row
"""

_HIDDEN = """
    UPDATE events SET is_hidden = NOT is_hidden
    WHERE store = ?1 AND is_copy AND is_hidden <> (
        session IN (SELECT session FROM events WHERE store = ?1 AND NOT is_copy)
    )
"""


def settle(
    connection: sqlite3.Connection,
    store: int,
    path: bytes,
    gap: int,
    moved: Iterable[str],
) -> set[int]:
    """Update everything in a store that spans several files.

    `moved` are the paths of the files that changed or were deleted. Returns the other
    stores whose conversations changed.
    """
    touched = settle_conversations(connection, store, path, gap, moved)
    _hide_copied_events(connection, store)
    duplicates = [key for (key,) in connection.execute(_DUPLICATES, (store,))]
    name_apart(connection, store, path, duplicates)
    resolve_keys(connection, store)
    replace_edges(connection, store, path)
    count_links(connection, store)
    for table in ("episodes", "mentions"):
        connection.execute(_RESOLVE.format(table), (store,))
    connection.execute("DELETE FROM meant")
    score(connection, store)
    return touched


def count_links(
    connection: sqlite3.Connection, store: int, memories: Iterable[int] | None = None
) -> None:
    """Count the edges from and to a store's memories, or some of them."""
    if memories is None:
        connection.execute(_COUNT_LINKS.format(memories=_OF_STORE), (store,))
        return
    some = orjson.dumps(list(memories)).decode()
    connection.execute(_COUNT_LINKS.format(memories=_OF_SOME), (store, some))


def score(
    connection: sqlite3.Connection, store: int, memories: Iterable[int] | None = None
) -> None:
    """Compute the vigour of a store's memories, or of some of them."""
    vigour_of = partial(_vigour_of, clock())
    connection.create_function("vigour", 8, vigour_of, deterministic=True)
    if memories is None:
        connection.execute(_VIGOUR.format(told="", memories=_OF_STORE), (store,))
        return
    some = orjson.dumps(list(memories)).decode()
    question = _VIGOUR.format(told=_TOLD_OF_SOME, memories=_OF_SOME)
    connection.execute(question, (store, some))


def _hide_copied_events(connection: sqlite3.Connection, store: int) -> None:
    """Hide copied events of sessions that also have the original events."""
    connection.execute(_HIDDEN, (store,))


def _vigour_of(  # the arguments of an SQL function
    now: int,
    importance: float | str | None,
    count: int,
    kind: str | None,
    pinned: int,
    written: int,
    *told: int | None,
) -> float | None:
    """The number to sort strength by: infinite if pinned, None without a score.

    The first of the given times that is not in the future is used. If all of them are,
    the time when the file was written is used instead.
    """
    if pinned:
        return float("inf")
    times = [moment for moment in told if moment is not None]
    if not isinstance(importance, (int, float)) or not times or count < 0:
        return None
    last = next((moment for moment in times if moment <= now), min(written, now))
    return vigour(importance, count, kind, last)


def name_apart(
    connection: sqlite3.Connection, store: int, place: bytes, keys: Iterable[str]
) -> list[int]:
    """Give memories that share an identifier different refs, except the first.

    Returns all memories whose own key is one of the keys.
    """
    rows: list[int] = []
    changes: list[tuple[str, int, int]] = []
    for key in keys:
        found = connection.execute(_CALLED, (key, store)).fetchall()
        rows += [row for row, *_ in found]
        if not key.startswith("id:"):
            continue
        for row, path, line, was_copy in found:
            if row != rows[-len(found)]:
                own = (key, os.fsdecode(path), str(line))
                changes.append((ref("memory", place, *own), 1, row))
            elif was_copy:
                changes.append((ref("memory", place, key), 0, row))
    connection.executemany(
        "UPDATE problems SET ref = ?1 FROM memories WHERE memories.id = ?2 "
        "AND problems.source = memories.source AND problems.ref = memories.ref",
        [(name, row) for name, _, row in changes],
    )
    connection.executemany(
        "UPDATE memories SET ref = ?, is_copy = ? WHERE id = ?", changes
    )
    return rows
