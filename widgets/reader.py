"""The reader: a page with tabs, links and hits."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import islice
from time import monotonic
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len
from textual.selection import Selection
from textual.strip import Strip

from widgets.page import NO_PAGE, Body, Page, heading, tab_at
from widgets.sheet import (
    BEFORE,
    CHARACTERS_PER_CELL,
    Content,
    Notice,
    Piece,
    Pieces,
    TextSheet,
    strip,
)
from widgets.text import (
    BREAK,
    HIT,
    Look,
    Needles,
    Run,
    Target,
    TextLine,
    copied,
    cut,
    marked,
    selected,
)

# A page as far as it is laid out, with its hits and links.


class Hit(Struct, frozen=True):
    """The position of a hit."""

    line: int
    start: int
    """Its first character in that line."""
    end: int


class Link(Struct, frozen=True):
    """A link, and the line in which it starts; the target is always the same object."""

    line: int
    target: Target


class Laid:
    """Lines laid out so far, and the rest."""

    def __init__(self, lines: Iterator[TextLine]) -> None:
        self.lines: list[TextLine] = []
        self.hits: list[Hit] = []
        self.links: list[Link] = []
        self.is_done = False
        self._rest = lines

    def reach(self, count: int) -> None:
        """Lay out at least this many lines, if there are as many."""
        missing = count - len(self.lines)
        if missing > 0 and not self.is_done:
            came = list(islice(self._rest, missing))
            for line in came:
                self._add(line)
            self.is_done = len(came) < missing

    def reach_text(self, characters: int) -> int:
        """Lay out until this many characters precede a line; return its number."""
        before = position = 0
        while before < characters:
            self.reach(position + 1)
            if position >= len(self.lines):
                break
            before += len(self.lines[position].text) + 1
            position += 1
        return position

    def text_before(self, position: int) -> int:
        """The number of characters before a line; an end of line counts as one."""
        return sum(len(line.text) + 1 for line in self.lines[:position])

    def work(self, seconds: float) -> None:
        """Lay out for some time."""
        until = monotonic() + seconds
        while not self.is_done and monotonic() < until:
            self.reach(len(self.lines) + 100)

    def _add(self, line: TextLine) -> None:
        number, at = len(self.lines), 0
        is_hit = False
        for run in line.runs:
            end = at + len(run.text)
            self._link(number, run.target)
            found = HIT in run.tone.split()
            if found and is_hit:
                self.hits[-1] = replace(self.hits[-1], end=end)
            elif found:
                self.hits.append(Hit(number, at, end))
            is_hit, at = found, end
        self.lines.append(line)

    def _link(self, number: int, target: Target | None) -> None:
        """Note a link where it starts."""
        is_known = bool(self.links) and self.links[-1].target is target
        if target is not None and not is_known:
            self.links.append(Link(number, target))


# Moving through a page: the next hit or link.

P = TypeVar("P", Hit, Link)

_STEP, _FAR = 100, 2000
"""Lines laid out at a time in search of a place, and the maximum."""


def next_hit(laid: Laid, now: Hit | None, step: int, first: int) -> Hit | None:
    """The hit after the current one, or the first in view."""
    return _next(laid, lambda: laid.hits, now, step, first)


def next_link(laid: Laid, now: Link | None, step: int, first: int) -> Link | None:
    """The link after the current one, or the first in view."""
    return _next(laid, lambda: laid.links, now, step, first)


def _next(
    laid: Laid, known: Callable[[], Sequence[P]], now: P | None, step: int, first: int
) -> P | None:
    """The next place; after the last one the first.

    In a very long page, only a part is searched at a time.
    """
    at = _begin(known(), now, step, first)
    end = len(laid.lines) + _FAR
    while not laid.is_done and len(laid.lines) < end and not 0 <= at < len(known()):
        laid.reach(len(laid.lines) + _STEP)
        at = _begin(known(), now, step, first)
    places = known()
    return places[at % len(places)] if places else None


def _begin(places: Sequence[P], now: P | None, step: int, first: int) -> int:
    """The index of the next place among the known ones."""
    here = next((at for at, place in enumerate(places) if place is now), None)
    if here is not None:
        return here + step
    below = sum(place.line < first for place in places)
    return below if step > 0 else below - 1


# Text on a sheet: laid out while it is read, and copied without its wrapping.

WIDEST = 96
"""The most cells per line, as longer ones are hard to read."""

MARGIN = 1
"""Blank cells on either side."""

_AT_ONCE = 200
"""Lines laid out at once; the rest follows on scrolling."""

_SLICE, _PAUSE = 0.008, 0.001
"""Seconds of layout before input is handled, and the pause after."""


class TextFace:
    """What is around a text, and how its lines are drawn; the defaults add nothing."""

    has_head = False
    """Whether there is a fixed line above the text."""

    def __init__(self, sheet: TextSheet) -> None:
        self.text = Text(sheet, self)
        """The text."""

    def head(self, width: int) -> Pieces:
        """The fixed line above the text, if `has_head` is set."""
        del width
        return ()

    def pieces(self, position: int) -> Sequence[Piece]:
        """The pieces of a line."""
        return [(run.text, run.tone) for run in self.text.laid.lines[position].runs]

    def flags(self, position: int) -> Hashable:
        """Any state besides its text that affects a line's appearance."""
        del position
        return None

    def begun(self) -> None:
        """A hook called when other lines are laid out."""

    def clicked(self, position: int, x: int, times: int) -> None:
        """A hook called when a line is clicked."""

    def head_clicked(self, x: int) -> None:
        """A hook called when the head is clicked."""


