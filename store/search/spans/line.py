"""A window of a text on one line, cut to a width between two words or two letters."""

import re
from collections.abc import Iterable

from store.records.hit import Snippet
from store.search.spans.graphemes import cut_before, cut_behind
from store.search.spans.standing import Stretch

_BLANKS = re.compile(r"\s+")
_CUT = "…"

_REGION = 2
"""How many widths around a window are looked at: blanks may take some of them away."""

_BEFORE = 3
"""What part of the room that a window leaves goes before it: a third."""

_WORD = 24
"""How far a cut moves so that it falls between two words."""


def one_line(
    text: str, window: Stretch, marked: Iterable[Stretch], width: int
) -> Snippet:
    """As much of a text around a window as there is room for, and what is marked."""
    first, last = window[0], min(window[1], window[0] + width)
    start = cut_before(text, max(0, first - _REGION * width))
    end = cut_behind(text, min(len(text), last + _REGION * width))

    def place(at: int) -> int:
        return len(_BLANKS.sub(" ", text[start : min(at, end)]))

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
    """What of a line is shown: its core, and more of it before and behind."""
    low, high = len(line) - len(line.lstrip()), len(line.rstrip())
    before = max(0, room - (core[1] - core[0])) // _BEFORE
    left = max(low, min(core[0] - before, high - room))
    if left > low:
        left = _forward(line, left, core[0])
    right = min(high, left + room)
    if right < high:
        right = _backward(line, right, core[1])
    return left, right if right > left else cut_behind(line, min(left + 1, high))


def _forward(line: str, left: int, core: int) -> int:
    """A better place for a cut on the left, up to the core."""
    blank = line.find(" ", left - 1, min(left + _WORD, core))
    found = cut_behind(line, left if blank < 0 else blank + 1)
    return found if found <= core else cut_before(line, left)


def _backward(line: str, right: int, core: int) -> int:
    """A better place for a cut on the right, down to the core."""
    blank = line.rfind(" ", max(right - _WORD, core), right + 1)
    return cut_before(line, right) if blank < 0 else blank
