"""What is told around a list and a record: states, facets, where a memory is seen."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from textual import events, on

from tui.browser.asking.query_bar import QueryBar
from tui.browser.data.desk import Desk
from tui.browser.data.found import Found
from tui.browser.frame import ROOMY
from tui.browser.looking import Looking
from tui.browser.panes import LinksPane, ReadingPane, SeenPane

if TYPE_CHECKING:
    from tui.browser.data.opened import Opened
    from tui.browser.facets.facet_pane import FacetPane

_LINKED = "linked"
"""The class of the body while a graph stands in the place of the text."""


class Surrounding(Looking):
    """Counts and looks around, at a desk that neither list nor reader waits for."""

    _states: Mapping[str, int] = {}
    _wants_facets: bool | None = None
    """Whether the facets shall be shown; None leaves it to the width."""

    def on_mount(self) -> None:
        """A desk more."""
        self.counting = Desk(self.library)

    @property
    def states(self) -> Mapping[str, int]:
        """How many of what is listed are in each state."""
        return self._states

    @property
    def has_facets(self) -> bool:
        """Whether the facets are shown."""
        return self.base.query_one("#body").has_class("facets")

    @property
    def facet_pane(self) -> "FacetPane":
        """The pane of facets, made for who looks at it first."""
        from tui.browser.facets.facet_pane import FacetPane

        body = self.base.query_one("#body")
        for pane in body.query(FacetPane):
            return pane
        pane = FacetPane(id="facets")
        body.mount(pane, before="#lists")
        self.paint()
        return pane

    def show_facets(self, *, wanted: bool | None) -> None:
        """Show the facets or hide them; None where there is room for them, or not."""
        self._wants_facets = wanted
        is_roomy = self.size.width >= ROOMY
        self._facets_shown(is_shown=is_roomy if wanted is None else wanted)

    def on_resize(self, event: events.Resize) -> None:
        """There is room for facets and for hints now, or no more."""
        if not self._listings:
            return
        if self._wants_facets is None:
            self._facets_shown(is_shown=event.size.width >= ROOMY)
        self.call_later(self.tell)

    def _facets_shown(self, *, is_shown: bool) -> None:
        if is_shown is not self.has_facets:
            self.base.query_one("#body").set_class(is_shown, "facets")
            self._count_facets()

    def result_shown(self, found: Found) -> None:
        """Count what was found, and what can be asked for."""
        if not self.knows_values:
            self.knows_values = True
            self.run_worker(self._learn, group="values", exclusive=True)
        self.counting.give_up()
        self.run_worker(
            partial(self._count_states, found), group="states", exclusive=True
        )
        self.run_worker(
            partial(self.room.shown, found, self.counting),
            group="room",
            exclusive=True,
        )
        self._count_facets()

    async def _learn(self) -> None:
        """Let the query bar know which values there are."""
        values = await self.ask(lambda library, kind=self.kind: library.facets(kind))
        self.base.query_one(QueryBar).know(values=values)

    def record_shown(self, opened: "Opened") -> None:
        """Look around the record, where there is a pane to tell of it."""
        self._look_beside(opened)

    @on(SeenPane.Shown)
    def _seen_shown(self) -> None:
        """The screen has grown: tell what there was no room for."""
        if self.opened is not None and self.opened.seen is None:
            self._look_beside(self.opened)

    def _look_beside(self, opened: "Opened") -> None:
        pane = self.base.query_one(SeenPane)
        if pane.is_in_view:
            pane.show(())
            self._look_around(opened)

    @on(ReadingPane.TabShown)
    def _seen_asked(self, event: ReadingPane.TabShown) -> None:
        """Look around the record when somebody wants to know."""
        from tui.browser.pages import SEEN

        if event.name == SEEN and self.opened is not None:
            self._look_around(self.opened)

    @on(ReadingPane.TabShown)
    def show_graph(self) -> None:
        """Let the graph stand in the place of the text, where its tab is shown."""
        reader, graph = self.base.query_one(ReadingPane), self.base.query_one(LinksPane)
        is_shown = reader.tab == graph.TAB
        if is_shown is (self.graph is not None):
            return
        had_keys = self.focused in (reader, graph)
        self.base.query_one("#body").set_class(is_shown, _LINKED)
        reader.can_focus = not is_shown
        if had_keys:
            self.call_after_refresh(self._read_on)

    def _read_on(self) -> None:
        """Give the keys to what stands there by now."""
        (self.graph or self.base.query_one(ReadingPane)).focus()

    @property
    def graph(self) -> LinksPane | None:
        """The graph, while it stands in the place of the text."""
        is_shown = self.base.query_one("#body").has_class(_LINKED)
        return self.base.query_one(LinksPane) if is_shown else None

    @on(SeenPane.Followed)
    async def _follow_sighting(self, event: SeenPane.Followed) -> None:
        """Go to a record that tells of this one, or is like it."""
        from tui.browser.leading import kind_of

        await self.go(kind_of(event.ref), event.ref, "")

    def _look_around(self, opened: "Opened") -> None:
        self.run_worker(partial(self._tell_seen, opened), group="seen", exclusive=True)

    async def _tell_seen(self, opened: "Opened") -> None:
        """Tell where the record is seen, if it is still the one that is read."""
        from tui.browser.data.seen import seen

        found = await self.counting.ask(lambda library: seen(library, opened))
        if self.opened is opened:
            self.base.query_one(SeenPane).show(found)
            self.read(replace(opened, seen=found))

    async def _count_states(self, found: Found) -> None:
        """The status line tells how the result stands."""
        from tui.browser.data.states import states

        counts = await self.counting.ask(lambda library: states(library, found))
        if self.listing.found is found:
            self._states = counts
            self.tell()

    def _count_facets(self) -> None:
        """Count what the result consists of, if anybody looks."""
        if self.has_facets:
            self.facet_pane.ask(self.text)
            self.run_worker(self._gather, group="facets", exclusive=True)

    async def _gather(self) -> None:
        from tui.browser.facets.gathered import gather

        listing = self._listings.get(self.kind)
        found = listing.found if listing else None
        if found is None:
            return
        tree, kind = found.tree, found.wish.kind
        saved = self.kept.saved
        gathered = await self.counting.ask(
            lambda library: gather(library, kind, tree, saved)
        )
        self.facet_pane.show(gathered)
