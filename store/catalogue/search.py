"""The best hits of a query over all kinds, and rows in order."""

import operator
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import orjson
from msgspec import Struct
from msgspec.structs import replace

from store.catalogue.query import (
    FARTHEST,
    Asked,
    Facets,
    Nearly,
    facets,
    nearest_tree,
    rows_near,
    unknown,
)
from store.catalogue.query import Memory as QueryMemory
from store.catalogue.reader import Circumstances, Condition, Page, Reader
from store.kinds import KINDS
from store.kinds.memories import MEMORIES, Memory
from store.kinds.table import json_text
from store.records.answers import Hit, Snippet
from store.search.meaning import Near
from store.search.rank import Candidate, Judge, Verdict, Wanted, judge_similar
from store.search.similar import merged
from store.search.spans import excerpt, snippet, spans_of_pattern
from store.search.tree import All, Either, Fuzzy, Node, Pattern, Text, compiled, texts
from store.search.tree import Finder as TreeFinder
from store.text import is_exact

if TYPE_CHECKING:
    from store.records.answers import Double, Similar
    from store.search.tree import Complaint


# The best matches for a query, over every kind that has text.
#
# If there are many matches, only the newest few thousand are judged. A word in more
# records than that is not very specific, so recency matters more.

_JUDGED = 1000
"""The most records of one kind to judge, newest first."""

_SAID = 100
"""The same for kinds without titles, where few hits stand out."""

_AT = Candidate.__struct_fields__.index("at") - 1
"""The position of the time in the columns of a candidate, which lack its kind."""

_SHOWN_IN = 160
"""Characters of a snippet."""


class Best(NamedTuple):
    """The results of a search, best first."""

    hits: list[Hit]
    total: int
    """How many records were judged; the hits may be some of these."""
    is_more: bool
    """Whether there are older matches that were not judged."""
    is_similar: bool
    """Whether there were no exact matches, and these are only similar."""


class _Judgement(Struct, frozen=True):
    """A row and its score."""

    kind: str
    row: int
    candidate: Candidate
    verdict: Verdict
    is_older: bool = False
    """Whether it is beyond the judged ones, and only included for a later page."""

    @property
    def order(self) -> tuple[bool, float, int, str, int]:
        """The sort key: best first, then newest, then kind and row.

        Older records that are not ranked follow by time, so that pages never overlap.
        """
        at = -(self.candidate.at or 0)
        if self.is_older:
            return (True, 0.0, at, self.kind, -self.row)
        return (False, -self.verdict.score, at, self.kind, self.row)


def search(asked: Asked, tree: Node, kinds: Sequence[str], page: Page) -> Best:
    """The best records; if there are no exact matches, similar ones."""
    found = [name for name, kind in KINDS.items() if kind.ranked and name in kinds]
    end = None if page.limit is None else page.offset + page.limit
    most = [_most(kind, end or 0) for kind in found]
    judgements, counts = _exact(asked, tree, found, most)
    is_similar = False
    if not judgements:
        judgements = _similar(asked, tree, found) or _partly(asked, tree, found)
        counts, is_similar = [len(judgements)], bool(judgements)
    judgements.sort(key=lambda one: one.order)
    shown = judgements[page.offset : end]
    hits = list(_hits(asked, tree, shown, is_similar=is_similar))
    is_more = any(map(operator.ge, counts, most)) and not is_similar
    return Best(hits, sum(counts), is_more, is_similar)


def _most(kind: str, shown: int = 0) -> int:
    """The number of records of one kind to judge, at least as many as are shown."""
    return max(_JUDGED if KINDS[kind].title else _SAID, shown)


def ranked(asked: Asked, kind: str, tree: Node) -> list[int]:
    """The rows of one kind that match a query, best first, among the newest."""
    if not KINDS[kind].ranked:
        return []
    judgements, _ = _exact(asked, tree, [kind], [_most(kind)], alone=False)
    return [one.row for one in sorted(judgements, key=lambda one: one.order)]


