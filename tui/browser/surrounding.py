"""What is told around a list and a record: states, facets, where a memory is seen."""

from collections.abc import Mapping
from functools import partial

from msgspec.structs import replace
from textual import events, on

from tui.browser.data.desk import Desk
from tui.browser.data.found import Found
from tui.browser.data.opened import Opened
from tui.browser.data.seen import seen
from tui.browser.data.states import states
from tui.browser.facets.facet_pane import FacetPane
from tui.browser.facets.gathered import gather
from tui.browser.frame import ROOMY
from tui.browser.leading import kind_of
from tui.browser.looking import Looking
from tui.browser.pages import SEEN
from tui.browser.panes import ReadingPane, SeenPane


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
        """Count what was found."""
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

    def record_shown(self, opened: Opened) -> None:
        """Look around the record, where there is a pane to tell of it."""
        pane = self.base.query_one(SeenPane)
        if pane.is_in_view:
            pane.show(())
            self._look_around(opened)

    @on(ReadingPane.TabShown)
    def _seen_asked(self, event: ReadingPane.TabShown) -> None:
        """Look around the record when somebody wants to know."""
        if event.name == SEEN and self.opened is not None:
            self._look_around(self.opened)

    @on(SeenPane.Followed)
    async def _follow_sighting(self, event: SeenPane.Followed) -> None:
        """Go to a record that tells of this one, or is like it."""
        await self.go(kind_of(event.ref), event.ref, "")

    def _look_around(self, opened: Opened) -> None:
        self.run_worker(partial(self._tell_seen, opened), group="seen", exclusive=True)

    async def _tell_seen(self, opened: Opened) -> None:
        """Tell where the record is seen, if it is still the one that is read."""
        found = await self.counting.ask(lambda library: seen(library, opened))
        if self.opened is opened:
            self.base.query_one(SeenPane).show(found)
            self.read(replace(opened, seen=found))

    async def _count_states(self, found: Found) -> None:
        """The status line tells how the result stands."""
        counts = await self.counting.ask(lambda library: states(library, found))
        if self.listing.found is found:
            self._states = counts
            self.tell()

    def _count_facets(self) -> None:
        """Count what the result consists of, if anybody looks."""
        if self.has_facets:
            self.base.query_one(FacetPane).ask(self.text)
            self.run_worker(self._gather, group="facets", exclusive=True)

    async def _gather(self) -> None:
        listing = self._listings.get(self.kind)
        found = listing.found if listing else None
        if found is None:
            return
        tree, kind = found.tree, found.wish.kind
        saved = self.kept.saved
        gathered = await self.counting.ask(
            lambda library: gather(library, kind, tree, saved)
        )
        self.base.query_one(FacetPane).show(gathered)
