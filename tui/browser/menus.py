"""What is chosen from a list: commands, stores, orders, queries, themes, news."""

from collections.abc import Callable

from store.errors import RecollectError
from store.library import sorts
from store.settings import settings_file
from tui.browser.commands import Commands, Focus, Possible
from tui.browser.dialogs import Dialogs
from tui.browser.display import Display, Part
from tui.browser.filters import counts_of
from tui.browser.layout import Layout
from tui.browser.lists import Lists
from tui.browser.popups.menus import (
    ALL_STORES,
    NO_QUERIES,
    Fresh,
    NewsPopup,
    alike_menu,
    naming_query,
    saved_menu,
    sort_menu,
    stores_menu,
    themes_menu,
    way_menu,
)
from tui.browser.popups.palette import (
    CommandPalette,
    GoToMemory,
    GoToStore,
    KeysPage,
    LookBack,
    RunCommand,
    Wanted,
)
from tui.browser.popups.question import Prompt
from tui.browser.query import Queries
from tui.browser.record import way_between
from tui.browser.rooms.days import day_of
from tui.browser.session import Journal, Session
from tui.browser.status import Status
from tui.browser.welcome import Welcome
from tui.browser.worker import RELEVANCE
from tui.commands.registry import Listing
from tui.themes import possible_themes

_ALIKE = 20
"""Maximum number of similar memories."""


class Menus(Part):
    """What is chosen from a list: commands, stores, orders, queries, themes, news."""

    display: Display
    session: Session
    layout: Layout
    status: Status
    lists: Lists
    journal: Journal
    dialogs: Dialogs
    welcome: Welcome
    queries: Queries
    focus: Focus
    possible: Possible
    commands: Commands
    look_back: Callable[[int], None]
    """Shows the stores as of a day."""

    def keys(self) -> None:
        """Show the page of keys."""
        page = KeysPage(self.focus.scope.value, self._listing(), self.dialogs.palette)
        self.display.open(page, self.commands.run)

    def palette(self) -> None:
        """Open the palette."""
        palette = CommandPalette(
            self._listing(),
            self.session.worker,
            self.dialogs.palette,
            day_of(self.session.now),
            tuple(self.commands.used),
            self.session.names,
        )
        self.display.open(palette, self._want)

    def _listing(self) -> Listing:
        possible = self.possible
        return Listing(possible.keyed, self.focus.scope, possible.situation)

    async def _want(self, wanted: Wanted) -> None:
        """Do what was chosen in the palette."""
        match wanted:
            case RunCommand(command):
                await self.commands.run(command)
            case GoToMemory(ref):
                await self._go_to(ref)
            case GoToStore(path):
                await self.look_at(path)
            case LookBack(day):
                self.look_back(day)

    async def choose_store(self) -> None:
        """Choose the store to show."""
        stores = await self.session.ask(lambda library: list(library.lists.stores()))
        menu = stores_menu(stores, self.session.stores)
        current = next(iter(self.session.stores), ALL_STORES)
        self.dialogs.offer("stores", menu, self.look_at, current=current)

    async def choose_stores(self, stores: frozenset[str]) -> None:
        """Show other stores, or all if none is named, and count their records."""
        self.session.stores = stores
        await self.session.count_all()
        await self.journal.count()
        self.status.tell()

    async def look_at(self, path: str) -> None:
        """Show one store, or all for an empty path."""
        self.welcome.leave()
        await self.choose_stores(frozenset({path}) if path else frozenset())
        await self.lists.looked(keeps=True)

    def choose_sort(self) -> None:
        """Choose the sort order."""
        ranked = [RELEVANCE] if self.lists.text else []
        menu = sort_menu([*ranked, *sorts(self.lists.kind)], self.lists.order.shown)
        self.dialogs.offer("sort by", menu, self.queries.sort_by)

    def choose_theme(self) -> None:
        """Choose a theme."""
        possible = possible_themes(self.layout.colours.colours)
        menu = themes_menu(possible, self.display.theme)
        choose, current = self.layout.choose_theme, self.display.theme
        self.dialogs.offer("themes", menu, choose, current=current)

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
        menu = saved_menu(saved, counts)
        ask = self.lists.ask_for
        self.dialogs.offer("saved queries", menu, ask, nothing=NO_QUERIES)

    def save(self) -> None:
        """Save the query under a name."""
        wanted = naming_query(self.lists.text, self.session.kept.saved)
        self.display.open(Prompt(wanted, self.dialogs.palette), self._save_query)

    def _save_query(self, name: str) -> None:
        try:
            self.session.kept = self.session.kept.with_query(name, self.lists.text)
        except RecollectError as error:
            self.status.message, self.status.is_wrong = str(error), True
        else:
            self.layout.query.know(saved=self.session.kept.saved)
            self.status.message = f"“{name.strip()}” saved · ' saved queries"
        self.status.tell()

    async def more_like_this(self) -> None:
        """Choose one of the most similar memories."""
        ref = self.lists.spot.ref or ""
        told: list[str] = []
        found = await self.session.ask(
            lambda library: library.search.similar(ref, _ALIKE, told.append)
        )
        menu = alike_menu(found)
        self.dialogs.offer("similar memories", menu, self._go_to)

    async def way_between(self) -> None:
        """Show the path between the two marked memories."""
        rows = [row for row in self.lists.table.marks if isinstance(row, int)]
        found = await self.session.ask(lambda library: way_between(library, rows))
        if found:
            self.dialogs.offer("path between", way_menu(found), self._go_to)
        else:
            self.status.message = "No path between these two."

    async def _go_to(self, ref: str) -> None:
        """Go to the chosen memory."""
        await self.lists.go("memories", ref, "")

    async def news(self) -> None:
        """Show what is new, by kind and store."""
        news = await self.session.ask(lambda library: library.reports.news())
        self.display.open(NewsPopup(news, self.dialogs.palette), self._list_fresh)

    async def _list_fresh(self, fresh: Fresh) -> None:
        """List the new records of a kind."""
        await self.choose_stores(frozenset())
        await self.lists.go(fresh.kind, None, fresh.query)