def _exact(
    asked: Asked,
    tree: Node,
    kinds: Sequence[str],
    most: Sequence[int],
    *,
    alone: bool = True,
) -> tuple[list[_Judgement], list[int]]:
    """The exact matches with their scores, and the number of each kind."""
    judge = Judge(_wanted(asked, tree), asked.circumstances.now)
    judgements: list[_Judgement] = []
    counts: list[int] = []
    for kind, limit in zip(kinds, most, strict=True):
        soon = asked.soon(tree, kind) if alone else None
        condition = soon or asked.condition(tree, kind, alone=alone)
        found = list(_candidates(asked, kind, condition, limit))
        near = _near(asked, kind, tree)
        for at, (row, candidate) in enumerate(found):
            verdict = judge.of(candidate, near.get(row, {}))
            judgements.append(
                _Judgement(kind, row, candidate, verdict, at >= _most(kind))
            )
        counts.append(len(found))
    return judgements, counts


def _near(asked: Asked, kind: str, tree: Node) -> dict[int, dict[str, float]]:
    """How similar the names of rows are to each `~text`."""
    near: dict[int, dict[str, float]] = {}
    for leaf in texts(tree):
        for one in asked.like(kind, leaf.text) if isinstance(leaf, Fuzzy) else ():
            near.setdefault(one.row, {})[leaf.text] = one.score
    return near


def _wanted(asked: Asked, tree: Node) -> list[Wanted]:
    """The words of a query with their weights; a single word has weight 1."""
    said = (leaf.text for leaf in texts(tree) if not isinstance(leaf, Pattern))
    found = list(dict.fromkeys(said))
    if len(found) == 1:
        return [Wanted(found[0], 1)]
    return [Wanted(text, asked.shelves.rarity(text)) for text in found]


def _similar(asked: Asked, tree: Node, kinds: Sequence[str]) -> list[_Judgement]:
    """The records with similar names that meet the rest of the query.

    Edges are left out, as they have the names of memories and would repeat those.
    """
    near = nearest_tree(tree)
    if near is None:
        return []
    judgements: list[_Judgement] = []
    kinds = [kind for kind in kinds if kind != "edges"] or kinds
    found = {kind: asked.like(kind, near.text) for kind in kinds}
    best = max((one.score for ones in found.values() for one in ones), default=0)
    for kind in kinds:
        like = {one.row: one for one in found[kind] if one.score >= best - FARTHEST}
        condition = asked.condition(near.tree, kind, alone=True)
        nearest = _candidates(asked, kind, condition, len(found[kind])) if like else ()
        for row, candidate in nearest:
            if row in like:
                score, how = like[row].score, like[row].how
                verdict = judge_similar(score, candidate, asked.circumstances.now)
                explained = verdict._replace(evidence=(("{}", how), *verdict.evidence))
                judgements.append(_Judgement(kind, row, candidate, explained))
    return judgements


_TELLING = 0.3
"""The lowest rarity of a word worth finding alone; others are in too many records."""

_PARTLY = 20
"""The most records that have only some of the words."""

_NEARLY_BEST, _ENOUGH = 0.6, 1.5
"""The least share of the best score, and the least score: one of two words in a title,
or two of three in a text. Anything less has a word by the way."""


def _partly(
    asked: Asked, tree: Node, kinds: Sequence[str], *, alone: bool = True
) -> list[_Judgement]:
    """The records with most of the words, best first; none for a single word."""
    near = nearest_tree(tree)
    words = [leaf for leaf in texts(tree) if isinstance(leaf, Text)]
    telling = [leaf for leaf in words if asked.shelves.rarity(leaf.text) >= _TELLING]
    if near is None or len(words) == 1 or not telling:
        return []
    some = All((Either(tuple(telling)), near.rest))
    kinds = [kind for kind in kinds if kind != "edges"] or kinds
    most = [_most(kind) for kind in kinds]
    judgements, _ = _exact(asked, some, kinds, most, alone=alone)
    judgements.sort(key=lambda one: one.order)
    best = judgements[0].verdict.score if judgements else 0
    least = max(_ENOUGH, _NEARLY_BEST * best)
    return [one for one in judgements if one.verdict.score >= least][:_PARTLY]


def _candidates(
    asked: Asked, kind: str, condition: Condition, limit: int
) -> Iterator[tuple[int, Candidate]]:
    """The newest rows of one kind that meet a condition, as candidates."""
    reader, view = asked.reader, KINDS[kind]
    columns = ", ".join(view.ranking)
    at = view.ranking[_AT]
    within = reader.within(f"{view.name}.store")
    rows = reader.execute(
        f"SELECT {view.name}.id, {columns} "
        f"FROM {view.joined(columns, condition.sql)} "
        f"WHERE {view.is_shown} AND {within} AND {condition.sql} "
        f"ORDER BY {at} DESC, {view.name}.id DESC LIMIT ?",
        (*reader.stores_seen, *condition.values, limit),
    )
    return ((row, _candidate(view.one, *cells)) for row, *cells in rows)


