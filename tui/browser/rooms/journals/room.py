"""The room of journals: a section of them, and above it what it comes to by day.

Three views have it, because figures, events and agents are records of their own kinds;
its sections lead from one view to the other.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import cast

from textual import on
from textual.app import App
from textual.containers import Container, Horizontal
from textual.widget import Widget
from textual.widgets import ContentSwitcher

from store.clean import clean
from store.library import Library
from store.records.lead import Lead
from tui.browser.data.desk import Desk
from tui.browser.data.found import Found
from tui.browser.leading import kind_of
from tui.browser.pager import show_file
from tui.browser.rooms.journals.asking import Asking
from tui.browser.rooms.journals.list import JournalList
from tui.browser.rooms.journals.sections import (
    BY_NAME,
    SECTIONS,
    Section,
    section_of,
    turned,
)
from tui.browser.rooms.journals.survey import Survey, amounts, survey
from tui.commands.scopes import Scope
from widgets.bars.bar import Bar
from widgets.journals.distribution import Distribution
from widgets.journals.histogram import Histogram, Measured
from widgets.journals.sections import section_bar
from widgets.journals.windows import Window
from widgets.lines.reports import Chosen


class JournalRoom(Asking):
    """A section of the journals."""

    DEFAULT_CSS = """
    JournalRoom > .charts { height: 7; }
    JournalRoom Histogram { width: 1fr; }
    JournalRoom Distribution { width: 1fr; max-width: 80; display: none; }
    """

    holding = Scope.JOURNALS

    table: JournalList
    """The list."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.window = Window.QUARTER
        """How much of the past the chart shows."""
        self._section = next(one for one in SECTIONS if one.kind == kind)
        self._in_time: dict[str, bool] = {}
        self._found: Found | None = None
        self._desk: Desk | None = None

    def listed(self) -> JournalList:
        """The list, in the columns of its section."""
        return JournalList(self.kind, id=f"list-{self.kind}")

    def above(self) -> Iterable[Widget]:
        """How much there was when, how long things took, and the sections."""
        self._histogram = Histogram()
        self._distribution = Distribution()
        self._bar = Bar(classes="sections")
        charts = Horizontal(self._histogram, self._distribution, classes="charts")
        return charts, self._bar

    def on_mount(self) -> None:
        """Above the reader there is more room for figures than beside it."""
        switcher = self.screen.query_one("#lists", ContentSwitcher)
        self.watch(switcher, "current", self._share)

    def divide(self, found: Found) -> None:
        """Show the columns of the section that the query is in."""
        super().divide(found)
        self._section = section_of(self.kind, found.query.tree)
        self.table.turn(self._section.name)

    async def shown(self, found: Found, desk: Desk) -> None:
        """Count what was found, by day, and all there is, by section."""
        self._found, self._desk = found, desk
        self._share()
        await self._draw()
        counted = await desk.ask(amounts)
        names = [section.name for section in SECTIONS]
        self._bar.items = section_bar(names, self._section.name, counted)
        self.table.seek_proofs(anew=True)

    @on(JournalList.ProofsWanted)
    def _proofs_wanted(self, event: JournalList.ProofsWanted) -> None:
        """Claims came into view."""
        event.stop()
        prove = partial(self._prove, event.rows)
        self.run_worker(prove, group="proofs", exclusive=True)

    async def _prove(self, rows: Sequence[int]) -> None:
        """Tell where claims lead."""
        if self._desk is not None:
            found = await self._desk.ask(lambda library: library.leads(self.kind, rows))
            self.table.lead(found)

    @on(Chosen)
    async def _claim_chosen(self, event: Chosen) -> None:
        """Among claims, one whose proof is there leads to it; others are read."""
        record = self.table.at_cursor
        lead = self.table.leads.get(record.ref) if record is not None else None
        if self._section.name == "claims" and lead is not None and lead.is_here:
            event.stop()
            await self.go_along(lead)

    async def action_follow_proof(self) -> None:
        """Go to what proves the figure, or to the sitting that it comes from."""
        row = self.table.cursor_key
        if isinstance(row, int):
            ask = partial(Library.leads, kind=self.kind, rows=[row])
            found = await self.browser.desk.ask(ask)
            await self.go_along(next(iter(found.values()), Lead()))

    async def go_along(self, lead: Lead) -> None:
        """Go where something leads; nobody is taken out of the stores."""
        if lead.ref:
            await self.browser.go(kind_of(lead.ref), lead.ref, "")
        elif lead.path:
            app = cast("App[None]", self.app)  # pyright: ignore[reportUnknownMemberType]  # as in `browser`
            told = show_file(app, lead.store, lead.path, lead.line)
            self.say(told)
        elif lead.outside:
            told = self.browser.copied(lead.outside)
            self.say(f"{clean(lead.outside)} is in no store · {told}")
        else:
            self.say("This leads to nothing that is here.")

    async def action_tab(self, tabs: int) -> None:
        """Turn to another section."""
        at = SECTIONS.index(self._section) + tabs
        await self._turn(SECTIONS[at % len(SECTIONS)])

    async def action_chart_window(self) -> None:
        """Look at more of the past, or at less."""
        self.window = self.window.next
        await self._draw()

    async def action_chart_other(self) -> None:
        """Draw how long things took, or how many there were."""
        if not self._histogram.measured.durations.seconds:
            self.say("Nothing tells how long these took.")
            return
        self._in_time[self._section.name] = not self._is_in_time
        await self._draw()

    @property
    def section(self) -> Section:
        """The section that is shown."""
        return self._section

    @property
    def _is_in_time(self) -> bool:
        """Whether the chart tells how long things took."""
        return self._in_time.get(self._section.name, self._section.in_time)

    async def _draw(self) -> None:
        """Draw what was found, if it is still what is shown once it is counted."""
        found, section, desk = self._found, self._section, self._desk
        if found is None or desk is None:
            return
        ask = partial(survey, kind=self.kind, tree=found.tree, window=self.window)
        made = await desk.ask(ask)
        if self._found is found:
            self._show(made, section)

    def _show(self, made: Survey, section: Section) -> None:
        has_time = bool(made.durations.seconds)
        noun = "figures" if section.name == "all" else section.name
        self._histogram.measured = Measured(
            noun, made.chart, made.durations, in_time=self._is_in_time and has_time
        )
        self._distribution.durations = made.durations
        self.table.measure_by(made.long)

    @on(Bar.Clicked, ".sections")
    async def _bar_clicked(self, event: Bar.Clicked) -> None:
        """A section was clicked."""
        event.stop()
        await self._turn(BY_NAME[event.name])

    async def _turn(self, section: Section) -> None:
        """Go to a section; what is asked besides stays asked."""
        text = turned(self.browser.text, self.kind, section)
        await self.browser.go(section.kind, None, text)
        room = self.browser.room
        if isinstance(room, JournalRoom):
            await room.look_at(self.window)

    async def look_at(self, window: Window) -> None:
        """Show as much of the past as another room did."""
        if window is not self.window:
            self.window = window
            await self._draw()

    def _share(self) -> None:
        """List and reader share the screen otherwise than elsewhere.

        Where nothing is listed, the reader says why, and has its usual room for that.
        """
        current = self.screen.query_one("#lists", ContentSwitcher).current
        room = self.screen.query_one(f"#{current}") if current else None
        has_figures = isinstance(room, JournalRoom) and room.table.count() > 0
        self.screen.query_one("#body", Container).set_class(has_figures, "by-figures")