class TextDrawing(Content):
    """The lines of a text on its sheet."""

    def __init__(self, sheet: TextSheet, text: "Text") -> None:
        super().__init__(sheet)
        self._text = text
        self.has_head = text.face.has_head

    @property
    def height(self) -> int:
        """The number of lines so far."""
        return self._text.count()

    def head(self, width: int) -> Pieces:
        """The head of the text."""
        return self._text.face.head(width)

    def line(self, number: int, width: int) -> Strip:
        """One drawn line, with its position in the text."""
        if number >= self.height:
            return self.sheet.blank(width)
        selection = self.sheet.text_selection
        span = selection.get_span(number) if selection else None
        face = self._text.face

        def drawn() -> Strip:
            pieces = selected(face.pieces(number), span)
            inner = strip(pieces, max(width - MARGIN, 0), self.sheet.brush())
            margin = strip((), min(MARGIN, width), self.sheet.brush())
            return Strip.join([margin, inner.apply_offsets(0, number)])

        return self.sheet.cached(drawn, number, face.flags(number), span)

    def resized(self) -> None:
        """Lay out again if the width has changed."""
        width = max(min(self.sheet.text_width - 2 * MARGIN, WIDEST), 1)
        self._text.set_look(replace(self._text.look, width=width))
        self._text.read_on()

    def scrolled(self) -> None:
        """Lay out what comes into view next."""
        self._text.read_on()

    def clicked(self, number: int, x: int, times: int) -> None:
        """Pass a click on."""
        self._text.face.clicked(number, x, times)

    def head_clicked(self, x: int) -> None:
        """Pass a click on."""
        self._text.face.head_clicked(x)

    def copied(self, selection: Selection) -> str:
        """The text of a selection, with wrapped lines joined again."""
        return copied(self._text.laid.lines, selection)


