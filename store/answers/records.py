"""One record by name: found, opened in full, its bytes, its links."""

from collections.abc import Collection, Iterator
from functools import partial

from store.answers.show import (
    InFull,
    find,
    find_memory,
    kept_refs,
    links_of,
    open_in_full,
    raw_of,
    successors,
)
from store.answers.stores import OpenStores
from store.catalogue.provenance import way
from store.catalogue.reader import Reader, Span
from store.edits.draft import Changeable
from store.errors import NotPossibleError
from store.kinds import Record
from store.kinds.conversations import Conversation
from store.kinds.journals import Agent, Event
from store.kinds.memories import MEMORIES, Memory
from store.records.answers import Link
from store.records.intents import Transit
from store.state import former_refs


class Records:
    """Answers about one record."""

    def __init__(self, stores: OpenStores) -> None:
        self._stores = stores

    def named(self, name: str) -> Record:
        """The record with a ref, or with a ref that starts like this, as in a list."""
        with self._stores.reader() as reader:
            return record_named(self._stores, reader, name)

    def show(self, name: str) -> InFull:
        """One record in full, with the content of its file."""
        formats = {found.path: found.format for found in self._stores.found}
        with self._stores.reader() as reader:
            record = record_named(self._stores, reader, name)
            return open_in_full(reader, record, formats, self._stores.now)

    def raw(self, name: str) -> bytes | None:
        """The bytes of a record's file; None if they are not text."""
        with self._stores.reader() as reader:
            record = record_named(self._stores, reader, name)
            return raw_of(self._stores.mirrored(record))

    def links(self, name: str) -> Iterator[Link]:
        """All links from a record and to it."""
        with self._stores.reader() as reader:
            record = record_named(self._stores, reader, name)
            yield from links_of(reader, record, self._stores.now)

    def doubt(self, name: str) -> str:
        """Why a record of the past may have been different; empty for the present."""
        if self._stores.lookback is None:
            return ""
        with self._stores.reader() as reader:
            return self._stores.lookback.doubt(record_named(self._stores, reader, name))

    def way(self, begin: str, end: str) -> list[Memory]:
        """The memories on the shortest path between two of them, ends included."""
        with self._stores.reader() as reader:
            ends = [reader.row_of(MEMORIES, ref) for ref in (begin, end)]
            rows = way(reader, *(row for row in ends if row is not None))
            found = reader.rows(MEMORIES, rows, self._stores.now)
            return [found[row] for row in rows]


# The record that a user or a change names.

Name = str | Changeable
"""A record, or what names it."""


def record_named(stores: OpenStores, reader: Reader, name: str) -> Record:
    """The record that a user names, perhaps by a ref that it once had."""
    return find(reader, name, stores.now, partial(_former, stores))


def memory_named(stores: OpenStores, reader: Reader, name: str) -> Memory:
    """The memory that a user names; any other record is an error."""
    return find_memory(reader, name, stores.now, partial(_former, stores))


def changeable(stores: OpenStores, name: Name) -> Changeable:
    """The record of a name; raises NotPossibleError if its kind is never changed."""
    if not isinstance(name, str):
        return name
    with stores.reader() as reader:
        record = record_named(stores, reader, name)
    if isinstance(record, Event | Agent):
        raise NotPossibleError(f"{record.ref} is read-only.")
    return record


def acted_on(stores: OpenStores, word: str, record: Changeable) -> Changeable:
    """The record that an action changes; for a status, the copy that has one."""
    if word == Transit.word and isinstance(record, Conversation):
        for copy in reversed(record.copies):
            if copy.status:
                return changeable(stores, copy.ref)
    return record


def _former(
    stores: OpenStores, reader: Reader, kinds: Collection[str], name: str
) -> Iterator[str]:
    """The current refs of records that once had this ref."""
    for kind in kinds:
        yield from reader.containing(kind, Span.beginning(f"{kind}:{name.lower()}"))
    if stores.writing is None:
        return
    places = stores.writing.places
    yield from successors(former_refs(places), reader, kinds, name)
    if places.vault.is_dir():
        yield from kept_refs(places, reader, kinds, name)
