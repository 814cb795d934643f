"""The room of events, metrics and agents, with charts."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace
from textual import on
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import ContentSwitcher

from store.derive.statistics import Durations
from store.kinds.conversations import Conversation
from store.library import Library
from store.records.answers import Lead
from store.search.edit import toggled
from store.search.parse import parse
from store.search.tree import All, Named, Node, Value
from tui.browser.panes import follow
from tui.browser.rooms.room import Given, Room
from tui.browser.worker import Found, Worker
from tui.commands.command import Scope
from tui.terminal.programs import Clipboard
from widgets.bars import Bar
from widgets.charts import (
    Chart,
    Distribution,
    Histogram,
    Measured,
    Window,
    chart_of,
    since,
    until,
)
from widgets.journal import Journal, section_bar
from widgets.lines import Chosen
from widgets.sheet import Sheet, following

# The sections of the journals: a kind of record each, optionally with a filter.
#
# The filter is an ordinary part of the query: typing `kind:claim` opens the section of
# claims.


class Section(Struct, frozen=True):
    """A section of the journals."""

    name: str
    """Its name."""
    kind: str
    """The kind of record listed."""
    field: str = ""
    """The field of its filter, if any."""
    value: str = ""
    in_time: bool = False
    """Whether its chart shows durations by default."""


SECTIONS = (
    Section("all", "measures"),
    Section("tasks", "measures", "kind", "task", in_time=True),
    Section("sessions", "measures", "kind", "session", in_time=True),
    Section("claims", "measures", "kind", "claim"),
    Section("tools", "measures", "kind", "toolstats"),
    Section("events", "events"),
    Section("errors", "events", "is", "error"),
    Section("agents", "agents"),
)
"""The sections, in tab order."""

KINDS = tuple(dict.fromkeys(section.kind for section in SECTIONS))
"""The kinds of record in journals."""

BY_NAME = {section.name: section for section in SECTIONS}


def section_of(kind: str, tree: Node) -> Section:
    """The section of a query."""
    terms = tree.terms if isinstance(tree, All) else (tree,)
    named = {(one.name, one.values) for one in terms if isinstance(one, Named)}
    of_kind = [section for section in SECTIONS if section.kind == kind]
    narrow = (
        one for one in of_kind if one.field and (one.field, (one.value,)) in named
    )
    return next(narrow, next(one for one in of_kind if not one.field))


def turned(text: str, kind: str, section: Section) -> str:
    """The query for another section, with the filter replaced."""
    text = widened(text, kind)
    if section.field:
        text = toggled(text, [section.kind], section.field, section.value)
    return text


def widened(text: str, kind: str) -> str:
    """The query without the filter of a section."""
    for field, value in _narrowing(text, kind):
        text = toggled(text, [kind], field, value)
    return text


def _narrowing(text: str, kind: str) -> list[tuple[str, Value]]:
    """The terms of a query that are filters of sections."""
    fields = {one.field for one in SECTIONS if one.kind == kind and one.field}
    known = {(one.field, one.value) for one in SECTIONS}
    tree = parse(text, [kind]).tree
    terms = tree.terms if isinstance(tree, All) else (tree,)
    named = (one for one in terms if isinstance(one, Named) and one.name in fields)
    each = ((one.name, value) for one in named for value in one.values)
    return [(name, value) for name, value in each if (name, value) in known]


# The statistics of a result, computed in a worker.

_SECOND = 1_000_000


class Survey(Struct, frozen=True):
    """The statistics of a result."""

    chart: Chart
    durations: Durations
    """The durations in the chart's time range."""
    longest: float
    """The longest duration in the whole result."""


def survey(library: Library, kind: str, tree: Node, window: Window) -> Survey:
    """The number of records over time, and their durations."""
    tally = library.counts.tally(kind, tree, window.step)
    chart = chart_of(tally, window, library.stores.now)
    whole = library.counts.durations(kind, tree)
    begin, end = since(chart), until(chart)
    shown = whole
    if begin is not None and end is not None:
        first, last = (int(each.timestamp()) * _SECOND for each in (begin, end))
        shown = library.counts.durations(kind, tree, first, last)
    return Survey(chart, shown, max(whole.seconds, default=0.0))


def titled_leads(
    library: Library, kind: str, rows: Sequence[int]
) -> Mapping[str, Lead]:
    """The targets of some rows, those that are conversations with their titles."""
    leads = library.reports.leads(kind, rows)
    known = {
        ref: library.records.named(one.ref) for ref, one in leads.items() if one.ref
    }
    return {
        ref: replace(lead, title=to.title if isinstance(to, Conversation) else "")
        for ref, lead in leads.items()
        for to in (known.get(ref),)
    }


def amounts(library: Library) -> Mapping[str, int]:
    """The number of records per section, by name."""
    shares = library.search.facets("measures", names=("kind",)).get("kind", ())
    of_kind = dict(shares)
    found = {one.name: of_kind.get(one.value, 0) for one in SECTIONS if one.field}
    found["errors"] = library.lists.count("events", Named("is", ("error",)))
    for section in SECTIONS:
        if not section.field:
            found[section.name] = library.lists.count(section.kind)
    return found


# The room of journals: a section, with charts above it.
#
# It serves three views, because metrics, events and agents are different kinds of
# record; its sections lead from one view to another.


