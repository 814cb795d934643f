"""Which memories a conversation wrote, and with which message."""

import os

from store.catalogue.provenance import failed_of, whereabouts
from store.catalogue.reader import Reader
from store.derive.whereabouts import Placed
from store.talk.said import Written

_MOST = 3
"""How many memories of one file are told: a file of many is written for one of them."""

_WRITES = (
    "SELECT writes.source, writes.line, writes.path, conversations.cwd "
    "FROM conversations JOIN runs ON runs.conversation = conversations.id "
    "JOIN writes ON writes.source = runs.source "
    "AND writes.line BETWEEN runs.first_line AND runs.last_line "
    "WHERE conversations.ref = ? ORDER BY writes.line"
)
_MEMORIES = (
    "SELECT memories.ref, memories.title, memories.type FROM memories "
    "JOIN sources ON sources.id = memories.source "
    "JOIN stores ON stores.id = sources.store "
    "WHERE stores.path = ? AND sources.path = ? ORDER BY memories.id LIMIT ?"
)


def written_in(reader: Reader, ref: str) -> list[Written]:
    """The memories whose files the messages of a conversation wrote."""
    stores = whereabouts(reader)
    writes = reader.ask(_WRITES, (ref,)).fetchall()
    paths = {(path, folder) for _, _, path, folder in writes}
    places = {one: stores.of(*one) for one in paths}
    memories = {one: _memories(reader, at) for one, at in places.items() if at}
    told = [write for write in writes if memories.get((write[2], write[3]))]
    failed = failed_of(reader, {(source, line) for source, line, *_ in told})
    return [
        Written(line, *memory)
        for source, line, path, folder in told
        if (source, line) not in failed
        for memory in memories[path, folder]
    ]


def _memories(reader: Reader, place: Placed) -> list[tuple[str, str, str | None]]:
    """The memories in a file: what names each, its title, its type."""
    where = tuple(map(os.fsencode, place))
    return [tuple(row) for row in reader.ask(_MEMORIES, (*where, _MOST))]
