"""Search files that are not indexed yet, while a sync is running."""

import os
import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from heapq import merge
from itertools import groupby, islice
from typing import NamedTuple

from msgspec import Struct

from store.catalogue import schema
from store.catalogue.database import transaction
from store.catalogue.read import Batch, read_batch
from store.catalogue.reader import Circumstances, Condition, Page, Reader
from store.catalogue.search import Best, Finder
from store.catalogue.settle import settle
from store.catalogue.sources import UNREAD, Sources, StoreEntry
from store.catalogue.sync import Moved, what_moved
from store.catalogue.writer import Writer
from store.discover import Found
from store.errors import UnreadableError
from store.files.beneath import OpenFile, Root
from store.formats.port import Source
from store.kinds import KINDS, Record
from store.kinds.kind import Kind
from store.kinds.table import Cell
from store.resource import Closing, Deadline
from store.search.tree import (
    EVERYTHING,
    All,
    Compared,
    Either,
    Named,
    Node,
    Start,
    Text,
    leaves,
    texts,
)
from store.text import fold

# Decide from the bytes of a file whether a query may match in it.
#
# For a word, its longest run of ASCII letters and digits is searched, as these are
# never escaped in any format. If a word has no such run, the file has to be read.

_PLAIN = re.compile("[a-z0-9]+")


class Sieve:
    """A filter that passes every file in which a query matches, and maybe others."""

    def __init__(self, tree: Node) -> None:
        self._tree = tree
        self.needles: frozenset[bytes] = frozenset(
            wanted
            for leaf in texts(tree)
            if isinstance(leaf, Text | Start) and (wanted := needle(leaf.text))
        )
        """The byte strings to search for, in lowercase ASCII."""

    def lets_through(self, found: Collection[bytes]) -> bool:
        """Whether the query may match in a file that contains these needles."""
        return _may_be(self._tree, found)


def needle(text: str) -> bytes:
    """The longest run of ASCII letters and digits in a text; empty if missing."""
    return max(_PLAIN.findall(fold(text)), key=len, default="").encode()


def _may_be(node: Node, found: Collection[bytes]) -> bool:
    match node:
        case All(terms):
            return all(_may_be(term, found) for term in terms)
        case Either(terms):
            return any(_may_be(term, found) for term in terms)
        case Text(text) | Start(text):
            wanted = needle(text)
            return not wanted or wanted in found
        case _:
            return True


# Search the bytes of a file for words, without parsing it.

_BLOCK = 256 * 1024
"""Bytes searched at a time, small enough for the CPU cache."""

_ASCII = bytes(range(0x80))

_FORM = re.compile(
    rb"\xc2[\xaa-\xba]|[\xc3-\xcd]|\xe1[\xb5\xb6\xb8-\xbf]"
    rb"|\xe2[\x81-\x85\x91-\x93\xb1]|\xe2\x86[\x80-\x8f]|\xef[\xac\xbc\xbd]"
    rb"|\xf0\x9d"
)
"""UTF-8 prefixes of characters that may be variants of ASCII letters."""

_ESCAPED = re.compile(
    rb"\\u(?:00[a-f]|0[1-3]|1[def]|20[7-9a-c]|21|24|2c|f[bf]|d835)", re.IGNORECASE
)
"""The same prefixes as JSON escapes."""

_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")

_LONGEST_FORM = 12
"""The most bytes of one letter: two JSON escapes."""


def may_hold(
    file: OpenFile, offset: int, path: str, sieve: Sieve, deadline: Deadline
) -> bool | None:
    """Whether the query may match in a file; None if the time ran out.

    The path counts as part of the text. A zero byte means that the file is not plain
    text (a database, for instance), so only its format can search it.
    """
    missing, found = set(sieve.needles), set[bytes]()
    _find(missing, found, path.encode("utf-8", "surrogateescape"))
    if sieve.lets_through(found):
        return True
    for block in _blocks(file, offset, sieve.needles):
        if deadline.is_over:
            return None
        _find(missing, found, block)
        if b"\0" in block or sieve.lets_through(found):
            return True
    return False


