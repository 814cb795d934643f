"""The only door to the stores: bring up to date, list, find, show, follow links."""

from array import array
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from store.asking import ask_all
from store.catalogue.conditions.circumstances import Circumstances
from store.catalogue.conditions.condition import ALWAYS, Condition
from store.catalogue.database import Catalogue
from store.catalogue.lock import only_one
from store.catalogue.moves import Move, moves_since, newest_move
from store.catalogue.paths import way
from store.catalogue.reader import Page, Reader, known_stores
from store.catalogue.sync import Progress, sync
from store.catalogue.unread.deadline import LONG_ENOUGH
from store.catalogue.views import MEMORIES, UPSTREAM, VIEWS, Record
from store.closing import Closing
from store.derive.segments import USUAL
from store.discover import Found
from store.errors import CatalogueDamagedError
from store.findings import Json
from store.following import links_of
from store.formats.port import Question
from store.naming import find, find_memory
from store.opening import InFull, open_in_full
from store.opening.raw import raw_of
from store.planning import plan_of
from store.records.link import Link
from store.records.memory import Memory
from store.records.reports import Plan, StoreReport, SyncReport
from store.search.language.tree import EVERYTHING, Node

__all__ = ["Library", "Move", "Page", "Progress", "Record", "sorts"]

if TYPE_CHECKING:
    from store.catalogue.finding.facets import Facets
    from store.catalogue.finding.finder import Finder
    from store.catalogue.finding.search import Best
    from store.catalogue.unread.unread import Unread
    from store.records.similar import Similar
    from store.search.language.query import Complaint
    from store.search.similar import Meant, Near
    from store.settings.record import Semantic


def sorts(kind: str) -> tuple[str, ...]:
    """What a list of a kind can be sorted by; the first is its own order."""
    return tuple(VIEWS[kind].sorts)


def _silent(_progress: Progress) -> None:
    """Tell nobody."""


_LITTLE = 8192
"""Kibibytes of pages that are kept where few are enough."""