def _candidate(kind: str, *cells: str | float | None) -> Candidate:
    """A candidate from the columns of a row."""
    title, names, tags, description, body, at, strength, pinned, archived = cells
    return Candidate(
        kind=kind,
        title=str(title or ""),
        names=str(names or ""),
        tags=tuple(orjson.loads(str(tags))),
        description=str(description or ""),
        body=str(body or ""),
        at=None if at is None else int(at),
        strength=None if strength is None else float(strength),
        pinned=bool(pinned),
        archived=bool(archived),
    )


def _hits(
    asked: Asked, tree: Node, judgements: Sequence[_Judgement], *, is_similar: bool
) -> Iterator[Hit]:
    """The records of some rows, in order, each with a snippet."""
    records = {
        kind: asked.reader.rows(
            KINDS[kind],
            [one.row for one in judgements if one.kind == kind],
            asked.circumstances.now,
        )
        for kind in {one.kind for one in judgements}
    }
    for one in judgements:
        yield Hit(
            record=records[one.kind][one.row],
            kind=one.candidate.kind,
            score=one.verdict.score,
            snippet=None if is_similar else _snippet(one.candidate, tree),
            similar=is_similar,
            reasons=one.verdict.reasons,
        )


def _ready(expression: str) -> TreeFinder:
    """A regular expression, compiled as conditions do it."""
    return compiled(expression, is_exact=is_exact(expression))


def _snippet(candidate: Candidate, tree: Node) -> Snippet | None:
    """The part of a record's text that best shows why it matched."""
    sought = texts(tree)
    patterns = [leaf.text for leaf in sought if isinstance(leaf, Pattern)]
    needles = [leaf.text for leaf in sought if isinstance(leaf, Text)]
    if not sought:
        return None
    text = "\n".join(filter(None, (candidate.body, candidate.description)))
    text = text or candidate.title
    if patterns:
        return excerpt(text, spans_of_pattern(text, _ready(patterns[0])), _SHOWN_IN)
    shown = snippet(text, needles, _SHOWN_IN)
    return shown if shown.spans else snippet(candidate.title, needles, _SHOWN_IN)


# Combine matches by words with memories of similar meaning.
#
# The first hits of both rankings are merged by rank. After these come the remaining
# hits by words in their order, so that every page is a part of the same list.

_FIRST = 100
"""How many hits by words are merged."""


def search_with(
    near: Sequence[Near], asked: Asked, tree: Node, kinds: Sequence[str], page: Page
) -> Best:
    """The best records by words and by meaning."""
    end = None if page.limit is None else page.offset + page.limit
    best = search(
        asked, tree, kinds, Page(limit=None if end is None else max(end, _FIRST))
    )
    nearest = _meeting_all_else(asked, tree, near)
    by_meaning = _hits_meant(asked, nearest)
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
    """The rows of similar meaning that meet the rest of the query."""
    words = nearest_tree(tree)
    if words is None:
        return {}
    rows = rows_near(asked.reader, near)
    meeting = _meeting(asked, words.rest, rows)
    return {row: score for row, score in rows.items() if row in meeting}


def _meeting(asked: Asked, tree: Node, rows: Collection[int]) -> set[int]:
    """The memories, among some, that match a query."""
    reader, condition = asked.reader, asked.condition(tree, "memories", alone=True)
    found = reader.execute(
        f"SELECT memories.id FROM {MEMORIES.joined(condition.sql)} "
        f"WHERE memories.id IN (SELECT value FROM json_each(?)) AND {condition.sql} "
        f"AND {reader.within('memories.store')}",
        (json_text(list(rows)), *condition.values, *reader.stores_seen),
    )
    return {row for (row,) in found}


def _hits_meant(asked: Asked, rows: Mapping[int, float]) -> dict[Hashable, Hit]:
    """The memories of similar meaning as hits, nearest first."""
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
    """The identity of a hit; the same memory has the same one in both rankings."""
    match hit.record:
        case Memory(store=store, path=path, line=line):
            return store, path, line
        case _:
            return place


