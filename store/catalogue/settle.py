"""Put the findings of a store's files together: edges, counts, vigour, refs.

Runs after the files that moved were read. What depends on more than one file is
computed here, from rows alone, and replaced as a whole for the store.
"""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from store.catalogue.keys import Keys, load_keys
from store.catalogue.refs import ref
from store.derive.agreement import Agreed, Word, agree
from store.derive.decay import vigour
from store.findings import Side

_CLAIMS = """
    SELECT start, "end", type, side, edge_id, strength, context, created, created_at,
        start_title, end_title, source, line
    FROM claims JOIN sources ON sources.id = claims.source
    WHERE claims.store = ? ORDER BY sources.path, claims.id
"""

_INSERT_EDGE = """
    INSERT INTO edges (store, source, ref, edge_id, type, start, "end", start_key,
        end_key, start_title, end_title, strength, context, created, created_at, sides,
        line)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
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
        FROM memories LEFT JOIN accesses
            ON accesses.store = memories.store AND accesses.key = memories.key
        WHERE memories.store = ?1 AND memories.fades
    ) AS fresh
    WHERE memories.id = fresh.id AND (
        memories.vigour IS NOT fresh.vigour OR memories.access_count <> fresh.count
        OR memories.accessed IS NOT fresh.last
    )
"""


@dataclass(frozen=True, slots=True)
class _Pair:
    """What claims about the same edge have in common."""

    start: int | None
    end: int | None
    start_key: str
    end_key: str
    type: str


def settle(connection: sqlite3.Connection, store: int, path: bytes) -> None:
    """Bring everything about a store that spans files up to date."""
    keys = load_keys(connection, store)
    _name_duplicates_apart(connection, path, keys)
    _replace_edges(connection, store, path, keys)
    _count_links(connection, store)
    _resolve(connection, store, keys, "episodes")
    _resolve(connection, store, keys, "mentions")
    connection.create_function("vigour", 5, _vigour, deterministic=True)
    connection.execute(_VIGOUR, (store,))


def _vigour(
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


def _name_duplicates_apart(
    connection: sqlite3.Connection, path: bytes, keys: Keys
) -> None:
    """Give memories that share an identifier refs of their own; the first keeps it."""
    changes = [
        *((ref("memory", path, m.key), 0, m.row) for m in keys.copies_no_more),
        *(
            (ref("memory", path, m.key, m.path, str(m.line)), 1, m.row)
            for m in keys.copies
        ),
    ]
    connection.executemany(
        "UPDATE problems SET ref = ?1 WHERE source = "
        "(SELECT source FROM memories WHERE id = ?2) AND ref IS NOT NULL",
        [(name, row) for name, _, row in changes],
    )
    connection.executemany(
        "UPDATE memories SET ref = ?, is_copy = ? WHERE id = ?", changes
    )


def _replace_edges(
    connection: sqlite3.Connection, store: int, path: bytes, keys: Keys
) -> None:
    """Write the store's edges anew from all claims."""
    pairs: dict[tuple[object, ...], list[Word]] = defaultdict(list)
    ends: dict[tuple[object, ...], _Pair] = {}
    for start_key, end_key, kind, side, *facts in connection.execute(_CLAIMS, (store,)):
        start, end = keys.find(start_key), keys.find(end_key)
        pair = (start or start_key, end or end_key, kind)
        if pair not in ends:
            ends[pair] = _Pair(start, end, start_key, end_key, kind)
        pairs[pair].append(Word(Side(side), *facts))
    connection.execute("DELETE FROM edges WHERE store = ?", (store,))
    namesakes: Counter[tuple[str, ...]] = Counter()
    connection.executemany(
        _INSERT_EDGE,
        (
            (store, *row)
            for pair, words in pairs.items()
            for row in _edge_rows(path, ends[pair], agree(words), namesakes)
        ),
    )


def _edge_rows(
    path: bytes, pair: _Pair, edges: list[Agreed], namesakes: Counter[tuple[str, ...]]
) -> Iterator[tuple[object, ...]]:
    """The rows of the edges between two ends; those of one name are numbered."""
    for edge in edges:
        identity = (
            (edge.edge_id,)
            if edge.edge_id
            else (pair.start_key, pair.end_key, pair.type)
        )
        number = namesakes[identity]
        namesakes[identity] += 1
        yield (
            edge.source,
            ref("edge", path, *identity, str(number)),
            edge.edge_id,
            pair.type,
            pair.start,
            pair.end,
            pair.start_key,
            pair.end_key,
            edge.start_title,
            edge.end_title,
            edge.strength,
            edge.context,
            edge.created,
            edge.created_at,
            " ".join(edge.sides),
            edge.line,
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
