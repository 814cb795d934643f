"""The open stores, as this session of the browser sees them, and its workers."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from store.library import Library, StoreName
from store.search.tree import EVERYTHING, Named
from tui.browser.bars import READ_ONLY, VIEWS
from tui.browser.state import Kept
from tui.browser.worker import Worker

if TYPE_CHECKING:
    from store.past.lookback import Lookback
    from tui.output.reports import Progress

Answer = TypeVar("Answer")


class Pinned(Struct, frozen=True):
    """Conversations pinned or unpinned in this session, which undo can reverse."""

    names: Sequence[str]
    """Their refs."""
    told: str
    """Which they are, in words."""
    pins: bool
    after: str | None
    """The newest change of a store at that time."""


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
        self.counts: Mapping[str, int] = {}
        """The number of records of each kind."""
        self.access = READ_ONLY
        """Whether the stores may be changed, as the tabs show it."""
        self.pinned: list[Pinned] = []
        """The conversations pinned or unpinned, newest last."""
        self.unpinned: list[Pinned] = []
        """Those of them that were undone, for redo."""
        self.review: Progress | None = None
        """The review that is going on."""
        self.list_worker = Worker(library)
        """The worker for lists."""
        self.worker = Worker(library)
        """The worker for records, which lists never wait for."""
        self.count_worker = Worker(library)
        """The worker for counts and related records."""
        self.change_worker = Worker(library)
        """The worker for changes."""

    @property
    def now(self) -> int:
        """Microseconds since 1970."""
        return self.library.stores.now

    @property
    def lookback(self) -> "Lookback | None":
        """The earlier state that is shown; None in the present."""
        return self.library.stores.lookback

    @property
    def stores_on_screen(self) -> frozenset[str]:
        """The paths of the open stores."""
        return self.stores or frozenset(map(str, self.library.stores.chosen))

    async def ask(self, question: Callable[[Library], Answer]) -> Answer:
        """Ask the library in a worker thread."""
        return await self.worker.ask(question)

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
        is_free = not self.library.access.is_read_only
        self.access = self.kept.access(stores) if is_free else READ_ONLY

    async def close(self) -> None:
        """End the workers."""
        for worker in (
            self.change_worker,
            self.list_worker,
            self.worker,
            self.count_worker,
        ):
            await worker.close()


def _counts(library: Library, stores: Collection[str]) -> dict[str, int]:
    """The number of records of each kind in some stores, or in all."""
    where = Named("store", tuple(sorted(stores))) if stores else EVERYTHING
    return {view.kind: library.lists.count(view.kind, where) for view in VIEWS}
