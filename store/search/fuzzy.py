"""Fuzzy matching among many names: typos, abbreviations and words in another order."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from itertools import combinations, islice
from typing import NamedTuple, Protocol

from msgspec import Struct

from store.text import fold, regex

# Split names and queries into the words that are compared.

LONGEST_NAME = 300
"""Characters of a name that are matched; longer text has its own index."""

_LONGEST_WORD = 48
_MOST_WORDS = 12

_REMEMBERED = 4096
"""Names whose words are cached, as most are needed again after the next keystroke."""

_WORD = regex(r"[^\W_]+")
_COMPOUND = regex(r"[^\W_][_-][^\W_]|[a-z0-9][A-Z]|[A-Z][A-Z][a-z]")
_IDENTIFIER = regex(r"[^\W_]+(?:[_-][^\W_]+)*")
_HUMP = regex(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class Line(NamedTuple):
    """A line of a name: its words, and the identifiers that some of them form."""

    words: list[str]
    compounds: list[tuple[str, int]]
    """Identifiers without their separators, and the index of their first word."""

    @property
    def all_words(self) -> Iterator[tuple[str, int]]:
        """Every word and identifier, with its index."""
        yield from zip(self.words, range(len(self.words)), strict=True)
        yield from self.compounds


@lru_cache(_REMEMBERED)
def cut(name: str) -> tuple[Line, Line]:
    """The words of a name: of its title, and of its other names."""
    title, _, others = name[:LONGEST_NAME].partition("\n")
    return _line(title), _line(others)


def typed(words: Iterable[str]) -> list[str]:
    """The words of a query: letters and digits, folded, limited in number."""
    return list(dict.fromkeys(islice(_typed(words), _MOST_WORDS)))


def typos(word: str) -> int:
    """How many typos a word of this length may have."""
    return min(len(word) // 4, 2)


def _typed(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        for found in _WORD.finditer(fold(word[:LONGEST_NAME])):
            yield found[0][:_LONGEST_WORD]


def _line(text: str) -> Line:
    if not _COMPOUND.search(text):
        return Line(_WORD.findall(fold(text)), [])
    words: list[str] = []
    compounds: list[tuple[str, int]] = []
    for identifier in _IDENTIFIER.findall(text):
        parts = _WORD.findall(fold(_HUMP.sub(" ", identifier)))
        if len(parts) > 1:
            compounds.append(("".join(parts), len(words)))
        words += parts
    return Line(words, compounds)


# The similarity of a typed word to each of many words.


class Kind(Enum):
    """The way in which something typed is similar, with the text that describes it."""

    SAME = ""
    BEGINS = "{word!r} starts a word"
    ONE_TYPO = "one typo in {word!r}"
    TYPOS = "typos in {word!r}"
    INSIDE = "{word!r} within a word"
    ABBREVIATES = "{word!r} as an abbreviation"
    MISSING = "without {word!r}"


class Likeness(NamedTuple):
    """Similarity from 0, nothing in common, to 1, identical."""

    score: float
    kind: Kind


NOTHING = Likeness(0, Kind.MISSING)

_MISSPELT = 0.92
_COST_OF_TYPOS = 0.8
_A_BEGINNING_AT_THAT = 0.08
_FEWEST_WITHIN = 3
"""The fewest letters; shorter parts occur inside too many words to mean anything."""
_LEAST_WITHIN = 70
"""In percent; a lower similarity is chance."""


def likenesses(
    typed: str, words: Collection[str], patience: int = 0
) -> dict[str, Likeness]:
    """The words similar to the typed one, allowing `patience` more typos than usual."""
    alike: dict[str, Likeness] = {}
    for word, likeness in _every(typed, words, patience):
        if likeness.score > alike.get(word, NOTHING).score:
            alike[word] = likeness
    return alike


def _every(
    typed: str, words: Collection[str], patience: int
) -> Iterator[tuple[str, Likeness]]:
    usual = typos(typed)
    yield from _literally(typed, words)
    if usual + patience:
        yield from _misspelt(typed, words, usual + patience)
    if usual:
        yield from _beginning_misspelt(typed, words, usual)
        yield from _misspelt_within(typed, words, usual)


def _literally(typed: str, words: Collection[str]) -> Iterator[tuple[str, Likeness]]:
    """The words that contain what was typed."""
    for word in words:
        if typed not in word:
            continue
        share = len(typed) / len(word)
        if typed == word:
            yield word, Likeness(1, Kind.SAME)
        elif word.startswith(typed):
            yield word, Likeness(0.82 + 0.15 * share, Kind.BEGINS)
        elif len(typed) >= _FEWEST_WITHIN or not typed.isascii():
            yield word, Likeness(0.6 + 0.25 * share, Kind.INSIDE)


def _misspelt(
    typed: str, words: Collection[str], most: int
) -> Iterator[tuple[str, Likeness]]:
    from rapidfuzz import process  # noqa: PLC0415  # slow, only for mistakes
    from rapidfuzz.distance import OSA  # noqa: PLC0415  # slow, only for mistakes

    found = process.extract(
        typed, words, scorer=OSA.distance, score_cutoff=most, limit=None
    )
    for word, distance, _ in found:
        if distance:
            yield word, _with(distance, typed)


def _beginning_misspelt(
    typed: str, words: Collection[str], most: int
) -> Iterator[tuple[str, Likeness]]:
    """The words that start with nearly what was typed."""
    for length in range(len(typed) - 1, len(typed) + 2):
        longer = [word for word in words if len(word) > length]
        beginnings = {word[:length] for word in longer}
        for beginning, (score, kind) in _misspelt(typed, beginnings, most):
            for word in longer:
                if word.startswith(beginning):
                    yield word, Likeness(score - _A_BEGINNING_AT_THAT, kind)


def _misspelt_within(
    typed: str, words: Collection[str], most: int
) -> Iterator[tuple[str, Likeness]]:
    """Long words, including scripts without spaces, that nearly contain it."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415  # slow, only for mistakes

    longer = [word for word in words if len(word) > len(typed) + 1]
    cutoff = max(100 * (1 - most / len(typed)) - 1, _LEAST_WITHIN)
    found = process.extract(
        typed, longer, scorer=fuzz.partial_ratio, score_cutoff=cutoff, limit=None
    )
    for word, ratio, _ in found:
        yield word, Likeness(0.4 + 0.2 * ratio / 100, Kind.TYPOS)


