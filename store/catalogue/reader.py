"""Read records from the index: pages, single records, all that meet a condition."""

import os
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

import orjson
from msgspec import Struct, field

from store.catalogue.database import FileConnection
from store.catalogue.sources import Sources
from store.errors import NothingFoundError
from store.files.beneath import Stamp, stamp_of
from store.formats.port import Source
from store.kinds import Record
from store.kinds.conversations import (
    CONVERSATIONS,
    NOT_ELSEWHERE,
    OF_SESSION,
    PARTS,
    Conversation,
)
from store.kinds.edges import EDGES, Edge
from store.kinds.kind import Kind
from store.kinds.memories import (
    FIRST_NAME,
    HAS_MANY,
    HAS_SEVERAL,
    LAST_NAME,
    MEMORIES,
    SECOND_NAME,
    Memory,
    hash_of,
)
from store.kinds.messages import CHOSEN, NOT_COPIED, NOT_DOUBLE
from store.kinds.pages import DOCUMENTS, EPISODES, Document, Episode
from store.kinds.table import Cell
from store.records.reports import StoreReport

# What a query depends on besides its text.


class Circumstances(Struct, frozen=True):
    """What a query depends on besides its text."""

    now: int
    """Microseconds since 1970."""
    looked: Mapping[str, int] = field(default_factory=dict[str, int])
    """When the user last viewed each store, by path; without it, everything is new."""
    marked: frozenset[str] = field(default_factory=frozenset[str])
    """The refs of the marked records."""


# A condition: SQL without user input, and its parameters.


class Condition(Struct, frozen=True):
    """A condition on a row."""

    sql: str
    """An expression; it never contains user input."""
    values: tuple[Cell, ...] = ()
    """The parameters for its question marks, in order."""

    @property
    def told(self) -> "Condition":
        """The same, with null as false, so that its negation is true."""
        return Condition(f"coalesce({self.sql}, 0)", self.values)

    @property
    def negated(self) -> "Condition":
        """The negation."""
        return Condition(f"NOT {self.told.sql}", self.values)


ALWAYS = Condition("1")
"""True for every row."""

NEVER = Condition("0")
"""True for no row."""

_TOGETHER = 64
"""The most conditions to join at one level. SQLite counts a chain of a thousand
conditions as a thousand levels, which is its limit."""


def all_of(conditions: Sequence[Condition]) -> Condition:
    """The conjunction of all conditions."""
    return _joined(conditions, " AND ", ALWAYS)


def one_of(conditions: Sequence[Condition]) -> Condition:
    """The disjunction of all conditions."""
    return _joined(conditions, " OR ", NEVER)


def _joined(
    conditions: Sequence[Condition], word: str, nothing: Condition
) -> Condition:
    if not conditions:
        return nothing
    joined = list(conditions)
    while len(joined) > 1:
        joined = [
            _beside(joined[begin : begin + _TOGETHER], word)
            for begin in range(0, len(joined), _TOGETHER)
        ]
    return joined[0]


def _beside(conditions: Sequence[Condition], word: str) -> Condition:
    sql = word.join(one.sql for one in conditions)
    values = tuple(value for one in conditions for value in one.values)
    return Condition(f"({sql})", values)


# Read from the catalogue: pages of records, single records, counts of stores.

_MEETING = (
    "edges.id IN (SELECT met.id FROM memories "
    "CROSS JOIN edges AS met ON met.{} = memories.id WHERE memories.ref = ?)"
)
"""The edges at a memory, found through the memory rather than through the store."""

_NAMED = f"""memories.id IN (
    SELECT id FROM memories WHERE {FIRST_NAME} = ?
    UNION SELECT id FROM memories WHERE {LAST_NAME} = ? AND {HAS_SEVERAL}
    UNION SELECT id FROM memories WHERE {SECOND_NAME} = ? AND {HAS_MANY}
)"""
"""The memories with a name that is their first, second or last; these have indexes."""

