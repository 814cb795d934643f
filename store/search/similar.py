"""Find similar memories by their words, and duplicates."""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain, count
from math import log
from typing import NamedTuple, Protocol, TypeVar

from msgspec import Struct

from store.search.tree import Either, Named, Text
from store.text import fold, regex

# What distinguishes a memory from others: its rarest tags and words.

MOST_WORDS = 30
"""The number of words by which a memory is compared."""

_READ = 16 * 1024
"""Characters of a text that are read."""

_SHORTEST, _LONGEST = 3, 24
"""The length of a word in letters; anything longer is a key or a hash."""

_PAIR = 2
"""The characters that count as a word in scripts without spaces."""

_RUN = regex(r"[^\W_]+(?:[_'’-][^\W_]+)*")
_UNSPACED = regex(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
"""Scripts without spaces, in which each pair of characters counts as a word."""

_IN_TITLE = 1.5
"""The factor for a word of the title."""


class Sketch(Struct, frozen=True):
    """The parts of a memory that are compared."""

    ref: str
    title: str
    tags: tuple[str, ...] = ()
    text: str = ""


class Frequencies(Protocol):
    """In how many of the compared memories something occurs."""

    @property
    def memories(self) -> int:
        """The number of memories."""
        ...

    def with_tag(self, tag: str) -> int:
        """How many of them have a (folded) tag."""
        ...

    def with_word(self, word: str) -> int:
        """How many of them have a (folded) word in title or text."""
        ...


class Telling(Struct, frozen=True):
    """The tags and words of a memory that others share, and their weights."""

    ref: str
    tags: Mapping[str, float]
    """Every tag, folded, most distinctive first."""
    words: Mapping[str, float]
    """The most distinctive words, folded, most distinctive first."""

    def query(self, words: int = 5) -> Either | None:
        """A query for similar memories; None if nothing is distinctive."""
        named = (Named("tag", tuple(self.tags)),) if self.tags else ()
        terms = (*named, *map(Text, list(self.words)[:words]))
        return Either(terms) if terms else None


def tell(memory: Sketch, frequencies: Frequencies) -> Telling:
    """The tags and words by which other memories can be compared with this one."""
    count = frequencies.memories
    tags = _weighed(tags_of(memory), frequencies.with_tag, count, count)
    rare = max(2, count // 3)
    words = _weighed(words_of(memory), frequencies.with_word, count, rare)
    for word in words.keys() & _words(memory.title):
        words[word] *= _IN_TITLE
    return Telling(memory.ref, _first(tags), _first(words, MOST_WORDS))


def tags_of(memory: Sketch) -> set[str]:
    """A memory's tags, as compared."""
    return {fold(tag) for tag in memory.tags}


def words_of(memory: Sketch) -> set[str]:
    """A memory's words, as compared."""
    return _words(memory.title) | _words(memory.text[:_READ])


def is_pair(word: str) -> bool:
    """Whether a word is a pair of characters from a script without spaces."""
    return len(word) == _PAIR


def _words(text: str) -> set[str]:
    runs: set[str] = set(_RUN.findall(fold(text)))
    words = {run for run in runs if _SHORTEST <= len(run) <= _LONGEST}
    if text.isascii():
        return words
    unspaced = {run for run in runs if _UNSPACED.search(run)}
    return words - unspaced | {pair for run in unspaced for pair in _pairs(run)}


def _pairs(run: str) -> Iterator[str]:
    """Each pair of adjacent characters in scripts without spaces."""
    for found in _UNSPACED.findall(run):
        yield from (found[at : at + _PAIR] for at in range(len(found) - 1))


def _weighed(
    found: Iterable[str], having: Callable[[str], int], memories: int, most: int
) -> dict[str, float]:
    """What at least two memories and at most `most` have, weighted by rarity."""
    counted = ((one, having(one)) for one in found)
    return {
        one: log((memories + 2) / (count + 1))
        for one, count in counted
        if 1 < count <= most
    }


def _first(weights: Mapping[str, float], most: int | None = None) -> dict[str, float]:
    """The heaviest, in descending order."""
    ordered = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    return dict(ordered[:most])


# Merge rankings, whatever their scores are based on.

_EVEN = 60
"""Flattens the top ranks; the constant published with reciprocal rank fusion."""

Ranked = TypeVar("Ranked", bound=Hashable)


def merged(*rankings: Iterable[Ranked]) -> list[Ranked]:
    """Everything ranked, best first; what ranks high in several lists comes first.

    Only ranks count (reciprocal rank fusion), because scores of words and of vectors
    are not comparable. Ties keep the order of the first ranking.
    """
    scores: defaultdict[Ranked, float] = defaultdict(float)
    for ranking in rankings:
        for place, one in enumerate(dict.fromkeys(ranking), start=1):
            scores[one] += 1 / (_EVEN + place)
    return sorted(scores, key=lambda one: -scores[one])


# Which memories are most similar to one, and why.

_LEAST = 0.05
"""The lowest score that counts as similar."""

_BY_TAGS = 0.8
"""The similarity of two memories that share every tag but no word."""

_NAMED = 3
"""The most tags and words that a reason lists."""


class Alike(Struct, frozen=True):
    """A memory that is similar to another."""

    ref: str
    score: float
    """The similarity of their tags and words, from 0 to 1."""
    tags: tuple[str, ...] = ()
    """The tags that they share, rarest first."""
    words: tuple[str, ...] = ()
    """The distinctive words that they share, rarest first."""
    meaning: float | None = None
    """The similarity of their vectors, if they have any."""

    @property
    def reason(self) -> str:
        """The reason in brief: `1 shared tag: redis; rare words: keepalive`."""
        reasons: list[str] = []
        if self.tags:
            many = "s" if len(self.tags) > 1 else ""
            named = ", ".join(self.tags[:_NAMED])
            reasons.append(f"{len(self.tags)} shared tag{many}: {named}")
        if self.words:
            reasons.append(f"rare words: {', '.join(self.words[:_NAMED])}")
        if self.meaning is not None:
            reasons.append(f"meaning {self.meaning:.2f}")
        return "; ".join(reasons)


def most_alike(
    telling: Telling,
    others: Iterable[Sketch],
    limit: int,
    meanings: Mapping[str, float] | None = None,
) -> list[Alike]:
    """The memories most similar to one, most similar first.

    `meanings` maps refs to the similarity of their vectors, for the nearest ones. Those
    are included even if they share no word, as long as they are among `others`.
    """
    near = meanings or {}
    found = [_alike(telling, one, near.get(one.ref)) for one in others]
    kept = {one.ref: one for one in found if one.ref != telling.ref and _counts(one)}
    by_words = sorted(kept.values(), key=lambda one: (-one.score, one.ref))
    by_meaning = sorted(near.keys() & kept.keys(), key=lambda ref: (-near[ref], ref))
    ranked = merged((one.ref for one in by_words if one.score >= _LEAST), by_meaning)
    return [kept[ref] for ref in ranked[:limit]]


def _counts(alike: Alike) -> bool:
    return alike.score >= _LEAST or alike.meaning is not None


def _alike(telling: Telling, other: Sketch, meaning: float | None) -> Alike:
    """The similarity of another memory; tags and words make up for each other.

    Memories on one subject can share all their tags whatever they say; only shared
    words make two of them the same.
    """
    theirs = tags_of(other), words_of(other)
    tags, by_tags = _shared(telling.tags, theirs[0])
    words, by_words = _shared(telling.words, theirs[1])
    score = 1 - (1 - _BY_TAGS * by_tags) * (1 - by_words)
    return Alike(other.ref, score, tags, words, meaning)


def _shared(
    weights: Mapping[str, float], theirs: set[str]
) -> tuple[tuple[str, ...], float]:
    """What is shared, and its share of the total weight."""
    shared = tuple(one for one in weights if one in theirs)
    total = sum(weights.values())
    share = sum(weights[one] for one in shared) / total if total else 0.0
    return shared, min(share, 1.0)


# Near duplicates: memories that share most of their words.

_DOUBLES_LEAST = 0.4
"""The share of words that makes a duplicate.

In real stores, memories on one subject share a third at most.
"""

_FEWEST = 5
"""A text with fewer words is too short to compare."""

_RAREST = 12
"""The number of a memory's rarest words used to find candidates."""

_COMMON = 2
"""How many of those words two memories must share; one if there are fewer."""

_HELD_AGAINST = 50
"""The most candidates per word, those nearest in length.

If one template made thousands of memories, each of them leads to the next.
"""

_BITS = 1024
"""The size of a mark, in which each word of a memory sets one bit."""


class _Worded(NamedTuple):
    """The words of a memory, as numbers."""

    size: int
    """The number of all its words."""
    words: tuple[int, ...]
    """Those that other memories have too, rarest first."""
    mark: int
    """A bit for each of those; several may have the same."""


class Duplicates(NamedTuple):
    """Near duplicates, by index; a memory similar to one member is a member."""

    members: list[int]
    share: float
    """The share of its two most similar members."""
    nearest: dict[int, int]
    """The member that each is most similar to: an earlier one, if there is any."""


def doubles(sketches: Iterable[Sketch]) -> list[Duplicates]:
    """Groups of near duplicates."""
    worded = _worded(sketches)
    groups = _Groups(len(worded))
    best: dict[int, float] = {}
    nearest: dict[int, tuple[bool, float, int]] = {}
    for one, others in _pairs_doubles(worded):
        best[one] = max(others.values())
        groups.join((one, *others))
        for other, share in others.items():
            for at, with_ in ((one, other), (other, one)):
                found = (with_ < at, share, -with_)
                nearest[at] = max(nearest.get(at, found), found)
    shares: defaultdict[int, float] = defaultdict(float)
    for one, share in best.items():
        group = groups.of(one)
        shares[group] = max(shares[group], share)
    members: defaultdict[int, list[int]] = defaultdict(list)
    for place in range(len(worded)):
        members[groups.of(place)].append(place)
    return [
        Duplicates(found, share, {at: -nearest[at][-1] for at in found})
        for group, share in shares.items()
        if (found := members[group])
    ]


def _worded(sketches: Iterable[Sketch]) -> list[_Worded]:
    """The words of each memory, numbered from the rarest one that two of them have."""
    numbers = defaultdict[str, int](count().__next__)
    found = [tuple(map(numbers.__getitem__, words_of(one))) for one in sketches]
    having = Counter(chain.from_iterable(found))
    shared = [(having[at], word, at) for word, at in numbers.items() if having[at] > 1]
    ranks = {at: rank for rank, (_, _, at) in enumerate(sorted(shared))}
    bits = [1 << bit for bit in range(_BITS)]
    worded: list[_Worded] = []
    for one in found:
        words = tuple(sorted([ranks[at] for at in one if at in ranks]))
        mark = reduce(int.__or__, [bits[rank % _BITS] for rank in words], 0)
        worded.append(_Worded(len(one), words, mark))
    return worded


def _pairs_doubles(worded: Sequence[_Worded]) -> Iterator[tuple[int, dict[int, float]]]:
    """Each memory with its near duplicates that are no longer, and the shares.

    Only memories that share some of their rarest words, and are not too different in
    length, are compared. Their marks limit how many words they can share.
    """
    having: defaultdict[int, deque[int]] = defaultdict(
        lambda: deque(maxlen=_HELD_AGAINST)
    )
    places = (at for at, one in enumerate(worded) if one.size >= _FEWEST)
    for at in sorted(places, key=lambda at: (worded[at].size, at)):
        size, words, mark = worded[at]
        own, hidden = frozenset(words), len(words) - mark.bit_count()
        first = words[:_RAREST]
        met = Counter(chain.from_iterable(map(having.__getitem__, first)))
        least = _COMMON if len(first) == _RAREST else 1
        found: dict[int, float] = {}
        for other in [other for other, common in met.items() if common >= least]:
            length, others, their_mark = worded[other]
            most = hidden + (mark & their_mark).bit_count()
            if most < _DOUBLES_LEAST * (size + length - most):
                continue
            common = len(own.intersection(others))
            share = common / (size + length - common)
            if share >= _DOUBLES_LEAST:
                found[other] = share
        if found:
            yield at, found
        for word in first:
            having[word].append(at)


class _Groups:
    """Disjoint groups; two groups are joined by a common member."""

    def __init__(self, count: int) -> None:
        self._leads = list(range(count))

    def of(self, place: int) -> int:
        """The group of a member, identified by one of its indexes."""
        while self._leads[place] != place:
            self._leads[place] = self._leads[self._leads[place]]
            place = self._leads[place]
        return place

    def join(self, places: Iterable[int]) -> None:
        """Join the groups of some members."""
        leads = set(map(self.of, places))
        first = min(leads)
        for lead in leads:
            self._leads[lead] = first
