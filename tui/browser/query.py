"""The query: what changes it or its order, the facets of its result, what it lists."""

import re
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from msgspec import field
from textual import events
from textual.message import Message

from store.clean import clean
from store.errors import NothingFoundError
from store.library import Library, sorts
from store.reports import NO_LIST, Listed, Row
from store.search.edit import toggled, written
from store.search.tree import Named, Node
from tui.browser.display import Display, Part
from tui.browser.filters import FacetPane, Toggled, gather
from tui.browser.layout import APART, BESIDE, COVERING, ROOMY, Layout
from tui.browser.lists import Lists
from tui.browser.query_bar import QueryBar
from tui.browser.session import Session
from tui.browser.status import Status
from tui.browser.welcome import Welcome
from tui.browser.worker import Found, states
from tui.output.reports import title
from widgets.sheet import Sheet
from widgets.table import Table

# What a result consists of.


class Facets(Part):
    """What a result consists of, counted by a worker of its own."""

    display: Display
    session: Session
    layout: Layout
    status: Status
    lists: Lists
    states: Mapping[str, int] = field(default_factory=dict[str, int])
    """The number of listed records in each state."""
    _pane: FacetPane | None = None
    _wanted: bool | None = None
    """Whether the user wants facets; None means that the width decides."""
    _before: str | None = None
    """The query before filters were chosen; None while none are."""

    @property
    def are_shown(self) -> bool:
        """Whether the facets are shown."""
        return self.display.body.has_class("facets")

    @property
    def _have_focus(self) -> bool:
        """Whether keys go to the facets, once no popup is open."""
        focused = self.display.base.focused
        return focused is not None and focused.id == "facets"

    @property
    def pane(self) -> FacetPane:
        """The facet pane, created at its first use."""
        if self._pane is None:
            self._pane = FacetPane(Sheet(id="facets"))
            self.display.body.mount(self._pane.lines.sheet, before="#lists")
            self.layout.paint()
        return self._pane

    def show(self, *, wanted: bool | None) -> None:
        """Show or hide the facets; None shows them if there is room."""
        self._wanted = wanted
        is_roomy = self.display.size.width >= ROOMY
        self._show(is_shown=is_roomy if wanted is None else wanted)

    def _show(self, *, is_shown: bool) -> None:
        body, width = self.display.body, self.display.size.width
        body.set_class(is_shown and width < BESIDE, COVERING)
        body.set_class(is_shown and BESIDE <= width < APART, "stacked")
        if is_shown is not self.are_shown:
            body.set_class(is_shown, "facets")
            self.count()

    def load_values(self) -> None:
        """Load the values of fields for completion, unless they are up to date."""
        if not self.lists.knows_values:
            self.lists.knows_values = True
            self.display.run_worker(self.learn, group="values", exclusive=True)

    async def learn(self) -> None:
        """Give the values of fields to the query bar."""
        kind = self.lists.kind
        values = await self.session.count_worker.ask(
            lambda library: library.search.known(kind), ("values", kind)
        )
        self.layout.query.know(values=values)

    async def count_states(self, found: Found) -> None:
        """Show the states of the result in the status bar."""
        counts = await self.session.count_worker.ask(
            lambda library: states(library, found), ("states", found.wish)
        )
        if self.lists.listing.found is found:
            self.states = counts
            self.status.tell()

    def count(self) -> None:
        """Update the facets if they are visible."""
        if self.are_shown:
            self.pane.ask(self.lists.text)
            listing = self.lists.listings.get(self.lists.kind)
            if listing and listing.found:
                self.pane.tell(len(listing.found.rows), listing.found.total)
            self.display.run_worker(self._gather, group="facets", exclusive=True)

    async def _gather(self) -> None:
        listing = self.lists.listings.get(self.lists.kind)
        found = listing.found if listing else None
        if found is None:
            return
        tree, kind = found.tree, found.wish.kind
        saved = self.session.kept.saved
        gathered = await self.session.count_worker.ask(
            lambda library: gather(library, kind, tree, saved),
            ("facets", kind, tree, *saved.items()),
        )
        self.pane.show(gathered)

    def leave(self) -> None:
        """Focus the list, which closes filters in front of it."""
        self.lists.table.sheet.focus()

    def take_back(self) -> None:
        """Leave, and restore the query from before filters were chosen."""
        before = self._before
        self.leave()
        if before is not None and before != self.lists.text:
            self.lists.ask_for(before)

    def focus_moved(self) -> None:
        """Remember the query while the filters have the focus; close what covers.

        Filters in front of the list never stay there without the focus: the keys of the
        list would change records that nobody sees.
        """
        if not self._have_focus:
            self._before = None
            if self.display.body.has_class(COVERING):
                self.show(wanted=False)
        elif self._before is None:
            self._before = self.lists.text

    def toggle(self) -> None:
        """Show the filters or focus them; if they have the focus, hide them."""
        has_focus = self._have_focus
        self.show(wanted=not has_focus)
        pane = self.lists.table if has_focus else self.pane.lines
        pane.sheet.focus()

    def resized(self, event: events.Resize) -> None:
        """Update facets and hints for the new width."""
        if not self.lists.listings:
            return
        is_roomy = event.size.width >= ROOMY
        is_wanted = is_roomy if self._wanted is None else self._wanted
        covers = event.size.width < BESIDE and not self._have_focus
        self._show(is_shown=is_wanted and not covers)
        self.display.call_later(self.status.tell)

    async def name(self, found: Found) -> None:
        """Name the conversation of a query, instead of showing its ref."""
        told = await self.session.count_worker.ask(
            lambda library: spoken(library, found.query.tree), ("name", found.wish)
        )
        self.layout.query.know(called=(found.wish.text, told))

    def result_shown(self, found: Found) -> Sequence[Awaitable[object]]:
        """Count the result and load values for completion; returns the counting."""
        if not self.session.is_reading:
            self.load_values()
        worker = self.session.count_worker
        worker.give_up()
        shown = partial(self.lists.room.shown, found, worker)
        counts = {"states": partial(self.count_states, found), "room": shown}
        if spells(found.query.tree):
            counts["name"] = partial(self.name, found)
        workers = [
            self.display.run_worker(count, group=group, exclusive=True)
            for group, count in counts.items()
        ]
        self.count()
        return [worker.wait() for worker in workers]


