"""The reader: a page with tabs, links that lead on, and hits to walk."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace
from rich.cells import cell_len
from textual.message import Message

from widgets.lines.pieces import Piece, Pieces
from widgets.reader.hits import HIT, Needles, marked
from widgets.reader.laid import Hit, Link
from widgets.reader.page import NO_PAGE, Page, heading, tab_at
from widgets.reader.runs import Run, Target
from widgets.reader.text_sheet import MARGIN, TextSheet
from widgets.reader.walking import next_hit, next_link


class Reader(TextSheet):
    """Shows a page; its tabs are other bodies of the same record."""

    has_head = True

    @dataclass
    class Followed(Message):
        """Somebody wants to go where a link leads; where that is, is not for us."""

        reader: "Reader"
        target: Target

    @dataclass
    class TabShown(Message):
        """Another tab is shown."""

        reader: "Reader"
        name: str

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  # as every widget has it
        super().__init__(id=id, classes=classes)
        self._page = NO_PAGE
        self._tab = ""
        self._hit: Hit | None = None
        self._link: Link | None = None

    @property
    def shown(self) -> Page:
        """What is shown."""
        return self._page

    @property
    def tab(self) -> str:
        """The name of the tab that is shown; empty where there is none."""
        return self._tab

    def show(self, page: Page) -> None:
        """Show a page: from its top, or where one was if it is the same as before.

        One stays at the link that one was at.
        """
        is_same = page.key == self._page.key and self._tab in page.bodies
        self._page = page
        if self._tab not in page.bodies:
            was, self._tab = self._tab, next(iter(page.bodies), "")
            if was:
                self.post_message(self.TabShown(self, self._tab))
        link = self._link if is_same else None
        self._open(keeps=is_same)
        self._link = next((one for one in self.laid.links if one == link), None)

    def to_tab(self, name: str) -> None:
        """Show another tab."""
        if name in self._page.bodies and name != self._tab:
            self._tab = name
            self._open()
            self.post_message(self.TabShown(self, name))

    def turn(self, tabs: int) -> None:
        """Show a tab further on, or back; after the last comes the first."""
        names = list(self._page.bodies)
        if names:
            self.to_tab(names[(names.index(self._tab) + tabs) % len(names)])

    def seek(self, needles: Needles) -> None:
        """Let what is looked for stand out."""
        self.set_look(self.look._replace(needles=tuple(needles)))

    def zoom(self, *, is_zoomed: bool) -> None:
        """Give code its colours, or take them away."""
        self.set_look(self.look._replace(is_zoomed=is_zoomed))

    @property
    def hit(self) -> tuple[int, int] | None:
        """Which hit one is at, counted from 1, and how many are known so far."""
        if self._hit is None:
            return None
        return self.laid.hits.index(self._hit) + 1, len(self.laid.hits)

    def next_hit(self, step: int = 1) -> bool:
        """Go to the next hit, after the last to the first; tells if there is one."""
        self._hit = next_hit(self.laid, self._hit, step, self.first)
        return self._go_to(self._hit)

    def previous_hit(self) -> bool:
        """Go to the hit before."""
        return self.next_hit(-1)

    @property
    def link(self) -> Target | None:
        """Where the link leads that one is at."""
        return self._link.target if self._link else None

    def next_link(self, step: int = 1) -> bool:
        """Go to the next link, after the last to the first; tells if there is one."""
        self._link = next_link(self.laid, self._link, step, self.first)
        return self._go_to(self._link)

    def previous_link(self) -> bool:
        """Go to the link before."""
        return self.next_link(-1)

    def follow(self) -> None:
        """Ask to go where the link leads that one is at."""
        if self._link:
            self.post_message(self.Followed(self, self._link.target))

    def head(self, width: int) -> Pieces:
        """The title and the tabs; what was looked for stands out in the title too."""
        runs = marked((Run(*piece) for piece in self._page.title), self.look.needles)
        page = replace(self._page, title=[(run.text, run.tone) for run in runs])
        return [(" " * MARGIN, ""), *heading(page, self._tab, width - MARGIN)]

    def head_clicked(self, x: int) -> None:
        """Show the tab that was clicked."""
        width = self.text_width - MARGIN
        self.to_tab(tab_at(self._page, self._tab, width, x - MARGIN) or "")

    def clicked(self, position: int, x: int, times: int) -> None:
        """Follow the link that was clicked, unless text was being selected."""
        target = self._target_at(position, x - MARGIN)
        if target is not None and times == 1 and not self.selected_text():
            self.post_message(self.Followed(self, target))

    def begun(self) -> None:
        """In other lines one is nowhere yet."""
        self._hit = self._link = None

    def flags(self, position: int) -> Hashable:
        """Whether one is at a hit or a link in this line."""
        hit = self._hit if self._hit and self._hit.line == position else None
        targets = [run.target for run in self.laid.lines[position].runs if run.target]
        return hit, any(target is self.link for target in targets)

    def pieces(self, position: int) -> Sequence[Piece]:
        """What stands in a line; the hit or the link that one is at stands out."""
        pieces: list[Piece] = []
        at = 0
        for run in self.laid.lines[position].runs:
            pieces.append((run.text, self._tone(run, position, at)))
            at += len(run.text)
        return pieces

    def _open(self, *, keeps: bool = False) -> None:
        """Show the body of the tab."""
        self.set_body(self._page.bodies.get(self._tab), keeps=keeps)

    def _go_to(self, place: Hit | Link | None) -> bool:
        if place is not None:
            self.reveal(place.line)
        self.redraw()
        return place is not None

    def _tone(self, run: Run, position: int, at: int) -> str:
        if run.target is not None and run.target is self.link:
            return "link_here"
        hit = self._hit
        is_here = hit and hit.line == position and hit.start <= at < hit.end
        return "hit_here" if is_here and HIT in run.tone.split() else run.tone

    def _target_at(self, position: int, x: int) -> Target | None:
        """Where the text leads that stands in a cell."""
        at = 0
        for run in self.laid.lines[position].runs:
            at += cell_len(run.text)
            if 0 <= x < at:
                return run.target
        return None
