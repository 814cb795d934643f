"""What of a transcript is on the screen: drawn row by row, as far as it is at hand."""

from collections.abc import Sequence

from textual.geometry import Offset
from textual.selection import Selection
from textual.strip import Strip

from widgets.columns.cells import fit
from widgets.lines.pieces import Piece, Pieces, strip, width_of
from widgets.lines.sheet import Sheet
from widgets.reader.copying import copied, selected
from widgets.reader.hits import HIT
from widgets.reader.laid import Hit
from widgets.reader.look import Look
from widgets.reader.runs import EMPTY, TextLine
from widgets.transcript.entry import Entry, Part
from widgets.transcript.layout import Layout, Row
from widgets.transcript.reading import Reading
from widgets.transcript.reports import EntriesWanted, Pointed, WholeWanted
from widgets.transcript.walking import Walk

WIDEST = 96
"""Cells of a line at most: longer ones are hard to read."""

MARGIN = 1
"""Cells at either side; in the first of them it shows what is pointed at."""

_HERE: Piece = ("▌", "edge")
_NOT_HERE: Piece = (" ", "")
_WAITING: Pieces = ((" ", ""), ("  …", "faint"))
_LEAST_TITLE = 12


class TranscriptSheet(Sheet):
    """Draws what a reading has in view; subclasses say how one moves in it."""

    ALLOW_SELECT = True

    has_head = True

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  # as every widget has it
        super().__init__(id=id, classes=classes)
        self.reading = Reading()
        self.walk = Walk()
        self.title: Pieces = ()
        self.note = ""
        """What stands at the right end of the head before all else."""
        self.view: list[Row] = []
        """What is in view, row by row."""
        self._asked = range(0)
        self._asked_whole: set[tuple[int, str]] = set()
        self._told: int | None = None
        self._scrolls = False

    @property
    def entry(self) -> Entry | None:
        """The message that is pointed at, where it is at hand."""
        laid = self.reading.laid
        return laid.entry if laid else None

    @property
    def part(self) -> Part | None:
        """The part that is pointed at."""
        laid = self.reading.part
        return laid.part if laid else None

    def begin(self, count: int) -> None:
        """Begin anew with so many messages, of which nothing is at hand."""
        before, self.reading = self.reading.layout, Reading()
        layout = self.reading.layout = Layout(count)
        layout.look = before.look
        layout.folds.all_open = before.folds.all_open
        self.walk, self._told = Walk(), None
        self._asked_whole.clear()
        self.arrived(range(0))

    @property
    def has_moved(self) -> bool:
        """Whether one is elsewhere than at the beginning."""
        return self.reading.spot > self.reading.first

    def arrived(self, places: range) -> None:
        """What was asked for is there, or is to be asked for again."""
        self._asked = range(0)
        self._asked_whole = {one for one in self._asked_whole if one[0] not in places}

    def settle(self) -> None:
        """Bring the screen up to date, and ask for what is missing."""
        self.reading.room = self.room
        self.reading.settle()
        self.view = self.reading.rows()
        self._scroll()
        self._look_ahead()
        self._want_whole()
        self._tell()
        self.redraw()

    def head(self, width: int) -> Pieces:
        """What is told, and where in it one is."""
        entry = self.entry
        place = f"{self.reading.spot.at + 1}/{len(self.reading.layout)}"
        told = (self.note, entry.note if entry else "", place)
        right = [("  ".join(filter(None, told)), "head")]
        room = max(width - MARGIN - width_of(right) - 1, 0)
        if room < _LEAST_TITLE:
            return [(" " * MARGIN, ""), *fit(self.title, max(width - MARGIN, 0))]
        return [(" " * MARGIN, ""), *fit(self.title, room), (" ", ""), *right]

    def count(self) -> int:
        """How many lines there are, as far as that is known."""
        return self.reading.layout.heights.total

    def resized(self) -> None:
        """Lay out anew where the width is another; what is pointed at stays there."""
        self.reading.room = self.room
        width = max(min(self.text_width - 2 * MARGIN, WIDEST), 1)
        self.set_look(self.reading.layout.look._replace(width=width))
        self.settle()

    def set_look(self, look: Look) -> None:
        """Lay everything out in another way."""
        if look != self.reading.layout.look:
            row = self.reading.keep()
            self.reading.layout.change(look)
            self.reading.restore(row)
            self.settle()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Somebody moved the scrollbar."""
        super().watch_scroll_y(old_value, new_value)
        if not self._scrolls and round(new_value) != round(old_value):
            self.reading.to_line(round(new_value))
            self.settle()

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """What is selected, lines that were too long put together again."""
        return self._copied(selection), "\n"

    def selected_text(self) -> str:
        """What is selected; empty where nothing is."""
        selection = self.text_selection
        return self._copied(selection) if selection else ""

    def selection_updated(self, selection: Selection | None) -> None:
        """Paint the lines that are selected, or no longer are."""
        del selection
        self.redraw()

    def _row_of(self, y: int, width: int) -> Strip:
        """The head, a line, or nothing below the last."""
        if y < self.head_height:
            return strip(self.head(width), width, self.brush())
        row = y - self.head_height
        if row >= len(self.view):
            return Strip.blank(width, self.brush().base)
        return self._drawn_row(self.view[row], width)

    def _drawn_row(self, row: Row, width: int) -> Strip:
        """A line of a message, or a sign that it is not at hand."""
        at, line, laid = row
        if laid is None:
            return strip(() if line else _WAITING, width, self.brush())
        part, within = laid.place(line)
        is_here = self.has_focus and self.reading.spot == (at, part)
        hit = self.walk.hit(self.reading) if self.reading.spot == (at, part) else None
        hit = hit if hit and hit.line == within else None
        place = self.reading.layout.heights.before(at) + line
        span = self._selected(place)
        key = self.kept(laid.serial, laid.height, line, place, is_here, hit, span)
        drawn = self._strips.get(key)
        if drawn is None:
            pieces = selected(_pieces(laid.line(line), hit), span)
            edge = strip([_HERE if is_here else _NOT_HERE], width, self.brush())
            inner = strip(pieces, max(width - MARGIN, 0), self.brush())
            margin = edge.crop(0, min(MARGIN, width))
            drawn = Strip.join([margin, inner.apply_offsets(0, place)])
            self._strips[key] = drawn
        return drawn

    def _scroll(self) -> None:
        """Let the scrollbar say where one is."""
        heights, top = self.reading.layout.heights, self.reading.top
        self._scrolls = True
        self.measure()
        self.scroll_top(heights.before(top.at) + top.line)
        self._scrolls = False

    def _look_ahead(self) -> None:
        """Ask for messages that are missing in view, and a view before and after."""
        if not self.view:
            return
        first = max(self.view[0].at - self.room, 0)
        last = self.view[-1].at + self.room
        missing = self.reading.layout.missing(first, last)
        if missing and missing != self._asked:
            self._asked = missing
            self.post_message(EntriesWanted(missing.start, missing.stop))

    def _want_whole(self) -> None:
        """Ask for all of what is open and in view, where only a part is at hand."""
        for at, laid in {row.at: row.laid for row in self.view}.items():
            for one in laid.parts if laid else ():
                wanted = (at, one.part.key)
                is_wanted = one.is_open and not one.part.is_whole
                if is_wanted and wanted not in self._asked_whole:
                    self._asked_whole.add(wanted)
                    self.post_message(WholeWanted(*wanted))

    def _tell(self) -> None:
        """Report which message is pointed at, where that is another one."""
        if self.reading.spot.at != self._told:
            self._told = self.reading.spot.at
            self.post_message(Pointed(self._told))

    def _selected(self, place: int) -> tuple[int, int] | None:
        """Which characters of a line are selected."""
        selection = self.text_selection
        return selection.get_span(place) if selection else None

    def _copied(self, selection: Selection) -> str:
        """The text of the lines that are selected."""
        first = selection.start.y if selection.start else 0
        last = selection.end.y if selection.end else self.count() - 1
        heights = self.reading.layout.heights
        lines: list[TextLine] = []
        for number in range(first, min(last, self.count() - 1) + 1):
            at, line = heights.find(number)
            laid = self.reading.layout.laid(at)
            lines.append(laid.line(line) if laid and line < laid.height else EMPTY)
        begin = Offset(0, first)
        moved = Selection(
            selection.start and selection.start - begin,
            selection.end and selection.end - begin,
        )
        return copied(lines, moved)


def _pieces(line: TextLine, hit: Hit | None) -> Sequence[Piece]:
    """What stands in a line; the hit that one is at stands out."""
    pieces: list[Piece] = []
    at = 0
    for run in line.runs:
        is_here = hit and hit.start <= at < hit.end and HIT in run.tone.split()
        pieces.append((run.text, "hit_here" if is_here else run.tone))
        at += len(run.text)
    return pieces
