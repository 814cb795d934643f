"""What a query's words find, together with the memories that mean what it says.

Both rankings become one, place by place, among the first of them; behind these the hits
by words go on as they were. So every page is cut from the same order.
"""

from collections.abc import Collection, Hashable, Mapping, Sequence

from msgspec.structs import replace

from store.catalogue.finding.asked import Asked
from store.catalogue.finding.near import rows_near
from store.catalogue.finding.search import Best, search
from store.catalogue.finding.similar import nearest_tree
from store.catalogue.reader import Page
from store.catalogue.rows.cells import json_text
from store.catalogue.views import MEMORIES
from store.records.hit import Hit
from store.records.memory import Memory
from store.search.language.tree import Node
from store.search.similar import Near, merged

_FIRST = 100
"""So many hits by words are ranked again."""


def search_with(
    near: Sequence[Near], asked: Asked, tree: Node, kinds: Sequence[str], page: Page
) -> Best:
    """The best records by words and by meaning."""
    end = None if page.limit is None else page.offset + page.limit
    best = search(
        asked, tree, kinds, Page(limit=None if end is None else max(end, _FIRST))
    )
    nearest = _meeting_all_else(asked, tree, near)
    by_meaning = _hits(asked, nearest)
    by_words = {_key(place, hit): hit for place, hit in enumerate(best.hits)}
    keys = list(by_words)
    order = dict.fromkeys([*merged(keys[:_FIRST], by_meaning), *keys])
    hits = [_one(key, by_words, by_meaning) for key in order]
    worded = _meeting(asked, tree, nearest)
    unworded = sum(
        key not in by_words and row not in worded
        for key, row in zip(by_meaning, nearest, strict=True)
    )
    return Best(
        hits[page.offset : end],
        best.total + unworded,
        best.is_more,
        is_similar=best.is_similar or not best.hits,
    )


def _meeting_all_else(
    asked: Asked, tree: Node, near: Sequence[Near]
) -> dict[int, float]:
    """The rows that lie near and meet whatever the query asks for beside its words."""
    words = nearest_tree(tree)
    if words is None:
        return {}
    rows = rows_near(asked.reader, near)
    meeting = _meeting(asked, words.rest, rows)
    return {row: score for row, score in rows.items() if row in meeting}


def _meeting(asked: Asked, tree: Node, rows: Collection[int]) -> set[int]:
    """Those of some memories that a query finds."""
    reader, condition = asked.reader, asked.condition(tree, "memories", alone=True)
    found = reader.connection.execute(
        f"SELECT memories.id FROM {MEMORIES.joined(condition.sql)} "
        f"WHERE memories.id IN (SELECT value FROM json_each(?)) AND {condition.sql} "
        f"AND {reader.within('memories.store')}",
        (json_text(list(rows)), *condition.values, *reader.stores_seen),
    )
    return {row for (row,) in found}


def _hits(asked: Asked, rows: Mapping[int, float]) -> dict[Hashable, Hit]:
    """What lies near, the nearest first, each as a hit of its own."""
    records = asked.reader.rows(MEMORIES, list(rows), asked.circumstances.now)
    hits = [
        Hit(
            record=records[row],
            kind="memory",
            score=round(score, 3),
            snippet=None,
            similar=True,
            reasons=(f"meaning {score:.2f}",),
        )
        for row, score in rows.items()
    ]
    return {_key(place, hit): hit for place, hit in enumerate(hits)}


def _key(place: int, hit: Hit) -> Hashable:
    """What tells a hit from all others, and a memory wherever it was found."""
    match hit.record:
        case Memory(store=store, path=path, line=line):
            return store, path, line
        case _:
            return place


def _one(
    key: Hashable, by_words: Mapping[Hashable, Hit], by_meaning: Mapping[Hashable, Hit]
) -> Hit:
    """The one hit that a record comes to, with the reasons of both rankings."""
    if key not in by_words or key not in by_meaning:
        return by_words.get(key) or by_meaning[key]
    reasons = (*by_words[key].reasons, *by_meaning[key].reasons)
    return replace(by_words[key], reasons=reasons)
