"""The user's choices: query, sort order, theme, saved queries."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual.message import Message

from store.errors import RecollectError
from store.library import sorts
from store.search.edit import toggled
from store.settings import settings_file
from tui.browser.commands import Commands, Focus, Possible
from tui.browser.dialogs import Dialogs
from tui.browser.display import Display, Part
from tui.browser.facets import Facets
from tui.browser.filters import Toggled, counts_of
from tui.browser.layout import Layout
from tui.browser.lists import Lists
from tui.browser.query_bar import QueryBar
from tui.browser.record import way_between
from tui.browser.session import Journal, Session
from tui.browser.status import Status
from tui.browser.welcome import Welcome
from tui.browser.worker import RELEVANCE
from tui.themes import possible_themes
from widgets.table import Table

if TYPE_CHECKING:
    from tui.browser.popups.palette import Wanted
    from tui.commands.registry import Listing


_ALIKE = 20
"""Maximum number of similar memories."""

_ENDS = 2


class Queries(Part):
    """The query bar, and popups that change what is listed."""

    display: Display
    session: Session
    layout: Layout
    status: Status
    lists: Lists
    journal: Journal
    facets: Facets
    dialogs: Dialogs
    welcome: Welcome

    def begin(self) -> None:
        """Focus the query bar."""
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
        if event.is_accepted and event.text.strip():
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

    async def choose_store(self) -> None:
        """Choose the store to show."""
        stores = await self.session.ask(lambda library: list(library.lists.stores()))
        menu = self.dialogs.popups.stores_menu(stores, self.session.stores)
        current = next(iter(self.session.stores), self.dialogs.popups.ALL_STORES)
        self.dialogs.offer("stores", menu, self.look_at, current=current)

    async def choose_stores(self, stores: frozenset[str]) -> None:
        """Show other stores, or all if none is named, and count their records."""
        self.session.stores = stores
        await self.session.count_all()
        await self.journal.count()
        self.status.tell()

    async def look_at(self, path: str | None) -> None:
        """Show one store or all."""
        if path is not None:
            self.welcome.leave()
            await self.choose_stores(frozenset({path}) if path else frozenset())
            await self.lists.looked(keeps=True)

    def choose_sort(self) -> None:
        """Choose the sort order."""
        names = [
            *([RELEVANCE] if self.lists.text else []),
            *sorts(self.lists.kind),
        ]
        menu = self.dialogs.popups.sort_menu(
            names,
            self.lists.order.shown,
        )
        self.dialogs.offer("sort by", menu, self._sort_by)

    def _sort_by(self, name: str | None) -> None:
        if name is not None:
            sorting = self.lists.order.chosen
            is_same = self.lists.order.name == name
            self.lists.order.sort(
                name, reverse=is_same and not (sorting and sorting.is_reversed)
            )

    def sort_asked(self, event: Table.SortAsked) -> None:
        """Sort by the column whose title was clicked."""
        if event.name in sorts(self.lists.kind):
            self._sort_by(event.name)

    def choose_theme(self) -> None:
        """Choose a theme."""
        possible = possible_themes(self.layout.colours.colours)
        menu = self.dialogs.popups.themes_menu(possible, self.display.theme)
        self.dialogs.offer("themes", menu, self._take_theme, current=self.display.theme)

    def _take_theme(self, theme: str | None) -> None:
        if theme is not None:
            self.layout.choose_theme(theme)

    def show_settings(self) -> None:
        """Show the path of the settings file."""
        kept = self.session.kept
        if kept.places:
            file = settings_file(kept.places)
            self.status.message = f"Settings: {file}"
        else:
            self.status.message = "This session has no settings file."

    async def choose_saved(self) -> None:
        """Choose a saved query."""
        saved, kind = self.session.kept.saved, self.lists.kind
        counts = await self.session.ask(lambda library: counts_of(library, kind, saved))
        menu = self.dialogs.popups.saved_menu(saved, counts)
        self.dialogs.offer(
            "saved queries",
            menu,
            self._ask_saved,
            nothing=self.dialogs.popups.NO_QUERIES,
        )

    def save(self) -> None:
        """Save the query under a name."""
        wanted = self.dialogs.popups.naming_query(
            self.lists.text, self.session.kept.saved
        )
        self.display.push_screen(
            self.dialogs.popups.Prompt(wanted, self.dialogs.palette),
            self._save_query,
        )

    def _save_query(self, name: str | None) -> None:
        if name is None:
            return
        try:
            self.session.kept = self.session.kept.with_query(name, self.lists.text)
        except RecollectError as error:
            self.status.message, self.status.is_wrong = str(error), True
        else:
            self.layout.query.know(saved=self.session.kept.saved)
            self.status.message = f"“{name.strip()}” saved · ' saved queries"
        self.status.tell()

    def _ask_saved(self, text: str | None) -> None:
        if text is not None:
            self.lists.ask_for(text)

    async def more_like_this(self) -> None:
        """Choose one of the most similar memories."""
        ref = self.lists.spot.ref or ""
        told: list[str] = []
        found = await self.session.ask(
            lambda library: library.search.similar(ref, _ALIKE, told.append)
        )
        menu = self.dialogs.popups.alike_menu(found)
        self.dialogs.offer("similar memories", menu, self._go_to)

    async def way_between(self) -> None:
        """Show the path between the two marked memories."""
        rows = [row for row in self.lists.table.marks if isinstance(row, int)]
        found = await self.session.ask(lambda library: way_between(library, rows))
        if found:
            self.dialogs.offer(
                "path between", self.dialogs.popups.way_menu(found), self._go_to
            )
        else:
            self.status.message = "No path between these two."

    async def _go_to(self, ref: str | None) -> None:
        """Go to the chosen memory."""
        if ref is not None:
            await self.lists.go("memories", ref, "")


class Menus(Part):
    """The palette and the page of keys."""

    display: Display
    session: Session
    lists: Lists
    dialogs: Dialogs
    queries: Queries
    focus: Focus
    possible: Possible
    commands: Commands
    look_back: Callable[[int], None]
    """Shows the stores as they were on a day."""

    def keys(self) -> None:
        """Show the page of keys."""
        page = self.dialogs.popups.KeysPage(
            self.focus.scope.value, self._listing(), self.dialogs.palette
        )
        self.display.push_screen(page, self._run)

    def palette(self) -> None:
        """Open the palette."""
        popups = self.dialogs.popups
        palette = popups.CommandPalette(
            self._listing(),
            self.session.worker,
            self.dialogs.palette,
            popups.day_of(self.session.now),
            tuple(self.commands.used),
        )
        self.display.push_screen(palette, self._want)

    def _listing(self) -> "Listing":
        possible = self.possible
        return self.dialogs.popups.Listing(
            possible.keyed, self.focus.scope, possible.situation
        )

    async def _run(self, command: str | None) -> None:
        """Run the chosen command."""
        if command is not None:
            await self.commands.run(command)

    async def _want(self, wanted: "Wanted | None") -> None:
        """Do what was chosen in the palette."""
        popups = self.dialogs.popups
        if isinstance(wanted, popups.RunCommand):
            await self.commands.run(wanted.command)
        elif isinstance(wanted, popups.GoToMemory):
            await self.lists.go("memories", wanted.ref, "")
        elif isinstance(wanted, popups.LookBack):
            self.look_back(wanted.day)
        elif isinstance(wanted, popups.GoToStore):
            await self.queries.look_at(wanted.path)
