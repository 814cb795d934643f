"""The judge of what a query found: what was meant comes first.

A record's score is what its best place for each word is worth, rare words weighing
more; then what it adds that words stand together; and last, and least, what the record
merits by itself.
"""

from collections.abc import Sequence
from typing import NamedTuple

from store.search.fold import fold, is_exact, unmarked
from store.search.ranking.candidate import Candidate, Wanted
from store.search.ranking.merits import ARCHIVED, MOST, merits
from store.search.ranking.places import (
    BODY,
    DESCRIPTION,
    NAMES,
    TAGS,
    TITLE,
    Level,
    Place,
    standing,
)
from store.search.ranking.together import together_in_body, together_in_title
from store.search.ranking.verdict import Evidence, Verdict

_COMMON = 0.25
"""What a word weighs that every record has, beside 1 for its rarity."""

_SIMILAR = TITLE.part.points - MOST - ARCHIVED
"""What a title is worth that is all but the same: no merits lift it above one that has
what was typed."""

_LESS = 0.25
"""What merits weigh where only the name is alike: how alike says more than they do."""

_OFTEN = 5
"""More occurrences in a body say nothing more."""
_ONCE_MORE = 0.15


class _Need(NamedTuple):
    """A word that is looked for, ready to be held against texts."""

    typed: str
    folded: str
    exact: str | None
    """The word without accents, where its case counts."""
    weight: float


class Judge:
    """Judges many records by one query."""

    def __init__(self, wanted: Sequence[Wanted], now: int) -> None:
        """Make ready what was wanted; `now` is in microseconds since 1970."""
        needs = [_need(each) for each in wanted]
        self._needs = [need for need in needs if need.folded.strip()]
        self._words = [need.folded for need in self._needs]
        self._weight = sum(need.weight for need in self._needs)
        self._case_counts = any(need.exact for need in self._needs)
        self._now = now

    def of(self, candidate: Candidate) -> Verdict:
        """How well a record answers, and why."""
        evidence: list[Evidence] = []
        score = self._answers(candidate, evidence) if self._needs else 0.0
        score += merits(candidate, self._now, evidence)
        return Verdict(round(score, 3), tuple(evidence))

    def _answers(self, candidate: Candidate, evidence: list[Evidence]) -> float:
        """What it is worth how the words stand in a record."""
        found: list[Level | None] = [None] * len(self._needs)
        title = self._look(TITLE, candidate.title, found)
        points = 0.0
        if title and None not in found:
            points += together_in_title(title, self._words, evidence)
        if candidate.names:
            self._look(NAMES, candidate.names, found)
        if candidate.tags:
            self._look(TAGS, "\n".join(candidate.tags), found)
        if candidate.description and None in found:
            self._look(DESCRIPTION, candidate.description, found)
        if candidate.body and None in found:
            points += self._in_body(candidate.body, found, evidence)
        worth = 0.0
        for need, level in zip(self._needs, found, strict=True):
            if level is not None:
                worth += need.weight * level.points
                evidence.append((level.sentence, need.typed))
        return points + worth / self._weight

    def _in_body(
        self, body: str, found: list[Level | None], evidence: list[Evidence]
    ) -> float:
        """Look in the body for what nothing else has."""
        missing = [at for at, level in enumerate(found) if level is None]
        text = self._look(BODY, body, found)
        there = [at for at in missing if found[at] is not None]
        points = 0.0
        rarest, fewest = "", len(text) + 1
        for at in there:
            often = text.count(self._words[at])
            weight = self._needs[at].weight / self._weight
            points += weight * _ONCE_MORE * (min(often, _OFTEN) - 1)
            if often < fewest:
                rarest, fewest = self._words[at], often
        if len(there) > 1:
            words = [self._words[at] for at in there]
            together = together_in_body(text, words, rarest, evidence)
            points += together * sum(self._told(at, found[at]) for at in there)
        return points

    def _told(self, at: int, level: Level | None) -> float:
        """How much of the query a word of a body is; of a longer word it is half."""
        whole = 1 if level is BODY.whole else 1 / 2
        return whole * self._needs[at].weight / self._weight

    def _look(self, place: Place, text: str, found: list[Level | None]) -> str:
        """Look for the words in a place; the best place of each stays.

        Returns the text, folded.
        """
        folded = fold(text)
        exact = unmarked(text) if self._case_counts else ""
        for at, need in enumerate(self._needs):
            hay, word = (exact, need.exact) if need.exact else (folded, need.folded)
            best = found[at]
            if word in hay and (best is None or best.points < place.whole.points):
                level = standing(place, hay, word)
                if best is None or best.points < level.points:
                    found[at] = level
        return folded


def judge(wanted: Sequence[Wanted], candidate: Candidate, now: int) -> Verdict:
    """How well one record answers a query; `Judge` is quicker for many."""
    return Judge(wanted, now).of(candidate)


def judge_similar(near_score: float, candidate: Candidate, now: int) -> Verdict:
    """How well a record answers whose names are only like what was typed.

    `near_score` tells how like, from 0 to 1.
    """
    evidence: list[Evidence] = [("name is like what was typed, {:.0%}", near_score)]
    score = _SIMILAR * near_score + _LESS * merits(candidate, now, evidence)
    return Verdict(round(score, 3), tuple(evidence))


def _need(wanted: Wanted) -> _Need:
    typed = wanted.text
    exact = unmarked(typed) if is_exact(typed) else None
    weight = _COMMON + max(0.0, min(wanted.rarity, 1.0))
    return _Need(typed, fold(typed), exact, weight)
