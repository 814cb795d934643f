"""Where a text may be cut without tearing apart what shows as one letter.

Rather careful than exact: between two letters one of which may bind to the other there
is no cut, even where the standard would allow one. The library that knows the standard
by heart takes longer to load than a search takes.
"""

import re
from unicodedata import category, combining

_BINDING = re.compile(
    "[\u0d4e\u0e33\u0eb3\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\uff9e\uff9f"
    "\U0001f1e6-\U0001f1ff\U000111c2\U000111c3\U000113d1\U0001193f\U00011941"
    "\U00011a3a\U00011a84-\U00011a89\U00011d46\U00011f02\U00016121-\U00016129]"
)
"""Letters that bind to their neighbours: parts of syllables, halves of flags."""

_BOUND = frozenset({"Mn", "Mc", "Me", "Cf", "Sk", "Cn"})
"""Categories that belong to what is before: accents, joiners, shades of skin, and what
is not known yet."""

_JOINING = frozenset({"Cf", "Cn"})
"""Categories that take in what is behind: joiners, and what is not known yet."""

_JOINING_MARKS = frozenset({7, 9})
"""Combining classes of marks that do so too, in the scripts of India."""


def may_cut(text: str, at: int) -> bool:
    """Whether a text may be cut before a character."""
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    if before.isascii() and after.isascii():
        return (before, after) != ("\r", "\n")
    return not (_is_bound(after) or _joins(before))


def cut_before(text: str, at: int) -> int:
    """The last place up to `at` where the text may be cut."""
    while not may_cut(text, at):
        at -= 1
    return at


def cut_behind(text: str, at: int) -> int:
    """The first place from `at` on where the text may be cut."""
    while not may_cut(text, at):
        at += 1
    return at


def _is_bound(letter: str) -> bool:
    if letter.isascii():
        return False
    return category(letter) in _BOUND or bool(_BINDING.match(letter))


def _joins(letter: str) -> bool:
    if letter.isascii():
        return False
    return (
        category(letter) in _JOINING
        or combining(letter) in _JOINING_MARKS
        or bool(_BINDING.match(letter))
    )
