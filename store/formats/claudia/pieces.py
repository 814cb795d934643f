"""Read a database in pieces: all of it, or what changed since it was read.

Rows are read in blocks. The mark after the last piece has a digest of each block, so
that the next reading compares them, and decodes only blocks that differ. Every value is
compared, because no number in a database says that old rows are unchanged. This takes
0.1 seconds for 100,000 entries, and reading them takes 4.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import ClassVar

from msgspec import DecodeError, Struct, field, msgpack
from msgspec.structs import replace

from store.errors import UnreadableError
from store.files.beneath import Stamp
from store.files.sqlite import HIGHEST, LOWEST, Database, Row, Stretch
from store.findings import (
    START,
    ConversationFound,
    DocumentFound,
    Findings,
    Flaw,
    Mark,
    MessageFound,
    Replaced,
    not_read,
)
from store.formats.claudia.database import (
    COLUMNS,
    Begun,
    Counts,
    Order,
    Outside,
    Ranges,
    facts_of,
    flaws_of,
    health_of,
    outside_conversation,
    outside_key,
    read_conversation,
    read_entry,
)
from store.formats.claudia.format import (
    CONVERSATIONS,
    ENTRIES,
    MAIN,
    NUMBER,
    Record,
    instant,
    records,
    text,
)
from store.formats.port import Source

# How far a database has been read, block by block.

PIECE = 5_000
"""The most rows read at once."""
_FIRST, _UNKNOWN = (0, 0, ""), (1, LOWEST, "")
"""Before and after all times that cannot be parsed."""
BLOCK = 256
"""The most rows of a block: if one of them changes, all are read again."""
_WEIGHT = 16 * 1024 * 1024
"""The most text read at once, in characters (or bytes of blobs)."""

Span = tuple[Order, Order]


class Block(Struct, frozen=True, array_like=True):
    """Consecutive rows of a table."""

    last: int
    """The number of the last one."""
    count: int
    digest: bytes
    """A digest of them; empty if some could not be read."""
    context: bytes = b""
    """A digest of what else decides about the conversations of these entries."""
    span: Span | None = None
    """When the first and the last entry were written."""
    orphans: int = 0
    """How many entries belong to no conversation."""
    shared: int = 0
    """How many belong to two."""
    outside: dict[str, Begun] = field(default_factory=dict[str, Begun])
    """The last conversation made of such entries, by file, if one is from here."""
    begun: tuple[int, ...] = ()
    """The entries here that began such a conversation."""


class Part(Struct, frozen=True, array_like=True):
    """How far a table was read."""

    done: tuple[Block, ...] = ()
    """The blocks up to there."""
    before: tuple[Block, ...] = ()
    """The blocks after that, from the last read."""
    ended: bool = False

    @property
    def first(self) -> int:
        """The number from which to go on."""
        return self.done[-1].last + 1 if self.done else LOWEST

    def again(self) -> "Part":
        """All blocks, to be compared again.

        If the last one is small, rows that follow are added to it.
        """
        blocks = [*self.done, *self.before]
        if blocks and blocks[-1].count < BLOCK:
            blocks[-1] = replace(blocks[-1], last=HIGHEST, count=BLOCK, digest=b"")
        return Part(before=tuple(blocks))


class Progress(Struct, frozen=True, array_like=True):
    """How far a database was read."""

    stamp: Stamp
    """Its stamp when the reading began."""
    conversations: Part = Part()
    entries: Part = Part()
    compares: bool = False
    """Whether it is compared with what was read before."""
    damaged: bool = False
    """Whether a part of it could not be read."""

    @classmethod
    def at(cls, mark: Mark, stamp: Stamp) -> "Progress":
        """The progress in a mark, or that of a new reading if the database changed."""
        with suppress(DecodeError):
            found = msgpack.decode(mark.memory, type=cls)
            if found.stamp == stamp and not found.entries.ended:
                return found
            parts = (found.conversations.again(), found.entries.again())
            return cls(stamp, *parts, compares=True)
        return cls(stamp)

    @property
    def mark(self) -> Mark:
        """The mark to resume from, or to compare from."""
        if not self.entries.ended:
            done = (*self.conversations.done, *self.entries.done)
            return Mark(sum(block.count for block in done), msgpack.encode(self))
        return START if self.damaged else Mark(self.stamp.size, msgpack.encode(self))


class _Gathered:
    """The content of a piece so far."""

    def __init__(self) -> None:
        self.room, self.weight = PIECE, _WEIGHT
        self.conversations: list[ConversationFound] = []
        self.messages: list[MessageFound] = []
        self.documents: tuple[DocumentFound, ...] = ()
        self.flaws: list[Flaw] = []
        self.replaced = defaultdict[str, list[tuple[int, int]]](list)
        self.keys: list[str] = []
        """The keys of conversations without a row that are replaced."""
        self.is_damaged = False

    @property
    def is_full(self) -> bool:
        """Whether there is no room for another row."""
        return self.room <= 0 or self.weight <= 0

    def weigh(self, rows: Iterable[Row]) -> None:
        """Reduce the room by the size of rows."""
        for row in rows:
            self.room -= 1
            self.weight -= _weight(row)

    def fail(self, error: UnreadableError) -> None:
        """Report that a table could not be read to its end."""
        self.flaws.append(not_read(error))
        self.is_damaged = True

    def findings(self, progress: Progress, *, begins: bool) -> Findings:
        """The piece, after which this is the progress."""
        replaced = Replaced(
            begins=begins,
            messages=tuple(self.replaced[ENTRIES]),
            conversations=tuple(self.replaced[CONVERSATIONS]),
            keys=tuple(self.keys),
        )
        return Findings(
            conversations=tuple(self.conversations),
            messages=tuple(self.messages),
            documents=self.documents,
            flaws=tuple(self.flaws),
            mark=progress.mark,
            more=not progress.entries.ended,
            replaced=replaced if progress.compares else None,
        )


# The pieces: first the conversations, then the entries, then the health.


class Pieces:
    """Reads one database; the spans of its conversations are looked up once."""

    _latest: ClassVar[tuple[object, Ranges] | None] = None
    """The spans of the database that was read last, for its next piece."""

    def __init__(self, database: Database, source: Source, place: Path) -> None:
        """`place` is the folder of its store."""
        self._database, self._source, self._place = database, source, place
        self._columns = {
            table: database.tables.get(table, ()) for table in (CONVERSATIONS, ENTRIES)
        }
        self._outside = Outside()

    def read(self, since: Mark) -> Findings:
        """The piece that starts at a mark."""
        before = len(self._database.lost)
        progress = Progress.at(since, self._source.stamp)
        anew = since != START and progress == Progress(self._source.stamp)
        listed, entries = progress.conversations, progress.entries
        begins = progress.compares and not (listed.done or listed.ended)
        self._outside = Outside()
        for block in entries.done:
            self._outside.last |= block.outside
        gathered = _Gathered()
        while not (gathered.is_full or listed.ended):
            listed = self._conversations(listed, gathered)
        while not (gathered.is_full or entries.ended or not listed.ended):
            entries = self._entries(entries, gathered)
        for message in self._database.lost[before:]:
            gathered.flaws.append(Flaw(code="unreadable-row", message=message))
        if entries.ended:
            self._end(entries, gathered)
        damaged = progress.damaged or gathered.is_damaged
        now = (progress.stamp, listed, entries, progress.compares, damaged)
        progress = Progress(*now)
        return replace(gathered.findings(progress, begins=begins), anew=anew)

    def _conversations(self, part: Part, into: _Gathered) -> Part:
        chunk = self._next(CONVERSATIONS, part, into)
        if not _is_same(chunk, part):
            into.replaced[CONVERSATIONS].append((part.first, chunk.last))
            into.weigh(chunk.rows)
            for row in self._decoded(CONVERSATIONS, chunk.rows):
                found, odd = read_conversation(row)
                into.conversations.append(found)
                into.flaws += odd
        return _advanced(part, chunk, _block(chunk))

    def _entries(self, part: Part, into: _Gathered) -> Part:
        chunk = self._next(ENTRIES, part, into)
        before = self._state(chunk.rows)
        block = part.before[0] if part.before else None
        context = self._context(before, block.span) if block else None
        if block and _is_same(chunk, part) and context == block.context:
            self._outside.last |= block.outside
            return _advanced(part, chunk, block)
        into.replaced[ENTRIES].append((part.first, chunk.last))
        for one in _passed(part, chunk)[0]:
            into.keys += map(outside_key, one.begun)
        into.weigh(chunk.rows)
        read = self._read(chunk, into)
        read = replace(read, context=self._context(before, read.span))
        return _advanced(part, chunk, read)

    def _read(self, chunk: Stretch, into: _Gathered) -> Block:
        """Read entries."""
        spans, outside = self._spans(), self._outside
        known, ends = dict(outside.last), list[Order]()
        begun, orphans, shared = list[int](), 0, 0
        for row in self._decoded(ENTRIES, chunk.rows):
            file, at = text(row.get("source_file")) or "", instant(row.get("timestamp"))
            if at:
                is_known = at.micros is not None
                ends += (at.order, at.order) if is_known else (_FIRST, _UNKNOWN)
            belonging = spans.at(file, at)
            key = belonging.conversation
            if key is None:
                orphans += 1
                number, is_new = outside.add(file, row, at)
                key = outside_key(number)
                if is_new:
                    begun.append(number)
                    into.conversations.append(outside_conversation(row))
            into.messages.append(read_entry(row, key))
            shared += belonging.is_shared
        return replace(
            _block(chunk),
            span=(min(ends), max(ends)) if ends else None,
            orphans=orphans,
            shared=shared,
            outside=dict(outside.last.items() - known.items()),
            begun=tuple(begun),
        )

    def _next(self, table: str, part: Part, into: _Gathered) -> Stretch:
        """The next rows: those of a known block, or after all of them."""
        old = part.before[0] if part.before else None
        last = old.last if old else HIGHEST
        most = old.count if old else min(BLOCK, into.room)
        columns = self._columns[table]
        if not columns:
            return Stretch([], b"", HIGHEST)
        try:
            return self._database.stretch(table, columns, part.first, last, most)
        except UnreadableError:
            return self._one_by_one(table, part.first, most, into)

    def _one_by_one(
        self, table: str, first: int, most: int, into: _Gathered
    ) -> Stretch:
        """The next rows without those that are unreadable, and without a digest."""
        after = None if first == LOWEST else first - 1
        rows, weight, columns = list[Row](), 0, (NUMBER, *self._columns[table])
        try:
            for row in self._database.rows(table, columns, after=after, limit=most):
                rows.append(row)
                weight += _weight(row)
                if weight > _WEIGHT or len(rows) >= most:
                    return Stretch(rows, b"", _number(row))
        except UnreadableError as error:
            into.fail(error)
        return Stretch(rows, b"", HIGHEST)

    def _decoded(self, table: str, rows: Iterable[Row]) -> Iterator[Record]:
        """Rows by column; the texts in them are decoded."""
        for number, *values in rows:
            cells = (text(v) if isinstance(v, bytes) else v for v in values)
            record = dict(zip(self._columns[table], cells, strict=True))
            yield record | {NUMBER: number}

    def _state(self, rows: Iterable[Row]) -> dict[str, Begun | None]:
        """The last conversations outside all others of the files of some entries."""
        columns = self._columns[ENTRIES]
        if "source_file" not in columns:
            return {"": self._outside.last.get("")}
        place = columns.index("source_file") + 1
        files = {text(cell) or "" for cell in {row[place] for row in rows}}
        return {file: self._outside.last.get(file) for file in files}

    def _context(self, before: Mapping[str, Begun | None], span: Span | None) -> bytes:
        """A digest of what decides about the conversations of some entries."""
        spans = self._spans()
        told = [
            (file, last, spans.around(file, *span) if span else [])
            for file, last in sorted(before.items())
        ]
        return blake2b(repr(told).encode(), digest_size=16).digest()

    def _end(self, entries: Part, into: _Gathered) -> None:
        """Add the results at the end."""
        try:
            health = health_of(self._database)
        except UnreadableError as error:
            into.fail(error)
            return
        counts = Counts(
            sum(block.count for block in entries.done),
            sum(block.orphans for block in entries.done),
            sum(block.shared for block in entries.done),
        )
        path = self._source.path
        into.flaws += flaws_of(health, counts, is_main=path in MAIN)
        document = DocumentFound(
            title=path,
            role="document",
            text="",
            category="database",
            facts=facts_of(health, counts),
        )
        into.documents = (document,)

    def _spans(self) -> Ranges:
        """The spans of all readable conversations."""
        state = (self._place, self._source)
        if Pieces._latest is None or Pieces._latest[0] != state:
            rows: list[Record] = []
            with suppress(UnreadableError):
                rows.extend(records(self._database, CONVERSATIONS, COLUMNS))
            Pieces._latest = (state, Ranges(rows))
        return Pieces._latest[1]


def _is_same(chunk: Stretch, part: Part) -> bool:
    """Whether these are the rows that were read before."""
    return bool(part.before and chunk.digest and chunk.digest == part.before[0].digest)


def _passed(part: Part, chunk: Stretch) -> tuple[list[Block], tuple[Block, ...]]:
    """The known blocks with rows up to the end of these, and those with rows after."""
    place = bisect_right(part.before, chunk.last, key=lambda block: block.last)
    gone, rest = [*part.before[:place]], part.before[place:]
    if rest and not (gone and gone[-1].last == chunk.last):
        gone.append(rest[0])
        rest = (replace(rest[0], digest=b"", begun=()), *rest[1:])
    return gone, rest


def _advanced(part: Part, chunk: Stretch, block: Block) -> Part:
    """The progress after some rows."""
    done = (*part.done, block) if chunk.rows else part.done
    return Part(done, _passed(part, chunk)[1], ended=chunk.last == HIGHEST)


def _block(chunk: Stretch) -> Block:
    """The block of some rows, judged without reading them."""
    last = _number(chunk.rows[-1]) if chunk.rows else chunk.last
    return Block(last, len(chunk.rows), chunk.digest)


def _number(row: Row) -> int:
    return row[0] if isinstance(row[0], int) else 0


def _weight(row: Row) -> int:
    return sum(len(value) for value in row if isinstance(value, (str, bytes)))
