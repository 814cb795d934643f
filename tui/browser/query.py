"""The user's choices: query, sort order, theme, saved queries."""

from functools import partial
from typing import TYPE_CHECKING

from store.errors import RecollectError
from store.library import sorts
from store.search.edit import toggled
from store.settings import settings_file
from tui.browser.filters import Toggled, counts_of
from tui.browser.query_bar import QueryBar
from tui.browser.record import way_between
from tui.browser.rooms.room import Room
from tui.browser.worker import RELEVANCE
from tui.themes import possible_themes
from widgets.table import Table

if TYPE_CHECKING:
    from tui.browser.app import Browser
    from tui.browser.popups.palette import Wanted


_ALIKE = 20
"""Maximum number of similar memories."""

_ENDS = 2


class Queries:
    """The query bar, and popups that change what is listed."""

    def __init__(self, browser: "Browser") -> None:
        self._browser = browser
        self.has_chosen_theme = False
        """Whether the theme was chosen by the user in this session."""

    def begin(self) -> None:
        """Focus the query bar."""
        self._browser.facets.load_values()
        self._browser.layout.base.query_one(QueryBar).begin()

    def asked(self, event: QueryBar.Asked) -> None:
        """Update the list with every letter typed."""
        self._browser.lists.text = event.text
        self._browser.lists.look(keeps=False)

    def left(self, event: QueryBar.Left) -> None:
        """Focus the list and add the query to the history."""
        self._browser.lists.table.sheet.focus()
        if event.is_accepted and event.text.strip():
            self._browser.status.message = self._browser.session.kept.remember(
                event.text
            )
            self._browser.layout.base.query_one(QueryBar).know(
                earlier=self._browser.session.kept.earlier()
            )
        self._browser.status.tell()

    def missed(self, event: QueryBar.Missed) -> None:
        """Report that there is nothing to suggest."""
        self._browser.status.message = event.told
        self._browser.status.tell()

    def moved(self, event: QueryBar.Moved) -> None:
        """Move the cursor of the list while the user types."""
        self._browser.lists.when_listed(partial(self._move_cursor, event.rows))

    async def _move_cursor(self, rows: int) -> None:
        self._browser.lists.table.move(rows)

    def ask_for(self, text: str) -> None:
        """Set the query as if it had been typed."""
        self._browser.lists.text = text
        self._browser.layout.base.query_one(QueryBar).text = text
        self._browser.lists.look(keeps=False)

    def filter_by(self, field: str, value: str) -> None:
        """Add a value to the query, or remove it."""
        self._browser.welcome.leave()
        lists = self._browser.lists
        self.ask_for(toggled(lists.text, [lists.kind], field, value, negated=False))

    def show_keys(self) -> None:
        """Show the page of keys."""
        listing = self._browser.dialogs.popups.Listing(
            self._browser.commands.keyed,
            self._browser.commands.scope,
            self._browser.commands.situation,
        )
        page = self._browser.dialogs.popups.KeysPage(
            self._browser.commands.scope.value, listing, self._browser.layout.palette
        )
        self._browser.push_screen(page, self._run)

    def show_palette(self) -> None:
        """Open the palette."""
        listing = self._browser.dialogs.popups.Listing(
            self._browser.commands.keyed,
            self._browser.commands.scope,
            self._browser.commands.situation,
        )
        today = self._browser.dialogs.popups.day_of(self._browser.session.now)
        palette = self._browser.dialogs.popups.CommandPalette(
            listing,
            self._browser.session.worker,
            self._browser.layout.palette,
            today,
            tuple(self._browser.commands.used),
        )
        self._browser.push_screen(palette, self._want)

    async def _run(self, command: str | None) -> None:
        """Run the chosen command."""
        if command is not None:
            await self._browser.obey(command)

    async def choose_store(self) -> None:
        """Choose the store to show."""
        stores = await self._browser.session.ask(
            lambda library: list(library.lists.stores())
        )
        menu = self._browser.dialogs.popups.stores_menu(
            stores, self._browser.session.stores
        )
        current = next(
            iter(self._browser.session.stores), self._browser.dialogs.popups.ALL_STORES
        )
        picker = self._browser.dialogs.popups.Picker(
            "stores", menu, self._browser.layout.palette, current=current
        )
        self._browser.push_screen(picker, self._look_at)

    async def _look_at(self, path: str | None) -> None:
        """Show one store or all."""
        if path is not None:
            self._browser.welcome.leave()
            self._browser.session.stores = frozenset({path}) if path else frozenset()
            await self._browser.lists.stores_chosen()
            await self._browser.lists.looked(keeps=True)

    def choose_sort(self) -> None:
        """Choose the sort order."""
        names = [
            *([RELEVANCE] if self._browser.lists.text else []),
            *sorts(self._browser.lists.kind),
        ]
        menu = self._browser.dialogs.popups.sort_menu(
            names,
            self._browser.lists.order.shown,
        )
        self._browser.push_screen(
            self._browser.dialogs.popups.Picker(
                "sort by", menu, self._browser.layout.palette
            ),
            self._sort_by,
        )

    def _sort_by(self, name: str | None) -> None:
        if name is not None:
            sorting = self._browser.lists.order.chosen
            is_same = self._browser.lists.order.name == name
            self._browser.lists.order.sort(
                name, reverse=is_same and not (sorting and sorting.is_reversed)
            )

    def sort_asked(self, event: Table.SortAsked) -> None:
        """Sort by the column whose title was clicked."""
        if event.name in sorts(self._browser.lists.kind):
            self._sort_by(event.name)

    def choose_theme(self) -> None:
        """Choose a theme."""
        possible = possible_themes(self._browser.layout.colours.colours)
        menu = self._browser.dialogs.popups.themes_menu(possible, self._browser.theme)
        picker = self._browser.dialogs.popups.Picker(
            "themes", menu, self._browser.layout.palette, current=self._browser.theme
        )
        self._browser.push_screen(picker, self._take_theme)

    def _take_theme(self, theme: str | None) -> None:
        if theme is not None:
            self._browser.theme = theme
            self.has_chosen_theme = True
            self._browser.layout.paint()

    def show_settings(self) -> None:
        """Show the path of the settings file."""
        kept = self._browser.session.kept
        if kept.places:
            file = settings_file(kept.places)
            self._browser.status.message = f"Settings: {file}"
        else:
            self._browser.status.message = "This session has no settings file."

    async def choose_saved(self) -> None:
        """Choose a saved query."""
        saved, kind = self._browser.session.kept.saved, self._browser.lists.kind
        counts = await self._browser.session.ask(
            lambda library: counts_of(library, kind, saved)
        )
        menu = self._browser.dialogs.popups.saved_menu(saved, counts)
        picker = self._browser.dialogs.popups.Picker(
            "saved queries",
            menu,
            self._browser.layout.palette,
            nothing=self._browser.dialogs.popups.NO_QUERIES,
        )
        self._browser.push_screen(picker, self._ask_saved)

    def save(self) -> None:
        """Save the query under a name."""
        wanted = self._browser.dialogs.popups.naming_query(
            self._browser.lists.text, self._browser.session.kept.saved
        )
        self._browser.push_screen(
            self._browser.dialogs.popups.Prompt(wanted, self._browser.layout.palette),
            self._save_query,
        )

    def _save_query(self, name: str | None) -> None:
        if name is None:
            return
        try:
            self._browser.session.kept = self._browser.session.kept.with_query(
                name, self._browser.lists.text
            )
        except RecollectError as error:
            self._browser.status.message, self._browser.status.is_wrong = (
                str(error),
                True,
            )
        else:
            self._browser.layout.base.query_one(QueryBar).know(
                saved=self._browser.session.kept.saved
            )
            self._browser.status.message = f"“{name.strip()}” saved · ' saved queries"
        self._browser.status.tell()

    def _ask_saved(self, text: str | None) -> None:
        if text is not None:
            self.ask_for(text)

    def _facet(self, event: Toggled | Room.Asked) -> None:
        """Set the query that a facet or the room has changed."""
        self.ask_for(event.text)

    async def more_like_this(self) -> None:
        """Choose one of the most similar memories."""
        ref = self._browser.lists.spot.ref or ""
        told: list[str] = []
        found = await self._browser.session.ask(
            lambda library: library.search.similar(ref, _ALIKE, told.append)
        )
        menu = self._browser.dialogs.popups.alike_menu(found)
        self._browser.push_screen(
            self._browser.dialogs.popups.Picker(
                "similar memories", menu, self._browser.layout.palette
            ),
            self._go_to,
        )

    async def way_between(self) -> None:
        """Show the path between the two marked memories."""
        rows = [row for row in self._browser.lists.table.marks if isinstance(row, int)]
        found = await self._browser.session.ask(
            lambda library: way_between(library, rows)
        )
        if found:
            picker = self._browser.dialogs.popups.Picker(
                "path between",
                self._browser.dialogs.popups.way_menu(found),
                self._browser.layout.palette,
            )
            self._browser.push_screen(picker, self._go_to)
        else:
            self._browser.status.message = "No path between these two."

    async def _go_to(self, ref: str | None) -> None:
        """Go to the chosen memory."""
        if ref is not None:
            await self._browser.lists.go("memories", ref, "")

    async def _want(self, wanted: "Wanted | None") -> None:
        """Do what was chosen in the palette."""
        if isinstance(wanted, self._browser.dialogs.popups.RunCommand):
            await self._browser.obey(wanted.command)
        elif isinstance(wanted, self._browser.dialogs.popups.GoToMemory):
            await self._browser.lists.go("memories", wanted.ref, "")
        elif isinstance(wanted, self._browser.dialogs.popups.LookBack):
            self._browser.parts.past.choose_day(wanted.day)
        elif isinstance(wanted, self._browser.dialogs.popups.GoToStore):
            await self._look_at(wanted.path)
