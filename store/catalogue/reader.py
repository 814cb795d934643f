"""Answers from the catalogue: pages of records, single ones, counts of stores."""

import os
import sqlite3
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

import orjson
from msgspec import Struct

from store.catalogue.conditions.condition import ALWAYS, Condition
from store.catalogue.schema.memories import (
    FIRST_NAME,
    HAS_MANY,
    HAS_SEVERAL,
    LAST_NAME,
    SECOND_NAME,
)
from store.catalogue.views import (
    CONVERSATIONS,
    DOCUMENTS,
    EDGES,
    EPISODES,
    MEMORIES,
    Record,
    View,
)
from store.errors import NothingFoundError
from store.files.beneath import Stamp
from store.formats.port import Source
from store.records.conversation import Conversation
from store.records.document import Document
from store.records.edge import Edge
from store.records.episode import Episode
from store.records.memory import Memory
from store.records.reports import StoreReport

_MEETING = (
    "edges.id IN (SELECT met.id FROM memories "
    "CROSS JOIN edges AS met ON met.{} = memories.id WHERE memories.ref = ?)"
)
"""The edges that a memory is at an end of, found from there and not in their store."""

_NAMED = f"""memories.id IN (
    SELECT id FROM memories WHERE {FIRST_NAME} = ?
    UNION SELECT id FROM memories WHERE {LAST_NAME} = ? AND {HAS_SEVERAL}
    UNION SELECT id FROM memories WHERE {SECOND_NAME} = ? AND {HAS_MANY}
)"""
"""The memories one of whose first names, or whose last, is this; see their indexes."""

RecordT = TypeVar("RecordT")


class Page(Struct, frozen=True):
    """Which rows of a list are wanted."""

    sort: str | None = None
    reverse: bool = False
    limit: int | None = None
    offset: int = 0


class StoreName(NamedTuple):
    """A store as far as that takes no counting."""

    path: str
    """The absolute path of its root."""
    name: str
    """What to call it: the project, or the folder."""
    writable: bool
    """Whether its owner may change it."""


class Span(NamedTuple):
    """The texts from one up to another, that one not included."""

    first: str
    end: str

    @classmethod
    def of(cls, text: str) -> "Span":
        """This text alone."""
        return cls(text, f"{text}\0")

    @classmethod
    def beginning(cls, text: str) -> "Span":
        """Every text with this beginning."""
        return cls(text, f"{text}\U0010ffff")


class StoreRow(Struct, frozen=True):
    """A store, as the catalogue knows it."""

    row: int
    path: Path
    format: str


