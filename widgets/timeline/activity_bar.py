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
        removal = list(self._removal(width))
        rest = width - _width([window, end, *removal])
        counts = list(self._counts())
        if rest - _width(counts) < _LEAST:
            counts.clear()
        bars = spark(self.activity.counts, rest - _width(counts))
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

    def _removal(self, width: int) -> Iterator[Shown]:
        if self.leaving:
            verb = "is" if self.leaving == 1 else "are"
            told = f" {self.leaving} {verb} removed within 7 days "
            short = f" {self.leaving} removed in 7 d "
            yield Shown([(told if width >= _WIDE else short, "fading")], REMOVAL)


def _width(several: list[Shown]) -> int:
    return sum(width_of(one.pieces) for one in several)