RecordT = TypeVar("RecordT", bound=Struct)


class Page(Struct, frozen=True):
    """The part of a list to return, and its order."""

    sort: str | None = None
    reverse: bool = False
    limit: int | None = None
    offset: int = 0


class StoreName(Struct, frozen=True):
    """The name of a store, and whether it can be changed."""

    path: str
    """The absolute path of its root."""
    name: str
    """The project, or the folder."""
    writable: bool
    """Whether its owner may change it."""


class Span(NamedTuple):
    """A range of texts, without its end."""

    first: str
    end: str

    @classmethod
    def of(cls, text: str) -> "Span":
        """Only this text."""
        return cls(text, f"{text}\0")

    @classmethod
    def beginning(cls, text: str) -> "Span":
        """Every text that starts with this one."""
        return cls(text, f"{text}\U0010ffff")


Values = Sequence[object] | Mapping[str, object]
"""The parameters of a query."""


class StoreRow(Struct, frozen=True):
    """A store in the catalogue."""

    row: int
    path: Path
    format: str
    is_said: bool
    """Whether the user said its format, with `--as` or in the settings."""


_RARE = 0.00001
"""The share of records that a ref may name."""


class Reader:
    """Reads rows and turns them into records, from the given stores only."""

    def __init__(self, connection: sqlite3.Connection, stores: Sequence[int]) -> None:
        self.connection = connection
        """For queries that have no method here."""
        self.stores_seen = list(stores)
        """The row ids of the chosen stores."""
        self._chosen = ", ".join(map(str, stores))

    def page(
        self,
        kind: Kind[RecordT],
        page: Page,
        now: int,
        condition: Condition = ALWAYS,
    ) -> Iterator[RecordT]:
        """The records of one kind that meet a condition, in order."""
        rows = self.ask(
            f"{kind.query} AND {condition.sql} AND {self.within('stores.id')} "
            f"{kind.order(page.sort, reverse=page.reverse)} LIMIT ? OFFSET ?",
            (
                *condition.values,
                *self.stores_seen,
                -1 if page.limit is None else page.limit,
                page.offset,
            ),
        )
        return (kind.make(row, now) for row in rows)

    def order(
        self, kind: Kind[Record], page: Page, condition: Condition = ALWAYS
    ) -> "array[int]":
        """The row ids of the records of one kind that meet a condition, in order."""
        order = kind.order(page.sort, reverse=page.reverse)
        rows = self.execute(
            f"SELECT {kind.name}.id FROM {kind.joined(condition.sql, order)} "
            f"WHERE {kind.is_shown} AND {condition.sql} "
            f"AND {self.within(f'{kind.name}.store')} {order}",
            (*condition.values, *self.stores_seen),
        )
        return array("q", (row for (row,) in rows))

    def rows(
        self, kind: Kind[RecordT], rows: Sequence[int], now: int
    ) -> dict[int, RecordT]:
        """The records with some row ids, as far as they exist."""
        found = self.ask(
            f"SELECT {kind.columns}, {kind.name}.id AS found_row "
            f"FROM {kind.joined_all} "
            f"WHERE {kind.name}.id IN (SELECT value FROM json_each(?))",
            (orjson.dumps(list(rows)).decode(),),
        )
        return {row["found_row"]: kind.make(row, now) for row in found}

    def named(
        self, kind: Kind[RecordT], refs: Sequence[str], now: int
    ) -> list[RecordT]:
        """The records of one kind with some refs, as far as they exist."""
        found = self.ask(
            f"SELECT {kind.columns} FROM {kind.joined_all} "
            f"WHERE {kind.name}.ref IN (SELECT value FROM json_each(?))",
            (orjson.dumps(list(refs)).decode(),),
        )
        return [kind.make(row, now) for row in found]

    def types(self, refs: Sequence[str]) -> dict[str, str | None]:
        """The types of the memories with some refs."""
        rows = self.connection.execute(
            "SELECT ref, type FROM memories "
            "WHERE ref IN (SELECT value FROM json_each(?))",
            (orjson.dumps(list(refs)).decode(),),
        )
        return dict(rows.fetchall())

    def row_of(self, kind: Kind[Record], ref: str) -> int | None:
        """The row id of the record with a ref, if there is one."""
        question = f"SELECT id FROM {kind.name} WHERE ref = ?"
        found = self.connection.execute(question, (ref,)).fetchone()
        return None if found is None else int(found[0])

    def refs_of(self, kind: Kind[Record], rows: Sequence[int]) -> dict[int, str]:
        """The refs of some rows that exist; empty for a row without one."""
        question = (
            f"SELECT id, coalesce(ref, '') FROM {kind.name} "
            "WHERE id IN (SELECT value FROM json_each(?))"
        )
        return dict(self.ask(question, (orjson.dumps(list(rows)).decode(),)).fetchall())

    def rows_of(self, kind: Kind[Record], refs: Sequence[str]) -> dict[str, int]:
        """The row ids of the refs that exist."""
        question = (
            f"SELECT ref, id FROM {kind.name} "
            "WHERE ref IN (SELECT value FROM json_each(?))"
        )
        return dict(self.ask(question, (orjson.dumps(list(refs)).decode(),)).fetchall())

    def count(
        self, kind: Kind[Record], condition: Condition = ALWAYS, most: int = -1
    ) -> int:
        """The number of records of one kind that meet a condition, up to a limit."""
        within = self.within(f"{kind.name}.store")
        (number,) = self.ask(
            f"SELECT count(*) FROM (SELECT 1 FROM {kind.joined(condition.sql)} "
            f"WHERE {kind.is_shown} AND {condition.sql} AND {within} LIMIT ?)",
            (*condition.values, *self.stores_seen, most),
        ).fetchone()
        return int(number)

    def called(
        self, kind: Kind[RecordT], span: Span, now: int, limit: int | None
    ) -> list[RecordT]:
        """The records of one kind with refs in a range.

        These are few; without this hint SQLite scans all edges of a store.
        """
        refs = f"{kind.name}.ref"
        condition = f"likelihood({refs} >= ?, {_RARE}) AND {refs} < ?"
        return self.where(kind, condition, span, now, limit)

    def identified(self, span: Span, now: int, limit: int) -> list[Memory]:
        """The memories with identifiers in a range."""
        condition = "memories.own_id >= ? AND memories.own_id < ?"
        return self.where(MEMORIES, condition, span, now, limit)

    def titled(
        self, kind: Kind[RecordT], title: str, now: int, limit: int, *, begins: bool
    ) -> list[RecordT]:
        """The records of one kind with a title, ignoring the case of ASCII letters.

        `begins` finds those whose title begins like this.
        """
        known = f"{kind.name}.title"
        if not begins:
            return self.where(kind, f"{known} = ? COLLATE NOCASE", (title,), now, limit)
        condition = f"substr({known}, 1, length(?)) = ? COLLATE NOCASE"
        return self.where(kind, condition, (title, title), now, limit)

    def at_path(
        self, kind: Kind[RecordT], path: str, now: int, limit: int
    ) -> list[RecordT]:
        """The records of one kind from files with a path in their store."""
        known = f"{kind.name}.source IN (SELECT id FROM sources WHERE path = ?)"
        return self.where(kind, known, (os.fsencode(path),), now, limit)

    def of_session(self, span: Span, now: int, limit: int) -> list[Conversation]:
        """The conversations with session identifiers in a range."""
        condition = "(conversations.session >= ? AND conversations.session < ?)"
        values = (*span, *span)
        return self.where(
            CONVERSATIONS, OF_SESSION.format(condition), values, now, limit
        )

    def containing(self, kind: str, span: Span) -> Iterator[str]:
        """The refs of the records that contain hidden copies with refs in a range."""
        if kind in _CONTAINING:
            condition = f"{kind}s.ref >= ? AND {kind}s.ref < ?"
            question = f"{_CONTAINING[kind]} WHERE {condition} AND {{}}"
            within = self.within(f"{kind}s.store")
            values = (*span, *self.stores_seen)
            yield from (ref for (ref,) in self.ask(question.format(within), values))

    def namesakes(self, key: str, now: int) -> list[Memory]:
        """The memories with a name."""
        return self.where(MEMORIES, _NAMED, (key,) * _NAMED.count("?"), now, None)

    def described(self, text: str) -> list[str]:
        """The refs of memories with a description, ignoring case and white space."""
        wanted = text.casefold().split()
        rows = self.connection.execute(
            "SELECT ref, description FROM memories WHERE description_hash = ? "
            f"AND {self.within('store')}",
            (hash_of(text), *self.stores_seen),
        )
        return [ref for ref, own in rows if own.casefold().split() == wanted]

    def every_project(self) -> set[str]:
        """The names of the projects of conversations in all stores, seen or not."""
        rows = self.connection.execute(
            "SELECT DISTINCT project FROM conversations WHERE project IS NOT NULL"
        )
        return {project for (project,) in rows}

    def memory_indexes(self) -> list[str]:
        """The paths of the documents that list the memories."""
        rows = self.connection.execute(
            "SELECT sources.path FROM documents "
            "JOIN sources ON sources.id = documents.source "
            "WHERE documents.role = 'memory-index' "
            f"AND {self.within('documents.store')}",
            self.stores_seen,
        )
        return [os.fsdecode(path) for (path,) in rows]

    def types_at(self, paths: Sequence[str]) -> dict[str, str]:
        """The types of the first memories in some files, by path."""
        found: dict[str, str] = {}
        for path in paths:
            row = self.connection.execute(
                "SELECT memories.type FROM sources "
                "JOIN memories ON memories.source = sources.id "
                f"WHERE {self.within('sources.store')} AND sources.path = ? "
                "ORDER BY memories.line, memories.id LIMIT 1",
                (*self.stores_seen, os.fsencode(path)),
            ).fetchone()
            if row and row[0]:
                found[path] = row[0]
        return found

    def source(self, store: str, path: str) -> Source:
        """A source with the stamp from when it was read."""
        row = self.ask(
            "SELECT role, size, mtime_ns, inode FROM sources "
            "JOIN stores ON stores.id = sources.store "
            "WHERE stores.path = ? AND sources.path = ?",
            (os.fsencode(store), os.fsencode(path)),
        ).fetchone()
        if row is None:
            raise NothingFoundError(f"{path} no longer exists.")
        role, *stamp = row
        return Source(path, role, Stamp(*stamp))

    def files(self) -> int:
        """The number of sources in the stores."""
        (number,) = self.ask(
            f"SELECT count(*) FROM sources WHERE {self.within('store')}",
            self.stores_seen,
        ).fetchone()
        return int(number)

    def names(self) -> list[StoreName]:
        """The name of every store."""
        rows = self.connection.execute(
            f"SELECT path, title, writable FROM stores WHERE {self.within('id')} "
            "ORDER BY path",
            self.stores_seen,
        )
        return [
            StoreName(os.fsdecode(path), title, bool(writable))
            for path, title, writable in rows
        ]

    def stores(self) -> Iterator[StoreReport]:
        """Every store, with the number of its records."""
        rows = self.ask(
            f"{_COUNTS} WHERE {self.within('stores.id')} ORDER BY stores.path",
            self.stores_seen,
        )
        return (_report(row) for row in rows)

    def where(
        self,
        kind: Kind[RecordT],
        condition: str,
        values: Sequence[str | int | bytes],
        now: int,
        limit: int | None,
    ) -> list[RecordT]:
        """The records of one kind that meet a condition."""
        rows = self.ask(
            f"{kind.query} AND {condition} AND {self.within('stores.id')} "
            f"{kind.order(None, reverse=False)} LIMIT ?",
            (*values, *self.stores_seen, -1 if limit is None else limit),
        )
        return [kind.make(row, now) for row in rows]

    def ask(self, question: str, values: Values) -> sqlite3.Cursor:
        """Execute a query whose columns can be accessed by name."""
        cursor = self._cursor()
        cursor.row_factory = sqlite3.Row
        return cursor.execute(question.replace(CHOSEN, self._chosen), values)

    def execute(self, question: str, values: Values = ()) -> sqlite3.Cursor:
        """Execute a query whose rows are tuples."""
        return self._cursor().execute(question.replace(CHOSEN, self._chosen), values)

    def _cursor(self) -> sqlite3.Cursor:
        """A cursor that does not outlive its connection, even if rows are left."""
        if isinstance(self.connection, FileConnection):
            return self.connection.reading()
        return self.connection.cursor()

    def within(self, column: str) -> str:
        """The condition that limits a query to the chosen stores."""
        return f"{column} IN ({', '.join('?' * len(self.stores_seen))})"


