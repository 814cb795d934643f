"""Find query words in a text, and the snippet that shows them best."""

import re
from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import islice
from typing import NamedTuple, Protocol
from unicodedata import category, combining

from store.records.answers import Snippet
from store.text import compared, fold, is_exact, regex, unmarked

# Whether something is a whole word or a part of one.

_WITHOUT_GAPS = "\u2e80"
"""The first character of scripts that need no spaces.

From here on, scripts have no spaces between words or attach endings to them, so any
part of a text may be a word.
"""


def starts_word(text: str, start: int) -> bool:
    """Whether a word may start here."""
    if start == 0:
        return True
    before = text[start - 1]
    return not before.isalnum() or before >= _WITHOUT_GAPS


def ends_word(text: str, end: int) -> bool:
    """Whether a word may end before this position."""
    if end == len(text):
        return True
    after = text[end]
    return not after.isalnum() or after >= _WITHOUT_GAPS


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether a stretch of a text consists of whole words."""
    return starts_word(text, start) and ends_word(text, end)


# A folded text, with a mapping back to the original.
#
# Most letters fold to one letter, so most positions are the same in both texts. Letters
# that do not, such as ß, the ligature ﬁ or a combining accent, are steps: after each,
# the offset between the texts changes.


class _Step(NamedTuple):
    """A letter that folds to none or several."""

    folded: int
    """Its position in the folded text."""
    written: int
    """Its position in the original text."""
    length: int
    """How many letters it folds to."""


class Folded:
    """A text with case and accents folded, or with only accents folded."""

    def __init__(self, written: str, *, exact: bool) -> None:
        """Fold a text; `exact` keeps its case."""
        self._written = written
        self._length = _length_exact if exact else _length
        self.text = unmarked(written) if exact else fold(written)

    @property
    def is_uneven(self) -> bool:
        """Whether positions in the two texts differ."""
        return bool(self._steps)

    def written(self, start: int, end: int) -> tuple[int, int]:
        """The position in the original text of a range of the folded text.

        Always whole letters, including accents after the last one.
        """
        last = self._place(end - 1) + 1
        return self._place(start), max(last, self._place(end))

    def _place(self, at: int) -> int:
        """The original position of a letter in the folded text."""
        found = bisect_right(self._steps, at, key=lambda step: step.folded) - 1
        if found < 0:
            return at
        step = self._steps[found]
        return step.written + max(0, at - step.folded - step.length + 1)

    @cached_property
    def _steps(self) -> list[_Step]:
        if self._written.isascii():
            return []
        letters = (letter for letter in set(self._written) if not letter.isascii())
        uneven = "".join(letter for letter in letters if self._length(letter) != 1)
        if not uneven:
            return []
        steps: list[_Step] = []
        further = 0
        for found in re.finditer(f"[{re.escape(uneven)}]", self._written):
            length = self._length(found[0])
            steps.append(_Step(found.start() + further, found.start(), length))
            further += length - 1
        return steps


@lru_cache(1024)
def _length(letter: str) -> int:
    return len(fold(letter))


@lru_cache(1024)
def _length_exact(letter: str) -> int:
    return len(unmarked(letter))


# Where a text may be cut without splitting a grapheme.
#
# Errs on the safe side: it never cuts between two letters that may combine, even if the
# standard would allow it. The library that implements the standard fully takes longer
# to load than a search takes.

_BINDING = regex(
    "[\u0d4e\u0e33\u0eb3\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\uff9e\uff9f"
    "\U0001f1e6-\U0001f1ff\U000111c2\U000111c3\U000113d1\U0001193f\U00011941"
    "\U00011a3a\U00011a84-\U00011a89\U00011d46\U00011f02\U00016121-\U00016129]"
)
"""Letters that combine with their neighbours: parts of syllables, halves of flags."""

_BOUND = frozenset({"Mn", "Mc", "Me", "Cf", "Sk", "Cn"})
"""Categories that belong to the character before.