def _with(distance: int, typed: str) -> Likeness:
    kind = Kind.ONE_TYPO if distance == 1 else Kind.TYPOS
    return Likeness(_MISSPELT - _COST_OF_TYPOS * distance / len(typed), kind)


# Abbreviations: the first letters of words, with letters omitted inside.
#
# For `redis connection timeout`: `rct`, `redcontim` and `rdstmt`.
#
# Each piece of what was typed starts with the first letter of a word and continues, in
# order, with letters of that word. Omitting a vowel costs less than omitting another
# letter.

HOPELESS = 0.5
"""The cost from which a match means nothing."""

_LONGEST = 24
"""Anything longer is taken for words, not for an abbreviation."""
_BEGINNINGS_MOST_WORDS = 30

_SKIPPED_LETTER = 0.016
_LONG = 5
"""Omitting a word costs the same from this length on."""
_SKIPPED_VOWELS = 0.004
_SKIPPED_LETTERS = 0.07
_PIECE = 0.005
_MORE_THAN_AN_INITIAL = 0.01
_NOT_THE_FIRST_WORD = 0.03
_NOT_THE_LAST_WORD = 0.02

_VOWELS = frozenset("aeiou")


class Abbreviation(NamedTuple):
    """How something typed abbreviates words."""

    cost: float
    """Its cost, from 0."""
    place: int
    """The index of the word it starts with."""
    covered: int
    """The total length of the words it uses letters of."""


class _Way(NamedTuple):
    """A partial match of what was typed.

    The cost of omitted words is computed at the end: the total for all words so far,
    minus the worth of each word that was used.
    """

    cost: float
    letters: float
    """The part of the cost that is for letters, not for omitted words."""
    pieces: int
    place: int
    covered: int


def abbreviation(typed: str, words: Sequence[str]) -> Abbreviation | None:
    """The cheapest way in which something typed abbreviates these words."""
    words = words[:_BEGINNINGS_MOST_WORDS]
    if len(typed) > _LONGEST or not _in_order(typed, words):
        return None
    best: Abbreviation | None = None
    reached: dict[int, _Way] = {}
    skipped = 0.0
    for place, word in enumerate(words):
        before, skipped = skipped, skipped + _worth(word)
        if word[0] not in typed:
            continue
        for end, way in _on(typed, word, place, before, reached):
            if end == len(typed):
                done = _done(way, skipped, end, is_last=place + 1 == len(words))
                best = min(done, best or done)
            else:
                reached[end] = min(way, reached.get(end, way))
    return best