def _blocks(file: OpenFile, offset: int, needles: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes from an offset on, in blocks that overlap by the longest needle."""
    more = _LONGEST_FORM * max(map(len, needles), default=0)
    while True:
        block = file.at(offset, _BLOCK + more)
        yield block
        if len(block) <= _BLOCK:
            return
        offset += _BLOCK


def _find(missing: set[bytes], found: set[bytes], block: bytes) -> None:
    """Move the needles in a block from `missing` to `found`."""
    lowered = block.lower()
    here = {needle for needle in missing if needle in lowered}
    if len(here) < len(missing) and _has_forms(block):
        folded = _folded(block)
        here |= {needle for needle in missing if needle in folded}
    missing -= here
    found |= here


def _has_forms(block: bytes) -> bool:
    """Whether there may be variants of letters: with accents, or full width."""
    if not block.isascii() and _FORM.search(block.translate(None, _ASCII)):
        return True
    return _ESCAPED.search(block) is not None


def _folded(block: bytes) -> bytes:
    """The block with all letters folded."""
    text = block.decode("utf-8", "ignore")
    if "\\u" in text:
        halves = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
        text = halves.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return fold(text).encode("utf-8", "ignore")


# A catalogue in memory, for the few files that are read before the sync.

_PATHS = "SELECT path FROM sources WHERE store = ?"
_NO_SCORE = "UPDATE memories SET vigour = NULL WHERE store = ? AND NOT pinned"
"""Remove the scores, as the last use of a memory is in other files."""


class Aside(Closing):
    """Reads sources as a sync does, into tables of its own in memory.

    There is no need for a full-text index, as rows that are not indexed are searched
    one by one.
    """

    def __init__(self, gap: int) -> None:
        """`gap` separates conversations."""
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        self._sources = Sources(self.connection)
        self._writer = Writer(self.connection)
        self._gap = gap
        self._rows: dict[bytes, int] = {}
        with transaction(self.connection):
            for statement in schema.statements():
                self.connection.execute(statement)

    @property
    def reader(self) -> Reader:
        """A reader for what was read."""
        return Reader(self.connection, list(self._rows.values()))

    def read(self, moved: Moved, source: Source, deadline: Deadline) -> bool:
        """Read what is new in a source; returns whether it was read to its end."""
        found, store = moved.found, self._row(moved)
        since, known, is_whole = moved.since(source), None, True
        while True:
            gap = found.gap(self._gap)
            batch = Batch(store, found.path, found.format, ((source, since),), gap)
            ((_, rows),) = read_batch(batch)
            if rows.mark.offset == UNREAD:
                return False
            is_whole = is_whole and (known is not None or not rows.goes_on)
            with transaction(self.connection):
                known = self._writer.put(store, source, rows, known)
            since = rows.mark
            if not rows.more or deadline.is_over:
                break
        if rows.more or not is_whole:
            self._leave_apart(known.row)
        return not rows.more

    def settle(self) -> None:
        """Update what spans the files that were read."""
        for place, row in self._rows.items():
            with transaction(self.connection):
                rows = self.connection.execute(_PATHS, (row,))
                paths = [os.fsdecode(path) for (path,) in rows]
                settle(self.connection, row, place, self._gap, paths)
                self.connection.execute(_NO_SCORE, (row,))

    def close(self) -> None:
        """Discard everything."""
        self.connection.close()

    def _row(self, moved: Moved) -> int:
        """The row of a store, inserted when the first of its sources is read."""
        if moved.place not in self._rows:
            found = moved.found
            entry = StoreEntry(
                found.format.name, moved.title, writable=False, given=found.is_said
            )
            with transaction(self.connection):
                self._rows[moved.place] = self._sources.enter(moved.place, entry)
        return self._rows[moved.place]

    def _leave_apart(self, source: int) -> None:
        """Prevent conversations from being built from a part of a transcript."""
        self.connection.execute(
            "UPDATE sources SET status = 'idle' WHERE id = ?", (source,)
        )


# What depends on all files, and so cannot be found in some of them.

_SPREAD = frozenset({"edges", "problems"})
"""The kinds of which a single file has only a part."""

_FIELDS = frozenset(
    {
        "access_count",
        "accessed",
        "edge",
        "links",
        "links_in",
        "links_out",
        "parent",
        "problems",
        "stage",
        "strength",
    }
)
"""The fields that depend on several files."""

_STATES: Mapping[str, frozenset[str]] = {
    "is": frozenset(
        {
            "active",
            "broken",
            "dormant",
            "duplicate",
            "fading",
            "onesided",
            "orphan",
            "subagent",
        }
    ),
    "has": frozenset({"copies", "edges", "memory", "parent", "problems"}),
}
"""The values of `is:` and `has:` that depend on several files."""


def needs_every_file(tree: Node) -> bool:
    """Whether the result of a query depends on all files."""
    return any(_needs(leaf) for leaf, _ in leaves(tree))


def _needs(leaf: Node) -> bool:
    match leaf:
        case Compared(name):
            return name in _FIELDS
        case Named(name, values):
            return name in _FIELDS or not _STATES.get(name, frozenset()).isdisjoint(
                values
            )
        case _:
            return False


# Merge two results of a query: from the catalogue, and from unread files.
#
# A record in both is returned once, as it is in the files now.

_Key = tuple[bool, int, Cell]
"""Whether it is blank, its type, and its value, so that any two can be compared."""


class Part(NamedTuple):
    """The source of one result."""

    reader: Reader
    condition: Condition
    """The condition for a row."""


class _Placed(NamedTuple):
    """A record and its sort key."""

    key: _Key
    record: Record


def merged_best(best: Best, fresh: Best) -> Best:
    """The hits of both, best first; similar ones only if neither has exact ones."""
    if _worth(best) != _worth(fresh):
        return max(best, fresh, key=_worth)
    refs = {hit.record.ref for hit in fresh.hits}
    kept = [hit for hit in best.hits if hit.record.ref not in refs]
    doubles = len(best.hits) - len(kept)
    return best._replace(
        hits=list(merge(kept, fresh.hits, key=lambda hit: -hit.score)),
        total=best.total + fresh.total - doubles,
        is_more=best.is_more or fresh.is_more,
    )


def _worth(best: Best) -> int:
    """0 for no hits, 1 for similar ones, 2 for exact ones."""
    return (1 if best.is_similar else 2) if best.total else 0


def merged_page(
    view: Kind[Record], page: Page, now: int, catalogue: Part, aside: Part
) -> Iterator[Record]:
    """The records of both, in the order of the page."""
    end = None if page.limit is None else page.offset + page.limit
    fresh = list(_placed(view, page, now, aside, end))
    refs = {one.record.ref for one in fresh}
    enough = None if end is None else end + len(fresh)
    known = _placed(view, page, now, catalogue, enough)
    kept = (one for one in known if one.record.ref not in refs)
    is_down = view.is_descending(page.sort, reverse=page.reverse)
    both = merge(kept, fresh, key=lambda one: one.key, reverse=is_down)
    return (one.record for one in islice(both, page.offset, end))


def _placed(
    view: Kind[Record], page: Page, now: int, part: Part, limit: int | None
) -> Iterator[_Placed]:
    """The first records of one part, in order."""
    reader, condition = part
    column = view.sorts[page.sort or next(iter(view.sorts))]
    is_down = view.is_descending(page.sort, reverse=page.reverse)
    rows = reader.ask(
        f"SELECT {view.columns}, {column} AS sort_key FROM {view.joined_all} "
        f"WHERE {view.is_shown} AND {condition.sql} AND {reader.within('stores.id')} "
        f"{view.order(page.sort, reverse=page.reverse)} LIMIT ?",
        (*condition.values, *reader.stores_seen, -1 if limit is None else limit),
    )
    for row in rows:
        key = _key(row["sort_key"], is_down=is_down)
        yield _Placed(key, view.make(row, now))


def _key(cell: Cell, *, is_down: bool) -> _Key:
    """The sort key of a cell, as in SQLite; blanks come last."""
    is_late = (cell is None) is not is_down
    match cell:
        case str():
            return (is_late, 1, cell.lower())
        case bytes():
            return (is_late, 2, cell)
        case _:
            return (is_late, 0, cell or 0)


# The result of searching unread files.


class Sought(Struct, frozen=True):
    """A query, and what it depends on."""

    tree: Node
    kinds: Sequence[str]
    """The kinds to search; empty for all kinds."""
    circumstances: Circumstances

    @property
    def told_by_one(self) -> list[str]:
        """The kinds that single files can answer."""
        return [kind for kind in self.kinds or tuple(KINDS) if kind not in _SPREAD]

    @property
    def can_be_told(self) -> bool:
        """Whether some of the files can answer the query.

        A search over all kinds is about the content of files, so they can.
        """
        if self.tree == EVERYTHING or not _SPREAD.isdisjoint(self.kinds):
            return False
        return not needs_every_file(self.tree)


@dataclass(slots=True)
class Unread(Closing):
    """How many files are unread, and what was found in them before the sync.

    The records are the same as after the sync, except for what depends on other files.
    """

    sought: Sought
    """The query it belongs to; it can only be merged into results of this one."""
    aside: Aside
    """The files that were read."""
    files: int
    """The number of files in the stores."""
    unread: int
    """The number of files that are unread, or not read to their end."""
    is_settled: bool
    """Whether what spans files is up to date as well."""
    looked: int = 0
    """The number of unread files that were searched."""

    @property
    def is_complete(self) -> bool:
        """Whether the result is complete: every file was read or searched."""
        if not self.unread:
            return self.is_settled
        return self.sought.can_be_told and self.looked == self.unread

    @property
    def sentence(self) -> str | None:
        """A message about unread files for the user; None if all are read."""
        if not self.unread:
            told = "All files are read; their links are not resolved yet."
            return None if self.is_settled else told
        verb = "is" if self.unread == 1 else "are"
        told = f"{self.unread} of {self.files} files {verb} not read yet"
        if not self.looked:
            return f"{told}."
        verb = "was" if self.looked == 1 else "were"
        return f"{told}; {self.looked} of them {verb} searched anyway."

    @staticmethod
    def beginning(page: Page) -> Page:
        """Everything up to the end of a page."""
        return Page(limit=None if page.limit is None else page.offset + page.limit)

    def best(self, best: Best, page: Page) -> Best:
        """A page of the best hits, merged with those of the catalogue.

        `best` must start with the first hit, as returned for `beginning`.
        """
        beginning = self.beginning(page)
        finder, sought = self._finder, self.sought
        kinds = sought.told_by_one
        if kinds:
            fresh = finder.search(self.aside.reader, sought.tree, kinds, beginning)
            best = merged_best(best, fresh)
        return best._replace(hits=best.hits[page.offset : beginning.limit])

    def page(
        self, view: Kind[Record], page: Page, reader: Reader, condition: Condition
    ) -> Iterator[Record]:
        """A page of the records in the catalogue and in these files."""
        if view.name not in self.sought.told_by_one:
            return reader.page(view, page, self.sought.circumstances.now, condition)
        here = self.aside.reader
        meant = self._finder.condition(here, view.name, self.sought.tree)
        catalogue, aside = Part(reader, condition), Part(here, meant)
        now = self.sought.circumstances.now
        return merged_page(view, page, now, catalogue, aside)

    def close(self) -> None:
        """Discard the results."""
        self.aside.close()

    @property
    def _finder(self) -> Finder:
        finder = Finder()
        finder.circumstances = self.sought.circumstances
        return finder


# Search unread files, newest first: their bytes, then possible matches by format.
#
# The search ends when its time is up. The sync may run at the same time; what both find
# is returned once.

LARGE = 32 * 1024 * 1024
"""Files with more unread bytes are left to the sync, as even one line may be that long.
"""


class Waiting(NamedTuple):
    """An unread source, and its store."""

    source: Source
    moved: Moved

    @property
    def is_large(self) -> bool:
        """Whether too much of it is unread for this search."""
        return self.source.stamp.size - self.moved.since(self.source).offset > LARGE


def moves_of(connection: sqlite3.Connection, stores: Sequence[Found]) -> list[Moved]:
    """What a sync of each store would do now."""
    sources = Sources(connection)
    return [what_moved(found, sources) for found in stores]


def look(moves: Sequence[Moved], sought: Sought, gap: int, seconds: float) -> Unread:
    """Search unread files for the matches of a query.

    Nothing is searched for a list of everything, or if the result depends on all files.
    The number of unread files is returned in any case.
    """
    waiting = [Waiting(source, moved) for moved in moves for source in moved.changed]
    waiting.sort(key=lambda one: -one.source.stamp.mtime_ns)
    with ExitStack() as kept_open:
        aside = kept_open.enter_context(Aside(gap))
        looked = 0
        if sought.can_be_told:
            looked = _look_through(waiting, sought.tree, aside, seconds)
        kept_open.pop_all()
    return Unread(
        sought=sought,
        aside=aside,
        files=sum(moved.files for moved in moves),
        unread=len(waiting),
        is_settled=all(moved.still for moved in moves),
        looked=looked,
    )


def _look_through(
    waiting: Sequence[Waiting], tree: Node, aside: Aside, seconds: float
) -> int:
    """Search as long as there is time; returns the number of files searched."""
    sieve, deadline = Sieve(tree), Deadline.after(seconds)
    looked = 0
    for one, may_be in _sifted(waiting, sieve, deadline):
        if may_be:
            looked += aside.read(one.moved, one.source, deadline)
        elif may_be is not None:
            looked += 1
    aside.settle()
    return looked


def _sifted(
    waiting: Sequence[Waiting], sieve: Sieve, deadline: Deadline
) -> Iterator[tuple[Waiting, bool | None]]:
    """Each source, as long as there is time, and whether the query may match in it."""
    for path, several in groupby(waiting, key=lambda one: one.moved.found.path):
        with ExitStack() as open_things:
            try:
                root = open_things.enter_context(Root(path))
            except UnreadableError:
                root = None
            for one in several:
                if deadline.is_over:
                    return
                if not one.is_large:
                    yield one, _may_be_look(root, one, sieve, deadline)


def _may_be_look(
    root: Root | None, one: Waiting, sieve: Sieve, deadline: Deadline
) -> bool | None:
    """Whether the query may match in a source; True if its bytes cannot be searched."""
    source, since = one.source, one.moved.since(one.source)
    if root is None or sieve.lets_through(()):
        return True
    try:
        with root.opened(source.path) as file:
            return may_hold(file, since.offset, source.path, sieve, deadline)
    except UnreadableError:
        return True
