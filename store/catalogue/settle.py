"""Put the findings of a store's files together: edges, counts, vigour, refs.

Runs after the files that moved were read. What depends on more than one file is
computed here, from rows alone, and replaced as a whole for the store.
"""

import sqlite3
from collections.abc import Iterable

import orjson

from store.catalogue.conversations.settle import settle_conversations
from store.catalogue.edges import replace_edges
from store.catalogue.keys import Keyed, Keys, load_keys
from store.catalogue.refs import ref
from store.derive.decay import vigour

_OF_STORE = "memories.store = ?1"
_OF_SOME = "memories.id IN (SELECT value FROM json_each(?2))"
_TOLD_OF_SOME = f"""
    AND "key" IN (SELECT "key" FROM memories WHERE {_OF_SOME})
"""

_VIGOUR = """
    UPDATE memories SET vigour = fresh.vigour, access_count = fresh.count,
        accessed = fresh.last, accessed_at = fresh.last_at
    FROM (
        SELECT memories.id AS id,
            coalesce(accesses.count, 0) AS count,
            accesses.last AS last,
            accesses.last_at AS last_at,
            vigour(
                memories.importance, coalesce(accesses.count, 0), memories.type,
                coalesce(
                    accesses.last_at, memories.updated_at, memories.created_at
                ),
                memories.pinned
            ) AS vigour
        FROM memories LEFT JOIN (
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


_HIDDEN = """
    UPDATE events SET is_hidden = NOT is_hidden
    WHERE store = ?1 AND is_copy AND is_hidden <> (
        session IN (SELECT session FROM events WHERE store = ?1 AND NOT is_copy)
    )
"""


def settle(connection: sqlite3.Connection, store: int, path: bytes, gap: int) -> None:
    """Bring everything about a store that spans files up to date."""
    settle_conversations(connection, store, path, gap)
    _hide_copied_events(connection, store)
    keys = load_keys(connection, store)
    name_duplicates_apart(connection, path, keys.copies_no_more, keys.copies)
    replace_edges(connection, store, path, keys)
    _count_links(connection, store)
    _resolve(connection, store, keys, "episodes")
    _resolve(connection, store, keys, "mentions")
    score(connection, store)


def score(
    connection: sqlite3.Connection, store: int, memories: Iterable[int] | None = None
) -> None:
    """Keep what remains of the strength of a store's memories, or of some of them."""
    connection.create_function("vigour", 5, _vigour_of, deterministic=True)
    if memories is None:
        connection.execute(_VIGOUR.format(told="", memories=_OF_STORE), (store,))
        return
    some = orjson.dumps(list(memories)).decode()
    question = _VIGOUR.format(told=_TOLD_OF_SOME, memories=_OF_SOME)
    connection.execute(question, (store, some))


def _hide_copied_events(connection: sqlite3.Connection, store: int) -> None:
    """Of a session that a better source tells of, what copies tell is not shown."""
    connection.execute(_HIDDEN, (store,))


def _vigour_of(
    importance: float | str | None,
    count: int,
    kind: str | None,
    last: int | None,
    pinned: int,
) -> float | None:
    """The number to sort by; the pinned come above all, the unscored have none."""
    if pinned:
        return float("inf")
    if not isinstance(importance, (int, float)) or last is None:
        return None
    return vigour(importance, count, kind, last)


def name_duplicates_apart(
    connection: sqlite3.Connection,
    path: bytes,
    copies_no_more: Iterable[Keyed],
    copies: Iterable[Keyed],
) -> None:
    """Give memories that share an identifier refs of their own; the first keeps it."""
    changes = [
        *((ref("memory", path, m.key), 0, m.row) for m in copies_no_more),
        *((ref("memory", path, m.key, m.path, str(m.line)), 1, m.row) for m in copies),
    ]
    connection.executemany(
        "UPDATE problems SET ref = ?1 FROM memories WHERE memories.id = ?2 "
        "AND problems.source = memories.source AND problems.ref = memories.ref",
        [(name, row) for name, _, row in changes],
    )
    connection.executemany(
        "UPDATE memories SET ref = ?, is_copy = ? WHERE id = ?", changes
    )


def _count_links(connection: sqlite3.Connection, store: int) -> None:
    """Keep how many edges meet each memory, so that lists can be sorted by it."""
    counts: dict[int, list[int]] = {}
    for position, column in enumerate(("end", "start")):
        rows = connection.execute(
            f'SELECT "{column}", count(*) FROM edges '
            f'WHERE store = ? AND "{column}" IS NOT NULL GROUP BY 1',
            (store,),
        )
        for row, count in rows:
            counts.setdefault(row, [0, 0])[position] = count
    before = connection.execute(
        "SELECT id, links_in, links_out FROM memories WHERE store = ?", (store,)
    )
    changed = [
        (*after, row)
        for row, *linked in before
        if (after := counts.get(row, [0, 0])) != linked
    ]
    connection.executemany(
        "UPDATE memories SET links_in = ?, links_out = ? WHERE id = ?", changed
    )


def _resolve(
    connection: sqlite3.Connection, store: int, keys: Keys, table: str
) -> None:
    """Look up which memories a table's links lead to."""
    rows = connection.execute(
        f"SELECT id, target, memory FROM {table} "
        "WHERE store = ? AND target IS NOT NULL",
        (store,),
    )
    changed = [
        (memory, row)
        for row, target, before in rows
        if (memory := keys.find(target)) != before
    ]
    connection.executemany(f"UPDATE {table} SET memory = ? WHERE id = ?", changed)