def _in_order(typed: str, words: Sequence[str]) -> bool:
    """Whether the letters occur in order at all; usually they do not."""
    letters = iter("".join(words))
    return all(letter in letters for letter in typed)


def _worth(word: str) -> float:
    """The cost of omitting a word: short words are cheap."""
    return _SKIPPED_LETTER * min(len(word), _LONG)


def _on(
    typed: str, word: str, place: int, before: float, reached: dict[int, _Way]
) -> list[tuple[int, _Way]]:
    """The partial matches after a word, some of its letters included."""
    ways = [(end, way) for end, way in reached.items() if typed[end] == word[0]]
    if typed[0] == word[0]:
        cost = _NOT_THE_FIRST_WORD * (place > 0)
        ways.append((0, _Way(cost - before, cost, 0, place, 0)))
    return [
        (
            end,
            _Way(
                way.cost + cost - _worth(word),
                way.letters + cost,
                way.pieces + 1,
                way.place,
                way.covered + len(word),
            ),
        )
        for start, way in ways
        for end, cost in _pieces(typed, start, word)
    ]


def _done(way: _Way, skipped: float, typed: int, *, is_last: bool) -> Abbreviation:
    """A match that ends with a word; `skipped` is the cost of all words so far.

    The longer its pieces are, the less omitted words between them matter: three letters
    in a row rarely start a word by chance, a single one often does.
    """
    left_out = way.cost + skipped - way.letters
    cost = way.letters + left_out * way.pieces / typed
    cost += _NOT_THE_LAST_WORD * (not is_last)
    return Abbreviation(cost, way.place, way.covered)


def _pieces(typed: str, start: int, word: str) -> Iterator[tuple[int, float]]:
    """Where pieces of a word may end, and what each costs."""
    cost, at = _PIECE, 0
    for end in range(start, len(typed)):
        found = word.find(typed[end], at)
        if found < 0:
            return
        if found > at:
            only_vowels = _VOWELS.issuperset(word[at:found])
            cost += _SKIPPED_VOWELS if only_vowels else _SKIPPED_LETTERS
        cost += _MORE_THAN_AN_INITIAL * (end == start + 1)
        at = found + 1
        yield end + 1, cost


# Judge each typed word against the words of the remaining names.

_BESIDE_THE_TITLE = 0.92
_ABBREVIATED = 0.85
_OTHER_ORDER = 0.02
_NOT_AT_THE_BEGINNING = 0.02
_HEAVIEST = 6
"""A word weighs the same from this length on."""
_MORE_IN_THE_TITLE = 0.08


class Judgement(Struct, frozen=True):
    """How similar a name is to what was typed."""

    score: float
    """From 0 to 1, comparable across names and queries."""
    kinds: tuple[Kind, ...]
    """The kind of similarity of each word."""
    ordered: bool
    """Whether the words are in the order in which they were typed."""


class _Hit(NamedTuple):
    """The part of a name that is most similar to a word."""

    score: float
    kind: Kind
    place: int
    covered: int


_MISS = _Hit(0, Kind.MISSING, 0, 0)


def judged(
    words: Sequence[str], names: Sequence[str], patience: int = 0
) -> list[Judgement]:
    """The similarity of each name, allowing `patience` more typos than usual."""
    cuts = [cut(name) for name in names]
    vocabulary = {
        word for lines in cuts for line in lines for word, _ in line.all_words
    }
    alike = [likenesses(word, vocabulary, patience) for word in words]
    return [_judged(words, alike, title, others) for title, others in cuts]


def _judged(
    words: Sequence[str],
    alike: Sequence[Mapping[str, Likeness]],
    title: Line,
    others: Line,
) -> Judgement:
    hits = [
        _better(_hit(word, likeness, title), _beside(word, likeness, title, others))
        for word, likeness in zip(words, alike, strict=True)
    ]
    weights = [min(len(word), _HEAVIEST) for word in words]
    weighed = zip(hits, weights, strict=True)
    likeness = sum(hit.score * weight for hit, weight in weighed) / sum(weights)
    places = [hit.place for hit in hits if hit.score]
    ordered = places == sorted(places)
    faults = (
        _MORE_IN_THE_TITLE * _left_over(hits, title)
        + _OTHER_ORDER * (not ordered)
        + _NOT_AT_THE_BEGINNING * (0 not in places)
    )
    return Judgement(likeness * (1 - faults), tuple(hit.kind for hit in hits), ordered)