class Library(Closing):
    """Stores, and the catalogue of what is in them."""

    def __init__(self, catalogue: Path, now: int, gap: int = USUAL.gap) -> None:
        """Open the catalogue.

        `now` is in microseconds since 1970; `gap` is how many of them of silence
        divide two conversations.
        """
        self._catalogue = Catalogue(catalogue)
        self._lock = catalogue.with_name(f"{catalogue.name}.lock")
        self._now = now
        self._gap = gap
        self._stores: tuple[Found, ...] = ()
        self._circumstances = Circumstances(now)
        self._loaded: Finder | None = None

    @property
    def path(self) -> Path:
        """The catalogue's file, for whoever reads in another process."""
        return self._catalogue.path

    @property
    def now(self) -> int:
        """The time that answers are about, in microseconds since 1970."""
        return self._now

    @property
    def notice(self) -> str | None:
        """What the user ought to be told of the catalogue."""
        return self._catalogue.notice

    def remembered(self) -> list[tuple[Path, str]]:
        """The stores that were read before, and their formats, from memory alone."""
        with self._catalogue.in_use() as connection:
            return [(known.path, known.format) for known in known_stores(connection)]

    @property
    def chosen(self) -> tuple[Path, ...]:
        """The stores that are looked at."""
        return tuple(found.path for found in self._stores)

    def beside(self) -> "Library":
        """The same library once more, for another thread, with less at hand."""
        twin = Library(self.path, self._now, self._gap)
        twin.keep_little()
        twin.choose(self._stores)
        return twin

    def keep_little(self) -> None:
        """Keep few pages at hand: for what answers short questions for hours."""
        self._catalogue.connection.execute(f"PRAGMA cache_size = -{_LITTLE}")

    def give_up(self) -> None:
        """Give up what is being answered; for another thread to call."""
        self._catalogue.connection.interrupt()

    def as_of(self, now: int) -> None:
        """Answer as of another time from now on."""
        self._now = now
        self._circumstances = replace(self._circumstances, now=now)

    @property
    def formats(self) -> list[str]:
        """The formats of those stores, one for each."""
        return [found.format.name for found in self._stores]

    def choose(self, stores: Sequence[Found]) -> None:
        """Look at these stores from now on."""
        self._stores = tuple(stores)

    def look_since(
        self, looked: int | None, marked: frozenset[str] = frozenset()
    ) -> None:
        """What `is:new`, `since:last` and `is:marked` mean from now on."""
        self._circumstances = Circumstances(self._now, looked, marked)

    def sync(
        self, report: Callable[[Progress], None] = _silent, *, waits: bool = True
    ) -> SyncReport:
        """Read what moved since the last time.

        Where another process is at it already, this waits for it and then finds
        nothing left to do, or raises CatalogueBusyError if it is not to wait.
        """
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
        with self._catalogue.in_use() as connection:
            return newest_move(connection)

    def moves(self, since: int) -> list[Move]:
        """What moved in the stores after a move, whichever process read it."""
        with self._catalogue.in_use() as connection:
            moves = moves_since(connection, since)
        return [move for move in moves if move.store in self.chosen]

    def stores(self) -> Iterator[StoreReport]:
        """Every store, with how much it holds."""
        with self._reader() as reader:
            yield from reader.stores()

    def page(
        self,
        kind: str,
        page: Page,
        *,
        upstream: bool = False,
        query: Node = EVERYTHING,
        unread: "Unread | None" = None,
    ) -> Iterator[Record]:
        """The records of a kind that a query finds, in order.

        `upstream` classes events as the kit that writes their traces does; `unread` is
        what was found for the same query where nothing is read yet.
        """
        view = (UPSTREAM if upstream else VIEWS)[kind]
        with self._reader() as reader:
            condition = self._condition(reader, kind, query)
            if unread is None:
                yield from reader.page(view, page, self._now, condition)
            else:
                yield from unread.page(view, page, reader, condition)

    def count(self, kind: str, query: Node = EVERYTHING) -> int:
        """How many records of a kind a query finds."""
        with self._reader() as reader:
            return reader.count(VIEWS[kind], self._condition(reader, kind, query))

    def nearly(self, kind: str, query: Node) -> Iterator[Record]:
        """The records of a kind whose names are like what a query's words say."""
        with self._reader() as reader:
            rows = self._finder.nearly(reader, kind, query)
            found = reader.rows(VIEWS[kind], rows, self._now)
            yield from (found[row] for row in rows)

    def order(self, kind: str, page: Page, query: Node = EVERYTHING) -> "array[int]":
        """What a query finds of a kind, in order, a number for each record."""
        with self._reader() as reader:
            condition = self._condition(reader, kind, query)
            return reader.order(VIEWS[kind], page, condition)

    def ranked(self, kind: str, query: Node) -> "array[int]":
        """What a query finds of a kind, the best first: so many as are judged."""
        with self._reader() as reader:
            return array("q", self._finder.ranked(reader, kind, query))

    def like(self, kind: str, query: Node) -> "array[int]":
        """The numbers of those whose names are like what a query's words say."""
        with self._reader() as reader:
            return array("q", self._finder.nearly(reader, kind, query))

    def numbered(self, kind: str, rows: Sequence[int]) -> dict[int, Record]:
        """The records that go by some numbers, those that are still there."""
        with self._reader() as reader:
            return dict(reader.rows(VIEWS[kind], rows, self._now))

    def way(self, begin: str, end: str) -> list[Memory]:
        """The memories on the shortest way from one to another, both included."""
        with self._reader() as reader:
            ends = [reader.row_of(MEMORIES, ref) for ref in (begin, end)]
            rows = way(reader, *(row for row in ends if row is not None))
            found = reader.rows(MEMORIES, rows, self._now)
            return [found[row] for row in rows]

    def types(self, refs: Sequence[str]) -> dict[str, str | None]:
        """The types of the memories that go by some refs."""
        with self._reader() as reader:
            return reader.types(refs)

    def number(self, kind: str, ref: str) -> int | None:
        """The number that a record goes by until its source is read again."""
        with self._reader() as reader:
            return reader.row_of(VIEWS[kind], ref)

    def facets(self, kind: str, query: Node = EVERYTHING) -> "Facets":
        """What the records that a query finds are made of."""
        with self._reader() as reader:
            return self._finder.facets(reader, kind, query)

    def search(
        self,
        query: Node,
        page: Page,
        kinds: Sequence[str] = (),
        near: Sequence["Near"] = (),
        unread: "Unread | None" = None,
    ) -> "Best":
        """The best of what a query finds, over every kind or some.

        `near` are memories that mean what it says, as `meant` tells them; `unread` is
        what was found for the same query where nothing is read yet.
        """
        with self._reader() as reader:
            if unread is None:
                return self._finder.search(reader, query, kinds, page, near)
            first = unread.beginning(page)
            best = self._finder.search(reader, query, kinds, first, near)
            return unread.best(best, page)

    def unread(
        self, query: Node, kinds: Sequence[str] = (), seconds: float = LONG_ENOUGH
    ) -> "Unread":
        """What is not read yet, looked through for a query; to be closed.

        It is looked through raw, the newest first, for so many seconds, and may be
        while another process reads it.
        """
        from store.catalogue.unread.look import look, moves_of  # noqa: PLC0415  # rare
        from store.catalogue.unread.unread import Sought  # noqa: PLC0415  # the same

        sought = Sought(query, kinds, self._circumstances)
        with self._catalogue.in_use() as connection:
            moves = moves_of(connection, self._stores)
        return look(moves, sought, self._gap, seconds)

    def unknown(self, kinds: Sequence[str], query: Node) -> list["Complaint"]:
        """What to say of each value that a query asks for and no record has."""
        with self._reader() as reader:
            return self._finder.unknown(reader, kinds, query)

    def meant(
        self, query: Node, semantic: "Semantic", environment: Mapping[str, str]
    ) -> "Meant":
        """The memories that mean what a query says; this may ask a provider."""
        from store.meaning import meaning_of  # noqa: PLC0415  # if it is switched on

        return meaning_of(query, semantic, environment, self._stores)

    def similar(
        self,
        name: str,
        limit: int,
        complain: Callable[[str], None],
        *,
        unlinked: bool = False,
    ) -> list["Similar"]:
        """The memories most like one; `unlinked` leaves out what it is linked to."""
        from store.meaning import nearest_to  # noqa: PLC0415  # for this alone

        with self._reader() as reader:
            memory = find_memory(reader, name, self._now)
            near = nearest_to(memory, self._stores, complain)
            return self._finder.alike(reader, memory, limit, near, unlinked=unlinked)

    def values(
        self, kinds: Sequence[str], field: str, beginning: str = ""
    ) -> list[tuple[str, int]]:
        """The values of a field that begin so, with how many there are of each."""
        from store.catalogue.finding.values import values  # noqa: PLC0415  # not for lists

        with self._reader() as reader:
            return values(reader, kinds, field, beginning)

    def show(self, name: str) -> InFull:
        """One record, whole: what its file holds is read from the file."""
        formats = {found.path: found.format for found in self._stores}
        with self._reader() as reader:
            return open_in_full(
                reader, find(reader, name, self._now), formats, self._now
            )

    def raw(self, name: str) -> bytes | None:
        """The bytes that a record is written in; None where they are no text."""
        with self._reader() as reader:
            return raw_of(find(reader, name, self._now))

    def links(self, name: str) -> Iterator[Link]:
        """What a record points to and what points to it."""
        with self._reader() as reader:
            yield from links_of(reader, find(reader, name, self._now), self._now)

    def questions(self) -> Iterator[tuple[Found, Question]]:
        """What the stores can be asked, store by store."""
        for found in self._stores:
            for question in found.format.questions:
                yield found, question

    def ask(
        self, name: str, words: Sequence[str], complain: Callable[[str], None]
    ) -> Iterator[Mapping[str, Json]]:
        """The answers of every store that knows a question, each with its store."""
        asked = [found for found, question in self.questions() if question.name == name]
        return ask_all(asked, name, words, self._now, complain)

    def rebuild(self, name: str) -> list[Plan]:
        """What would be written if a derived file were made anew; nothing is."""
        plans: list[Plan] = []
        for found in self._stores:
            if name in found.format.rebuilds:
                action = f"rebuild {name} of {found.path}"
                with found.format.open(found.path) as store:
                    plans += [plan_of(action, each) for each in store.rebuild(name)]
        return plans

    def close(self) -> None:
        """Let go of the catalogue."""
        self._catalogue.close()

    def _sync(self, report: Callable[[Progress], None]) -> SyncReport:
        with self._catalogue.in_use() as connection:
            return sync(connection, self._stores, report, self._gap)

    def _condition(self, reader: Reader, kind: str, query: Node) -> Condition:
        """What a query comes to; a list of everything loads nothing for it."""
        if query == EVERYTHING:
            return ALWAYS
        return self._finder.condition(reader, kind, query)

    @property
    def _finder(self) -> "Finder":
        """What answers queries, loaded for the first one."""
        if self._loaded is None:
            from store.catalogue.finding.finder import Finder  # noqa: PLC0415  # not for lists

            self._loaded = Finder()
        self._loaded.circumstances = self._circumstances
        return self._loaded

    @contextmanager
    def _reader(self) -> Generator[Reader]:
        """A reader that keeps to the stores that were found."""
        wanted = {found.path for found in self._stores}
        with self._catalogue.in_use() as connection:
            rows = [s.row for s in known_stores(connection) if s.path in wanted]
            yield Reader(connection, rows)
