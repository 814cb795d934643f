"""Rank records by how well they match a query."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import NamedTuple

from msgspec import Struct

from store.search.spans import ends_word, starts_word
from store.text import fold, is_exact, regex, unmarked

# What is judged: a record that a query found, and what the query wanted.


class Candidate(Struct, frozen=True):
    """A record, with the texts in which a query may have matched."""

    kind: str
    """The kind of record: `memory`, `message`, …"""
    title: str
    """Its title."""
    names: str
    """Other names: identifiers, the stem of its file name."""
    tags: tuple[str, ...]
    """Its tags."""
    description: str
    """A one-line description."""
    body: str
    """Its text."""
    at: int | None
    """The time of the last change, in microseconds since 1970."""
    strength: float | None
    """Its decay score, if it decays."""
    pinned: bool
    """Whether it is in the vault."""
    archived: bool
    """Whether it is archived."""


class Wanted(Struct, frozen=True):
    """A text that a query wants to find."""

    text: str
    """The word or phrase, as typed."""
    rarity: float
    """Its rarity: 1 if no other record has it, near 0 if most do."""


# The verdict on a record: a score and the reasons for it.

Evidence = tuple[str, str | float]
"""A reason for or against a record: a sentence with a placeholder, and its value."""


class Verdict(NamedTuple):
    """How well a record matches a query.

    Scores compare within one query. The reasons are formatted only on request, because
    thousands of records are judged for the few that are shown.
    """

    score: float
    """Higher is better."""
    evidence: tuple[Evidence, ...]
    """What the score is based on, weightiest first."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it ranks where it does."""
        return tuple(sentence.format(found) for sentence, found in self.evidence)


# The places in a record where a word may occur, and the points it gets there.
#
#    title  names  tags  description  body
#      10      8     7       4          3    as a whole word
#       9      7     6       3.5        2.5  at the start of a word
#       4      3     3       1.5        1    inside a word
#
# Whole words and starts of words count more than the next place; the middle of a word
# in a title counts no more than a whole word in a description.

_TRIES = 6
"""Occurrences checked when looking for one that is a whole word."""


class Level(NamedTuple):
    """How a word occurs in a place."""

    points: float
    """Its points."""
    sentence: str
    """The reason, as a sentence."""


class Place(NamedTuple):
    """A text of a record, and the points for a word in it."""

    whole: Level
    """The word is a whole word."""
    beginning: Level
    """A word starts with it."""
    part: Level
    """It is inside a word."""


def _place(name: str, whole: float, beginning: float, part: float) -> Place:
    return Place(
        Level(whole, f"{name} has {{!r}} as a whole word"),
        Level(beginning, f"{name} has a word that starts with {{!r}}"),
        Level(part, f"{name} has {{!r}} within a word"),
    )


TITLE = _place("title", 10, 9, 4)
NAMES = _place("name", 8, 7, 3)
TAGS = _place("tag", 7, 6, 3)
DESCRIPTION = _place("description", 4, 3.5, 1.5)
BODY = _place("body", 3, 2.5, 1)


def standing(place: Place, text: str, word: str) -> Level:
    """The best level of a word in a text that contains it, both folded."""
    best = place.part
    start = text.find(word)
    for _ in range(_TRIES):
        if start < 0:
            break
        if starts_word(text, start):
            if ends_word(text, start + len(word)):
                return place.whole
            best = place.beginning
        start = text.find(word, start + 1)
    return best


# What counts for a record in any query: its kind, age and strength.
#
# All of it together weighs less than the step from the start of a word to a whole word,
# so it only decides between records that match equally well.

_KINDS = {
    "memory": 0.2,
    "document": 0.15,
    "episode": 0.15,
    "conversation": 0.15,
    "edge": 0.1,
    "message": 0.1,
}
"""The points of each kind; what an agent chose to remember ranks above messages."""

_RECENT = 0.3
_STRONG = 0.2
_PINNED = 0.2

MOST = max(_KINDS.values()) + _RECENT + _STRONG + _PINNED
"""The maximum of all merits together."""

ARCHIVED = 0.5
"""The penalty for being archived."""

_HALF = 30
"""The half-life of recency, in days."""

_MONTHS = 365
"""Days up to which the time of the last change is mentioned."""

_DAY = 86_400_000_000


