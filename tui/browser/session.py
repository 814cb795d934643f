"""What the browser remembers, and the open stores as this session sees them."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from store.clean import clean
from store.library import Library, StoreName
from store.machine import NotWrittenError, Places
from store.records.reports import Past
from store.saved_queries import save_query
from store.search.tree import EVERYTHING, Named
from store.settings import Settings
from store.state import (
    Last,
    count_start,
    keep_last,
    last_looks,
    look,
    permit,
    permitted,
    read_history,
    read_last,
    remember,
    starts,
)
from tui.browser.bars import EDITING, READ_ONLY, VIEWS, listed, place
from tui.browser.display import Part
from tui.browser.sync import Reading
from tui.browser.worker import Worker

if TYPE_CHECKING:
    from store.past.lookback import Lookback
    from tui.output.reports import Progress


# What is remembered between sessions: queries, layout, permissions.

STARTS = 3
"""Number of starts at which hints are shown."""

NOT_ALLOWED = "Read-only. Press ! to allow edits."
"""Said of an open store that the user has not allowed to be changed."""
ONLY_READ = "recollect only reads this store; it can't be edited."
"""Said of a store that can't be changed, whatever the user allows."""

_NAMED = 2
"""Maximum number of stores that a message names."""


class Kept(Struct, frozen=True):
    """The user's settings and the saved state; without places, nothing is saved."""

    settings: Settings = field(default_factory=Settings)
    places: Places | None = None

    @property
    def saved(self) -> Mapping[str, str]:
        """The saved queries, by name."""
        return self.settings.queries

    def with_query(self, name: str, query: str) -> "Kept":
        """The same with a query saved; raises a RecollectError if that fails."""
        if self.places is None:
            raise NotWrittenError("State can't be saved here, so queries can't either.")
        save_query(self.places, name, query)
        queries = {**self.saved, name.strip(): query}
        return replace(self, settings=replace(self.settings, queries=queries))

    def earlier(self) -> tuple[str, ...]:
        """The query history, newest last."""
        return read_history(self.places).queries if self.places else ()

    def remember(self, query: str) -> str:
        """Add a query to the history; returns an error message or nothing."""
        if self.places is None:
            return ""
        try:
            remember(self.places, query)
        except NotWrittenError as error:
            return str(error)
        return ""

    def last(self, opened: Iterable[Path]) -> Last:
        """The last session with these stores."""
        return read_last(self.places, opened) if self.places else Last()

    def leave(self, opened: Iterable[Path], last: Last) -> None:
        """Save the session with these stores; errors are ignored."""
        if self.places is not None:
            with suppress(NotWrittenError):
                keep_last(self.places, opened, last)

    @property
    def starts(self) -> int:
        """The number of earlier starts."""
        return starts(self.places) if self.places else STARTS

    def count_start(self) -> None:
        """Count this start."""
        if self.places is not None:
            with suppress(NotWrittenError):
                count_start(self.places)

    def access(self, stores: Sequence[StoreName], chosen: Iterable[Path]) -> str:
        """Whether the stores may be changed, for the tab bar."""
        return access(stores, self.places, chosen) if self.places else READ_ONLY

    def may_change(self, store: str) -> bool:
        """Whether the user has allowed changes to a store."""
        return self.places is not None and store in permitted(self.places)

    def permit(
        self, stores: Mapping[str, str], *, changes: bool, among: int = 0
    ) -> str:
        """Allow or forbid changes to stores, by path with names; returns a message.

        `among` is the number of open stores, some of which nothing can change.
        """
        if self.places is None:
            return "State can't be saved here, so edits can't be allowed."
        try:
            for store in stores:
                permit(self.places, store, changes=changes)
        except NotWrittenError as error:
            return str(error)
        names = [clean(name) for name in stores.values()]
        these = listed(names) if len(names) <= _NAMED else f"{len(names)} stores"
        others = max(among - len(names), 0)
        rest = f"; {others} can only be read" if others else ""
        told = f"Edits allowed in {these}, also next time{rest}. ! turns it off."
        return told if changes else NOT_ALLOWED

    def last_looks(self) -> Mapping[str, int]:
        """The time of the user's last session with each store, by path."""
        return last_looks(self.places) if self.places else {}

    def look(self, stores: Iterable[Path], now: int) -> None:
        """Save the time of a session with some stores."""
        if self.places is not None:
            with suppress(NotWrittenError):
                look(self.places, stores, now)


def access(
    stores: Sequence[StoreName], places: Places, chosen: Iterable[Path] = ()
) -> str:
    """`editing` if the user allows edits of all writable stores, else `read-only`.

    Before any store is read, a permission for one of the chosen ones is enough.
    """
    allowed = permitted(places)
    ours = [store.path in allowed for store in stores if store.writable]
    if not stores:
        ours = [True for path in chosen if str(path) in allowed]
    return EDITING if ours and all(ours) else READ_ONLY


# The stores on the screen, and what is known of them.

Answer = TypeVar("Answer")


