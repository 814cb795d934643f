"""The only door to the stores: sync, list, search, show and change what they hold."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from store.answers.index import Index, silent
from store.answers.journal import Journal
from store.answers.lists import Lists
from store.answers.stores import Access, OpenStores, Writing
from store.catalogue.database import IN_MEMORY
from store.catalogue.reader import Page, StoreName
from store.catalogue.sync import Move
from store.derive.conversations import USUAL
from store.kinds import KINDS, Record
from store.records.reports import Progress, StoreReport, SyncReport
from store.resource import Closing

if TYPE_CHECKING:
    from store.answers.changes import Changes
    from store.answers.conversations import Conversations
    from store.answers.embeddings import Embeddings
    from store.answers.history import History
    from store.answers.plans import Plans
    from store.answers.records import Records
    from store.answers.reports import Counts, Reports
    from store.answers.review import Review
    from store.answers.search import Search
    from store.answers.vault import SavedConversations
    from store.catalogue.search import Best  # noqa: TC004  # a type alone
    from store.catalogue.unread import Unread  # noqa: TC004  # a type alone
    from store.edits.draft import Marking
    from store.past.lookback import Lookback
    from store.settings import Semantic

__all__ = [
    "IN_MEMORY",
    "Best",
    "Library",
    "Move",
    "Page",
    "PastLibrary",
    "Progress",
    "Record",
    "StoreName",
    "StoreReport",
    "Unread",
    "Writing",
    "is_descending",
    "sorts",
]


def sorts(kind: str) -> tuple[str, ...]:
    """What a list of one kind can be sorted by; the first is its own order."""
    return tuple(KINDS[kind].sorts)


def is_descending(kind: str, sort: str, *, reverse: bool) -> bool:
    """Whether a list of one kind that is sorted this way starts with the largest."""
    return KINDS[kind].is_descending(sort, reverse=reverse)


class Library(Closing):
    """The open stores, with every query and change.

    What a list needs is loaded with this module; every other part is loaded here when
    it is first used, and imports at its top what it needs.
    """

    def __init__(
        self,
        catalogue: Path,
        now: int,
        gap: int = USUAL.gap,
        writing: Writing | None = None,
        spares: Iterable[Path] = (),
    ) -> None:
        """Open the index, as `OpenStores` describes."""
        stores = OpenStores(catalogue, now, gap, writing, spares)
        self.stores = stores
        self.lists = Lists(stores)
        self.access = Access(stores)
        self.journal = Journal(stores, self.access, self._save)
        self.index = Index(stores, self.journal)

    @cached_property
    def search(self) -> "Search":
        """Search over all kinds: hits, facets, values, similar records."""
        from store.answers.search import Search

        return Search(self.stores)

    def embeddings(self, semantic: "Semantic") -> "Embeddings":
        """Vectors of memories by a provider; raises NotPossibleError without one."""
        from store.answers.embeddings import Embeddings

        return Embeddings(self.stores, semantic)

    @cached_property
    def records(self) -> "Records":
        """One record by name."""
        from store.answers.records import Records

        return Records(self.stores)

    @cached_property
    def conversations(self) -> "Conversations":
        """What was said in a conversation."""
        from store.answers.conversations import Conversations

        return Conversations(self.stores)

    @cached_property
    def counts(self) -> "Counts":
        """Records counted by day, and measured along their time."""
        from store.answers.reports import Counts

        return Counts(self.stores)

    @cached_property
    def reports(self) -> "Reports":
        """News, evidence, and the questions that a store's format answers."""
        from store.answers.reports import Reports

        return Reports(self.stores)

    @cached_property
    def vault(self) -> "SavedConversations":
        """Conversations saved where no agent removes them."""
        from store.answers.vault import SavedConversations

        return SavedConversations(self.stores, self.access, self.changes)

    @cached_property
    def plans(self) -> "Plans":
        """What can be changed, and what a change would do."""
        from store.answers.plans import Plans

        return Plans(self.stores, self.vault)

    @cached_property
    def changes(self) -> "Changes":
        """Changes applied, undone and redone."""
        from store.answers.changes import Changes

        return Changes(self.stores, self.access, self.journal, self.index)

    @cached_property
    def history(self) -> "History":
        """Who wrote a record and when, and its backups."""
        from store.answers.history import History

        return History(self.stores, self.lists, self.plans, self.journal)

    @cached_property
    def review(self) -> "Review":
        """Memories worth checking."""
        from store.answers.review import Review

        return Review(self.stores, self.access, self.lists, self.search)

    def beside(self) -> "Library":
        """The same library once more, for another thread, with a small cache."""
        return self.with_catalogue(self.stores.path)

    def with_catalogue(self, path: Path) -> "Library":
        """The same library with another index, which is made if it isn't there."""
        was = self.stores
        twin = Library(path, was.now, was.gap, was.writing)
        twin.stores.keep_little()
        twin.stores.choose(was.found)
        twin.stores.look_since(was.circumstances.looked, was.circumstances.marked)
        return twin

    def sync(
        self,
        report: Callable[[Progress], None] = silent,
        *,
        waits: bool = True,
        again: Sequence[Path] = (),
    ) -> SyncReport:
        """Bring the index up to date; a change that broke off is settled first."""
        self.journal.settle()
        return self.index.sync(report, waits=waits, again=again)

    def close(self) -> None:
        """Close the journal and the index."""
        self.journal.close()
        self.stores.close()

    def _save(self, root: Path, marks: "Sequence[Marking]", now: int) -> None:
        """Pin or unpin the conversations that a change names."""
        self.vault.follow(root, marks, now)


class PastLibrary(Library):
    """The stores as of a time; read-only."""

    def __init__(self, lookback: "Lookback") -> None:
        """Open the index of what was looked back at."""
        super().__init__(lookback.catalogue, lookback.at)
        self.lookback = lookback
        self.stores.lookback = lookback
        self.stores.choose(lookback.stores)

    def beside(self) -> "PastLibrary":
        """The same library once more, for another thread."""
        return PastLibrary(self.lookback)