class Around:
    """Reads the records around a memory or a document."""

    def __init__(self, reader: Reader, now: int) -> None:
        self._reader = reader
        self._now = now

    def edges_from(self, ref: str) -> list[Edge]:
        """The edges that start at a memory."""
        return self._reader.where(
            EDGES, _MEETING.format("start"), (ref,), self._now, None
        )

    def edges_to(self, ref: str) -> list[Edge]:
        """The edges that end at a memory."""
        return self._reader.where(
            EDGES, _MEETING.format('"end"'), (ref,), self._now, None
        )

    def episodes_of(self, ref: str) -> list[Episode]:
        """The episodes about a memory."""
        return self._reader.where(EPISODES, "memories.ref = ?", (ref,), self._now, None)

    def documents_naming(self, ref: str) -> list[Document]:
        """The documents that mention a memory."""
        condition = (
            "documents.source IN (SELECT mentions.source FROM mentions "
            "JOIN memories ON memories.id = mentions.memory WHERE memories.ref = ?)"
        )
        return self._reader.where(DOCUMENTS, condition, (ref,), self._now, None)

    def memories_named_in(self, ref: str) -> list[Memory]:
        """The memories that a document mentions."""
        condition = (
            "memories.id IN (SELECT mentions.memory FROM mentions "
            "JOIN documents ON documents.source = mentions.source "
            "WHERE documents.ref = ?)"
        )
        return self._reader.where(MEMORIES, condition, (ref,), self._now, None)


