"""Workers: threads that ask the library, so that the screen never waits."""

import asyncio
import time
from array import array
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar, TypeVar
from weakref import WeakSet

from msgspec import Struct

from store.derive.statistics import Alike
from store.errors import CatalogueDamagedError, GivenUpError, RecollectError
from store.kinds import KINDS
from store.kinds.problems import Problem
from store.library import Library, Page, Record
from store.search.parse import parse
from store.search.tree import (
    EVERYTHING,
    UNASKED,
    All,
    Either,
    Named,
    Node,
    Not,
    Query,
    texts,
)
from widgets.memory_table import GLYPHS

# The formats of the open stores.


def formats_seen(library: Library, stores: Collection[str]) -> list[str]:
    """The formats of some stores, or of all if none is named."""
    chosen = zip(library.stores.chosen, library.stores.formats, strict=True)
    return [form for at, form in chosen if not stores or str(at) in stores]


# A worker: a thread with its own connection to the library, which answers in order.

Answer = TypeVar("Answer")

MINUTE = 60_000_000
"""Microseconds after which ages are updated."""


class Worker:
    """Answers questions one after another while the screen goes on."""

    _all: ClassVar["WeakSet[Worker]"] = WeakSet()

    def __init__(self, library: Library, keeps: int = 40) -> None:
        """`keeps` is the number of answers that it keeps: those of a few views."""
        Worker._all.add(self)
        self.library = library
        """The library that is copied for the thread."""
        self._library: Library | None = None
        self._thread = ThreadPoolExecutor(1, "worker")
        self._keeps = keeps
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()
        """The last answers to questions that may be asked again."""
        self._state: Hashable = None
        """The state of the index and the minute that they are about."""

    async def ask(
        self, question: Callable[[Library], Answer], about: Hashable = None
    ) -> Answer:
        """Ask a question and wait for the answer.

        The answer to one `about` something is kept until a row moves or a minute has
        passed. If it is cancelled together with another question, it is asked again.
        """
        while True:
            with suppress(GivenUpError):
                return await self.ask_once(question, about)

    async def ask_once(
        self, question: Callable[[Library], Answer], about: Hashable = None
    ) -> Answer:
        """Ask a question that may be cancelled; raises GivenUpError then."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._answer, question, about)

    def give_up(self) -> None:
        """Cancel the question that is being answered, if any."""
        if self._library is not None:
            self._library.stores.give_up()

    @classmethod
    async def turn_all(cls, library: Library, other: Library) -> None:
        """Make all workers of one library use another from now on."""
        for worker in [worker for worker in cls._all if worker.library is library]:
            await worker.turn_to(other)

    async def turn_to(self, library: Library) -> None:
        """Use another library from now on."""
        self.give_up()
        self.library = library
        await asyncio.get_running_loop().run_in_executor(self._thread, self._let_go)

    async def close(self) -> None:
        """Close the library and end the thread."""
        Worker._all.discard(self)
        try:
            await self.turn_to(self.library)
        finally:
            self._thread.shutdown()

    def _answer(self, question: Callable[[Library], Answer], about: Hashable) -> Answer:
        if self._library is None:
            self._library = self.library.beside()
        self._library.stores.as_of(self.library.stores.now)
        try:
            return self._known(self._library, question, about)
        except CatalogueDamagedError:
            if self._library.stores.lookback is not None:
                raise
            self._answers.clear()
            self._library.sync()
            return question(self._library)

    def _known(
        self, library: Library, question: Callable[[Library], Answer], about: Hashable
    ) -> Answer:
        """The answer, from an earlier time if nothing has changed since."""
        if about is None:
            return question(library)
        state = library.index.state(), library.stores.now // MINUTE
        if state != self._state:
            self._answers.clear()
            self._state = state
        if about not in self._answers:
            self._answers[about] = question(library)
        self._answers.move_to_end(about)
        if len(self._answers) > self._keeps:
            self._answers.popitem(last=False)
        return self._answers[about]

    def _let_go(self) -> None:
        self._answers.clear()
        if self._library is not None:
            self._library.close()
            self._library = None


# The content of a list: the records that match a query, in order.

PROBLEMS = "problems"
"""The kind of record whose equal ones are shown together."""

RELEVANCE = "relevance"
"""The order of the best hits first."""

_AT_ONCE = 100
"""Records loaded together with the order, to fill a screen at once."""

_ARCHIVED = {
    "memories": Either((Named("is", ("archived",)), Named("stage", ("archived",)))),
    "conversations": Named("status", ("archived", "skipped")),
}
"""Archived memories, including those that have faded; finished conversations."""


class Wish(Struct, frozen=True):
    """A request for a list."""

    kind: str
    text: str = ""
    """The query, as typed."""
    sort: str | None = None
    """The sort field; None for the default."""
    is_reversed: bool = False
    has_archived: bool = True
    """Whether archived records are included."""
    stores: frozenset[str] = frozenset()
    """The stores to show; empty means all."""
    without: tuple[Node, ...] = ()
    """Queries whose records are left out, such as ignored problems."""


class Found(Struct, frozen=True, eq=False):
    """The result of a request."""

    wish: Wish
    query: Query
    """The parsed query."""
    tree: Node
    """The query together with the restrictions of the list."""
    rows: "array[int]"
    """The row numbers of the records, in order."""
    first: list[Record | None]
    """The first records."""
    total: int
    """The number of records of this kind in the stores, without the query."""
    alike: Mapping[int, tuple[Alike, int]]
    """For problems, what rows have in common; they are shown together."""
    is_similar: bool
    """Whether nothing matches exactly and these are similar."""
    is_ranked: bool
    """Whether they are sorted by relevance."""
    elsewhere: Mapping[str, int]
    """If nothing matches: the number of matches in each of the other kinds."""
    in_other_stores: int
    """If nothing matches in the chosen stores: the number of matches in all."""
    similar: Mapping[str, int]
    """If nothing matches anywhere: the number of similar titles in other kinds."""
    seconds: float
    """The time it took."""


def find(library: Library, wish: Wish) -> Found:
    """Answer a request."""
    began = time.perf_counter()
    query = _understood(wish.text, wish.kind)
    tree = _narrowed(query.tree, wish)
    is_ranked = wish.sort == RELEVANCE
    rows = _ordered(library, wish, tree)
    is_similar = False
    if not rows and query.tree != EVERYTHING:
        rows = library.lists.like(wish.kind, tree)
        is_similar = bool(rows)
    records = library.lists.numbered(wish.kind, rows[:_AT_ONCE])
    total = library.lists.count(wish.kind, _in_stores(wish.stores))
    elsewhere = {} if rows else _elsewhere(library, wish)
    return Found(
        wish=wish,
        query=query,
        tree=tree,
        rows=rows,
        first=[records.get(row) for row in rows[:_AT_ONCE]],
        total=total,
        alike=library.counts.alike(rows) if wish.kind == PROBLEMS else {},
        is_similar=is_similar,
        is_ranked=is_ranked,
        elsewhere=elsewhere,
        in_other_stores=0 if rows else _in_other_stores(library, wish),
        similar={} if rows or elsewhere else _similar(library, wish),
        seconds=time.perf_counter() - began,
    )


def _elsewhere(library: Library, wish: Wish) -> dict[str, int]:
    """The number of matches of a query in the other kinds that have such fields."""
    found: dict[str, int] = {}
    for kind in KINDS if wish.text else ():
        query = _understood(wish.text, kind)
        if kind != wish.kind and not query.complaints and query.tree != EVERYTHING:
            other = Wish(kind, has_archived=wish.has_archived, stores=wish.stores)
            found[kind] = library.lists.count(kind, _narrowed(query.tree, other))
    return {kind: number for kind, number in found.items() if number}


def _in_other_stores(library: Library, wish: Wish) -> int:
    """The number of matches in all stores, if only some are shown."""
    if not (wish.stores and wish.text):
        return 0
    tree = _understood(wish.text, wish.kind).tree
    others = Wish(wish.kind, has_archived=wish.has_archived, without=wish.without)
    return library.lists.count(wish.kind, _narrowed(tree, others))


def _similar(library: Library, wish: Wish) -> dict[str, int]:
    """The number of similar titles in the other kinds that are searched for typos."""
    found: dict[str, int] = {}
    for kind in ("memories", "conversations") if wish.text else ():
        query = _understood(wish.text, kind)
        if kind != wish.kind and not query.complaints:
            found[kind] = len(library.lists.like(kind, _narrowed(query.tree, wish)))
    return {kind: number for kind, number in found.items() if number}


def asks_for_words(text: str, kind: str) -> bool:
    """Whether a query contains words, so that hits differ in relevance."""
    return bool(texts(_understood(text, kind).tree))


def _understood(text: str, kind: str) -> Query:
    """The parsed query; the parser is not imported for an empty one."""
    if not text:
        return UNASKED
    return parse(text, [kind])


def _ordered(library: Library, wish: Wish, tree: Node) -> "array[int]":
    """The rows in the requested order; ranked hits come before all others."""
    if wish.sort != RELEVANCE:
        page = Page(sort=wish.sort, reverse=wish.is_reversed)
        return library.lists.order(wish.kind, page, tree)
    best = library.lists.ranked(wish.kind, tree)
    judged = set(best)
    others = library.lists.order(wish.kind, Page(), tree)
    best.extend(row for row in others if row not in judged)
    if wish.is_reversed:
        best.reverse()
    return best


def _narrowed(tree: Node, wish: Wish) -> Node:
    """The query with the restrictions of the list."""
    terms = tree.terms if isinstance(tree, All) else (tree,)
    archived = _ARCHIVED.get(wish.kind)
    if archived and not wish.has_archived:
        terms = (*terms, Not(archived))
    terms = (*terms, *map(Not, wish.without))
    if wish.stores:
        terms = (*terms, _in_stores(wish.stores))
    return terms[0] if len(terms) == 1 else All(terms)


def _in_stores(stores: frozenset[str]) -> Node:
    """The condition for some stores; none if no store is named."""
    return Named("store", tuple(sorted(stores))) if stores else EVERYTHING


# The records that a key applies to, even if the list changes meanwhile.


class Aim(Struct, frozen=True):
    """The rows at the moment when a key was pressed."""

    kind: str
    """The kind of record listed."""
    listed: Sequence[int] = ()
    """All rows of the list."""
    marks: frozenset[Hashable] = frozenset()
    """The marked rows."""
    current: Record | None = None
    """The record at the cursor."""
    several: Sequence[Hashable] = ()
    """The rows of all records that the row at the cursor groups."""
    edge: str | None = None
    """The ref of the edge at the cursor, if the links have the focus."""

    @property
    def unlisted(self) -> int:
        """The number of marked records that the list does not show."""
        return 0 if self.edge else unlisted(self.marks, self.listed)


def unlisted(marks: frozenset[Hashable], listed: Sequence[int]) -> int:
    """How many marked rows are not listed."""
    return len(marks.difference(listed)) if marks else 0


class MarkedRecords:
    """Remembers the refs of marked rows, so that marks stay on their records."""

    def __init__(self) -> None:
        self._refs: Mapping[int, str] = {}

    async def know(self, worker: Worker, kind: str, marks: frozenset[Hashable]) -> None:
        """Load the refs of newly marked rows."""
        rows = _rows_of(marks)
        new = list(rows - self._refs.keys())
        found = await worker.ask(lambda library: library.lists.refs(kind, new))
        known = {**self._refs, **found}
        self._refs = {row: known[row] for row in rows if row in known}

    async def follow(
        self, worker: Worker, kind: str, marks: frozenset[Hashable]
    ) -> frozenset[Hashable]:
        """The current rows of marked records, without those that no longer exist."""
        rows = _rows_of(marks)
        if not rows:
            return marks
        refs = {row: self._refs.get(row, "") for row in rows}
        now = await worker.ask(partial(_rows_now, kind=kind, refs=refs))
        self._refs = {now[row]: ref for row, ref in refs.items() if row in now}
        return (marks - rows) | frozenset(now.values())


def _rows_of(marks: frozenset[Hashable]) -> set[int]:
    return {mark for mark in marks if isinstance(mark, int)}


def _rows_now(library: Library, kind: str, refs: Mapping[int, str]) -> dict[int, int]:
    """The current rows of records, which change when a source is read again.

    Problems have no ref; their rows last until the next check of a file.
    """
    here = library.lists.refs(kind, list(refs))
    same = {row: row for row, ref in refs.items() if here.get(row) == ref}
    moved = {ref: row for row, ref in refs.items() if row not in same}
    if kind == PROBLEMS or not moved:
        return same
    found = library.lists.numbers(kind, list(moved))
    return same | {row: found[ref] for ref, row in moved.items() if ref in found}


class GoneError(RecollectError):
    """The records that a key applies to were removed before it was handled."""

    def __init__(self, marked: int) -> None:
        which = "The marked records are" if marked > 1 else "This record is"
        super().__init__(f"{which} no longer in the store.")


def records_of(library: Library, aim: Aim) -> Sequence[Record]:
    """The marked records in the order of the catalogue, or the one at the cursor.

    Raises GoneError if none of them is left.
    """
    chosen_rows = aim.marks or aim.several
    rows = sorted(row for row in chosen_rows if isinstance(row, int))
    records = library.lists.numbered(aim.kind, rows) if rows else {}
    chosen = [records[row] for row in rows if row in records]
    if not rows and aim.current is not None:
        chosen = [aim.current]
    if not chosen:
        raise GoneError(len(rows))
    return chosen


def summed_up(library: Library, problem: Problem) -> Sequence[int]:
    """The rows of all problems that the row of one sums up."""
    terms = {
        "code": problem.code,
        "severity": problem.severity,
        "store": problem.store,
        "is": "each",
    }
    query = All(tuple(Named(name, (value,)) for name, value in terms.items()))
    return library.lists.order(PROBLEMS, Page(sort="path"), query)


# The number of records per stage, type or status.

_FIELDS = {"memories": "stage", "conversations": "status"}
"""The field that is counted for each kind; links are counted above their list."""


_LIBRARIAN, _SKIPPED = "claudia", "skipped"
"""The format of the program that processes conversations, and skips short ones."""


def is_processed(library: Library, stores: Collection[str]) -> bool:
    """Whether a program processes the conversations of some stores."""
    return _LIBRARIAN in formats_seen(library, stores)


def states(library: Library, found: Found) -> Mapping[str, int]:
    """The number of records in each state; stages in their order."""
    kind = found.wish.kind
    field = _FIELDS.get(kind)
    if field is None:
        return {}
    counts = dict(library.search.facets(kind, found.tree, {field}).get(field, ()))
    if field == "stage":
        return {stage: counts[stage] for stage in GLYPHS if stage in counts}
    if field == "status" and not is_processed(library, found.wish.stores):
        counts.pop(_SKIPPED, None)
    return counts
