"""What it adds that the words of a query stand together."""

import re
from collections.abc import Sequence

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

_BODY_PHRASE = 1.0
_BODY_NEAR = 0.5

_REACH = 80
"""How many letters apart words of a body are near each other."""
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
    if _are_near(body, words, rarest):
        evidence.append(("body has the words near each other", ""))
        return _BODY_NEAR
    return 0.0


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


def _are_near(body: str, words: Words, rarest: str) -> bool:
    """Whether all words stand around one place of the rarest."""
    place = body.find(rarest)
    for _ in range(_ANCHORS):
        if place < 0:
            return False
        around = body[max(0, place - _REACH) : place + len(rarest) + _REACH]
        if all(word in around for word in words):
            return True
        place = body.find(rarest, place + 1)
    return False
