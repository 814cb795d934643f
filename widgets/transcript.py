"""The transcript: any number of messages of any length, drawn on demand."""

from collections.abc import Callable, Container, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len
from textual.geometry import Offset
from textual.selection import Selection
from textual.strip import Strip

from store.clean import clean
from widgets import text
from widgets.page import Body, Made
from widgets.reader import MARGIN, WIDEST, Hit
from widgets.sheet import (
    APART,
    BEFORE,
    Content,
    Piece,
    Pieces,
    TextSheet,
    shortened,
    strip,
    width_of,
)
from widgets.table import fit
from widgets.transcript_cursor import (
    EntriesWanted,
    Followed,
    Parts,
    Pointed,
    Reading,
    Spot,
    Walk,
    WholeWanted,
)
from widgets.transcript_layout import EVERYTHING, Entry, Head, Layout, Part, Row

# The single line of a folded part, and the lines between messages.

_CLOSED, _OPEN, _NEITHER = "▸ ", "▾ ", "  "
_GAP = 2
_LEAST = 12
"""Cells reserved for the subject of a line before its details."""
_LONGEST = 1000
"""Characters of it that are read; no screen is wider."""

_OUTCOMES = {True: ("✗ ", "error_type"), False: ("✓ ", "ok"), None: ("· ", "faint")}


class Told(Struct, frozen=True):
    """The content of a line: name, subject and details."""

    name: str
    about: str = ""
    asides: Sequence[str] = ()
    """The details, most important first, shown as far as they fit."""
    sign: str = ""
    tone: str = "muted"
    sign_tone: str = "faint"
    can_fold: bool = True
    aside_tone: str = "faint"
    is_pressing: bool = False
    """Whether the first detail must be shown."""
    leads: bool = False
    """Whether its subject is a link."""


def call(told: Told, *, has_failed: bool | None) -> Head:
    """A tool call and its outcome; None if unknown."""
    sign, tone = _OUTCOMES[has_failed]
    signed = replace(told, sign=sign, sign_tone=tone)
    if has_failed:
        signed = replace(signed, aside_tone="error_type", is_pressing=True)
    return folded(signed)


