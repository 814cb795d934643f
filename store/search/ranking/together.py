"""What it adds that the words of a query stand together."""

import re
from collections.abc import Sequence
from math import inf

from store.search.ranking.verdict import Evidence
from store.search.spans.whole import starts_word

_EQUAL = 10.0
_BEGINS = 4.0
_ALL = 5.0
"""All of several words are in the title: more than spreading them can make up for."""
_PHRASE = 2.0
_IN_ORDER = 1.0
_COVERED = 2.0
"""The words are all that the title says; less, where it says more."""

_BODY_PHRASE = 4.9
_BODY_NEAR = 4.8
"""Two words together in a body are worth more than one of them in a title elsewhere."""

_NEAR = 80
"""How many letters apart words of a body are told to be near each other."""
_HALF = 240
"""How many letters apart it says half as much that they are there together."""
_REACH = 800
"""How far around a word of a body the others are looked for."""
_ANCHORS = 8
"""Places of a word around which the others are looked for."""

_WORD = re.compile(r"[^\W_]+")

Words = Sequence[str]


def together_in_title(title: str, words: Words, evidence: list[Evidence]) -> float:
    """What it adds that all words are in a title, whatever stands between them."""
    phrase = _plain(" ".join(words))
    plain = _plain(title)
    points = _COVERED * min(1.0, len(phrase) / len(plain))
    if plain == phrase:
        evidence.append(("title is just that", ""))
        points += _EQUAL
    elif plain.startswith(phrase):
        evidence.append(("title begins with {!r}", phrase))
        points += _BEGINS
    if len(words) == 1:
        return points
    return points + _several_in_title(plain, words, phrase, evidence)


def _several_in_title(
    plain: str, words: Words, phrase: str, evidence: list[Evidence]
) -> float:
    if _has_phrase(plain, phrase):
        evidence.append(("title has the words side by side", ""))
        return _ALL + _PHRASE + _IN_ORDER
    if _in_order(plain, words):
        evidence.append(("title has all words, in order", ""))
        return _ALL + _IN_ORDER
    evidence.append(("title has all words", ""))
    return _ALL


def _plain(text: str) -> str:
    """The words of a text alone; the text, where it has none."""
    return " ".join(_WORD.findall(text)) or text


def together_in_body(
    body: str, words: Words, rarest: str, evidence: list[Evidence]
) -> float:
    """What it adds that several words are in a body, one of them the rarest there."""
    if _has_phrase(body, " ".join(words)):
        evidence.append(("body has the words side by side", ""))
        return _BODY_PHRASE
    apart = _apart(body, words, rarest)
    if apart <= _NEAR:
        evidence.append(("body has the words near each other", ""))
    return _BODY_NEAR * _HALF / (_HALF + apart)


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
    """How many letters there are between the rarest word and that farthest from it.

    As few as there are around one of its places; infinitely many where all is far.
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
    """How many letters there are to a word, before or after a place."""
    back, on = before.rfind(word), after.find(word)
    return min(len(before) - back if back >= 0 else inf, on if on >= 0 else inf)
