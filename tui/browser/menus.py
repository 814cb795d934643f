"""What is chosen from a list: commands, stores, orders, queries, themes, news."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from store.clean import clean
from store.errors import RecollectError, WrongUseError
from store.kinds.memories import Memory
from store.library import sorts
from store.records.answers import Hit, News, Similar
from store.search.edit import written
from store.search.tree import All, Last, Named
from store.settings import Provider, settings_file
from tui.browser.bars import VIEWS, counted
from tui.browser.commands import Commands, Focus, Possible
from tui.browser.dialogs import Dialogs
from tui.browser.display import Display, Part
from tui.browser.filters import counts_of
from tui.browser.layout import Layout
from tui.browser.lists import Lists
from tui.browser.popups.palette import (
    ALL_STORES,
    CommandPalette,
    GoToMemory,
    GoToStore,
    KeysPage,
    LookBack,
    RunCommand,
    SignsPage,
    Wanted,
    at_a_glance,
    mark,
    number_told,
    stores_menu,
    told_of,
)
from tui.browser.popups.popup import Choice, Heading, LatePicker, Popup, Row
from tui.browser.popups.question import Prompt
from tui.browser.popups.question import Wanted as Asked
from tui.browser.query import Queries
from tui.browser.record import Step, near_in_meaning, way_between
from tui.browser.rooms.days import day_of
from tui.browser.session import Journal, Session
from tui.browser.status import Status
from tui.browser.welcome import Welcome
from tui.browser.worker import RELEVANCE, asks_for_words
from tui.commands.registry import Listing
from tui.output.text import to_the_minute
from tui.themes import ANSI, CONTRAST, DARK, LIGHT, NONE, possible_themes
from widgets.memory_table import fraction, stroke
from widgets.sheet import Pieces
from widgets.styles import Palette
from widgets.table import DOWN, UP, Sorting, told

# Menus of themes, saved queries and sort orders.


_THEMES = {
    DARK: "light text on dark",
    LIGHT: "dark text on light",
    CONTRAST: "maximum contrast",
    ANSI: "the terminal's own 16 colours",
    NONE: "no colours",
}
NO_QUERIES = "No saved queries. Search, then run :save."
"""The message if there are no saved queries."""


def themes_menu(possible: Sequence[str], current: str) -> list[Choice[str]]:
    """The themes that this terminal supports."""
    return [
        Choice(name, name, _THEMES[name], before=mark(is_set=name == current))
        for name in possible
    ]


def saved_menu(
    queries: Mapping[str, str], counts: Mapping[str, int] | None = None
) -> list[Choice[str]]:
    """The saved queries with their counts, if known; equal queries appear once."""
    known = counts or {}
    texts: dict[str, str] = {}
    for name, text in queries.items():
        texts.setdefault(text, name)
    return [
        Choice(
            text,
            name,
            text,
            before=[("' ", "brand")],
            right=number_told(known[name]) if name in known else (),
            detail=text,
        )
        for text, name in texts.items()
    ]


def naming_query(query: str, saved: Mapping[str, str]) -> Asked:
    """The prompt for the name of a query, offering existing names."""
    taken = [Choice(name, name, text) for name, text in saved.items()]
    return Asked("save query", f"name for {query}", check=_named, offers=taken)


def _named(name: str) -> None:
    if not name.strip():
        raise WrongUseError("Enter a name.")


def sort_menu(names: Sequence[str], current: Sorting) -> list[Choice[str]]:
    """The sort fields; a sign marks the current one."""
    sign = UP if current.is_ascending else DOWN
    return [
        Choice(
            name,
            name.replace("_", " "),
            before=[(f"{sign if name == current.name else ' '} ", "marked")],
            detail="Choose it again to reverse." if name == current.name else "",
        )
        for name in names
    ]


# Menus of similar memories, and of the path between two.

_ARROW = 18
"""Cells for the arrow of a link."""

_LINKED, _APART = "→ ", "  "


def alike_menu(found: Sequence[Similar]) -> list[Choice[str]]:
    """Similar memories with the reason; linked ones are marked."""
    return [
        Choice(
            one.memory.ref,
            one.memory.title,
            before=[
                (_LINKED if one.linked else _APART, "arrow"),
                *at_a_glance(one.memory),
            ],
            right=[(f"{one.score:.2f}", "muted")],
            detail=told(one.reason),
        )
        for one in found
    ]


def meaning_prompt(text: str) -> Asked:
    """Ask for what a memory should be about."""
    return Asked("search by meaning", "any words", text, _worded, is_replaced=True)


def _worded(text: str) -> None:
    """Check that a query has words; raises WrongUseError."""
    if not asks_for_words(text, "memories"):
        raise WrongUseError("Type words to search for.")


def meaning_menu(
    hits: Sequence[Hit], notes: Sequence[str]
) -> list[Choice[str] | Heading]:
    """Memories that match in words or in meaning, each with the reasons."""
    found = [(one.record, one) for one in hits]
    return [
        *(Heading(clean(note)) for note in notes),
        *(
            Choice(
                memory.ref,
                memory.title,
                before=at_a_glance(memory),
                right=[(hit.reasons[-1] if hit.reasons else "", "muted")],
                detail=told(told_of(memory)),
            )
            for memory, hit in found
            if isinstance(memory, Memory)
        ),
    ]


def way_menu(way: Sequence[Step]) -> list[Choice[str]]:
    """The memories on a path, each with the link that leads to it."""
    return [
        Choice(
            step.memory.ref,
            step.memory.title,
            before=[*_come_by(step), (" ", ""), *at_a_glance(step.memory)],
            right=[(_strength(step), "muted")],
            detail=told(told_of(step.memory)),
        )
        for step in way
    ]


def _come_by(step: Step) -> Pieces:
    """The link from the previous memory, drawn as in the graph."""
    link = step.link
    if link is None:
        return [(" " * _ARROW, "")]
    return stroke(link.type, link.strength, _ARROW, comes_in=link.direction == "in")


def _strength(step: Step) -> str:
    link = step.link
    return "" if link is None or link.strength is None else fraction(link.strength)


# What is new in the stores since the user's last session.

_EVERYWHERE = "all stores"


class Fresh(NamedTuple):
    """The new records of a kind, in one store or in all."""

    kind: str
    store: str | None

    @property
    def query(self) -> str:
        """The query that finds them."""
        since = Named("since", (Last(),))
        if self.store is None:
            return written(since)
        return written(All((since, Named("store", (self.store,)))))


class NewsPopup(Popup[Fresh]):
    """Returns what to list."""

    def __init__(self, news: Sequence[News], palette: Palette) -> None:
        super().__init__("what's new", "type to search", palette)
        self._news = news

    @property
    def nothing(self) -> str:
        """The message if nothing is new."""
        return "Nothing new since your last visit."

    def rows(self, typed: str) -> Sequence[Row]:
        """The counts of new records by kind, in all stores and in each."""
        words = typed.casefold().split()
        named = [
            one
            for one in self._news
            if all(word in f"{one.name} {one.store}".casefold() for word in words)
        ]
        return [*self._everywhere(words), *(row for one in named for row in _of(one))]

    def _everywhere(self, words: Sequence[str]) -> Iterator[Row]:
        """The counts over all stores, if several have new records."""
        if words or sum(bool(any(_counts(one))) for one in self._news) < 2:  # noqa: PLR2004  # one store alone is listed below
            return
        yield Heading(_EVERYWHERE)
        sums = (sum(column) for column in zip(*map(_counts, self._news), strict=True))
        yield from _choices(None, list(sums), "")


_KINDS = tuple(view for view in VIEWS if hasattr(News, view.kind))


def _of(news: News) -> Iterator[Row]:
    """The counts of new records in a store, if there are any."""
    counts = _counts(news)
    if not any(counts):
        return
    when = to_the_minute(news.looked) if news.looked else ""
    yield Heading(
        f"{news.name} · since {when}" if when else f"{news.name} · first visit"
    )
    yield from _choices(news.store, counts, news.store)


def _counts(news: News) -> list[int]:
    return [getattr(news, view.kind) for view in _KINDS]


def _choices(
    store: str | None, counts: Sequence[int], detail: str
) -> Iterator[Choice[Fresh]]:
    for view, count in zip(_KINDS, counts, strict=True):
        if count:
            yield Choice(
                Fresh(view.kind, store),
                counted(count, view.kind),
                before=[("  ", "")],
                detail=detail,
            )


# What is chosen from a list, and what is done with it.

_ALIKE = 20
"""Maximum number of similar memories."""

_TITLE = "search by meaning"
_NO_PROVIDER = """Search by meaning is off. To switch it on, add this to
{}