def folded(told: Told) -> Head:
    """The single line of a part that can be unfolded."""

    def head(look: text.Look, is_open: bool) -> text.TextLine:  # noqa: FBT001  # as in `Head`
        fold = (_OPEN if is_open else _CLOSED) if told.can_fold else _NEITHER
        first = [text.Run(fold, "faint"), text.Run(told.sign, told.sign_tone)]
        about = clean(told.about[:_LONGEST])
        room = look.width - cell_len(text.plain(first))
        name = shortened(clean(told.name[:_LONGEST]), room // 2 if about else room)
        room -= cell_len(name) + _GAP
        spare = room - min(cell_len(about), max(room, _LEAST))
        if told.is_pressing:
            spare = max(spare, room // 2)
        after = _asides(told.asides, spare, is_cut=told.is_pressing)
        room -= cell_len(after)
        runs = [*first, text.Run(name, told.tone)]
        if about and room > 0:
            said = text.Run(shortened(about, room), "link" if told.leads else "faint")
            runs += [text.Run(" " * _GAP), *text.marked([said], look.needles)]
        return text.TextLine((*runs, text.Run(after, told.aside_tone)))

    return head


def speaker(name: str, when: str, tone: str) -> Body:
    """The speaker, and the time."""
    return _line(
        lambda _: (text.Run(name, tone), text.Run(f"  {clean(when)}", "faint"))
    )


def silence(lasting: str) -> Body:
    """The length of a silence."""
    return _line(lambda _: (text.Run(f"┊ {lasting}", "faint"),))


def division(told: str, tone: str = "head") -> Body:
    """A divider between what comes before and after."""

    def rule(look: text.Look) -> Sequence[text.Run]:
        said = f"── {shortened(clean(told[:_LONGEST]), max(look.width - 6, 1))} "
        return (
            text.Run(said, tone),
            text.Run("─" * (look.width - cell_len(said)), "faint"),
        )

    return _line(rule)


def blank() -> Body:
    """An empty line."""
    return Made(lambda _: (text.EMPTY,))


def _line(runs: Callable[[text.Look], Sequence[text.Run]]) -> Body:
    def lines(look: text.Look) -> Iterator[text.TextLine]:
        yield text.TextLine(tuple(runs(look)))

    return Made(lines)


def _asides(asides: Sequence[str], room: int, *, is_cut: bool) -> str:
    """The details that fit; the first is cut if it must be shown."""
    told = ""
    if is_cut and asides and room > _LEAST:
        told = shortened(f"  · {clean(asides[0][:_LONGEST])}", room)
        asides = asides[1:]
    for aside in asides:
        more = f"  · {clean(aside)}" if not told else f" · {clean(aside)}"
        if cell_len(told + more) <= room:
            told += more
    return told


# The part of a transcript on the screen, drawn row by row as far as loaded.

_HERE: Piece = ("▌", "edge")
_NOT_HERE: Piece = (" ", "")
_WAITING: Pieces = ((" ", ""), ("  …", "faint"))
_LEAST_TITLE = 12


class TranscriptDrawing(Content):
    """The view of a transcript on its sheet."""

    has_head = True

    def __init__(self, sheet: TextSheet, transcript: "Transcript") -> None:
        super().__init__(sheet)
        self._sheet = sheet
        self._transcript = transcript
        self._scrolls = False

    @property
    def height(self) -> int:
        """The number of lines, as far as known."""
        return self._transcript.reading.layout.heights.total

    def head(self, width: int) -> Pieces:
        """The title, and the position."""
        transcript, reading = self._transcript, self._transcript.reading
        entry = transcript.entry
        place = f"{reading.spot.at + 1}/{len(reading.layout)}"
        told = filter(None, (transcript.note, entry.note if entry else "", place))
        right = [piece for one in told for piece in (APART, (one, "head"))]
        left = [(" " * BEFORE, ""), *transcript.title]
        room = max(width - width_of(right), 0)
        if room < BEFORE + _LEAST_TITLE:
            return fit(left, width)
        return [*fit(left, room), *right]

    def line(self, number: int, width: int) -> Strip:
        """A line of a message, or a placeholder until it is loaded."""
        view, row = self._transcript.view, number - self._sheet.first
        if row >= len(view):
            return self._sheet.blank(width)
        return self._drawn_row(view[row], width)

    def resized(self) -> None:
        """Lay out again if the width has changed; the current part stays in place."""
        transcript = self._transcript
        transcript.reading.room = self._sheet.room
        width = max(min(self._sheet.text_width - 2 * MARGIN, WIDEST), 1)
        transcript.set_look(replace(transcript.reading.layout.look, width=width))
        transcript.settle()

    def scroll(self, lines: int) -> None:
        """Scroll without other effects."""
        self._transcript.reading.scroll(lines)
        self._transcript.settle()

    def scrolled(self) -> None:
        """Follow the scrollbar when the user moves it."""
        if not self._scrolls and self._sheet.first != self._top:
            self._transcript.reading.to_line(self._sheet.first)
            self._transcript.settle()

    def follow(self) -> None:
        """Move the scrollbar to the current position."""
        self._scrolls = True
        self._sheet.measure()
        self._sheet.scroll_top(self._top)
        self._scrolls = False

    @property
    def _top(self) -> int:
        """The first line of the view."""
        reading = self._transcript.reading
        return reading.layout.heights.before(reading.top.at) + reading.top.line

    def clicked(self, number: int, x: int, times: int) -> None:
        """Select the clicked part; a second click unfolds it."""
        del x
        transcript = self._transcript
        row = number - self._sheet.first
        if not 0 <= row < len(transcript.view) or self._sheet.selected_text():
            return
        at, line, laid = transcript.view[row]
        if laid is None or not laid.parts:
            return
        part, within = laid.place(line)
        is_head = not within and part >= 0 and laid.parts[part].part.can_fold
        transcript.reading.spot = Spot(at, max(part, 0))
        if is_head or times == _TWICE:
            transcript.toggle()
        transcript.settle()

    def copied(self, selection: Selection) -> str:
        """The text of the selected lines, with wrapped lines joined again."""
        first = selection.start.y if selection.start else 0
        last = selection.end.y if selection.end else self.height - 1
        layout = self._transcript.reading.layout
        lines: list[text.TextLine] = []
        for number in range(first, min(last, self.height - 1) + 1):
            at, line = layout.heights.find(number)
            laid = layout.laid(at)
            lines.append(laid.line(line) if laid and line < laid.height else text.EMPTY)
        begin = Offset(0, first)
        moved = Selection(
            selection.start and selection.start - begin,
            selection.end and selection.end - begin,
        )
        return text.copied(lines, moved)

    def _drawn_row(self, row: Row, width: int) -> Strip:
        """A line of a message, or a placeholder until it is loaded."""
        at, line, laid = row
        if laid is None:
            return strip(() if line else _WAITING, width, self._sheet.brush())
        part, within = laid.place(line)
        reading = self._transcript.reading
        is_here = self._sheet.has_focus and reading.spot == (at, part)
        is_spot = reading.spot == (at, part)
        hit = self._transcript.walk.hit(reading) if is_spot else None
        hit = hit if hit and hit.line == within else None
        place = reading.layout.heights.before(at) + line
        selection = self._sheet.text_selection
        span = selection.get_span(place) if selection else None

        def drawn() -> Strip:
            pieces = text.selected(_pieces(laid.line(line), hit), span)
            brush = self._sheet.brush()
            edge = strip([_HERE if is_here else _NOT_HERE], width, brush)
            inner = strip(pieces, max(width - MARGIN, 0), brush)
            margin = edge.crop(0, min(MARGIN, width))
            return Strip.join([margin, inner.apply_offsets(0, place)])

        return self._sheet.cached(
            drawn, laid.serial, laid.height, line, place, is_here, hit, span
        )


def _pieces(line: text.TextLine, hit: Hit | None) -> Sequence[Piece]:
    """The pieces of a line, with the current hit highlighted."""
    pieces: list[Piece] = []
    at = 0
    for run in line.runs:
        is_here = hit and hit.start <= at < hit.end and text.HIT in run.tone.split()
        pieces.append((run.text, "hit_here" if is_here else run.tone))
        at += len(run.text)
    return pieces


# What a transcript requests and reports, each once.


class Requests:
    """The messages and parts that were requested, and the message that was reported."""

    def __init__(self, sheet: TextSheet) -> None:
        self._sheet = sheet
        self._asked = range(0)
        self._asked_whole: set[tuple[int, str]] = set()
        self._told: int | None = None

    def answered(self, places: range) -> None:
        """Forget requests that were answered, or have to be repeated."""
        self._asked = range(0)
        self._asked_whole = {one for one in self._asked_whole if one[0] not in places}

    def renew(self, reading: Reading, view: Sequence[Row]) -> None:
        """Request what the view lacks, and report the current message."""
        if view:
            self._look_ahead(reading, view)
        self._want_whole(view)
        if reading.spot.at != self._told:
            self._told = reading.spot.at
            self._sheet.post_message(Pointed(self._told))

    def _look_ahead(self, reading: Reading, view: Sequence[Row]) -> None:
        """Request messages missing in view, and one page before and after."""
        first = max(view[0].at - self._sheet.room, 0)
        last = view[-1].at + self._sheet.room
        missing = reading.layout.missing(first, last)
        if missing and missing != self._asked:
            self._asked = missing
            self._sheet.post_message(EntriesWanted(missing.start, missing.stop))

    def _want_whole(self, view: Sequence[Row]) -> None:
        """Request the rest of open parts in view that are only partly loaded."""
        for at, laid in {row.at: row.laid for row in view}.items():
            for one in laid.parts if laid else ():
                wanted = (at, one.part.key)
                is_wanted = one.is_open and not one.part.is_whole
                if is_wanted and wanted not in self._asked_whole:
                    self._asked_whole.add(wanted)
                    self._sheet.post_message(WholeWanted(*wanted))


# The transcript: moving in it, folding its parts, and finding hits.

_TWICE = 2


class Transcript:
    """Shows messages; keys are bound to its methods elsewhere."""

    def __init__(self, sheet: TextSheet) -> None:
        self.sheet = sheet
        self.reading = Reading()
        self.walk = Walk()
        self.title: Pieces = ()
        self.note = ""
        """The text at the right end of the head, before all else."""
        self.view: list[Row] = []
        """The view, row by row."""
        self._requests = Requests(sheet)
        self._drawing = TranscriptDrawing(sheet, self)

    @property
    def entry(self) -> Entry | None:
        """The current message, if it is loaded."""
        laid = self.reading.laid
        return laid.entry if laid else None

    @property
    def part(self) -> Part | None:
        """The current part."""
        laid = self.reading.part
        return laid.part if laid else None

    @property
    def has_moved(self) -> bool:
        """Whether the position is past the beginning."""
        return self.reading.spot > Parts(self.reading.layout).first

    def show(self, title: Pieces, count: int) -> None:
        """Show another conversation with this many messages, none of them loaded."""
        self.title = title
        before, self.reading = self.reading.layout, Reading()
        layout = self.reading.layout = Layout(count)
        layout.look = before.look
        layout.folds.all_open = before.folds.all_open
        self.walk, self._requests = Walk(), Requests(self.sheet)
        self.settle()

    def settle(self) -> None:
        """Update the screen, and request what is missing."""
        self.reading.room = self.sheet.room
        self.reading.settle()
        self.view = self.reading.rows()
        self._drawing.follow()
        self._requests.renew(self.reading, self.view)
        self.sheet.redraw()

    def set_look(self, look: text.Look) -> None:
        """Change the layout of everything."""
        if look != self.reading.layout.look:
            row = self.reading.keep()
            self.reading.layout.change(look)
            self.reading.restore(row)
            self.settle()

    def extend(self, count: int) -> None:
        """Set the new number of messages of the same conversation."""
        was_at_end = self.reading.is_at_end
        self.reading.layout.extend(count)
        self._requests.answered(range(0))
        if was_at_end:
            self.reading.bottom()
        self.settle()

    def bring(self, first: int, entries: Sequence[Entry | None]) -> None:
        """Add requested messages, starting at a position."""
        self.reading.layout.bring(first, entries)
        self._requests.answered(range(first, first + len(entries)))
        self.reading.brought()
        self.walk.resume(self.reading)
        self.settle()

    def renew(self, first: int, entries: Sequence[Entry | None]) -> None:
        """Replace messages that have changed; those out of view may have, too."""
        row = self.reading.keep()
        self.reading.layout.renew(first, entries)
        self._requests.answered(range(len(self.reading.layout)))
        self.reading.restore(row)
        self.settle()

    def fill(self, at: int, key: int, parts: Sequence[Part]) -> None:
        """Add the rest of a message that was only partly loaded."""
        layout = self.reading.layout
        entry = layout.entry(at) if at < len(layout) else None
        if entry is not None and entry.key == key:
            row = self.reading.keep()
            known = {part.key: part for part in parts}
            layout.replace(at, entry.with_parts(known))
            self.reading.restore(row)
            self.walk.filled(self.reading)
            self.settle()

    def seek(self, needles: text.Needles) -> None:
        """Highlight search words."""
        self.set_look(replace(self.reading.layout.look, needles=tuple(needles)))

    def zoom(self, *, is_zoomed: bool) -> None:
        """Switch the colours of code on or off."""
        self.set_look(replace(self.reading.layout.look, is_zoomed=is_zoomed))

    def show_only(
        self, shown: bytes | None, kinds: Container[str] = EVERYTHING
    ) -> None:
        """Show only some messages, given as a byte each, and parts of some kinds."""
        row = self.reading.keep()
        self.reading.layout.show_only(shown, kinds)
        self.reading.restore(row)
        self.settle()

    def go(self, at: int, part: int = 0) -> None:
        """Go to a message."""
        self.reading.go(at, part)
        self.settle()

    def move(self, parts: int) -> None:
        """Move to another part."""
        self.reading.move(parts)
        self.settle()

    def page(self, pages: int) -> None:
        """Move by a page, with one line of overlap."""
        self.reading.page(pages * max(self.sheet.room - 1, 1))
        self.settle()

    def half_page(self, pages: int) -> None:
        """Move by half a page."""
        self.reading.page(pages * max(self.sheet.room // 2, 1))
        self.settle()

    def top(self) -> None:
        """Go to the first message."""
        self.reading.beginning()
        self.settle()

    def bottom(self) -> None:
        """Go to the end of the last message."""
        self.reading.bottom()
        self.settle()

    def toggle(self) -> None:
        """Fold or unfold the current part."""
        entry, part = self.entry, self.part
        if entry is None or part is None or not part.can_fold:
            return
        row = self.reading.keep()
        self.reading.layout.folds.toggle(entry, part)
        self.reading.layout.replace(self.reading.spot.at, entry)
        self.reading.restore(row)
        self.settle()

    def toggle_all(self) -> None:
        """Unfold everything, or fold everything."""
        row = self.reading.keep()
        layout = self.reading.layout
        layout.folds.set_all(are_open=not layout.folds.all_open)
        layout.change()
        self.reading.restore(row)
        self.settle()

    def follow(self) -> bool:
        """Ask to follow the link of the current part; return whether it has one."""
        part = self.part
        if part is None or part.target is None:
            return False
        self.sheet.post_message(Followed(part.target))
        return True

    def next_hit(self, step: int, places: Sequence[int] = ()) -> None:
        """Go to the next hit; `places` are the messages with hits."""
        self.walk.next(self.reading, step, places)
        self.settle()

    def land(self, at: int) -> None:
        """Go to a message, and to the first hit in it."""
        self.walk.land(self.reading, at)
        self.settle()