def spells(tree: Node) -> str:
    """The ref that a query spells out, and nothing else; empty if it does not."""
    if isinstance(tree, Named) and tree.name == "conversation":
        return str(tree.values[0]) if len(tree.values) == 1 else ""
    return ""


def spoken(library: Library, tree: Node) -> str:
    """The words for such a query."""
    with suppress(NothingFoundError):
        return f"in “{clean(title(library.records.named(spells(tree))))}”"
    return ""


# What changes the query, or its order.


class Queries(Part):
    """The query bar, and what else changes the query or its order."""

    session: Session
    layout: Layout
    status: Status
    lists: Lists
    facets: Facets
    welcome: Welcome

    def begin(self) -> None:
        """Focus the query bar, with the list that follows what is typed."""
        if self.layout.zoomed == "zoom-side":
            self.layout.zoom("")
        self.facets.load_values()
        self.layout.query.begin()

    def take(self, event: Message) -> None:
        """Take what the query bar reports, and a query that a facet has changed."""
        match event:
            case Toggled():
                self.lists.ask_for(event.text)
            case QueryBar.Asked():
                self.asked(event)
            case QueryBar.Left():
                self.left(event)
            case QueryBar.Missed():
                self.status.say(event.told)
            case QueryBar.Moved():
                self.lists.when_listed(partial(self._move_cursor, event.rows))
            case _:
                pass

    def asked(self, event: QueryBar.Asked) -> None:
        """Update the list with every letter typed."""
        self.lists.text = event.text
        self.lists.look(keeps=False)

    def left(self, event: QueryBar.Left) -> None:
        """Focus the list and add the query to the history."""
        self.lists.table.sheet.focus()
        listing = self.lists.listing
        is_useful = event.text.strip() and not listing.finds_nothing(event.text)
        if event.is_accepted and is_useful:
            self.status.message = self.session.kept.remember(event.text)
            self.layout.query.know(earlier=self.session.kept.earlier())
        self.status.tell()

    async def _move_cursor(self, rows: int) -> None:
        self.lists.table.move(rows)

    def filter_by(self, field: str, value: str) -> None:
        """Add a value to the query, or remove it."""
        self.welcome.leave()
        lists = self.lists
        self.lists.ask_for(
            toggled(lists.text, [lists.kind], field, value, negated=False)
        )

    def sort_by(self, name: str) -> None:
        """Sort by a field; if the list is sorted by it already, reverse the order."""
        order = self.lists.order
        is_reversed = order.chosen is not None and order.chosen.is_reversed
        order.sort(name, reverse=order.name == name and not is_reversed)

    def sort_asked(self, event: Table.SortAsked) -> None:
        """Sort by the column whose title was clicked."""
        if event.name in sorts(self.lists.kind):
            self.sort_by(event.name)


# The query that lists what a row of a report counts.

