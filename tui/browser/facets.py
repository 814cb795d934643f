"""Facets of the result, states, and values for completion."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from textual import events

from tui.browser.filters import FacetPane, gather
from tui.browser.layout import APART, BESIDE, ROOMY
from tui.browser.query_bar import QueryBar
from tui.browser.worker import Found, states
from tui.commands.command import Scope
from widgets.sheet import Sheet

if TYPE_CHECKING:
    from tui.browser.app import Browser


class Facets:
    """What a result consists of, counted by a worker of its own."""

    def __init__(self, browser: "Browser") -> None:
        self._browser = browser
        self.states: Mapping[str, int] = {}
        """The number of listed records in each state."""
        self.knows_values = False
        """Whether the query bar has the values of fields."""
        self._pane: FacetPane | None = None
        self._wanted: bool | None = None
        """Whether the user wants facets; None means that the width decides."""
        self._before: str | None = None
        """The query before filters were chosen; None while none are."""

    @property
    def are_shown(self) -> bool:
        """Whether the facets are shown."""
        return self._browser.layout.base.query_one("#body").has_class("facets")

    @property
    def pane(self) -> FacetPane:
        """The facet pane, created at its first use."""
        if self._pane is None:
            self._pane = FacetPane(Sheet(id="facets"))
            body = self._browser.layout.base.query_one("#body")
            body.mount(self._pane.lines.sheet, before="#lists")
            self._browser.layout.paint()
        return self._pane

    def show(self, *, wanted: bool | None) -> None:
        """Show or hide the facets; None shows them if there is room."""
        self._wanted = wanted
        is_roomy = self._browser.size.width >= ROOMY
        self._show(is_shown=is_roomy if wanted is None else wanted)

    def _show(self, *, is_shown: bool) -> None:
        body, width = self._browser.layout.base.query_one("#body"), self._width
        body.set_class(is_shown and width < BESIDE, "alone")
        body.set_class(is_shown and BESIDE <= width < APART, "stacked")
        if is_shown is not self.are_shown:
            body.set_class(is_shown, "facets")
            self.count()

    @property
    def _width(self) -> int:
        return self._browser.size.width

    def load_values(self) -> None:
        """Load the values of fields for completion, unless they are up to date."""
        if not self.knows_values:
            self.knows_values = True
            self._browser.run_worker(self.learn, group="values", exclusive=True)

    async def learn(self) -> None:
        """Give the values of fields to the query bar."""
        values = await self._browser.session.ask(
            lambda library, kind=self._browser.lists.kind: library.search.known(kind)
        )
        self._browser.layout.base.query_one(QueryBar).know(values=values)

    async def count_states(self, found: Found) -> None:
        """Show the states of the result in the status bar."""
        counts = await self._browser.session.count_worker.ask(
            lambda library: states(library, found)
        )
        if self._browser.lists.listing.found is found:
            self.states = counts
            self._browser.status.tell()

    def count(self) -> None:
        """Update the facets if they are visible."""
        if self.are_shown:
            self.pane.ask(self._browser.lists.text)
            listing = self._browser.lists.listings.get(self._browser.lists.kind)
            if listing and listing.found:
                self.pane.tell(len(listing.found.rows), listing.found.total)
            self._browser.run_worker(self._gather, group="facets", exclusive=True)

    async def _gather(self) -> None:
        listing = self._browser.lists.listings.get(self._browser.lists.kind)
        found = listing.found if listing else None
        if found is None:
            return
        tree, kind = found.tree, found.wish.kind
        saved = self._browser.session.kept.saved
        gathered = await self._browser.session.count_worker.ask(
            lambda library: gather(library, kind, tree, saved)
        )
        self.pane.show(gathered)

    def leave(self) -> None:
        """Focus the list; on small screens, hide the filters in front of it."""
        if self._width < BESIDE:
            self.show(wanted=False)
        self._browser.lists.table.sheet.focus()

    def take_back(self) -> None:
        """Leave, and restore the query from before filters were chosen."""
        before = self._before
        self.leave()
        if before is not None and before != self._browser.lists.text:
            self._browser.queries.ask_for(before)

    def focus_moved(self, *, is_here: bool) -> None:
        """Remember the query when the filters get the focus, until they lose it."""
        if not is_here:
            self._before = None
        elif self._before is None:
            self._before = self._browser.lists.text

    def toggle(self) -> None:
        """Show the filters or focus them; if they have the focus, hide them."""
        has_focus = self._browser.commands.scope is Scope.FACETS
        self.show(wanted=not has_focus)
        pane = self._browser.lists.table if has_focus else self.pane.lines
        pane.sheet.focus()

    def resized(self, event: events.Resize) -> None:
        """Update facets and hints for the new width."""
        if not self._browser.lists.listings:
            return
        is_roomy = event.size.width >= ROOMY
        self._show(is_shown=is_roomy if self._wanted is None else self._wanted)
        self._browser.call_later(self._browser.status.tell)

    def result_shown(self, found: Found) -> None:
        """Count the result and load values for completion."""
        if not self._browser.live.is_reading:
            self.load_values()
        self._browser.session.count_worker.give_up()
        self._browser.run_worker(
            partial(self.count_states, found), group="states", exclusive=True
        )
        self._browser.run_worker(
            partial(
                self._browser.lists.room.shown,
                found,
                self._browser.session.count_worker,
            ),
            group="room",
            exclusive=True,
        )
        self.count()
