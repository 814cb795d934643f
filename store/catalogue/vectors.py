"""Vectors of memories that the user had made, in a file beside the index."""

import os
import sqlite3
from array import array
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from store.catalogue.reader import Reader
from store.clean import given_away
from store.errors import UnreadableError
from store.formats.port import Vectors
from store.kinds.table import json_text
from store.machine import Places, make_private

# What is sent of a memory.

SENT = 600
"""The most characters of a memory that are sent; more of it find no more."""

_MEMORIES = (
    "SELECT memories.key, memories.title, coalesce(memories.description, ''), "
    "coalesce((SELECT bodies.text FROM bodies WHERE bodies.source = memories.source "
    "AND bodies.line = coalesce(memories.line, 0)), '') "
    "FROM memories WHERE memories.store = ? AND NOT memories.is_copy {} "
    "ORDER BY memories.id"
)
_NAMED = "AND memories.key IN (SELECT value FROM json_each(?))"


class Text(NamedTuple):
    """The text of a memory, as it is sent."""

    key: str
    """The key of the memory within its store."""
    text: str
    is_secret: bool
    """Whether the memory seems to contain a secret."""

    @property
    def digest(self) -> bytes:
        """A short form of the text, to notice that it has changed."""
        return sha256(self.text.encode(errors="replace")).digest()[:16]


def texts(reader: Reader, keys: Sequence[str] | None = None) -> Iterator[Text]:
    """The texts of the memories of one store, or of those with some keys."""
    named = () if keys is None else (json_text(list(keys)),)
    question = _MEMORIES.format(_NAMED if named else "")
    for store in reader.stores_seen:
        for key, *parts in reader.execute(question, (store, *named)):
            title, description, body = parts
            text = f"{title}. {description}\n{body}" if description else None
            sent = (text or f"{title}. {body}")[:SENT]
            yield Text(key, sent, any(map(given_away, parts)))


class Own(NamedTuple):
    """The vectors that we have of a store's memories, by one model."""

    model: str
    present: Mapping[str, Sequence[float]]
    """Those of texts that memories still have, by the memory's key."""
    outdated: Mapping[str, Sequence[float]]
    """Those of texts that memories no longer have."""


def own_vectors(reader: Reader, model: str = "") -> Iterator[Own]:
    """What we have of one store's memories, by a model or by each."""
    ((_, _, index),) = reader.execute("PRAGMA main.database_list").fetchall()[:1]
    file = VectorFile(Path(index) if index else Places.usual().catalogue)
    for store in reader.stores_seen:
        rows = reader.execute("SELECT path FROM stores WHERE id = ?", (store,))
        place = Path(os.fsdecode(rows.fetchone()[0]))
        for held in file.of(place, model):
            told = file.digests(place, held.model or "")
            same = {one.key for one in texts(reader) if told.get(one.key) == one.digest}
            parts = dict[bool, dict[str, Sequence[float]]]({True: {}, False: {}})
            for key, vector in held.by_key.items():
                parts[key in same][key] = vector
            yield Own(held.model or "", parts[True], parts[False])


# The file: kept when the index is rebuilt, as it costs time or money to make again.

_VERSION = 1
_TABLE = """
CREATE TABLE IF NOT EXISTS vectors (
    store BLOB NOT NULL,
    model TEXT NOT NULL,
    key TEXT NOT NULL,
    digest BLOB NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (store, model, key)
)
"""
_BY_TEXT = "CREATE INDEX IF NOT EXISTS by_text ON vectors (model, digest)"
_PATIENCE = 30.0


class VectorFile:
    """The vectors by store, model and memory; each is written at once."""

    def __init__(self, catalogue: Path) -> None:
        """The file that belongs to an index."""
        self.path = catalogue.with_name("vectors.db")

    def of(self, store: Path, model: str = "") -> list[Vectors]:
        """The vectors of a store's memories by a model, or by each model."""
        found: dict[str, dict[str, array[float]]] = {}
        with self._opened(makes=False) as connection:
            for name, key, raw in connection.execute(
                "SELECT model, key, vector FROM vectors "
                "WHERE store = ?1 AND ?2 IN ('', model)",
                (os.fsencode(store), model),
            ):
                found.setdefault(name, {})[key] = array("f", raw)
        return [Vectors(name, by_key) for name, by_key in found.items()]

    def digests(self, store: Path, model: str) -> dict[str, bytes]:
        """What each vector of a store was made from, by the memory's key."""
        with self._opened(makes=False) as connection:
            rows = connection.execute(
                "SELECT key, digest FROM vectors WHERE store = ? AND model = ?",
                (os.fsencode(store), model),
            )
            return dict(rows)

    def put(
        self, store: Path, model: str, made: Iterable[tuple[Text, Sequence[float]]]
    ) -> None:
        """Save vectors, all of them or none."""
        rows = [
            (os.fsencode(store), model, one.key, one.digest, array("f", vector))
            for one, vector in made
        ]
        with self._opened() as connection, connection:
            connection.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?)", rows
            )

    def take_known(self, store: Path, model: str, wanted: Iterable[Text]) -> set[str]:
        """Copy the vectors that exist for the same texts; returns the keys."""
        copied: set[str] = set()
        with self._opened() as connection, connection:
            for one in wanted:
                changed = connection.execute(
                    "INSERT OR REPLACE INTO vectors SELECT ?, model, ?, digest, vector "
                    "FROM vectors WHERE model = ? AND digest = ? LIMIT 1",
                    (os.fsencode(store), one.key, model, one.digest),
                )
                copied |= {one.key} if changed.rowcount else set()
        return copied

    def keep_only(self, store: Path, model: str, keys: Iterable[str]) -> None:
        """Delete the vectors of a store's former memories, and by other models."""
        with self._opened() as connection, connection:
            connection.execute(
                "DELETE FROM vectors WHERE store = ? AND (model <> ? OR key NOT IN "
                "(SELECT value FROM json_each(?)))",
                (os.fsencode(store), model, json_text(list(keys))),
            )

    @contextmanager
    def _opened(self, *, makes: bool = True) -> Generator[sqlite3.Connection]:
        """The open database; an empty one in memory if there is no file to read."""
        try:
            is_there = makes or self.path.exists()
            with closing(self._connection(is_there=is_there)) as connection:
                (version,) = connection.execute("PRAGMA user_version").fetchone()
                if version != _VERSION:
                    connection.execute("DROP TABLE IF EXISTS vectors")
                    connection.execute(_TABLE)
                    connection.execute(_BY_TEXT)
                    connection.execute(f"PRAGMA user_version = {_VERSION}")
                yield connection
        except (sqlite3.Error, OSError) as error:
            raise UnreadableError(
                f"Can't use the vectors in {self.path}: {error}. If it is damaged, "
                "delete it and run `recollect embed`."
            ) from error

    def _connection(self, *, is_there: bool) -> sqlite3.Connection:
        if not is_there:
            return sqlite3.connect(":memory:")
        make_private(self.path.parent)
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        return sqlite3.connect(self.path, timeout=_PATIENCE)
