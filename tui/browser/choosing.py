"""What is chosen: a query, a command, a store, an order, a theme."""

from typing import TYPE_CHECKING

from textual import on

from store.errors import RecollectError
from store.library import sorts
from tui.browser.asking.query_bar import QueryBar
from tui.browser.data.found import RELEVANCE
from tui.browser.facets.toggled import Toggled
from tui.browser.living import Living
from tui.browser.rooms.room import Room
from tui.themes.choice import possible_themes
from widgets.columns.table import Table

if TYPE_CHECKING:
    from tui.browser.popups.command_palette import Wanted
    from tui.browser.popups.popups import Popups

_ALIKE = 20
"""So many memories that are alike are told."""

_ENDS = 2


class Choosing(Living):
    """The query bar, and what lies over the screen for a moment."""

    @property
    def popups(self) -> "type[Popups]":
        """All kinds of popup, loaded for the first one that is opened."""
        from tui.browser.popups.popups import Popups

        return Popups

    def action_back_to_list(self) -> None:
        """Turn to the list again."""
        self.zoom("")
        self.table.focus()

    def action_filter(self) -> None:
        """Type a query."""
        self.base.query_one(QueryBar).begin()

    @on(QueryBar.Asked)
    def _asked(self, event: QueryBar.Asked) -> None:
        """The list follows every letter."""
        self.text = event.text
        self.look(keeps=False)

    @on(QueryBar.Left)
    def _left(self, event: QueryBar.Left) -> None:
        """Turn to the list; what was asked is remembered."""
        self.table.focus()
        if event.is_accepted and event.text.strip():
            self.message = self.kept.remember(event.text)
            self.base.query_one(QueryBar).know(earlier=self.kept.earlier())
        self.tell()

    @on(QueryBar.Missed)
    def _missed(self, event: QueryBar.Missed) -> None:
        """Say what there is none of."""
        self.message = event.told
        self.tell()

    @on(QueryBar.Moved)
    def _moved(self, event: QueryBar.Moved) -> None:
        """Move in the list while one types."""
        self.table.move(event.rows)

    def ask_for(self, text: str) -> None:
        """Ask for something else, as if it had been typed."""
        self.text = text
        self.base.query_one(QueryBar).text = text
        self.look(keeps=False)

    def action_keys(self) -> None:
        """Show what can be pressed here."""
        listing = self.popups.Listing(self.keyed, self.scope, self.situation)
        page = self.popups.KeysPage(self.scope.value, listing, self.palette)
        self.push_screen(page, self._run)

    def action_palette(self) -> None:
        """Find a command, a memory or a store by its name."""
        listing = self.popups.Listing(self.keyed, self.scope, self.situation)
        today = self.popups.day_of(self.now)
        palette = self.popups.CommandPalette(listing, self.desk, self.palette, today)
        self.push_screen(palette, self._want)

    async def _run(self, command: str | None) -> None:
        """Carry out what was chosen."""
        if command is not None:
            await self.obey(command)

    async def _want(self, wanted: "Wanted | None") -> None:
        """Do what the palette was left with."""
        if isinstance(wanted, self.popups.RunCommand):
            await self.obey(wanted.command)
        elif isinstance(wanted, self.popups.GoToMemory):
            await self.go("memories", wanted.ref, "")
        elif isinstance(wanted, self.popups.GoToStore):
            await self._look_at(wanted.path)

    async def action_go_to_store(self) -> None:
        """Choose the store to look at."""
        stores = await self.ask(lambda library: list(library.stores()))
        menu = self.popups.stores_menu(stores, self.stores)
        current = next(iter(self.stores), self.popups.ALL_STORES)
        picker = self.popups.Picker("stores", menu, self.palette, current=current)
        self.push_screen(picker, self._look_at)

    async def _look_at(self, path: str | None) -> None:
        """Look at one store, or at all of them."""
        if path is not None:
            self.stores = frozenset({path}) if path else frozenset()
            await self.count_all()
            await self.looked(keeps=True)

    def action_sort(self) -> None:
        """Choose what the list is ordered by."""
        sorting = self.sorting
        names = [*([RELEVANCE] if self.text else []), *sorts(self.kind)]
        menu = self.popups.sort_menu(
            names,
            self.sorted_by,
            is_reversed=bool(sorting and sorting.is_reversed),
        )
        self.push_screen(
            self.popups.Picker("sort by", menu, self.palette), self._sort_by
        )

    def _sort_by(self, name: str | None) -> None:
        if name is not None:
            sorting = self.sorting
            is_same = self.sorted_by == name
            self.sort(name, reverse=is_same and not (sorting and sorting.is_reversed))

    @on(Table.SortAsked)
    def _sort_asked(self, event: Table.SortAsked) -> None:
        """A title was clicked."""
        if event.name in sorts(self.kind):
            self._sort_by(event.name)

    def action_choose_theme(self) -> None:
        """Choose the colours."""
        possible = possible_themes(self.chosen.colours)
        menu = self.popups.themes_menu(possible, self.theme)
        picker = self.popups.Picker("themes", menu, self.palette, current=self.theme)
        self.push_screen(picker, self._take_theme)

    def _take_theme(self, theme: str | None) -> None:
        if theme is not None:
            self.theme = theme
            self.has_chosen_theme = True
            self.paint()

    async def action_saved_queries(self) -> None:
        """Choose a query that was saved."""
        from tui.browser.facets.gathered import counts_of

        saved, kind = self.kept.saved, self.kind
        counts = await self.ask(lambda library: counts_of(library, kind, saved))
        menu = self.popups.saved_menu(saved, counts)
        picker = self.popups.Picker(
            "saved queries", menu, self.palette, nothing=self.popups.NO_QUERIES
        )
        self.push_screen(picker, self._ask_saved)

    def action_save_query(self) -> None:
        """Keep the query under a name."""
        wanted = self.popups.naming_query(self.text, self.kept.saved)
        self.push_screen(self.popups.Prompt(wanted, self.palette), self._save_query)

    def _save_query(self, name: str | None) -> None:
        if name is None:
            return
        try:
            self.kept = self.kept.with_query(name, self.text)
        except RecollectError as error:
            self.message, self.is_wrong = str(error), True
        else:
            self.base.query_one(QueryBar).know(saved=self.kept.saved)
            self.message = f"“{name.strip()}” is saved · ' finds it"
        self.tell()

    def _ask_saved(self, text: str | None) -> None:
        if text is not None:
            self.ask_for(text)

    def action_facets(self) -> None:
        """Show what the result consists of; then give the keys back."""
        self.show_facets(wanted=not self.has_facets)
        if self.has_facets:
            self.facet_pane.focus()
        else:
            self.table.focus()

    @on(Toggled)
    @on(Room.Asked)
    def _facet(self, event: Toggled | Room.Asked) -> None:
        """Facets write the query."""
        self.ask_for(event.text)

    async def action_more_like_this(self) -> None:
        """Choose among the memories that are most like this one."""
        ref = self.spot.ref or ""
        told: list[str] = []
        found = await self.ask(
            lambda library: library.similar(ref, _ALIKE, told.append)
        )
        menu = self.popups.alike_menu(found)
        self.push_screen(
            self.popups.Picker("more like this", menu, self.palette), self._go_to
        )

    async def action_way_between(self) -> None:
        """Show the way between the two memories that are marked."""
        from tui.browser.data.way import way_between

        rows = [row for row in self.table.marks if isinstance(row, int)]
        found = await self.ask(lambda library: way_between(library, rows))
        if found:
            picker = self.popups.Picker(
                "the way between", self.popups.way_menu(found), self.palette
            )
            self.push_screen(picker, self._go_to)
        else:
            self.message = "No edges lead from one to the other."

    async def _go_to(self, ref: str | None) -> None:
        """Go to a memory that was chosen."""
        if ref is not None:
            await self.go("memories", ref, "")