class Session:
    """The library, the stores on the screen, and what is known of them."""

    def __init__(self, library: Library, kept: Kept, *, reads: bool) -> None:
        self.library = library
        self.kept = kept
        """What is remembered between sessions."""
        self.reads = reads
        """Whether stores are synced, or only the index is shown."""
        self.stores: frozenset[str] = frozenset()
        """The stores to show; empty means all."""
        self.names: Mapping[str, str] = {}
        """The names of stores, by path."""
        self.fixed: frozenset[str] = frozenset()
        """The paths of the stores that can't be changed, whatever is allowed."""
        self.counts: Mapping[str, int] = {}
        """The number of records of each kind."""
        self.access = READ_ONLY
        """Whether the stores may be changed, as the tabs show it."""
        self.project: str | None = None
        """The folder of the project last chosen to recall for."""
        self.review: Progress | None = None
        """The review that is going on."""
        self.is_reading = reads and bool(library.stores.chosen)
        """Whether the first sync is not finished."""
        self.progress: Reading | None = None
        """What the sync last reported."""
        self.list_worker = Worker(library, keeps=8)
        """The worker for lists."""
        self.worker = Worker(library)
        """The worker for records, which lists never wait for."""
        self.count_worker = Worker(library)
        """The worker for counts and related records."""
        self.change_worker = Worker(library)
        """The worker for changes."""
        self.know_names(())

    @property
    def now(self) -> int:
        """Microseconds since 1970."""
        return self.library.stores.now

    @property
    def lookback(self) -> "Lookback | None":
        """The earlier state that is shown; None in the present."""
        return self.library.stores.lookback

    @property
    def now_reading(self) -> Reading | None:
        """The progress of the first sync; None if it is finished."""
        return (self.progress or Reading()) if self.is_reading else None

    @property
    def is_filling(self) -> bool:
        """Whether the sync reports files that it has still to read."""
        progress = self.progress
        return progress is not None and not progress.finished and progress.total > 0

    @property
    def stores_on_screen(self) -> frozenset[str]:
        """The paths of the open stores."""
        return self.stores or frozenset(map(str, self.library.stores.chosen))

    @property
    def only_store(self) -> str:
        """The name of the store chosen among others; empty without one."""
        is_of_all = self.stores >= frozenset(map(str, self.library.stores.chosen))
        return place(self.stores, self.names) if self.stores and not is_of_all else ""

    @property
    def may_be_allowed(self) -> bool:
        """Whether there is an open store for which edits could still be allowed."""
        is_open = not self.read_only() and self.access != EDITING
        return is_open and not self.stores_on_screen <= self.fixed

    def read_only(self, store: str = "") -> str:
        """Why a store is read-only, or the session if none is named; empty if not."""
        if self.library.access.is_read_only:
            return "This session is read-only."
        if not store or self.kept.may_change(store):
            return ""
        if store in self.fixed:
            return ONLY_READ
        if store in self.stores_on_screen:
            return NOT_ALLOWED
        name = self.names.get(store, store)
        return f"{name} is read-only. Open it and press ! to allow edits."

    async def ask(
        self, question: Callable[[Library], Answer], about: Hashable = None
    ) -> Answer:
        """Ask the library in a worker thread."""
        return await self.worker.ask(question, about)

    async def ask_changes(self, question: Callable[[Library], Answer]) -> Answer:
        """Ask the library in the worker thread for changes."""
        return await self.change_worker.ask(question)

    async def count_all(self) -> None:
        """Count the records of the open stores."""
        stores = self.stores
        self.counts = await self.list_worker.ask(
            lambda library: _counts(library, stores)
        )

    async def learn_names(self) -> None:
        """Update the names of the stores, which a sync may have read or changed."""
        self.know_names(
            await self.list_worker.ask(lambda library: library.lists.names())
        )

    def know_names(self, stores: "Sequence[StoreName]") -> None:
        """Set the names of the stores and whether they may be changed."""
        self.names = {store.path: store.name for store in stores}
        self.fixed = frozenset(store.path for store in stores if not store.writable)
        access = self.kept.access(stores, self.library.stores.chosen)
        self.access = READ_ONLY if self.read_only() else access

    async def close(self) -> None:
        """End the workers."""
        async with AsyncExitStack() as rest:
            for worker in (
                self.count_worker,
                self.worker,
                self.list_worker,
                self.change_worker,
            ):
                rest.push_async_callback(worker.close)


class Journal(Part):
    """What can be undone, redone and edited further, counted after each change."""

    session: Session
    undoable: int = 0
    """Number of changes that can be undone."""
    redoable: int = 0
    """Number of changes that can be redone."""
    elsewhere: int = 0
    """Number of changes in stores that are not open."""
    undoes_everywhere: bool = False
    """Whether undo, redo and the change log cover stores that are not open."""
    half_done: Sequence[Past] = ()
    """The half-done changes of the open stores."""
    drafts: int = 0
    """Number of unsaved drafts."""
    drafts_here: int = 0
    """Number of unsaved drafts that can be continued in the open stores."""

    @property
    def stores(self) -> Sequence[Path] | None:
        """The stores that undo, redo and the change log cover; None for all stores."""
        if self.undoes_everywhere:
            return None
        return [Path(store) for store in self.session.stores_on_screen]

    async def count(self) -> None:
        """Count changes and drafts."""
        session, here = self.session, self.session.stores_on_screen
        past, drafts, half_done = await session.change_worker.ask(
            lambda library: (
                library.journal.past(),
                library.journal.drafts(),
                library.journal.half_done(),
            )
        )
        is_wide = self.undoes_everywhere
        covered = [one for one in past if is_wide or not here.isdisjoint(one.stores)]
        done = sum(not one.undone for one in covered)
        self.undoable = done
        self.redoable = len(covered) - done
        self.elsewhere = len(past) - len(covered)
        self.drafts = len(drafts)
        self.drafts_here = sum(one.store in {None, *here} for one in drafts)
        self.half_done = [
            past
            for past in half_done
            if not here.isdisjoint({past.store, *(c.store for c in past.conflicts)})
        ]


def _counts(library: Library, stores: Collection[str]) -> dict[str, int]:
    where = Named("store", tuple(sorted(stores))) if stores else EVERYTHING
    return {view.kind: library.lists.count(view.kind, where) for view in VIEWS}