def known_stores(connection: sqlite3.Connection) -> list[StoreRow]:
    """All stores in the catalogue."""
    rows = connection.execute("SELECT id, path, format, given FROM stores")
    return [
        StoreRow(row, Path(os.fsdecode(path)), form, bool(given))
        for row, path, form, given in rows
    ]


def _counted(table: str) -> str:
    """The number of a store's rows in a table."""
    return f"(SELECT count(*) FROM {table} WHERE {table}.store = stores.id) AS {table}"


def _shown_once(table: str, is_shown: str) -> str:
    """The number of a store's rows in a table, without those shown elsewhere."""
    return (
        f"(SELECT count(*) FROM {table} JOIN sources ON sources.id = {table}.source "
        f"WHERE sources.store = stores.id AND {NOT_COPIED} AND {is_shown}) AS {table}"
    )


_KINDS = ("memories", "edges", "episodes", "measures")
_SPOKEN = {"conversations": NOT_ELSEWHERE, "messages": NOT_DOUBLE}
_OTHERS = ("events", "problems", "bytes")

_COUNTS = (
    "SELECT stores.*, "
    + ", ".join(
        [
            *map(_counted, _KINDS),
            *(_shown_once(table, shown) for table, shown in _SPOKEN.items()),
        ]
    )
    + ", (SELECT count(*) FROM events WHERE store = stores.id AND NOT is_hidden) "
    "AS events"
    ", (SELECT coalesce(sum(count), 0) FROM problems "
    "WHERE store = stores.id AND shared IS NULL) AS problems"
    ", (SELECT coalesce(sum(size), 0) FROM sources WHERE store = stores.id) AS bytes "
    "FROM stores"
)


