"""Which memory a key means, looked up one by one: before some files moved, and now."""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from store.catalogue.keys import file_key
from store.catalogue.schema.memories import (
    FIRST_NAME,
    HAS_MANY,
    HAS_MORE,
    HAS_SEVERAL,
    LAST_NAME,
    SECOND_NAME,
)
from store.catalogue.schema.sources import FILE_NAME

_HELD = 'SELECT memories.id, memories."key", sources.path, memories.line'
_OF_MEMORIES = f"{_HELD} FROM memories JOIN sources ON sources.id = memories.source"
_OF_SOURCES = f"{_HELD} FROM sources JOIN memories ON memories.source = sources.id"

_BY_KEY = f'{_OF_MEMORIES} WHERE memories."key" = ?1 AND memories.store = ?2'
_BY_PATH = f"{_OF_SOURCES} WHERE sources.path = ?1 AND sources.store = ?2"
_BY_FILE = f"""
    {_HELD} FROM sources INDEXED BY sources_by_name
    JOIN memories ON memories.source = sources.id
    WHERE {FILE_NAME} = ?1 AND sources.store = ?2
"""
_BY_NAME = (
    f"{_OF_MEMORIES} WHERE {FIRST_NAME} = ?1 AND memories.store = ?2",
    f"{_OF_MEMORIES} WHERE {LAST_NAME} = ?1 AND memories.store = ?2 AND {HAS_SEVERAL}",
    f"{_OF_MEMORIES} WHERE {SECOND_NAME} = ?1 AND memories.store = ?2 AND {HAS_MANY}",
    (
        f"{_OF_MEMORIES} WHERE memories.store = ?2 AND {HAS_MORE} "
        "AND instr(' ' || names || ' ', ' ' || ?1 || ' ')"
    ),
)


class Held(NamedTuple):
    """The memory that has a key: the first by path and line."""

    row: int
    key: str
    """Its own."""


class Holders:
    """The memories of one store by what they go by.

    Answers as `store.catalogue.keys.Keys` does, without having read them all. What is
    `known` of some keys, from another time, is taken from there.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        store: int,
        known: Mapping[str, Held | None] | None = None,
    ) -> None:
        self._connection = connection
        self._store = store
        self._held: dict[str, Held | None] = dict(known or {})

    def held(self, key: str) -> Held | None:
        """The memory that has this very key."""
        if key not in self._held:
            self._held[key] = self._first(key)
        return self._held[key]

    def found(self, key: str) -> Held | None:
        """The memory that a key means: a path that is gone, by the file's name."""
        held = self.held(key)
        if held is None and key.startswith("path:"):
            return self.held(file_key(key))
        return held

    def meant(self, key: str) -> tuple[str, int | None]:
        """The own key and the row of the memory that a key means; else it stands."""
        held = self.found(key)
        return (key, None) if held is None else (held.key, held.row)

    def _first(self, key: str) -> Held | None:
        try:
            key.encode()
        except UnicodeEncodeError:
            return None  # no claim holds such a text, for no row can
        first = min(self._candidates(key), default=None)
        return None if first is None else Held(first[2], first[3])

    def _candidates(
        self, key: str
    ) -> Iterator[tuple[bytes, tuple[bool, int], int, str]]:
        """All that have the key, each by where it stands."""
        for question, term in _questions(key):
            for row, own, path, line in self._connection.execute(
                question, (term, self._store)
            ):
                yield path, (line is not None, line or 0), row, own


class Meanings(NamedTuple):
    """What keys meant before some files moved, and what they mean now."""

    before: Holders
    now: Holders
    changed: frozenset[str]
    """The keys that another memory has than before, or that none had or has."""

    @classmethod
    def of(cls, before: Holders, now: Holders, keys: Iterable[str]) -> "Meanings":
        """What these keys meant and mean; no others were concerned."""
        changed = (key for key in keys if before.held(key) != now.held(key))
        return cls(before, now, frozenset(changed))


def _questions(key: str) -> Iterator[tuple[str, str | bytes]]:
    """How to ask for those that have a key."""
    scheme, _, rest = key.partition(":")
    yield _BY_KEY, key
    match scheme:
        case "path":
            yield _BY_PATH, os.fsencode(rest)
        case "file":
            yield _BY_FILE, rest
        case "name":
            yield from ((question, key) for question in _BY_NAME)
        case _:
            pass


def without_folders(key: str) -> set[str]:
    """What keys come to without folders that may mean what this one means."""
    scheme, _, rest = key.partition(":")
    last = key.rpartition("/")[2]
    return {last, rest, f"path:{rest}"} if scheme == "file" else {last}
