"""Brings a terminal from what it shows to what is wanted, in few bytes."""

from collections.abc import Sequence

from tui.driver.abilities import Abilities
from tui.driver.frame import Frame
from tui.driver.pen import Pen
from tui.driver.row import Row
from tui.driver.scrolling import find_scroll
from tui.driver.writing import write_row

_WORTH_SCROLLING = 200
"""Updates of fewer bytes are not looked at for lines that moved."""

_WORTH_SYNCHRONIZING = 1000
"""Smaller updates reach the terminal in one piece anyway."""

_BLOCKS = 2
"""How many blocks of lines move at once: a list, and what is read beside it."""


class Painter:
    """Keeps what the terminal shows."""

    def __init__(self, abilities: Abilities) -> None:
        """Nothing is known of the terminal yet."""
        self._abilities = abilities
        self._pen = Pen(abilities)
        self._shown: Sequence[Row] = ()
        self._generation = -1

    def paint(self, frame: Frame) -> str:
        """What to send to the terminal for this frame to be on it."""
        if frame.generation != self._generation:
            self._begin(frame)
        self._pen = self._cheapest(frame.rows)
        self._pen.go(*frame.cursor)
        self._shown = frame.rows
        text = self._pen.take()
        if frame.is_synchronized and len(text) > _WORTH_SYNCHRONIZING:
            return f"\x1b[?2026h{text}\x1b[?2026l"
        return text

    def _begin(self, frame: Frame) -> None:
        """Clear the screen, whatever it shows."""
        self._generation = frame.generation
        self._pen = Pen(self._abilities)
        self._pen.clear()
        self._shown = [Row.blank(len(row.text)) for row in frame.rows]

    def _cheapest(self, wanted: Sequence[Row]) -> Pen:
        """Write what differs, after scrolling what moved where that is shorter."""
        shown, pen = self._shown, self._pen
        cheapest = _write(shown, wanted, pen)
        for _ in range(_BLOCKS if self._abilities.scrolls else 0):
            if cheapest.length < _WORTH_SCROLLING:
                break
            scroll = find_scroll(shown, wanted)
            if not scroll:
                break
            pen = pen.copy()
            pen.scroll(scroll.top, scroll.bottom, scroll.lines)
            shown = scroll.applied(shown)
            scrolled = _write(shown, wanted, pen)
            if scrolled.length >= cheapest.length:
                break
            cheapest = scrolled
        return cheapest


def _write(shown: Sequence[Row], wanted: Sequence[Row], pen: Pen) -> Pen:
    """A pen that goes on from this one and has written what differs."""
    pen = pen.copy()
    for number, (is_row, row) in enumerate(zip(shown, wanted, strict=True)):
        if is_row is not row and is_row != row:
            write_row(number, row, is_row.differences(row), pen)
    return pen
