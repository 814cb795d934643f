"""The browser: what can be asked for, carried out."""

from textual import events, on

from tui.browser.frame import HIGH, ROOMY, WIDE
from tui.browser.panes import LinksPane, ReadingPane, SeenPane
from tui.browser.past.back import LookingBack
from tui.browser.past.news import Newsworthy
from tui.browser.past.tracing import Tracing
from tui.browser.reviewing.reviewing import Reviewing
from tui.browser.transcript.talking import Talking
from tui.browser.views import VIEWS
from tui.commands.registry import REGISTRY
from tui.commands.scopes import Scope
from widgets.bars.bar import Bar
from widgets.lines.reports import Chosen


class Browser(Tracing, Newsworthy, LookingBack, Talking, Reviewing):
    """Look at what is remembered."""

    _lacks_room = False
    """Whether links were turned to where they had no place beside the text."""

    async def action_view(self, kind: str) -> None:
        """Show another kind of record."""
        if kind != self.kind:
            self.trail.leave(self.spot)
        await self.show(kind)
        if not self.zoomed:
            self.table.focus()

    def action_next_pane(self) -> None:
        """Turn to the next pane."""
        self.screen.focus_next()

    def action_previous_pane(self) -> None:
        """Turn to the pane before."""
        self.screen.focus_previous()

    def action_zoom(self) -> None:
        """Give this pane the whole screen, or take it back."""
        pane = "zoom-side" if self.is_reading_focused else "zoom-lists"
        self.zoom("" if self.zoomed else pane)

    def action_split(self, step: int) -> None:
        """Move the border between list and reader."""
        self.divide(self.split + step)

    @on(events.DescendantBlur)
    def _pane_left(self) -> None:
        """A pane that goes away leaves the keys to the one that is still there."""
        self.call_after_refresh(self._keep_keys)

    def _keep_keys(self) -> None:
        if self._listings and self.screen_stack and self.base.focused is None:
            (self.read_in if self.zoomed == "zoom-side" else self.table).focus()

    @on(Chosen)
    def _chosen(self, event: Chosen) -> None:
        """Read the record on the whole screen."""
        if event.sheet is self.table:
            self.zoom("zoom-side")
            self.read_in.focus()

    def action_into_links(self) -> None:
        """Turn to what the record is linked with; where there is no room, as a tab."""
        pane = self.base.query_one(LinksPane)
        if all(node.display for node in pane.ancestors_with_self):
            pane.focus()
            return
        self._lacks_room = True
        self.show_talk(is_shown=False)
        self.base.query_one(ReadingPane).to_tab(pane.TAB)
        self.zoom("zoom-side")
        self.show_graph()
        self.hold_keys()
        self.call_after_refresh(self._turn_to_links)

    def _turn_to_links(self) -> None:
        """Give the keys to the links, those as well that were pressed meanwhile."""
        self.base.query_one(LinksPane).focus()
        self.call_later(self.release_keys)

    def on_resize(self, event: events.Resize) -> None:
        """Links in the place of the text go beside it once there is room."""
        if self._lacks_room and event.size.width >= WIDE and event.size.height >= HIGH:
            self._lacks_room = False
            if self.graph is not None and self.zoomed:
                self.call_after_refresh(self._make_room)

    def _make_room(self) -> None:
        """Show the list and the text beside the links, which keep the keys."""
        from tui.browser.pages import READ

        reader = self.base.query_one(ReadingPane)
        reader.to_tab(READ)
        self.zoom("")
        self.show_graph()
        self.call_after_refresh(self.base.query_one(LinksPane).focus)

    def action_follow_link(self) -> None:
        """Go where the link leads that one is at, or to the first one."""
        reader = self.base.query_one(ReadingPane)
        if reader.link is None:
            reader.next_link()
        else:
            reader.follow()

    @on(LinksPane.Followed)
    async def _walk(self, event: LinksPane.Followed) -> None:
        """Go to the record that a link leads to; its graph keeps the keys."""
        from tui.browser.leading import kind_of

        await self.go(kind_of(event.ref), event.ref, "")
        self.base.query_one(LinksPane).focus()

    @on(LinksPane.WentBack)
    async def _walk_back(self) -> None:
        """Go back to where one came from; from the beginning, to the list."""
        if self.trail.behind:
            await self.action_go_back()
            self.base.query_one(LinksPane).focus()
        else:
            self.action_back_to_list()

    @on(LinksPane.BeyondAsked)
    async def _grow(self, event: LinksPane.BeyondAsked) -> None:
        """Show what lies beyond a record."""
        from tui.browser.around import beyond

        found = await self.ask(lambda library: beyond(library, event.ref))
        self.base.query_one(LinksPane).grow(event.ref, found)

    @on(LinksPane.MoreAsked)
    async def _more(self, event: LinksPane.MoreAsked) -> None:
        """List all links of one type."""
        from store.search.language.printing import written
        from store.search.language.tree import All, Named
        from tui.faces.hits import title

        side = "to" if event.comes_in else "from"
        record = self.table.at_cursor
        name = title(record) if record else ""
        await self.go(
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

    @on(ReadingPane.Followed)
    async def _follow(self, event: ReadingPane.Followed) -> None:
        """Go where a link of the text leads."""
        from store.search.language.printing import written
        from store.search.language.tree import Named
        from tui.browser.leading import is_address, kind_of, leads_to
        from tui.browser.past.bodies import VERSION

        target = event.target
        if target.kind == "tag":
            await self.go("memories", None, written(Named("tags", (target.text,))))
            return
        if target.kind == VERSION:
            self.show_version(int(target.text))
            return
        ref = None
        if is_address(target):
            self.message = f"{target.text} · {self.copied(target.text)}"
        else:
            opened = self.opened
            ref = await self.ask(lambda library: leads_to(library, opened, target))
            self.message = "" if ref else f"{target.text} leads to nothing here."
        self.tell()
        if ref is not None:
            await self.go(kind_of(ref), ref, "")

    async def action_go_to_side(self, side: str) -> None:
        """Go to the memory at one end of an edge."""
        edge = self.table.at_cursor
        ref = edge and (edge.to if side == "to" else edge.from_)
        if ref:
            await self.go("memories", ref, "")

    async def action_go_back(self) -> None:
        """Go back to where one was."""
        spot = self.trail.back(self.spot)
        if spot:
            await self.come(spot)

    async def action_go_forward(self) -> None:
        """Go forward again."""
        spot = self.trail.forward(self.spot)
        if spot:
            await self.come(spot)

    def action_scroll_reader(self, lines: int) -> None:
        """Scroll the reader while the list keeps the keys."""
        self.side.scroll_lines(lines)

    def action_tab(self, tabs: int) -> None:
        """Show another tab of the reader."""
        self.show_talk(is_shown=False)
        self.base.query_one(ReadingPane).turn(tabs)

    def action_hit(self, step: int) -> None:
        """Go to another hit."""
        if self.transcript is not None:
            self.transcript.action_hit(step)
        else:
            self._tell_hit(self.base.query_one(ReadingPane), step)

    def _tell_hit(self, reader: ReadingPane, step: int) -> None:
        """Go to another hit of the text, and say which one that is."""
        reader.next_hit(step)
        if reader.hit:
            number, known = reader.hit
            more = "" if reader.laid.is_done else "+"
            self.message = f"hit {number} of {known}{more}"

    def action_reverse(self) -> None:
        """Turn the order around."""
        sorting = self.sorting
        self.sort(self.sorted_by, reverse=not (sorting and sorting.is_reversed))

    def action_show_archived(self) -> None:
        """List what was put away too, or no longer."""
        self.without_archived ^= {self.kind}
        self.look()

    def action_leave(self) -> None:
        """Leave what one looks at; where there is nothing to leave, the program."""
        if not self._step_back():
            self.exit()

    def action_step_back(self) -> None:
        """One step back, and never out of the program."""
        if not self._step_back():
            self.message = "q leaves."

    def action_stop(self) -> None:
        """Stop what is going on; say how to leave."""
        if not self._step_back():
            self.message = "q leaves."

    def action_redraw(self) -> None:
        """Draw the screen anew."""
        redraw = getattr(self._driver, "redraw", None)
        if redraw is not None:
            redraw()
        self.refresh(layout=True)

    @on(Bar.Clicked, "#tabs")
    async def _tab_clicked(self, event: Bar.Clicked) -> None:
        """Show the view whose tab was clicked."""
        kinds = {view.key: view.kind for view in VIEWS}
        if event.name in kinds:
            await self.action_view(kinds[event.name])

    @on(Bar.Clicked, "#hints, #status")
    async def _hint_clicked(self, event: Bar.Clicked) -> None:
        """Do what a hint tells."""
        for command in REGISTRY.in_scope(self.scope):
            if event.name in self.keyed.keys(self.scope, command):
                await self.obey(command.id)
                return

    @on(events.TextSelected)
    def _selected(self) -> None:
        """Say how what was selected with the mouse is copied."""
        told = self.keyed.keys(self.scope, REGISTRY.command("copy-selected"))
        if told and self.side.selected_text():
            self.message = f"{told[0]} copies what is selected."
            self.tell()

    def action_copy_selected(self) -> None:
        """Copy what is selected in the reader."""
        text = self.side.selected_text()
        self.message = self.copied(text)

    async def action_toggle_live(self) -> None:
        """Go on reading whatever agents write, or stop doing so."""
        if self.is_following:
            await self.stop_reading()
            self.message = "What agents write now is not read until R."
        else:
            await self.read_again()
            self.message = "Whatever agents write is read at once."

    def action_show_file(self) -> None:
        """Show the record's file in a pager."""
        from tui.browser.copying import file_of
        from tui.browser.pager import show_file

        record = self.table.at_cursor
        if record is not None:
            self.message = show_file(self, record.store, file_of(record))

    async def action_read_again(self) -> None:
        """Look at the stores again."""
        await self.read_again()

    def _leave_facets(self) -> None:
        """Turn to the list; what lies over it goes."""
        if self.size.width < ROOMY:
            self.show_facets(wanted=False)
        self.table.focus()

    @property
    def _is_beside(self) -> bool:
        """Whether what lies beside the text has the keys."""
        return isinstance(self.base.focused, (LinksPane, SeenPane))

    def _step_back(self) -> bool:
        """Close, leave or clear the nearest thing; tells whether there was one."""
        if self.review:
            self.action_end_review()
        elif self.scope is Scope.FACETS:
            self._leave_facets()
        elif self.zoomed:
            self.action_back_to_list()
        elif self.is_reading_focused or self._is_beside:
            self.table.focus()
        elif self.table.marks:
            self.table.set_marks(())
        elif self.text:
            self.ask_for("")
        elif self.is_past:
            self.action_back_to_now()
        else:
            return False
        return True