def _one(
    key: Hashable, by_words: Mapping[Hashable, Hit], by_meaning: Mapping[Hashable, Hit]
) -> Hit:
    """The hit for a record, with the reasons from both rankings."""
    if key not in by_words or key not in by_meaning:
        return by_words.get(key) or by_meaning[key]
    reasons = (*by_words[key].reasons, *by_meaning[key].reasons)
    return replace(by_words[key], reasons=reasons)


# Lists of similar records, if there are no exact matches.


def nearly(asked: Asked, kind: str, tree: Node) -> list[int]:
    """The rows of one kind with names similar to the query, most similar first.

    Failing these, the rows with most of its words.
    """
    near = nearest_tree(tree)
    if near is None:
        return []
    rows = _named(asked, kind, near)
    if rows or not KINDS[kind].ranked:
        return rows
    return [one.row for one in _partly(asked, tree, [kind], alone=False)]


def _named(asked: Asked, kind: str, near: Nearly) -> list[int]:
    reader, view = asked.reader, KINDS[kind]
    condition = asked.condition(near.tree, kind)
    rows = [one.row for one in asked.like(kind, near.text)]
    found = reader.execute(
        f"SELECT {view.name}.id FROM {view.joined(condition.sql)} "
        f"WHERE {view.is_shown} AND {condition.sql} "
        f"AND {view.name}.id IN (SELECT value FROM json_each(?)) "
        f"AND {reader.within(f'{view.name}.store')}",
        (*condition.values, orjson.dumps(rows).decode(), *reader.stores_seen),
    )
    meeting = {row for (row,) in found}
    return [row for row in rows if row in meeting]


# Answers queries: rows, counts, facets, best hits, similar records.


class Finder:
    """Answers queries, and caches what the next query needs."""

    def __init__(self) -> None:
        self.circumstances = Circumstances(now=0)
        """What queries depend on besides their text; the library sets this before each.
        """
        self._memory: QueryMemory | None = None

    def condition(self, reader: Reader, kind: str, tree: Node) -> Condition:
        """The condition for a row of one kind to match a query."""
        return self._asked(reader).condition(tree, kind)

    def nearly(self, reader: Reader, kind: str, tree: Node) -> list[int]:
        """The rows of one kind with names similar to the query."""
        return nearly(self._asked(reader), kind, tree)

    def ranked(self, reader: Reader, kind: str, tree: Node) -> list[int]:
        """The rows of one kind that match a query, best first."""
        return ranked(self._asked(reader), kind, tree)

    def facets(
        self,
        reader: Reader,
        kind: str,
        tree: Node,
        names: Collection[str] | None = None,
    ) -> Facets:
        """The facets of the records that match a query."""
        return facets(self._asked(reader), kind, tree, names)

    def search(
        self,
        reader: Reader,
        tree: Node,
        kinds: Sequence[str],
        page: Page,
        near: Sequence["Near"] = (),
    ) -> Best:
        """The best records over some kinds, or over all if none is named.

        `near` are the memories with a similar meaning.
        """
        asked, kinds = self._asked(reader), kinds or tuple(KINDS)
        if not near or "memories" not in kinds:
            return search(asked, tree, kinds, page)

        return search_with(near, asked, tree, kinds, page)

    def alike(
        self,
        reader: Reader,
        memory: "Memory",
        limit: int,
        near: Sequence["Near"],
        *,
        unlinked: bool,
    ) -> list["Similar"]:
        """The memories most similar to one."""
        from store.catalogue.similar import alike  # noqa: PLC0415  # rarely needed

        return alike(self._asked(reader), memory, limit, near, unlinked=unlinked)

    def doubles(self, reader: Reader) -> list["Double"]:
        """The duplicate memories, group by group."""
        from store.catalogue.similar import find_doubles  # noqa: PLC0415  # rarely needed

        return list(find_doubles(self._asked(reader)))

    def unknown(
        self, reader: Reader, kinds: Sequence[str], tree: Node
    ) -> list["Complaint"]:
        """A message for each value in a query that no record has."""
        return list(unknown(self._asked(reader), kinds or tuple(KINDS), tree))

    def _asked(self, reader: Reader) -> Asked:
        connection, now = reader.connection, self.circumstances.now
        if self._memory is None or not self._memory.serves(connection, now):
            self._memory = QueryMemory.of(connection, now)
        return Asked(reader, self._memory, self.circumstances)