def _report(row: sqlite3.Row) -> StoreReport:
    counts = {name: row[name] for name in (*_KINDS, *_SPOKEN, *_OTHERS)}
    return StoreReport(
        path=os.fsdecode(row["path"]),
        format=row["format"],
        name=row["title"],
        writable=bool(row["writable"]),
        **counts,
    )


_CONTAINING = {
    "conversation": f"SELECT wholes.ref FROM {PARTS}",
    "message": (
        "SELECT wholes.ref FROM messages JOIN sources ON sources.id = messages.source "
        "JOIN messages AS wholes ON wholes.source = sources.copy_of "
        "AND wholes.kin = messages.kin"
    ),
}


# The records of single files.

Place = tuple[Path, str]
"""A file, as its store and its path there."""

Lines = tuple[int, int]
"""A range of lines in a file, without its end."""

_STORE = "SELECT id FROM stores WHERE path = ?"


def is_known(connection: sqlite3.Connection, place: Place) -> bool:
    """Whether the catalogue has the current content of a file."""
    root, path = place
    row = connection.execute(_STORE, (os.fsencode(root),)).fetchone()
    known = Sources(connection).known_one(row[0], path) if row else None
    if known is None:
        return False
    try:
        about = (root / path).lstat()
    except OSError:
        return False
    return known.stamp == stamp_of(about)