def merits(candidate: Candidate, now: int, evidence: list[Evidence]) -> float:
    """The points a record gets by itself; adds the reasons to `evidence`."""
    points = _KINDS.get(candidate.kind, 0.0)
    if points:
        evidence.append(("kind {}", candidate.kind))
    if candidate.at is not None:
        days = max(0, now - candidate.at) // _DAY
        points += _RECENT * _HALF / (_HALF + days)
        if days <= _MONTHS:
            evidence.append(_changed(days))
    if candidate.pinned:
        points += _PINNED
        evidence.append(("pinned", ""))
    if candidate.strength:
        points += _STRONG * max(0.0, min(candidate.strength, 1.0))
        if not candidate.pinned:
            evidence.append(("strength {:.2f}", candidate.strength))
    if candidate.archived:
        points -= ARCHIVED
        evidence.append(("archived", ""))
    return points


def _changed(days: int) -> Evidence:
    if days > 1:
        return "changed {} days ago", days
    return ("changed yesterday" if days else "changed today"), ""


# Extra points for query words that are close together.

_EQUAL = 10.0
_BEGINS = 4.0
_ALL = 5.0
"""All of several words are in the title: outweighs any spread over other places."""
_PHRASE = 2.0
_IN_ORDER = 1.0
_COVERED = 2.0
"""The words are the whole title; less if the title has more."""

_BODY_PHRASE = 4.9
_BODY_NEAR = 4.8
"""Two words close together in a body outweigh one of them in another title."""

_NEAR = 80
"""Words of a body up to this many letters apart are reported as near each other."""
_TOGETHER_HALF = 240
"""The distance in letters at which nearness counts half."""
_REACH = 800
"""Letters around a word of a body in which the others are searched."""
_ANCHORS = 8
"""Occurrences of a word around which the others are searched."""

_WORD = regex(r"[^\W_]+")

Words = Sequence[str]


def together_in_title(title: str, words: Words, evidence: list[Evidence]) -> float:
    """Extra points if all words are in a title, whatever is in between."""
    phrase = _plain(" ".join(words))
    plain = _plain(title)
    points = _COVERED * min(1.0, len(phrase) / len(plain))
    if plain == phrase:
        evidence.append(("title is an exact match", ""))
        points += _EQUAL
    elif plain.startswith(phrase):
        evidence.append(("title starts with {!r}", phrase))
        points += _BEGINS
    if len(words) == 1:
        return points
    return points + _several_in_title(plain, words, phrase, evidence)


def _several_in_title(
    plain: str, words: Words, phrase: str, evidence: list[Evidence]
) -> float:
    if _has_phrase(plain, phrase):
        evidence.append(("title has the words next to each other", ""))
        return _ALL + _PHRASE + _IN_ORDER
    if _in_order(plain, words):
        evidence.append(("title has all words, in order", ""))
        return _ALL + _IN_ORDER
    evidence.append(("title has all words", ""))
    return _ALL


def _plain(text: str) -> str:
    """Only the words of a text; the text itself if it has no words."""
    return " ".join(_WORD.findall(text)) or text


def together_in_body(
    body: str, words: Words, rarest: str, evidence: list[Evidence]
) -> float:
    """Extra points if several words are in a body, including the rarest there."""
    if _has_phrase(body, " ".join(words)):
        evidence.append(("body has the words next to each other", ""))
        return _BODY_PHRASE
    apart = _apart(body, words, rarest)
    if apart <= _NEAR:
        evidence.append(("body has the words close together", ""))
    return _BODY_NEAR * _TOGETHER_HALF / (_TOGETHER_HALF + apart)


def _has_phrase(text: str, phrase: str) -> bool:
    start = text.find(phrase)
    return start >= 0 and starts_word(text, start)


def _in_order(text: str, words: Words) -> bool:
    place = 0
    for word in words:
        found = text.find(word, place)
        if found < 0:
            return False
        place = found + len(word)
    return True


def _apart(body: str, words: Words, rarest: str) -> float:
    """The distance in letters from the rarest word to the farthest other word.

    The shortest around any occurrence of the rarest word; infinite if another word is
    always out of reach.
    """
    fewest = inf
    place = body.find(rarest)
    for _ in range(_ANCHORS):
        if place < 0:
            break
        begin = max(0, place - _REACH)
        before, after = body[begin:place], body[place : place + _REACH]
        fewest = min(fewest, max(_between(before, after, word) for word in words))
        place = body.find(rarest, place + 1)
    return fewest