class Text:
    """Shows a body from its top, laying it out on demand."""

    def __init__(self, sheet: TextSheet, face: TextFace) -> None:
        self.sheet = sheet
        self.face = face
        self.look = Look(0)
        self.laid = Laid(iter(()))
        self._body: Body | None = None
        self._is_ending = False
        self.drawing = TextDrawing(sheet, self)

    def set_body(self, body: Body | None, *, keeps: bool = False) -> None:
        """Show a body; with `keeps`, the reading position stays."""
        self._body = body
        self._lay(keeps=keeps)

    def set_look(self, look: Look) -> None:
        """Change the layout; the reading position stays."""
        if look != self.look:
            self.look = look
            self._lay(keeps=True)

    def wrap(self) -> None:
        """Toggle between wrapping and cutting long lines, keeping the position."""
        first = self.sheet.first
        ended = sum(line.joint == BREAK for line in self.laid.lines[:first])
        self.set_look(replace(self.look, wraps=not self.look.wraps))
        place = 0
        while ended:
            self.laid.reach(place + 1)
            if place >= self.count():
                break
            ended -= self.laid.lines[place].joint == BREAK
            place += 1
        self.reveal(place, at_top=True)

    def count(self) -> int:
        """The number of lines so far."""
        return len(self.laid.lines)

    def move(self, lines: int) -> None:
        """Scroll by some lines."""
        self._is_ending = False
        self.sheet.scroll_top(self.sheet.first + lines)

    def page(self, pages: int) -> None:
        """Scroll by a page, with one line of overlap."""
        self.move(pages * max(self.sheet.room - 1, 1))

    def half_page(self, pages: int) -> None:
        """Scroll by half a page."""
        self.move(pages * max(self.sheet.room // 2, 1))

    def top(self) -> None:
        """Go to the first line."""
        self._is_ending = False
        self.sheet.scroll_top(0)

    def bottom(self) -> None:
        """Go to the last line, once it is known."""
        self._is_ending = True
        self._end()

    def section(self, step: int) -> None:
        """Go to the next heading (1) or the previous one (-1), or to the top."""
        at = self.sheet.first + step
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
        sheet = self.sheet
        self.laid.reach(position + sheet.room)
        sheet.measure()
        if at_top:
            sheet.scroll_top(position)
        elif not sheet.first <= position < sheet.first + sheet.room:
            sheet.scroll_top(position - sheet.room // 2)

    def read_on(self) -> None:
        """Lay out some lines beyond the view."""
        known, first, room = self.count(), self.sheet.first, self.sheet.room
        if not self.laid.is_done and known < first + 2 * room:
            self.laid.reach(first + 2 * room + _AT_ONCE)
            self.sheet.measure()

    def _lay(self, *, keeps: bool) -> None:
        """Start the layout, up to the reading position."""
        before = self.laid.text_before(self.sheet.first) if keeps else 0
        lines = self._body.lines(self.look) if self._body and self.look.width else ()
        self._is_ending = False
        self.laid = Laid(iter(lines) if self.look.wraps else cut(lines))
        place = self.laid.reach_text(before)
        self.laid.reach(place + _AT_ONCE)
        self.sheet.forget()
        self.sheet.measure()
        self.sheet.scroll_top(place)
        self.face.begun()
        self.sheet.redraw()

    def _end(self) -> None:
        """Lay out the rest slice by slice, unless the user goes elsewhere."""
        if not self._is_ending:
            return
        self.laid.work(_SLICE)
        if self.laid.is_done:
            self._is_ending = False
            self.sheet.measure()
            self.sheet.scroll_top(self.count())
        else:
            self.sheet.set_timer(_PAUSE, self._end)


# The reader: a page with tabs, links and hits.


class Reader(TextFace):
    """Shows a page; its tabs are other bodies of the same record."""

    has_head = True

    class Followed(Notice):
        """The user wants to follow a link; resolving it is up to the receiver."""

        target: Target

    class TabShown(Notice):
        """Another tab is shown."""

        name: str

    def __init__(self, sheet: TextSheet) -> None:
        self.shown = NO_PAGE
        """The page shown."""
        self.tab = ""
        """The name of the current tab; empty without tabs."""
        self._hit: Hit | None = None
        self._link: Link | None = None
        super().__init__(sheet)

    @property
    def laid(self) -> Laid:
        """The text as far as it is laid out."""
        return self.text.laid

    def show(self, page: Page) -> None:
        """Show a page from its top; the same page keeps its position and link."""
        is_same = page.key == self.shown.key and self.tab in page.bodies
        self.shown = page
        if self.tab not in page.bodies:
            was, self.tab = self.tab, next(iter(page.bodies), "")
            if was:
                self.text.sheet.post_message(self.TabShown(self.tab))
        link = self._link if is_same else None
        self._open(keeps=is_same)
        self._link = next((one for one in self.laid.links if one == link), None)

    def to_tab(self, name: str) -> None:
        """Show another tab."""
        if name in self.shown.bodies and name != self.tab:
            self.tab = name
            self._open()
            self.text.sheet.post_message(self.TabShown(name))

    def turn(self, tabs: int) -> None:
        """Show the tab this many tabs on; cyclic."""
        names = list(self.shown.bodies)
        if names:
            self.to_tab(names[(names.index(self.tab) + tabs) % len(names)])

    def seek(self, needles: Needles) -> None:
        """Highlight search words."""
        self.text.set_look(replace(self.text.look, needles=tuple(needles)))

    def zoom(self, *, is_zoomed: bool) -> None:
        """Switch the colours of code on or off."""
        self.text.set_look(replace(self.text.look, is_zoomed=is_zoomed))

    @property
    def hit(self) -> tuple[int, int] | None:
        """The number of the current hit, from 1, and of hits known so far."""
        if self._hit is None:
            return None
        return self.laid.hits.index(self._hit) + 1, len(self.laid.hits)

    def next_hit(self, step: int = 1) -> bool:
        """Go to the next hit, cyclically; return whether there is one."""
        self._hit = next_hit(self.laid, self._hit, step, self.text.sheet.first)
        return self._go_to(self._hit)

    @property
    def link(self) -> Target | None:
        """The target of the current link."""
        return self._link.target if self._link else None

    def next_link(self, step: int = 1) -> bool:
        """Go to the next link, cyclically; return whether there is one."""
        self._link = next_link(self.laid, self._link, step, self.text.sheet.first)
        return self._go_to(self._link)

    def first_link(self) -> bool:
        """Go to the first link that is no tag; return whether there is one."""
        at = first = next_link(self.laid, None, 1, self.text.sheet.first)
        while at and at.target.kind == "tag":
            at = next_link(self.laid, at, 1, 0)
            at = None if at == first else at
        self._link = at
        return self._go_to(at)

    def follow(self) -> None:
        """Ask to follow the current link."""
        if self._link:
            self.text.sheet.post_message(self.Followed(self._link.target))

    def head(self, width: int) -> Pieces:
        """The title with search words highlighted, and the tabs."""
        needles = self.text.look.needles
        most = width * CHARACTERS_PER_CELL
        title = (Run(text[:most], tone) for text, tone in self.shown.title)
        runs = marked(title, needles)
        page = replace(self.shown, title=[(run.text, run.tone) for run in runs])
        return [(" " * BEFORE, ""), *heading(page, self.tab, width - BEFORE)]

    def head_clicked(self, x: int) -> None:
        """Show the clicked tab."""
        width = self.text.sheet.text_width - BEFORE
        self.to_tab(tab_at(self.shown, self.tab, width, x - BEFORE) or "")

    def clicked(self, position: int, x: int, times: int) -> None:
        """Follow the clicked link, unless text was being selected."""
        target = self._target_at(position, x - MARGIN)
        sheet = self.text.sheet
        if target is not None and times == 1 and not sheet.selected_text():
            sheet.post_message(self.Followed(target))

    def begun(self) -> None:
        """Reset the current hit and link."""
        self._hit = self._link = None

    def flags(self, position: int) -> Hashable:
        """Whether the current hit or link is in this line."""
        hit = self._hit if self._hit and self._hit.line == position else None
        targets = [run.target for run in self.laid.lines[position].runs if run.target]
        return hit, any(target is self.link for target in targets)

    def pieces(self, position: int) -> Sequence[Piece]:
        """The pieces of a line, with the current hit or link highlighted."""
        pieces: list[Piece] = []
        at = 0
        for run in self.laid.lines[position].runs:
            pieces.append((run.text, self._tone(run, position, at)))
            at += len(run.text)
        return pieces

    def _open(self, *, keeps: bool = False) -> None:
        self.text.set_body(self.shown.bodies.get(self.tab), keeps=keeps)

    def _go_to(self, place: Hit | Link | None) -> bool:
        if place is not None:
            self.text.reveal(place.line)
        self.text.sheet.redraw()
        return place is not None

    def _tone(self, run: Run, position: int, at: int) -> str:
        if run.target is not None and run.target is self.link:
            return "link_here"
        hit = self._hit
        is_here = hit and hit.line == position and hit.start <= at < hit.end
        return "hit_here" if is_here and HIT in run.tone.split() else run.tone

    def _target_at(self, position: int, x: int) -> Target | None:
        at = 0
        for run in self.laid.lines[position].runs:
            at += cell_len(run.text)
            if 0 <= x < at:
                return run.target
        return None