[semantic]
provider = "ollama"    # or "openai", "model2vec"

Then start recollect again, and run `recollect embed`."""


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

    def signs(self) -> None:
        """Explain the signs, those of the current view first."""
        page = SignsPage(self.lists.kind, self.dialogs.palette)
        self.display.open(page, lambda _: None)

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
        """Choose the store to show; the cursor is at first on all of them."""
        stores = await self.session.ask(lambda library: list(library.lists.stores()))
        menu = stores_menu(stores, self.session.stores)
        self.dialogs.offer("stores", menu, self.look_at, verb="open")

    async def choose_stores(self, stores: frozenset[str]) -> None:
        """Show other stores, or all if none is named, and count their records."""
        self.session.stores = stores
        await self.session.count_all()
        await self.journal.count()
        self.status.tell()

    def show_all_stores(self) -> None:
        """Show all stores again, after one of them."""
        self.status.message = f"{self.session.only_store} and all other stores again."
        self.display.run_worker(self.look_at(ALL_STORES), group="stores")

    async def look_at(self, path: str) -> None:
        """Show one store, or all for an empty path."""
        self.welcome.leave()
        await self.choose_stores(frozenset({path}) if path else frozenset())
        await self.lists.looked(keeps=True)

    def choose_sort(self) -> None:
        """Choose the sort order."""
        ranked = [RELEVANCE] if self.lists.text else []
        menu = sort_menu([*ranked, *sorts(self.lists.kind)], self.lists.order.shown)
        self.dialogs.offer("sort by", menu, self.queries.sort_by, verb="sort")

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
        notes: list[str] = []
        found = await self.session.ask(
            lambda library: library.search.similar(ref, _ALIKE, notes.append)
        )
        menu = alike_menu(found)
        self.dialogs.offer("similar memories", menu, self._go_to, verb="open")

    def by_meaning(self) -> None:
        """Ask for words, and show the memories that are near in meaning."""
        if self.session.kept.settings.semantic.provider is Provider.OFF:
            places = self.session.kept.places
            file = settings_file(places) if places else "the settings file"
            told = self.dialogs.show_trouble(_NO_PROVIDER.format(file), (), _TITLE)
            self.dialogs.begin(told)
            return
        text = self.lists.text if self.lists.kind == "memories" else ""
        self.display.push_screen(
            Prompt(meaning_prompt(text), self.dialogs.palette), self._find_meaning
        )

    def _find_meaning(self, words: str | None) -> None:
        """Show what is found once it is; keys are not held meanwhile."""
        if words is None:
            return
        semantic = self.session.kept.settings.semantic

        async def find() -> tuple[list[Choice[str] | Heading], str]:
            hits, notes = await self.session.count_worker.ask(
                lambda library: near_in_meaning(
                    library, words, semantic, self.session.stores
                )
            )
            menu = meaning_menu(hits, notes)
            return menu, " ".join(notes) or "No memory is near in meaning."

        title = f"near in meaning, by {semantic.provider}: {words}"
        asking = f"Asking {semantic.provider}…"
        picker = LatePicker(clean(title), asking, find, self.dialogs.palette)
        self.display.push_screen(picker, self._choose_meant)

    async def _choose_meant(self, ref: str | None) -> None:
        """Go to the memory that was chosen, and wait for no more of them."""
        self.hang_up()
        if ref is not None:
            await self._go_to(ref)

    def hang_up(self) -> None:
        """Wait no longer for a provider."""
        self.session.library.search.hang_up()

    async def way_between(self) -> None:
        """Show the path between the two marked memories."""
        rows = [row for row in self.lists.table.marks if isinstance(row, int)]
        found = await self.session.ask(lambda library: way_between(library, rows))
        if found:
            self.dialogs.offer("path between", way_menu(found), self._go_to)
        else:
            self.status.message = "No path between these two."

    async def _go_to(self, ref: str) -> None:
        await self.lists.go("memories", ref, "")

    async def news(self) -> None:
        """Show what is new, by kind and store."""
        news = await self.session.ask(lambda library: library.reports.news())
        self.display.open(NewsPopup(news, self.dialogs.palette), self._list_fresh)

    async def _list_fresh(self, fresh: Fresh) -> None:
        await self.choose_stores(frozenset())
        await self.lists.go(fresh.kind, None, fresh.query)