def _left_over(hits: Sequence[_Hit], title: Line) -> float:
    """The share of a title that no typed word covers."""
    letters = sum(map(len, title.words))
    covered = sum(hit.covered for hit in hits)
    return max(0, 1 - covered / letters) if letters else 1


def _beside(
    word: str, alike: Mapping[str, Likeness], title: Line, others: Line
) -> _Hit:
    """The best hit outside the title, which counts for less."""
    if not others.words:
        return _MISS
    score, kind, place, _ = _hit(word, alike, others)
    return _Hit(score * _BESIDE_THE_TITLE, kind, place + len(title.words), 0)


def _hit(word: str, alike: Mapping[str, Likeness], line: Line) -> _Hit:
    best = _MISS
    for text, place in line.all_words:
        likeness = alike.get(text, NOTHING)
        if likeness.score > best.score:
            best = _Hit(*likeness, place, len(text))
    if best.score >= _ABBREVIATED or len(word) == 1:
        return best
    return _better(best, _abbreviated(word, line))


def _abbreviated(word: str, line: Line) -> _Hit:
    found = abbreviation(word, line.words)
    if found is None or found.cost >= HOPELESS:
        return _MISS
    score = _ABBREVIATED - found.cost
    return _Hit(score, Kind.ABBREVIATES, found.place, found.covered)


def _better(one: _Hit, other: _Hit) -> _Hit:
    return other if other.score > one.score else one


# Narrow down all names to the few hundred worth judging.

MOST = 300
"""The most names that one way of narrowing returns."""


class Narrow(Protocol):
    """All names, stored so that most can be dismissed at once."""

    def extend(self, names: Iterable[str]) -> None:
        """Add more names."""
        ...

    def misspelt(self, words: Sequence[tuple[str, int]]) -> list[int]:
        """Indexes of names with all these words, each with at most this many typos."""
        ...

    def abbreviated(self, words: Sequence[str]) -> list[int]:
        """Indexes of names with the letters of each word, best if they start words."""
        ...


# Narrowing with rapidfuzz alone, for platforms without frizbee.

_ROUNDING = 0.01


