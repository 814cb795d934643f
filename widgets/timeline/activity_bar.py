"""The row above the timeline: what went on lately, how all stands, what is removed."""

from collections.abc import Iterator, Mapping

from textual.reactive import reactive

from widgets.bars.bar import Bar
from widgets.bars.items import Shown
from widgets.lines.pieces import Piece, width_of
from widgets.timeline.activity import Activity, spark
from widgets.timeline.days import day_told
from widgets.timeline.statuses import STATUSES, status_of

WINDOW, REMOVAL = "window", "removal"
"""What is reported when the window's name is clicked, or the warning."""

_LEAST = 12
"""Cells of bars below which the statuses give way."""

_WIDE = 100
"""The width from which on a removal is told in a whole sentence."""


class ActivityBar(Bar):
    """Bars as long as there is room for them; a click on a status asks for it."""

    DEFAULT_CSS = "ActivityBar { height: 1; }"

    activity: reactive[Activity] = reactive(Activity())
    """What went on."""
    statuses: reactive[Mapping[str, int]] = reactive(dict[str, int])
    """How many conversations are in each status."""
    leaving: reactive[int] = reactive(0)
    """How many the agent's own clean-up removes within a week."""

    def _shown(self) -> list[Shown]:
        """From left to right; the bars take what the rest leaves."""
        width = self.size.width
        window = Shown([(f" {self.activity.window:>3} ", "strong")], WINDOW)
        end = Shown([(f" {self._end()} ", "faint")])
        counts = list(self._counts())
        left = width - _width([window, end]) - _LEAST
        words = self._removals(width)
        beside = [told for told in words if _width([*counts, *told]) <= left]
        removal = next(iter(beside or words))
        if not beside:
            counts.clear()
        left += _LEAST
        bars = spark(self.activity.counts, left - _width([*counts, *removal]))
        return [window, Shown([(bars, "arrow")]), end, *counts, *removal]

    def _end(self) -> str:
        if self.activity.is_now:
            return "now"
        return day_told(self.activity.end, with_weekday=False)

    def _counts(self) -> Iterator[Shown]:
        """The statuses in the order of a life, those without any left out."""
        order = [*STATUSES, *(set(self.statuses) - set(STATUSES))]
        for word in order:
            number = self.statuses.get(word, 0)
            if number:
                glyph, tone, _ = status_of(word)
                pieces: list[Piece] = [
                    (" ", ""),
                    (glyph, tone),
                    (f"{number} ", "muted"),
                ]
                yield Shown(pieces, word)

    def _removals(self, width: int) -> list[list[Shown]]:
        """How many are removed soon, in as many words as one likes, or in fewer."""
        if not self.leaving:
            return [[]]
        number, is_one = self.leaving, self.leaving == 1
        told = [f" {number} removed in 7 d ", f" {number} go{'es' * is_one} in 7 d "]
        if width >= _WIDE:
            told.insert(
                0, f" {number} {'is' if is_one else 'are'} removed within 7 days "
            )
        return [[Shown([(words, "fading")], REMOVAL)] for words in told]


def _width(several: list[Shown]) -> int:
    return sum(width_of(one.pieces) for one in several)