Accents, joiners, skin tones and unassigned characters.
"""

_JOINING = frozenset({"Cf", "Cn"})
"""Categories that bind the character after: joiners and unassigned characters."""

_JOINING_MARKS = frozenset({7, 9})
"""Combining classes of marks that also do, in the scripts of India."""


def may_cut(text: str, at: int) -> bool:
    """Whether a text may be cut before a character."""
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    if before.isascii() and after.isascii():
        return (before, after) != ("\r", "\n")
    return not (_is_bound(after) or _joins(before))


def cut_before(text: str, at: int) -> int:
    """The last position up to `at` where the text may be cut."""
    while not may_cut(text, at):
        at -= 1
    return at


def cut_behind(text: str, at: int) -> int:
    """The first position from `at` on where the text may be cut."""
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


# Where the words of a query occur in a text.

Stretch = tuple[int, int]
"""A range of a text: its first character, and the one after its last."""

_MOST_MATCHES = 200
"""The most matches of a pattern to find, as each may read the whole text."""


class Found(Protocol):
    """A match of a pattern."""

    def span(self) -> Stretch:
        """Its position."""
        ...


class Finds(Protocol):
    """A compiled regular expression of any library."""

    def finditer(self, text: str, /) -> Iterator[Found]:
        """All its matches in a text."""
        ...


def spans(text: str, needles: Sequence[str]) -> list[Stretch]:
    """The positions of the needles in a text, in order, without overlaps.

    Compared like a query; any blanks match the blanks within a needle.
    """
    look = looking(text)
    return united(stretch for needle in needles for stretch in look(needle))


def spans_of_pattern(text: str, pattern: Finds) -> list[Stretch]:
    """The first non-empty matches of a regular expression."""
    matches = islice(pattern.finditer(text), _MOST_MATCHES)
    return united(
        found.span() for found in matches if found.span()[0] < found.span()[1]
    )


def looking(text: str) -> Callable[[str], Iterator[Stretch]]:
    """A function that finds needles in a text, which is folded only once."""

    @cache
    def folded(exact: bool) -> Folded:  # noqa: FBT001  # `cache` needs it by position
        return Folded(text, exact=exact)

    def look(needle: str) -> Iterator[Stretch]:
        wanted = compared(needle, needle)
        if not wanted or wanted.isspace():  # a needle that folds to nothing
            return _literally(text, needle) if needle.strip() else iter(())
        hay = folded(is_exact(needle))
        found = _standing(hay.text, wanted)
        return (hay.written(*one) for one in found) if hay.is_uneven else found

    return look


def united(stretches: Iterable[Stretch]) -> list[Stretch]:
    """Stretches in order, with overlapping ones merged."""
    whole: list[Stretch] = []
    for start, end in sorted(stretches):
        if whole and start < whole[-1][1]:
            whole[-1] = whole[-1][0], max(whole[-1][1], end)
        else:
            whole.append((start, end))
    return whole


def _standing(text: str, wanted: str) -> Iterator[Stretch]:
    """The positions of a needle in a text, both folded."""
    words = wanted.split()
    if len(words) == 1:
        return _literally(text, words[0])
    phrase = re.compile(r"\s+".join(re.escape(word) for word in words))
    return (found.span() for found in phrase.finditer(text))


def _literally(text: str, needle: str) -> Iterator[Stretch]:
    start = text.find(needle)
    while start >= 0:
        end = start + len(needle)
        yield start, end
        start = text.find(needle, end)


# A one-line window of a text, cut to a width between words or letters.

_BLANKS, _SEVERAL = regex(r"\s+"), regex(r"\s{2,}")
_CUT = "…"

_REGION = 2
"""Window widths read around a window, as blanks may collapse."""

_BEFORE = 3
"""The share of the remaining room that goes before the window: a third."""

_WORD = 24
"""How far a cut may move to fall between two words."""


def one_line(
    text: str, window: Stretch, marked: Iterable[Stretch], width: int
) -> Snippet:
    """The text around a window that fits the width, and what is marked in it."""
    first, last = window[0], min(window[1], window[0] + width)
    start = cut_before(text, max(0, first - _REGION * width))
    end = cut_behind(text, min(len(text), last + _REGION * width))
    blanks = [found.span() for found in _SEVERAL.finditer(text, start, end)]

    def place(at: int) -> int:
        at = max(start, min(at, end))
        return at - start - sum(min(at, b) - a - 1 for a, b in blanks if a < at)

    line = _BLANKS.sub(" ", text[start:end])
    is_all = (start, end) == (0, len(text)) and len(line.strip()) <= width
    room = width if is_all else width - 2 * len(_CUT)
    left, right = _cut(line, (place(first), place(last)), room)
    lead = _CUT if start or line[:left].strip() else ""
    tail = _CUT if end < len(text) or line[right:].strip() else ""
    shift = len(lead) - left
    near = ((a, b) for a, b in marked if a < end and b > start)
    placed = ((max(place(a), left), min(place(b), right)) for a, b in near)
    return Snippet(
        text=f"{lead}{line[left:right]}{tail}",
        spans=tuple((a + shift, b + shift) for a, b in placed if a < b),
    )


def _cut(line: str, core: Stretch, room: int) -> Stretch:
    """The shown part of a line: its core, and more text on both sides."""
    low, high = len(line) - len(line.lstrip()), len(line.rstrip())
    before = max(0, room - (core[1] - core[0])) // _BEFORE
    left = max(low, min(core[0] - before, high - room))
    if left > low:
        left = _forward(line, left, core[0])
    right = min(high, left + room)
    if right < high:
        blank = line.rfind(" ", max(right - _WORD, core[1]), right + 1)
        right = cut_before(line, right) if blank < 0 else blank
    return left, right if right > left else cut_behind(line, min(left + 1, high))


def _forward(line: str, left: int, core: int) -> int:
    """A better place for a cut on the left, up to the core."""
    blank = line.find(" ", left - 1, min(left + _WORD, core))
    found = cut_behind(line, left if blank < 0 else blank + 1)
    return found if found <= core else cut_before(line, left)


# The part of a text that best shows why it was found, on one line.

_WIDTH = 160
_CUTS = 2
"""Characters of the width reserved for the cut marks on both sides."""
_MOST = 1000
"""The most occurrences of a needle to find; a text with more shows it early anyway."""
_WORTH = 1 << 40
"""The worth of a needle; an integer, so that sums stay exact."""


class _Match(NamedTuple):
    start: int
    end: int
    needle: int


def snippet(text: str, needles: Sequence[str], width: int = _WIDTH) -> Snippet:
    """The window with the most needles, rarer ones counting more.

    Runs of blanks become one blank. If no needle occurs, the start of the text.
    """
    look = looking(text)
    found: list[_Match] = []
    telling: list[_Match] = []
    for number, needle in enumerate(dict.fromkeys(needles)):
        stretches = islice(look(needle), _MOST)
        matches = [_Match(*stretch, number) for stretch in stretches]
        found += matches
        telling += [m for m in matches if is_whole(text, m[0], m[1])] or matches
    marked = united((match.start, match.end) for match in found)
    return one_line(text, _best_window(telling, width - _CUTS), marked, width)


def excerpt(text: str, stretches: Iterable[Stretch], width: int = _WIDTH) -> Snippet:
    """The window with the most of the given stretches, in the style of `snippet`."""
    marked = united(stretches)
    found = [_Match(*stretch, 0) for stretch in marked]
    return one_line(text, _best_window(found, width - _CUTS), marked, width)


def _best_window(found: Iterable[_Match], width: int) -> Stretch:
    """The range, no wider than `width`, with the most and rarest matches."""
    ordered = sorted(found)
    often = Counter(match.needle for match in ordered)
    inside: Counter[int] = Counter()
    window: deque[_Match] = deque()
    worth = {needle: _WORTH + _WORTH // count for needle, count in often.items()}
    best, most, different = (0, 0), (0, 0), 0
    for match in ordered:
        window.append(match)
        inside[match.needle] += 1
        different += worth[match.needle] if inside[match.needle] == 1 else 0
        while len(window) > 1 and match.end - window[0].start > width:
            gone = window.popleft().needle
            inside[gone] -= 1
            different -= 0 if inside[gone] else worth[gone]
        if (different, len(window)) > most:
            best, most = (window[0].start, match.end), (different, len(window))
    return best