class WithoutFrizbee:
    """Names stored as folded strings."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}

    def extend(self, names: Iterable[str]) -> None:
        """Add more names."""
        self._names |= enumerate(map(fold, names), len(self._names))

    def misspelt(self, words: Sequence[tuple[str, int]]) -> list[int]:
        """Indexes of names with all these words, each with at most this many typos."""
        from rapidfuzz import fuzz, process  # noqa: PLC0415  # slow, only for mistakes

        left = self._names
        scores: dict[int, float] = {}
        for word, typos in words:
            found = process.extract(
                word,
                left,
                scorer=fuzz.partial_ratio,
                score_cutoff=max(100 * (1 - typos / len(word)) - _ROUNDING, 0),
                limit=None,
            )
            scores = {place: scores.get(place, 0) + score for _, score, place in found}
            left = {place: self._names[place] for place in scores}
        return sorted(scores, key=lambda place: (-scores[place], place))[:MOST]

    def abbreviated(self, words: Sequence[str]) -> list[int]:
        """Indexes of names with the letters of each word, best if they start words."""
        from rapidfuzz import process  # noqa: PLC0415  # slow, only for mistakes
        from rapidfuzz.distance import LCSseq  # noqa: PLC0415  # slow, only for mistakes

        left = self._names
        for word in words:
            found = process.extract(
                word,
                left,
                scorer=LCSseq.similarity,
                score_cutoff=len(word),
                limit=None,
            )
            left = {place: name for name, _, place in found}
        return sorted(left, key=lambda place: self._rank(words, place))[:MOST]

    def _rank(self, words: Sequence[str], place: int) -> tuple[int, int, int]:
        title, _ = cut(self._names[place])
        initials = "".join(word[0] for word in title.words)
        return -sum(word in initials for word in words), len(self._names[place]), place


# The names most similar to what was typed, narrowed down and then judged.

_LIKE = 0.4
"""The lowest score that still counts as similar."""
_GOOD = 0.7
"""The score from which a name is a good result."""
_MEANT = 0.8
"""The score from which a name is most likely the intended one."""
_LONGEST_INITIALS = 5
_LONGEST_WORDS = 3
_FEW = 100
"""How many of the names that lack a word are judged."""


class Near(Struct, frozen=True):
    """A name similar to what was typed."""

    position: int
    """Its index among the names."""
    score: float
    """Similarity from 0 to 1, comparable across queries."""
    how: str
    """A short description of the similarity."""


class Names:
    """The names of many records, prepared for matching.

    An entry holds all names of one record, one per line, its title first.
    """

    def __init__(
        self, names: Iterable[str] = (), narrow: Callable[[], Narrow] | None = None
    ) -> None:
        self._names: list[str] = []
        self._narrow = (narrow or _the_quickest())()
        self.extend(names)

    def __len__(self) -> int:
        return len(self._names)

    def extend(self, names: Iterable[str]) -> None:
        """Add more names; their indexes continue from the last."""
        more = [name[:LONGEST_NAME] for name in names]
        self._names += more
        self._narrow.extend(more)

    def similar(self, words: Sequence[str], limit: int) -> list[Near]:
        """The names most similar to these words, best first, then in index order."""
        needles = typed(words)
        if not needles or limit < 1:
            return []
        found: dict[int, Judgement] = {}
        for positions, patience in self._ways(needles, found, limit):
            self._judge(needles, positions, patience, found)
        best = sorted(found, key=lambda position: (-found[position].score, position))
        return [
            Near(position, found[position].score, _how(needles, found[position]))
            for position in best[:limit]
        ]

    def _ways(
        self, words: list[str], found: dict[int, Judgement], limit: int
    ) -> Iterator[tuple[Iterable[int], int]]:
        """Ways of narrowing down, each used only if the previous found too little."""
        yield self._narrow.misspelt([(word, typos(word)) for word in words]), 0
        if not _is_meant(words, found.values(), limit):
            yield self._narrow.abbreviated(words), 0
        if max((each.score for each in found.values()), default=0) < _GOOD:
            yield self._patiently(words), 1

    def _patiently(self, words: list[str]) -> Iterator[int]:
        """Names with one more typo, or without one of the longest words.

        The missing word may still occur in them with more typos than usual.
        """
        if len(words) == 1:
            yield from self._narrow.misspelt([(words[0], typos(words[0]) + 1)])
            return
        longest = sorted(words, key=len, reverse=True)[:_LONGEST_WORDS]
        for few in combinations(longest, len(longest) - 1):
            found = self._narrow.misspelt([(word, typos(word)) for word in few])
            yield from found[:_FEW]

    def _judge(
        self,
        words: list[str],
        positions: Iterable[int],
        patience: int,
        found: dict[int, Judgement],
    ) -> None:
        new = [place for place in dict.fromkeys(positions) if place not in found]
        names = [self._names[place] for place in new]
        judgements = zip(new, judged(words, names, patience), strict=True)
        found |= {place: each for place, each in judgements if each.score >= _LIKE}


def _is_meant(words: Sequence[str], found: Collection[Judgement], limit: int) -> bool:
    """Whether the words were meant as words, not as abbreviations."""
    good = sum(each.score >= _GOOD for each in found)
    best = max((each.score for each in found), default=0)
    as_words = best >= _MEANT and sum(map(len, words)) > _LONGEST_INITIALS
    return good >= limit or as_words


def _how(words: Sequence[str], judgement: Judgement) -> str:
    """How a name is similar to these words; identical words are not mentioned."""
    hows = [
        kind.value.format(word=word)
        for word, kind in zip(words, judgement.kinds, strict=True)
        if kind.value
    ]
    if not judgement.ordered:
        hows.append("words in another order")
    return ", ".join(hows) or "every word"


def _the_quickest() -> Callable[[], Narrow]:
    """The fastest narrowing available; frizbee is not built for every platform."""
    try:
        from store.search.fuzzy_frizbee import WithFrizbee  # noqa: PLC0415  # not on every platform
    except ImportError:
        return WithoutFrizbee
    return WithFrizbee
