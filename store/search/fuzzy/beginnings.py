"""Abbreviations: the letters that begin words, and letters left out within them.

    r     c          t          rct
    red   con        tim        redcontim
    r d s            t m t      rdstmt
    redis connection timeout

Each piece of what was typed begins with the first letter of a word and goes on, in
order, with letters of that word. Vowels are left out more readily than other letters.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

HOPELESS = 0.5
"""What costs as much says nothing any more."""

_LONGEST = 24
"""Whoever types more letters means words."""
_MOST_WORDS = 30

_SKIPPED_LETTER = 0.016
_LONG = 5
"""A word of so many letters that is left out counts like any longer one."""
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
    """What speaks against it, from 0."""
    place: int
    """The word it begins with."""
    covered: int
    """How many letters the words have whose letters were typed."""


class _Way(NamedTuple):
    """How some of what was typed may be taken.

    Words left out are counted from where the ways end: so much for all words up to
    there, less what each word is worth that was not left out.
    """

    cost: float
    letters: float
    """What of the cost is for letters, and not for words left out."""
    pieces: int
    place: int
    covered: int


def abbreviation(typed: str, words: Sequence[str]) -> Abbreviation | None:
    """The cheapest way in which something typed abbreviates these words."""
    words = words[:_MOST_WORDS]
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
    """Whether the letters are there at all: most often they are not."""
    letters = iter("".join(words))
    return all(letter in letters for letter in typed)


def _worth(word: str) -> float:
    """What it costs to leave a word out: the short ones are left out readily."""
    return _SKIPPED_LETTER * min(len(word), _LONG)


def _on(
    typed: str, word: str, place: int, before: float, reached: dict[int, _Way]
) -> list[tuple[int, _Way]]:
    """How much may be typed after a word, some of it included."""
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
    """A way that ends with a word, the cost of all words up to it given.

    The longer its pieces are, the less do words say that were left out between them:
    three letters in a row begin few words by chance, and one begins many.
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
