"""Text on a sheet: laid out while one reads, and copied as it is written."""

from collections.abc import Hashable, Sequence

from textual.selection import Selection
from textual.strip import Strip

from widgets.lines.pieces import Piece, strip
from widgets.lines.sheet import Sheet
from widgets.reader.bodies import Body
from widgets.reader.copying import copied, selected
from widgets.reader.cutting import cut
from widgets.reader.laid import Laid
from widgets.reader.look import Look
from widgets.reader.runs import BREAK

WIDEST = 96
"""Cells of a line at most: longer ones are hard to read."""

MARGIN = 1
"""Cells that are left blank at either side."""

_AT_ONCE = 200
"""Lines that are laid out at once; the rest when somebody reads on."""

_SLICE, _PAUSE = 0.008, 0.001
"""Seconds that are spent on laying out before keys are listened to, and after."""


class TextSheet(Sheet):
    """Shows a body from its top, as far as somebody reads."""

    ALLOW_SELECT = True

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  # as every widget has it
        super().__init__(id=id, classes=classes)
        self.look = Look(0)
        self.laid = Laid(iter(()))
        self._body: Body | None = None
        self._is_ending = False

    def set_body(self, body: Body | None, *, keeps: bool = False) -> None:
        """Show a body; with `keeps` one goes on reading where one was."""
        self._body = body
        self._lay(keeps=keeps)

    def set_look(self, look: Look) -> None:
        """Lay the same out in another way; one goes on reading where one was."""
        if look != self.look:
            self.look = look
            self._lay(keeps=True)

    def wrap(self) -> None:
        """Cut lines that are too long, or wrap them again; one stays at the same."""
        ended = sum(line.joint == BREAK for line in self.laid.lines[: self.first])
        self.set_look(self.look._replace(wraps=not self.look.wraps))
        place = 0
        while ended:
            self.laid.reach(place + 1)
            if place >= self.count():
                break
            ended -= self.laid.lines[place].joint == BREAK
            place += 1
        self.reveal(place, at_top=True)

    def count(self) -> int:
        """How many lines there are so far."""
        return len(self.laid.lines)

    def move(self, lines: int) -> None:
        """Read on by some lines, or back."""
        self._is_ending = False
        self.scroll_lines(lines)

    def page(self, pages: int) -> None:
        """Read on by what is in view, one line of it left for the eye."""
        self.move(pages * max(self.room - 1, 1))

    def half_page(self, pages: int) -> None:
        """Read on by half of what is in view."""
        self.move(pages * max(self.room // 2, 1))

    def top(self) -> None:
        """Go to the first line."""
        self._is_ending = False
        self.scroll_top(0)

    def bottom(self) -> None:
        """Go to the last line, once it is known which one that is."""
        self._is_ending = True
        self._end()

    def section(self, step: int) -> None:
        """Go to the next heading (1) or the one before (-1); before the first, up."""
        at = self.first + step
        while at >= 0:
            self.laid.reach(at + 1)
            if at >= self.count():
                return
            if self.laid.lines[at].is_heading:
                self.reveal(at, at_top=True)
                return
            at += step
        self.top()

    def reveal(self, position: int, *, at_top: bool = False) -> None:
        """Bring a line into view."""
        self.laid.reach(position + self.room)
        self.measure()
        if at_top:
            self.scroll_top(position)
        elif not self.first <= position < self.first + self.room:
            self.scroll_top(position - self.room // 2)

    def pieces(self, position: int) -> Sequence[Piece]:
        """What stands in a line."""
        return [(run.text, run.tone) for run in self.laid.lines[position].runs]

    def flags(self, position: int) -> Hashable:
        """What a line looks different by, its text aside."""
        del position
        return None

    def line(self, position: int, width: int) -> Strip:
        """One line, drawn; it knows where in the text it is."""
        span = self._selected(position)
        kept = self.kept(position, self.flags(position), span)
        drawn = self._strips.get(kept)
        if drawn is None:
            pieces = selected(self.pieces(position), span)
            inner = strip(pieces, max(width - MARGIN, 0), self.brush())
            margin = strip((), min(MARGIN, width), self.brush())
            drawn = Strip.join([margin, inner.apply_offsets(0, position)])
            self._strips[kept] = drawn
        return drawn

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """What is selected, lines that were too long put together again."""
        return copied(self.laid.lines, selection), "\n"

    def selected_text(self) -> str:
        """What is selected; empty where nothing is."""
        selection = self.text_selection
        return copied(self.laid.lines, selection) if selection else ""

    def begun(self) -> None:
        """What else is to be done when other lines are laid out."""

    def selection_updated(self, selection: Selection | None) -> None:
        """Paint the lines that are selected, or no longer are."""
        del selection
        self.redraw()

    def resized(self) -> None:
        """Lay out anew where the width is another."""
        width = max(min(self.text_width - 2 * MARGIN, WIDEST), 1)
        self.set_look(self.look._replace(width=width))
        self._read_on()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Lay out what comes into view next."""
        super().watch_scroll_y(old_value, new_value)
        self._read_on()

    def _lay(self, *, keeps: bool) -> None:
        """Begin to lay out, and reach the place where one reads."""
        before = self.laid.text_before(self.first) if keeps else 0
        lines = self._body.lines(self.look) if self._body and self.look.width else ()
        self._is_ending = False
        self.laid = Laid(iter(lines) if self.look.wraps else cut(lines))
        place = self.laid.reach_text(before)
        self.laid.reach(place + _AT_ONCE)
        self.forget()
        self.measure()
        self.scroll_top(place)
        self.begun()
        self.redraw()

    def _read_on(self) -> None:
        """Have some lines more than those in view."""
        known = self.count()
        if not self.laid.is_done and known < self.first + 2 * self.room:
            self.laid.reach(self.first + 2 * self.room + _AT_ONCE)
            self.measure()

    def _end(self) -> None:
        """Lay the rest out, slice by slice, unless somebody wants to go elsewhere."""
        if not self._is_ending:
            return
        self.laid.work(_SLICE)
        if self.laid.is_done:
            self._is_ending = False
            self.measure()
            self.scroll_top(self.count())
        else:
            self.set_timer(_PAUSE, self._end)

    def _selected(self, position: int) -> tuple[int, int] | None:
        """Which characters of a line are selected."""
        selection = self.text_selection
        return selection.get_span(position) if selection else None