class JournalRoom(Room):
    """A section of the journals, with charts."""

    DEFAULT_CSS = """
    JournalRoom > .charts { height: 7; }
    JournalRoom.empty > .charts, JournalRoom.empty > .sections { display: none; }
    JournalRoom Histogram { width: 1fr; }
    JournalRoom Distribution { width: 1fr; max-width: 80; display: none; }
    """

    holding = Scope.JOURNALS

    face: Journal
    """How the list looks."""

    def __init__(self, kind: str, given: Given, clipboard: Clipboard) -> None:
        super().__init__(kind, given)
        self._clipboard = clipboard
        self.window = Window.QUARTER
        """The time range of the chart."""
        self.section = next(one for one in SECTIONS if one.kind == self.kind)
        """The current section."""
        self._in_time: dict[str, bool] = {}
        self._found: Found | None = None
        self._worker: Worker | None = None

    def listed(self) -> Journal:
        """The list, with the columns of its section."""
        return Journal(Sheet(id=f"list-{self.kind}"), self.kind)

    def above(self) -> Iterable[Widget]:
        """The charts and the sections."""
        self._histogram = Histogram()
        self._distribution = Distribution()
        self._bar = Bar(classes="sections")
        charts = Horizontal(self._histogram, self._distribution, classes="charts")
        return charts, self._bar

    def shared_query(self, text: str) -> str:
        """The query without its section, which would empty other views."""
        return widened(text, self.kind)

    def divide(self, found: Found) -> None:
        """Show the columns of the query's section."""
        self.section = section_of(self.kind, found.query.tree)
        self.face.turn(self.section.name)

    async def shown(self, found: Found, worker: Worker) -> None:
        """Draw the charts of the result and count all sections."""
        self._found, self._worker = found, worker
        await self._draw()
        counted = await worker.ask(amounts)
        self.set_class(not any(counted.values()), "empty")
        names = [section.name for section in SECTIONS]
        self._bar.items = section_bar(names, self.section.name, counted)
        self.face.seek_proofs(anew=True)

    @on(Journal.ProofsWanted)
    def _proofs_wanted(self, event: Journal.ProofsWanted) -> None:
        """Load the evidence of visible claims."""
        event.stop()
        prove = partial(self._prove, event.rows)
        self.run_worker(prove, group="proofs", exclusive=True)

    async def _prove(self, rows: Sequence[int]) -> None:
        if self._worker is not None:
            found = await self._worker.ask(
                lambda library: titled_leads(library, self.kind, rows)
            )
            self.face.lead(found)

    @on(Chosen)
    async def _claim_chosen(self, event: Chosen) -> None:
        """Open the evidence of a claim, if it exists."""
        record = self.table.at_cursor
        lead = self.face.leads.get(record.ref) if record is not None else None
        if self.section.name == "claims" and lead is not None and lead.is_here:
            event.stop()
            await self.go_along(lead)

    async def follow_proof(self) -> None:
        """Go to the evidence for a row, or to its session."""
        row = self.table.cursor_key
        if isinstance(row, int):
            found = await self._session.ask(
                lambda library: library.reports.leads(self.kind, [row])
            )
            await self.go_along(next(iter(found.values()), Lead()))

    async def go_along(self, lead: Lead) -> None:
        """Go to a record or file; a path outside the stores is copied."""
        self._status.say(
            await follow(lead, self._display, self._lists, self._clipboard)
        )

    async def action_next_tab(self, tabs: int) -> None:
        """Go to another section."""
        at = SECTIONS.index(self.section) + tabs
        await self._turn(SECTIONS[at % len(SECTIONS)])

    action_previous_tab = action_next_tab

    async def chart_window(self) -> None:
        """Change the time range of the chart."""
        self.window = following(self.window)
        await self._draw()

    async def chart_other(self) -> None:
        """Toggle between durations and counts."""
        if not self._histogram.measured.durations.seconds:
            self._status.say("No durations recorded.")
            return
        self._in_time[self.section.name] = not self._is_in_time
        await self._draw()

    @property
    def _is_in_time(self) -> bool:
        return self._in_time.get(self.section.name, self.section.in_time)

    async def _draw(self) -> None:
        """Draw the charts, unless another result is shown by then."""
        found, section, worker = self._found, self.section, self._worker
        if found is None or worker is None:
            return
        ask = partial(survey, kind=self.kind, tree=found.tree, window=self.window)
        made = await worker.ask(ask)
        if self._found is found:
            self._show(made, section)

    def _show(self, made: Survey, section: Section) -> None:
        has_time = bool(made.durations.seconds)
        noun = "entries" if section.name == "all" else section.name
        self._histogram.measured = Measured(
            noun, made.chart, made.durations, in_time=self._is_in_time and has_time
        )
        self._distribution.durations = made.durations
        self.face.measure_by(made.longest)

    @on(Bar.Clicked, ".sections")
    async def _bar_clicked(self, event: Bar.Clicked) -> None:
        event.stop()
        await self._turn(BY_NAME[event.name])

    async def _turn(self, section: Section) -> None:
        """Go to a section, keeping the rest of the query."""
        text = turned(self._lists.text, self.kind, section)
        await self._lists.go(section.kind, None, text)
        room = self._lists.room
        if isinstance(room, JournalRoom):
            await room.look_at(self.window)

    async def look_at(self, window: Window) -> None:
        """Use the time range of another room's chart."""
        if window is not self.window:
            self.window = window
            await self._draw()

    def share(self) -> None:
        """Use the layout of journals: the list has more room above the reader."""
        shown = self.screen.query_one("#lists", ContentSwitcher).visible_content
        self._display.body.set_class(isinstance(shown, JournalRoom), "by-figures")
