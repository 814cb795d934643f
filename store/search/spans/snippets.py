"""The stretch of a text that shows best why it was found, on one line."""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from store.records.hit import Snippet
from store.search.spans.line import one_line
from store.search.spans.standing import Stretch, looking, united
from store.search.spans.whole import is_whole

_WIDTH = 160
_CUTS = 2
"""Characters of a width that tell of what is cut off before and behind."""
_MOST = 1000
"""How often a needle is looked for: a text that has it more often shows it soon."""
_WORTH = 1 << 40
"""What a needle is worth; whole numbers, so that what comes and goes leaves nothing."""


class _Match(NamedTuple):
    start: int
    end: int
    needle: int


def snippet(text: str, needles: Sequence[str], width: int = _WIDTH) -> Snippet:
    """The window with the most of the needles in it, the rarer the better.

    Runs of blanks are one blank; where no needle stands, it is the text's beginning.
    """
    look = looking(text)
    found: list[_Match] = []
    telling: list[_Match] = []
    for number, needle in enumerate(dict.fromkeys(needles)):
        stretches = islice(look(needle), _MOST)
        matches = [_Match(*stretch, number) for stretch in stretches]
        found += matches
        telling += [m for m in matches if is_whole(text, m.start, m.end)] or matches
    marked = united((match.start, match.end) for match in found)
    return one_line(text, _best_window(telling, width - _CUTS), marked, width)


def excerpt(text: str, stretches: Iterable[Stretch], width: int = _WIDTH) -> Snippet:
    """The window with the most of some stretches in it, as `snippet` shows it."""
    marked = united(stretches)
    found = [_Match(*stretch, 0) for stretch in marked]
    return one_line(text, _best_window(found, width - _CUTS), marked, width)


def _best_window(found: Iterable[_Match], width: int) -> Stretch:
    """The stretch, not wider than that, with the most and the rarest matches."""
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