def refs_at(
    connection: sqlite3.Connection,
    kinds: Iterable[str],
    places: Sequence[tuple[Place, Lines | None]],
) -> list[str]:
    """The refs of the records in some files, in the order of the files.

    With lines, these are only the records there, and those without a line.
    """
    return [
        ref
        for kind in kinds
        for (root, path), lines in places
        for question, terms in _questions(kind, lines)
        for (ref,) in connection.execute(
            question, (os.fsencode(root), os.fsencode(path), *terms)
        )
    ]


class Stood(Struct, frozen=True):
    """A memory in a file."""

    place: Place
    row: int
    key: str
    ref: str


def memories_at(
    connection: sqlite3.Connection, places: Sequence[tuple[Place, Lines | None]]
) -> list[Stood]:
    """The memories in some files, or on some of their lines, in order."""
    columns = 'memories.line, memories.id, memories."key", memories.ref'
    found: list[Stood] = []
    for place, lines in places:
        terms = (os.fsencode(place[0]), os.fsencode(place[1]))
        for question, more in _questions("memories", lines, columns):
            rows = connection.execute(question, (*terms, *more)).fetchall()
            rows.sort(key=lambda row: row[0] or 0)
            found += [Stood(place, *row[1:]) for row in rows]
    return found


def _questions(
    kind: str, lines: Lines | None, columns: str = ""
) -> Iterator[tuple[str, tuple[int, ...]]]:
    columns = columns or f"{kind}.ref"
    question = (
        f"SELECT {columns} FROM {kind} "
        f"JOIN sources ON sources.id = {kind}.source "
        f"JOIN stores ON stores.id = sources.store "
        f"WHERE stores.path = ? AND sources.path = ? {{}} ORDER BY {kind}.id"
    )
    if lines is None:
        yield question.format(""), ()
    else:
        yield question.format(f"AND {kind}.line IS NULL"), ()
        yield question.format(f"AND {kind}.line >= ? AND {kind}.line < ?"), lines
