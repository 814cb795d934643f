"""Links and mentions around the record."""

from functools import partial
from typing import TYPE_CHECKING

from textual import events
from textual.geometry import Size

from store.search.edit import written
from store.search.tree import All, Named
from tui.browser.layout import HIGH, WIDE
from tui.browser.pages import READ
from tui.browser.record import beyond, kind_of, seen
from tui.output.reports import title
from widgets.graph import Graph, Sightings

if TYPE_CHECKING:
    from tui.browser.app import Browser
    from tui.browser.record import Opened

_LINKED = "linked"
"""The class of the body while the graph replaces the text."""


_REFRESHES = 100
"""The most refreshes to wait for the links to be displayed."""


class Links:
    """The links of the record, its mentions, and walks along them."""

    def __init__(self, browser: "Browser") -> None:
        self._browser = browser
        self._lacks_room = False
        """Whether links are shown in a tab because there is no room beside the text."""

    def seen_shown(self) -> None:
        """Fill the pane after it became visible."""
        if (
            self._browser.reader.opened is not None
            and self._browser.reader.opened.seen is None
        ):
            self.look_beside(self._browser.reader.opened)

    def look_beside(self, opened: "Opened") -> None:
        """Find mentions if their pane is in view."""
        pane = self._browser.layout.seen
        if pane.lines.sheet.is_in_view:
            pane.show(())
            self.look_around(opened)

    def show_graph(self) -> None:
        """Replace the text by the graph while its tab is open."""
        reader, graph = self._browser.layout.reader, self._browser.layout.links
        is_shown = reader.tab == graph.TAB
        if is_shown is (self.graph is not None):
            return
        sheet = reader.text.sheet
        had_keys = self._browser.focused in (sheet, graph.lines.sheet)
        self._browser.layout.base.query_one("#body").set_class(is_shown, _LINKED)
        sheet.can_focus = not is_shown
        if had_keys:
            self._browser.call_after_refresh(self._read_on)

    def _read_on(self) -> None:
        """Focus the graph or the text, whichever is shown."""
        graph = self.graph
        (graph.lines.sheet if graph else self._browser.layout.reader.text.sheet).focus()

    @property
    def graph(self) -> Graph | None:
        """The graph, while it replaces the text."""
        is_shown = self._browser.layout.base.query_one("#body").has_class(_LINKED)
        return self._browser.layout.links if is_shown else None

    async def follow_sighting(self, event: Sightings.Followed) -> None:
        """Go to a record that mentions this one or is similar."""
        await self._browser.lists.go(kind_of(event.ref), event.ref, "")

    def look_around(self, opened: "Opened") -> None:
        """Find mentions and similar memories."""
        self._browser.run_worker(
            partial(self._tell_seen, opened), group="seen", exclusive=True
        )

    async def _tell_seen(self, opened: "Opened") -> None:
        """Show mentions and similar memories if the record is still open."""
        found = await self._browser.session.count_worker.ask(
            lambda library: seen(library, opened)
        )
        if self._browser.reader.add_to(opened, seen=found):
            self._browser.layout.seen.show(found)

    def into_links(self) -> None:
        """Focus the links; without room for their pane, show them in a tab."""
        pane = self._browser.layout.links
        if pane.lines.sheet.is_in_view:
            pane.lines.sheet.focus()
            return
        self._lacks_room = True
        self._browser.transcript.show(is_shown=False)
        self._browser.layout.reader.to_tab(pane.TAB)
        self._browser.layout.zoom("zoom-side")
        self.show_graph()
        self._browser.held.hold()
        self._browser.call_after_refresh(self._turn_to_links)

    def _turn_to_links(self) -> None:
        """Focus the links and send them the keys pressed meanwhile."""
        self._browser.layout.links.lines.sheet.focus()
        self._browser.call_later(self._browser.release_keys)

    def _make_room(self) -> None:
        """Show list and text beside the links, which keep the focus."""
        if not _has_room(self._browser.size):
            self._lacks_room = True
            return
        if not _has_room(self._browser.layout.base.size):
            # The screen takes a new size a moment later than the program.
            self._browser.call_after_refresh(self._make_room)
            return
        reader = self._browser.layout.reader
        reader.to_tab(READ)
        self._browser.layout.zoom("")
        self.show_graph()
        self._browser.call_after_refresh(self._focus_links, _REFRESHES)

    def _focus_links(self, refreshes: int) -> None:
        """Focus the links once they are displayed, for which styles have to follow."""
        links = self._browser.layout.links.lines.sheet
        if all(node.display for node in links.ancestors_with_self) or not refreshes:
            links.focus()
        else:
            self._browser.call_after_refresh(self._focus_links, refreshes - 1)

    def back(self) -> None:
        """Go back from the links to the previous record."""
        if self._is_on_graph:
            self._browser.layout.links.back()

    def unfold(self) -> None:
        """Expand or collapse the links of the record at the cursor."""
        if self._is_on_graph:
            self._browser.layout.links.toggle()

    @property
    def _is_on_graph(self) -> bool:
        return self._browser.focused is self._browser.layout.links.lines.sheet

    async def walk(self, event: Graph.Followed) -> None:
        """Go to the record that a link points to; the links pane keeps the focus."""
        await self._browser.lists.go(kind_of(event.ref), event.ref, "")
        self._browser.layout.links.lines.sheet.focus()

    async def walk_back(self) -> None:
        """Go back; at the start of the trail, focus the list."""
        if self._browser.lists.trail.behind:
            await self._browser.lists.go_back()
            self._browser.layout.links.lines.sheet.focus()
        else:
            self._browser.layout.back_to_list()

    async def grow(self, event: Graph.BeyondAsked) -> None:
        """Show the links of a linked record."""
        found = await self._browser.session.ask(
            lambda library: beyond(library, event.ref)
        )
        self._browser.layout.links.grow(event.ref, found)

    async def more(self, event: Graph.MoreAsked) -> None:
        """List all links of one type."""
        side = "to" if event.comes_in else "from"
        record = self._browser.lists.table.at_cursor
        name = title(record) if record else ""
        await self._browser.lists.go(
            "edges",
            None,
            written(
                All(
                    (
                        Named("type", (event.kind,)),
                        Named(side, (name,)),
                    )
                )
            ),
        )

    def resized(self, event: events.Resize) -> None:
        """Move links from their tab to a pane beside the text once there is room."""
        if self._lacks_room and _has_room(event.size):
            self._lacks_room = False
            if self.graph is not None and self._browser.layout.zoomed:
                self._browser.call_after_refresh(self._make_room)


def _has_room(size: Size) -> bool:
    """Whether list, text and links fit beside each other."""
    return size.width >= WIDE and size.height >= HIGH