class Reader:
    """Reads rows and makes records of them; `stores` limits what is seen."""

    def __init__(self, connection: sqlite3.Connection, stores: Sequence[int]) -> None:
        self.connection = connection
        """For questions that no method here puts."""
        self.stores_seen = list(stores)
        """The rows of the stores that are looked at."""

    def page(
        self,
        view: View[RecordT],
        page: Page,
        now: int,
        condition: Condition = ALWAYS,
    ) -> Iterator[RecordT]:
        """The records of a kind that meet a condition, in order."""
        rows = self.ask(
            f"{view.query} AND {condition.sql} AND {self.within('stores.id')} "
            f"{view.order(page.sort, reverse=page.reverse)} LIMIT ? OFFSET ?",
            (
                *condition.values,
                *self.stores_seen,
                -1 if page.limit is None else page.limit,
                page.offset,
            ),
        )
        return (view.make(row, now) for row in rows)

    def order(
        self, view: View[Record], page: Page, condition: Condition = ALWAYS
    ) -> "array[int]":
        """The rows of a kind that meet a condition, in order: a number each."""
        order = view.order(page.sort, reverse=page.reverse)
        rows = self.connection.execute(
            f"SELECT {view.table}.id FROM {view.joined(condition.sql, order)} "
            f"WHERE {view.shown} AND {condition.sql} "
            f"AND {self.within(f'{view.table}.store')} {order}",
            (*condition.values, *self.stores_seen),
        )
        return array("q", (row for (row,) in rows))

    def rows(
        self, view: View[RecordT], rows: Sequence[int], now: int
    ) -> dict[int, RecordT]:
        """The records of some rows, those that are there."""
        found = self.ask(
            f"SELECT {view.table}.id AS found_row, {view.columns} "
            f"FROM {view.table} {view.joins} "
            f"WHERE {view.table}.id IN (SELECT value FROM json_each(?))",
            (orjson.dumps(list(rows)).decode(),),
        )
        return {row["found_row"]: view.make(row, now) for row in found}

    def named(
        self, view: View[RecordT], refs: Sequence[str], now: int
    ) -> list[RecordT]:
        """The records of a kind that go by some refs, those that are there."""
        found = self.ask(
            f"SELECT {view.columns} FROM {view.table} {view.joins} "
            f"WHERE {view.table}.ref IN (SELECT value FROM json_each(?))",
            (orjson.dumps(list(refs)).decode(),),
        )
        return [view.make(row, now) for row in found]

    def types(self, refs: Sequence[str]) -> dict[str, str | None]:
        """The types of the memories that go by some refs."""
        rows = self.connection.execute(
            "SELECT ref, type FROM memories "
            "WHERE ref IN (SELECT value FROM json_each(?))",
            (orjson.dumps(list(refs)).decode(),),
        )
        return dict(rows.fetchall())

    def row_of(self, view: View[Record], ref: str) -> int | None:
        """The row that a ref names, where there is one."""
        question = f"SELECT id FROM {view.table} WHERE ref = ?"
        found = self.connection.execute(question, (ref,)).fetchone()
        return None if found is None else int(found[0])

    def count(
        self, view: View[Record], condition: Condition = ALWAYS, most: int = -1
    ) -> int:
        """How many records of a kind meet a condition; at most so many are counted."""
        within = self.within(f"{view.table}.store")
        (number,) = self.ask(
            f"SELECT count(*) FROM (SELECT 1 FROM {view.joined(condition.sql)} "
            f"WHERE {view.shown} AND {condition.sql} AND {within} LIMIT ?)",
            (*condition.values, *self.stores_seen, most),
        ).fetchone()
        return int(number)

    def called(
        self, view: View[RecordT], span: Span, now: int, limit: int | None
    ) -> list[RecordT]:
        """The records of a kind whose refs lie in a span."""
        condition = f"{view.table}.ref >= ? AND {view.table}.ref < ?"
        return self.where(view, condition, span, now, limit)

    def identified(self, span: Span, now: int, limit: int) -> list[Memory]:
        """The memories whose own identifiers lie in a span."""
        condition = "memories.own_id >= ? AND memories.own_id < ?"
        return self.where(MEMORIES, condition, span, now, limit)

    def of_session(self, span: Span, now: int, limit: int) -> list[Conversation]:
        """The conversations of the sessions whose identifiers lie in a span."""
        condition = "conversations.session >= ? AND conversations.session < ?"
        return self.where(CONVERSATIONS, condition, span, now, limit)

    def namesakes(self, key: str, now: int) -> list[Memory]:
        """The memories that go by a name."""
        return self.where(MEMORIES, _NAMED, (key,) * _NAMED.count("?"), now, None)

    def edges_from(self, ref: str, now: int) -> list[Edge]:
        """The edges that start at a memory."""
        return self.where(EDGES, _MEETING.format("start"), (ref,), now, None)

    def edges_to(self, ref: str, now: int) -> list[Edge]:
        """The edges that lead to a memory."""
        return self.where(EDGES, _MEETING.format('"end"'), (ref,), now, None)

    def episodes_of(self, ref: str, now: int) -> list[Episode]:
        """The episodes that tell of a memory."""
        return self.where(EPISODES, "memories.ref = ?", (ref,), now, None)

    def documents_naming(self, ref: str, now: int) -> list[Document]:
        """The documents that name a memory."""
        condition = (
            "documents.source IN (SELECT mentions.source FROM mentions "
            "JOIN memories ON memories.id = mentions.memory WHERE memories.ref = ?)"
        )
        return self.where(DOCUMENTS, condition, (ref,), now, None)

    def memories_named_in(self, ref: str, now: int) -> list[Memory]:
        """The memories that a document names."""
        condition = (
            "memories.id IN (SELECT mentions.memory FROM mentions "
            "JOIN documents ON documents.source = mentions.source "
            "WHERE documents.ref = ?)"
        )
        return self.where(MEMORIES, condition, (ref,), now, None)

    def source(self, store: str, path: str) -> Source:
        """A source as it was when it was read."""
        row = self.ask(
            "SELECT role, size, mtime_ns, inode FROM sources "
            "JOIN stores ON stores.id = sources.store "
            "WHERE stores.path = ? AND sources.path = ?",
            (os.fsencode(store), os.fsencode(path)),
        ).fetchone()
        if row is None:
            raise NothingFoundError(f"{path} is no longer in the catalogue.")
        role, *stamp = row
        return Source(path, role, Stamp(*stamp))

    def files(self) -> int:
        """How many sources the stores have."""
        (number,) = self.ask(
            f"SELECT count(*) FROM sources WHERE {self.within('store')}",
            self.stores_seen,
        ).fetchone()
        return int(number)

    def names(self) -> list[StoreName]:
        """What every store is called."""
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
        """Every store, with how much it holds."""
        rows = self.ask(
            f"{_COUNTS} WHERE {self.within('stores.id')} ORDER BY stores.path",
            self.stores_seen,
        )
        return (_report(row) for row in rows)

    def where(
        self,
        view: View[RecordT],
        condition: str,
        values: Sequence[str | int],
        now: int,
        limit: int | None,
    ) -> list[RecordT]:
        """The records of a kind that a condition holds for."""
        rows = self.ask(
            f"{view.query} AND {condition} AND {self.within('stores.id')} "
            f"{view.order(None, reverse=False)} LIMIT ?",
            (*values, *self.stores_seen, -1 if limit is None else limit),
        )
        return [view.make(row, now) for row in rows]

    def ask(self, question: str, values: Sequence[object]) -> sqlite3.Cursor:
        """Put a question whose rows can be asked by name."""
        cursor = self.connection.cursor()
        cursor.row_factory = sqlite3.Row
        return cursor.execute(question, values)

    def within(self, column: str) -> str:
        """The condition that keeps to the stores that are looked at."""
        return f"{column} IN ({', '.join('?' * len(self.stores_seen))})"


