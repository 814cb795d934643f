"""The best of what a query finds, over every kind that has text.

Of what is found often the newest few thousand are judged: a word that stands in more
says little, and then it matters more how recent a record is.
"""

import operator
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import orjson
from msgspec import Struct

from store.catalogue.conditions.condition import Condition
from store.catalogue.finding.asked import Asked
from store.catalogue.finding.judged import JUDGED, Judged
from store.catalogue.finding.similar import nearest_tree
from store.catalogue.reader import Page
from store.catalogue.views import VIEWS
from store.records.hit import Hit, Snippet
from store.search.fold import is_exact
from store.search.language.leaves import texts
from store.search.language.patterns import Finder, compiled
from store.search.language.tree import Node, Pattern, Text
from store.search.ranking import Candidate, Judge, Verdict, Wanted, judge_similar
from store.search.spans import excerpt, snippet, spans_of_pattern

_JUDGED = 1000
"""So many records of a kind are judged, the newest."""

_SAID = 100
"""So many of a kind without titles: of what was only said little stands out."""

_SHOWN_IN = 160
"""Characters of a snippet."""


class Best(NamedTuple):
    """What a search found, best first."""

    hits: list[Hit]
    total: int
    """How many records were judged, of which these are some."""
    is_more: bool
    """Whether there are older ones that were not."""
    is_similar: bool
    """Whether nothing holds what was typed, and these only nearly do."""


class _Judgement(Struct, frozen=True):
    """A row, and what it is worth."""

    kind: str
    row: int
    candidate: Candidate
    verdict: Verdict
    is_older: bool = False
    """Whether it is only shown because somebody pages on: it stands behind the rest."""

    @property
    def order(self) -> tuple[bool, float, int, str, int]:
        """Best first, then newest; kinds and rows make the order whole.

        What is older than all that is ranked comes by its time, so pages never overlap.
        """
        at = -(self.candidate.at or 0)
        if self.is_older:
            return (True, 0.0, at, self.kind, -self.row)
        return (False, -self.verdict.score, at, self.kind, self.row)


def search(asked: Asked, tree: Node, kinds: Sequence[str], page: Page) -> Best:
    """The best records; where none holds what was typed, those that nearly do."""
    found = [kind for kind in JUDGED if kind in kinds]
    end = None if page.limit is None else page.offset + page.limit
    most = [_most(kind, end or 0) for kind in found]
    judgements, counts = _exact(asked, tree, found, most)
    is_similar = False
    if not judgements:
        judgements = _similar(asked, tree, found)
        counts, is_similar = [len(judgements)], bool(judgements)
    judgements.sort(key=lambda one: one.order)
    shown = judgements[page.offset : end]
    hits = list(_hits(asked, tree, shown, is_similar=is_similar))
    is_more = any(map(operator.ge, counts, most)) and not is_similar
    return Best(hits, sum(counts), is_more, is_similar)


def _most(kind: str, shown: int = 0) -> int:
    """How many records of a kind are judged, as many as are shown at least."""
    return max(_JUDGED if JUDGED[kind].has_title else _SAID, shown)


def ranked(asked: Asked, kind: str, tree: Node) -> list[int]:
    """The rows of a kind that a query finds, the best first; the newest are judged."""
    if kind not in JUDGED:
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
    """The records that hold what was typed, judged, and how many of each kind."""
    judge = Judge(_wanted(asked, tree), asked.circumstances.now)
    judgements: list[_Judgement] = []
    counts: list[int] = []
    for kind, limit in zip(kinds, most, strict=True):
        soon = asked.soon(tree, kind) if alone else None
        condition = soon or asked.condition(tree, kind, alone=alone)
        found = list(_candidates(asked, kind, condition, limit))
        judgements += [
            _Judgement(kind, row, candidate, judge.of(candidate), at >= _most(kind))
            for at, (row, candidate) in enumerate(found)
        ]
        counts.append(len(found))
    return judgements, counts


def _wanted(asked: Asked, tree: Node) -> list[Wanted]:
    """What a query wants to be there; a word by itself weighs what it weighs."""
    said = (leaf.text for leaf in texts(tree) if not isinstance(leaf, Pattern))
    found = list(dict.fromkeys(said))
    if len(found) == 1:
        return [Wanted(found[0], 1)]
    return [Wanted(text, asked.shelves.rarity(text)) for text in found]


def _similar(asked: Asked, tree: Node, kinds: Sequence[str]) -> list[_Judgement]:
    """The records whose names are like what was typed, and that meet all else.

    Edges go by the names of memories, and would only say the same again.
    """
    near = nearest_tree(tree)
    if near is None:
        return []
    judgements: list[_Judgement] = []
    for kind in [kind for kind in kinds if kind != "edges"] or kinds:
        like = {one.row: one for one in asked.like(kind, near.text)}
        if like:
            condition = asked.condition(near.tree, kind, alone=True)
            for row, candidate in _candidates(asked, kind, condition, len(like)):
                score, how = like[row].score, like[row].how
                verdict = judge_similar(score, candidate, asked.circumstances.now)
                told = verdict._replace(evidence=(("{}", how), *verdict.evidence))
                judgements.append(_Judgement(kind, row, candidate, told))
    return judgements


def _candidates(
    asked: Asked, kind: str, condition: Condition, limit: int
) -> Iterator[tuple[int, Candidate]]:
    """The newest rows of a kind that meet a condition, ready to be judged."""
    reader, view, judged = asked.reader, VIEWS[kind], JUDGED[kind]
    within = reader.within(f"{view.table}.store")
    rows = reader.connection.execute(
        f"SELECT {view.table}.id, {judged.columns} "
        f"FROM {view.joined(judged.columns, condition.sql)} "
        f"WHERE {view.shown} AND {within} AND {condition.sql} "
        f"ORDER BY {judged.at} DESC, {view.table}.id DESC LIMIT ?",
        (*reader.stores_seen, *condition.values, limit),
    )
    return ((row, _candidate(judged, *cells)) for row, *cells in rows)


def _candidate(judged: Judged, *cells: str | float | None) -> Candidate:
    """What is judged of a row."""
    title, names, tags, description, body, at, strength, pinned, archived = cells
    return Candidate(
        kind=judged.kind,
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
    """The records of some rows, in order, each with the stretch that shows it."""
    records = {
        kind: asked.reader.rows(
            VIEWS[kind],
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


def _ready(expression: str) -> Finder:
    """A regular expression, as conditions use it."""
    return compiled(expression, is_exact=is_exact(expression))


def _snippet(candidate: Candidate, tree: Node) -> Snippet | None:
    """The stretch of a record's text that shows best why it was found."""
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