def _between(before: str, after: str, word: str) -> float:
    """The distance in letters to the nearest occurrence of a word on either side."""
    back, on = before.rfind(word), after.find(word)
    return min(len(before) - back if back >= 0 else inf, on if on >= 0 else inf)


# Judge the results of a query, so that the intended ones come first.
#
# The score of a record is the points of the best place of each word, weighted by
# rarity; then extra points for words close together; and last, and least, the merits of
# the record itself.

_COMMON = 0.25
"""The weight of a word that every record has; its rarity adds up to 1."""

_SIMILAR = TITLE.part.points - MOST - ARCHIVED
"""Points for a title that is nearly identical.

No merits lift it above one that has the typed word.
"""

_LESS = 0.25
"""The weight of merits if only the name is similar; similarity matters more."""

_ALIKE = "name is similar, {:.0%}"
_NOTHING: Mapping[str, float] = {}

_OFTEN = 5
"""More occurrences in a body do not count."""
_ONCE_MORE = 0.15


class _Need(NamedTuple):
    """A word to search for, prepared for comparing with texts."""

    typed: str
    folded: str
    exact: str | None
    """The word without accents, if its case matters."""
    weight: float


class Judge:
    """Judges many records by one query."""

    def __init__(self, wanted: Sequence[Wanted], now: int) -> None:
        """Prepare the wanted texts; `now` is in microseconds since 1970."""
        needs = [_need(each) for each in wanted]
        self._needs = [need for need in needs if need.folded.strip()]
        self._words = [need.folded for need in self._needs]
        self._weight = sum(need.weight for need in self._needs)
        self._case_counts = any(need.exact for need in self._needs)
        self._now = now

    def of(self, candidate: Candidate, near: Mapping[str, float] = _NOTHING) -> Verdict:
        """How well a record matches, and why.

        `near` has the similarity of its names to each `~text`, from 0 to 1.
        """
        evidence: list[Evidence] = []
        score = self._answers(candidate, near, evidence) if self._needs else 0.0
        is_literal = any(sentence != _ALIKE for sentence, _ in evidence)
        weight = 1 if is_literal or not near else _LESS
        score += weight * merits(candidate, self._now, evidence)
        return Verdict(round(score, 3), tuple(evidence))

    def _answers(
        self, candidate: Candidate, near: Mapping[str, float], evidence: list[Evidence]
    ) -> float:
        """The points for where the words occur in a record."""
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
        return points + self._worth(found, near, evidence) / self._weight

    def _worth(
        self,
        found: Sequence[Level | None],
        near: Mapping[str, float],
        evidence: list[Evidence],
    ) -> float:
        """The points of each word, or of a similar name if it has more."""
        worth = 0.0
        for need, level in zip(self._needs, found, strict=True):
            similar = _SIMILAR * near.get(need.typed, 0)
            if similar > (level.points if level else 0):
                worth += need.weight * similar
                evidence.append((_ALIKE, near[need.typed]))
            elif level is not None:
                worth += need.weight * level.points
                evidence.append((level.sentence, need.typed))
        return worth

    def _in_body(
        self, body: str, found: list[Level | None], evidence: list[Evidence]
    ) -> float:
        """Search the body for the words that no other place has."""
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
            points += together * sum(self._share(at, found[at]) for at in there)
        return points

    def _share(self, at: int, level: Level | None) -> float:
        """The share of the query for a word of a body; half inside a longer word."""
        whole = 1 if level is BODY.whole else 1 / 2
        return whole * self._needs[at].weight / self._weight

    def _look(self, place: Place, text: str, found: list[Level | None]) -> str:
        """Search a place for the words and keep the best level of each.

        Returns the folded text.
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
    """Judge one record; `Judge` is faster for many."""
    return Judge(wanted, now).of(candidate)


def judge_similar(near_score: float, candidate: Candidate, now: int) -> Verdict:
    """Judge a record whose names are only similar to what was typed.

    `near_score` is the similarity, from 0 to 1.
    """
    evidence: list[Evidence] = [(_ALIKE, near_score)]
    score = _SIMILAR * near_score + _LESS * merits(candidate, now, evidence)
    return Verdict(round(score, 3), tuple(evidence))


def _need(wanted: Wanted) -> _Need:
    typed = wanted.text
    exact = unmarked(typed) if is_exact(typed) else None
    weight = _COMMON + max(0.0, min(wanted.rarity, 1.0))
    return _Need(typed, fold(typed), exact, weight)