def known_stores(connection: sqlite3.Connection) -> list[StoreRow]:
    """All stores in the catalogue."""
    rows = connection.execute("SELECT id, path, format FROM stores")
    return [StoreRow(row, Path(os.fsdecode(path)), form) for row, path, form in rows]


def _counted(table: str) -> str:
    """The number of a store's rows in a table."""
    return f"(SELECT count(*) FROM {table} WHERE {table}.store = stores.id) AS {table}"


def _shown_once(table: str) -> str:
    """The number of a store's rows in a table, transcripts kept twice left out."""
    return (
        f"(SELECT count(*) FROM {table} WHERE source IN (SELECT id FROM sources "
        f"WHERE sources.store = stores.id AND copy_of IS NULL)) AS {table}"
    )


_KINDS = ("memories", "edges", "episodes", "measures", "problems")
_SPOKEN = ("conversations", "messages")

_COUNTS = (
    "SELECT stores.*, "
    + ", ".join([*map(_counted, _KINDS), *map(_shown_once, _SPOKEN)])
    + ", (SELECT count(*) FROM events WHERE store = stores.id AND NOT is_hidden) "
    "AS events"
    ", (SELECT coalesce(sum(size), 0) FROM sources WHERE store = stores.id) AS bytes "
    "FROM stores"
)


def _report(row: sqlite3.Row) -> StoreReport:
    counts = {name: row[name] for name in (*_KINDS, *_SPOKEN, "events", "bytes")}
    return StoreReport(
        path=os.fsdecode(row["path"]),
        format=row["format"],
        name=row["title"],
        writable=bool(row["writable"]),
        **counts,
    )
