"""The only door to the stores: bring up to date, list, find, show, follow links."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from store.answers.chosen import Writing
from store.answers.days import Dated
from store.answers.equalling import Equalling
from store.answers.leading import Leading
from store.answers.news import Newsworthy
from store.answers.recalling import Recalling
from store.answers.returning import Returning
from store.answers.reviewing import Reviewing
from store.answers.spanning import Spanning
from store.answers.talking import Talking
from store.answers.tallying import Tallying
from store.answers.vaulting import Vaulting
from store.catalogue.moves import Move
from store.catalogue.reader import Page, StoreName
from store.catalogue.views import VIEWS, Record
from store.discover import Found
from store.errors import CatalogueDamagedError
from store.findings import Json
from store.records.reports import Progress, StoreReport, SyncReport

if TYPE_CHECKING:
    from store.catalogue.unread.unread import Unread  # noqa: TC004  # a type alone
    from store.formats.port import Question
    from store.opening import InFull
    from store.records.link import Link

__all__ = [
    "Library",
    "Move",
    "Page",
    "Progress",
    "Record",
    "StoreName",
    "Unread",
    "Writing",
    "sorts",
]


def sorts(kind: str) -> tuple[str, ...]:
    """What a list of a kind can be sorted by; the first is its own order."""
    return tuple(VIEWS[kind].sorts)


def _silent(_progress: Progress) -> None:
    """Tell nobody."""


class Library(
    Talking,
    Dated,
    Spanning,
    Tallying,
    Leading,
    Equalling,
    Recalling,
    Returning,
    Reviewing,
    Newsworthy,
    Vaulting,
):
    """Stores, and the catalogue of what is in them."""

    def beside(self) -> "Library":
        """The same library once more, for another thread, with less at hand."""
        twin = Library(self.path, self._now, self._gap, self._writing)
        twin.keep_little()
        twin.choose(self._stores)
        twin.look_since(self._circumstances.looked, self._circumstances.marked)
        return twin

    def sync(
        self, report: Callable[[Progress], None] = _silent, *, waits: bool = True
    ) -> SyncReport:
        """Read what moved since the last time; a change that broke off comes first.

        Where another process is at it already, this waits for it and then finds
        nothing left to do, or raises CatalogueBusyError if it is not to wait.
        """
        from store.catalogue.lock import only_one

        self.settle()
        with only_one(self._lock, waits=waits):
            try:
                return self._sync(report)
            except CatalogueDamagedError as damaged:
                self._catalogue.notice = str(damaged)
                return self._sync(report)

    def files(self) -> int:
        """How many files of the stores are known so far, be they read whole or not."""
        with self._reader() as reader:
            return reader.files()

    def newest_move(self) -> int:
        """The number of what moved last, to be told later of what moved since."""
        from store.catalogue.moves import newest_move

        with self._catalogue.in_use() as connection:
            return newest_move(connection)

    def moves(self, since: int) -> list[Move]:
        """What moved in the stores after a move, whichever process read it."""
        from store.catalogue.moves import moves_since

        with self._catalogue.in_use() as connection:
            moves = moves_since(connection, since)
        return [move for move in moves if move.store in self.chosen]

    def names(self) -> list[StoreName]:
        """What every store is called, and whether its owner may change it."""
        with self._reader() as reader:
            return reader.names()

    def stores(self) -> Iterator[StoreReport]:
        """Every store, with how much it holds."""
        with self._reader() as reader:
            yield from reader.stores()

    def show(self, name: str) -> "InFull":
        """One record, whole: what its file holds is read from the file."""
        from store.naming import find
        from store.opening import open_in_full

        formats = {found.path: found.format for found in self._stores}
        with self._reader() as reader:
            return open_in_full(
                reader, find(reader, name, self._now), formats, self._now
            )

    def raw(self, name: str) -> bytes | None:
        """The bytes that a record is written in; None where they are no text."""
        from store.naming import find
        from store.opening.raw import raw_of

        with self._reader() as reader:
            return raw_of(find(reader, name, self._now))

    def links(self, name: str) -> "Iterator[Link]":
        """What a record points to and what points to it."""
        from store.following import links_of
        from store.naming import find

        with self._reader() as reader:
            yield from links_of(reader, find(reader, name, self._now), self._now)

    def questions(self) -> "Iterator[tuple[Found, Question]]":
        """What the stores can be asked, store by store."""
        for found in self._stores:
            for question in found.format.questions:
                yield found, question

    def ask(
        self, name: str, words: Sequence[str], complain: Callable[[str], None]
    ) -> Iterator[Mapping[str, Json]]:
        """The answers of every store that knows a question, each with its store."""
        from store.asking import ask_all

        asked = [found for found, question in self.questions() if question.name == name]
        return ask_all(asked, name, words, self._now, complain)

    def _sync(self, report: Callable[[Progress], None]) -> SyncReport:
        with self._catalogue.in_use() as connection:
            return self._read_in(connection, self._stores, report)
