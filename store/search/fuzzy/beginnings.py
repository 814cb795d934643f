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
_MOST_WORDS = 20

_SKIPPED_WORD = 0.08
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


def abbreviation(typed: str, words: Sequence[str]) -> Abbreviation | None:
    """The cheapest way in which something typed abbreviates these words.

    The cost of words left out is counted from where the ways end: so much for each word
    up to there, less what each word is worth that was not left out.
    """
    words = words[:_MOST_WORDS]
    if len(typed) > _LONGEST or not _in_order(typed, words):
        return None
    best: Abbreviation | None = None
    reached: dict[int, Abbreviation] = {}
    for place, word in enumerate(words):
        if word[0] not in typed:
            continue
        for end, way in _on(typed, word, place, reached):
            if end == len(typed):
                done = _done(way, place, len(words))
                best = min(done, best or done)
            else:
                reached[end] = min(way, reached.get(end, way))
    return best


def _in_order(typed: str, words: Sequence[str]) -> bool:
    """Whether the letters are there at all: most often they are not."""
    letters = iter("".join(words))
    return all(letter in letters for letter in typed)


def _on(
    typed: str, word: str, place: int, reached: dict[int, Abbreviation]
) -> list[tuple[int, Abbreviation]]:
    """How much may be typed after a word, some of it included."""
    ways = [(end, way) for end, way in reached.items() if typed[end] == word[0]]
    if typed[0] == word[0]:
        cost = _NOT_THE_FIRST_WORD * (place > 0) - _SKIPPED_WORD * place
        ways.append((0, Abbreviation(cost, place, 0)))
    return [
        (end, Abbreviation(way.cost + cost, way.place, way.covered + len(word)))
        for start, way in ways
        for end, cost in _pieces(typed, start, word)
    ]


def _done(way: Abbreviation, place: int, words: int) -> Abbreviation:
    """A way that ends with the word at a place."""
    cost = way.cost + _SKIPPED_WORD * (place + 1)
    cost += _NOT_THE_LAST_WORD * (place + 1 < words)
    return Abbreviation(cost, way.place, way.covered)


def _pieces(typed: str, start: int, word: str) -> Iterator[tuple[int, float]]:
    """Where pieces of a word may end, and what each costs."""
    cost, at = _PIECE - _SKIPPED_WORD, 0
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