_LISTED = {
    "type": ("memories", "type"),
    "tag": ("memories", "tag"),
    "new memories": ("memories", "created"),
    "new conversations": ("conversations", "first"),
    "edge type": ("edges", "type"),
    "tool": ("events", "tool"),
}
_BINNED = {
    "importance": "importance",
    "confidence": "confidence",
    "strength": "strength",
    "links": "links",
    "recalls": "access_count",
}
_RECALLED = {
    "within a day": "accessed<1d",
    "within a week": "accessed>=1d accessed<7d",
    "within 30 days": "accessed>=7d accessed<30d",
    "within 90 days": "accessed>=30d accessed<90d",
    "within a year": "accessed>=90d accessed<365d",
    "longer ago": "accessed>=365d",
}
_NO_TYPE = "none"
"""What has no type, which no query finds."""
_PAGES = {"CORE.md": "core", "MEMORY.md": "memory-index"}
_COPIED = frozenset({"conversations", "messages"})
_EVENTS = {"session": "session", "event_class": "event_class"}
_COUNTED = {
    "month": ("conversations", "month"),
    "day": ("conversations", "on"),
    "prefix": ("measures", "name"),
}
"""What names records: parts of the statistics, and columns; with the query's field."""

_BIN = re.compile(r"(below )?([\d.]+)(?: – ([\d.]+))?( or more)?")


def listed_by(
    row: Row, said: Listed = NO_LIST, *, is_one_of_many: bool = False
) -> tuple[str, str]:
    """The kind and the query that list the records that a row counts, if it does.

    `said` is what the report says of the row. `is_one_of_many` stores are open, so the
    query names the one of the row, except for conversations: of copies in several
    stores, only one is listed.
    """
    kind, terms = _said(said) if said[0] else _counted(row)
    is_of_one = is_one_of_many and kind not in _COPIED
    if kind and is_of_one and isinstance(store := row.get("store"), str):
        terms = [*terms, _named("store", store)]
    return kind, " ".join(terms)


def _said(said: Listed) -> tuple[str, list[str]]:
    """The kind, and a term for each field, whose name may end in an operator."""
    kind, fields = said
    return kind, [
        _named(name, *map(str, value if isinstance(value, list) else [value]))
        if name.replace("_", "").isalpha()
        else f"{name}{value}"
        for name, value in fields.items()
    ]


def _counted(row: Row) -> tuple[str, list[str]]:
    part, titles = row.get("part"), row.get("titles")
    if isinstance(part, str) and "value" in row:
        return _listed_part(part, str(row.get("name")))
    if isinstance(titles, list):
        return "memories", [_named("title", *map(str, titles))]
    for column, (kind, name) in _COUNTED.items():
        if column in row:
            return kind, [_named(name, str(row[column]))]
    terms = [
        _named(name, value)
        for column, name in _EVENTS.items()
        if isinstance(value := row.get(column), str) and value
    ]
    return ("events" if terms else ""), terms


def _listed_part(part: str, name: str) -> tuple[str, list[str]]:
    """What a row of the statistics counts: all of a kind, by a field, or in a bin."""
    found = _BIN.match(name) if part in _BINNED else None
    if part == "records":
        return name, []
    if part == "tag pair":
        return "memories", [_named("tag", tag) for tag in name.split()]
    if part == "limits":
        return _of_limit(name.partition(",")[0])
    if part == "last recalled":
        return "memories", [_RECALLED[name]]
    if found:
        alone = ["-is:pinned"] if part == "strength" else []
        return "memories", [*_within(_BINNED[part], *found.groups()), *alone]
    kind, of = _LISTED.get(part, ("memories", part))
    return (kind, [_named(of, name)]) if name != _NO_TYPE else ("", [])


def _of_limit(file: str) -> tuple[str, list[str]]:
    """The page that has a limit, or the memories in a file."""
    if file in _PAGES:
        return "documents", [_named("role", _PAGES[file])]
    return "memories", [_named("path", f"{file}.jsonl")]


def _within(
    of: str, below: str | None, least: str, most: str | None, more: str | None
) -> list[str]:
    """The conditions for a number in a bin; the last bin from 0 to 1 includes 1."""
    if below or more:
        return [f"{of}{'<' if below else '>='}{least}"]
    if most is None:
        return [f"{of}={least}"]
    is_whole, is_last = "." not in most, most == "1.0"
    upper = [] if is_last else [f"{of}{'<=' if is_whole else '<'}{most}"]
    return [f"{of}>={least}", *upper]


def _named(of: str, *values: str) -> str:
    return written(Named(of, values))
