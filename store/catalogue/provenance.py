"""Who wrote what: which messages and conversations a memory, and the reverse."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import orjson

from store.catalogue.reader import Reader, known_stores
from store.catalogue.rows.cells import holdable
from store.catalogue.views import CONVERSATIONS, EPISODES, MEMORIES, MESSAGES
from store.derive.whereabouts import Placed, Whereabouts
from store.records.conversation import Conversation, Message
from store.records.episode import Episode
from store.records.memory import Memory

_FOLDER = (
    "CASE WHEN substr(writes.path, 1, 1) IN ('/', '~', char(92)) THEN NULL ELSE "
    "(SELECT earlier.cwd FROM messages AS earlier "
    "WHERE earlier.source = messages.source AND earlier.line <= messages.line "
    "AND earlier.cwd IS NOT NULL ORDER BY earlier.line DESC LIMIT 1) END"
)
"""The folder in which a message was written, where a path begins at it."""

_WRITING = (
    "FROM writes JOIN messages ON messages.source = writes.source "
    "AND messages.line = writes.line"
)
"""The messages that write files."""

_HOLDING = (
    "JOIN runs ON runs.source = messages.source "
    "AND messages.line BETWEEN runs.first_line AND runs.last_line "
    "JOIN conversations ON conversations.id = runs.conversation"
)
"""The conversations that hold them."""


def whereabouts(reader: Reader) -> Whereabouts:
    """Where the stores lie that are looked at."""
    seen = set(reader.stores_seen)
    known = known_stores(reader.connection)
    return Whereabouts(str(one.path) for one in known if one.row in seen)


def writings_of(reader: Reader, place: Placed, now: int) -> list[Message]:
    """The messages whose calls write a file, in order of time."""
    rows = reader.ask(
        f"SELECT messages.id, writes.path, {_FOLDER} {_WRITING} WHERE writes.name = ?",
        (_name(place.path),),
    )
    stores = whereabouts(reader)
    wanted = {row for row, path, folder in rows if stores.of(path, folder) == place}
    condition = "messages.id IN (SELECT value FROM json_each(?))"
    known = orjson.dumps(sorted(wanted)).decode()
    found = reader.where(MESSAGES, condition, (known,), now, None)
    return sorted(found, key=lambda one: (one.at or "", one.source, one.line))


def writers_of(reader: Reader, memory: Memory, now: int) -> Iterator[Conversation]:
    """The conversations that wrote a memory's file, then the one that it names."""
    place = Placed(memory.store, memory.path)
    rows = reader.ask(
        f"SELECT DISTINCT conversations.ref, writes.path, {_FOLDER} "
        f"{_WRITING} {_HOLDING} WHERE writes.name = ? ORDER BY conversations.first_at",
        (_name(place.path),),
    )
    stores = whereabouts(reader)
    refs = [ref for ref, path, folder in rows if stores.of(path, folder) == place]
    named = reader.ask(
        "SELECT conversations.ref FROM memories "
        "JOIN conversations ON conversations.session = memories.session "
        "AND conversations.agent IS NULL "
        "WHERE memories.ref = ? ORDER BY conversations.first_at",
        (memory.ref,),
    )
    for ref in _each_once([*refs, *(ref for (ref,) in named)]):
        condition = "conversations.ref = ?"
        yield from reader.where(CONVERSATIONS, condition, (ref,), now, None)


def written_by(
    reader: Reader, conversation: Conversation, now: int
) -> Iterator[Memory]:
    """The memories that a conversation wrote, or that say they come from it."""
    rows = reader.ask(
        f"SELECT DISTINCT writes.path, {_FOLDER} {_WRITING} {_HOLDING} "
        "WHERE conversations.ref = ? ORDER BY writes.id",
        (conversation.ref,),
    )
    refs = _memories_at(reader, rows)
    named = reader.ask(
        "SELECT ref FROM memories WHERE session = ?1 AND EXISTS (SELECT 1 FROM "
        "conversations WHERE ref = ?2 AND agent IS NULL) ORDER BY id",
        (conversation.session or "", conversation.ref),
    )
    for ref in _each_once([*refs, *(ref for (ref,) in named)]):
        yield from reader.where(MEMORIES, "memories.ref = ?", (ref,), now, None)


def written_in(reader: Reader, message: Message, now: int) -> Iterator[Memory]:
    """The memories that the calls of a message wrote."""
    rows = reader.ask(
        f"SELECT DISTINCT writes.path, {_FOLDER} {_WRITING} "
        "WHERE messages.ref = ? ORDER BY writes.id",
        (message.ref,),
    )
    for ref in _each_once(_memories_at(reader, rows)):
        yield from reader.where(MEMORIES, "memories.ref = ?", (ref,), now, None)


def told_by(reader: Reader, conversation: Conversation, now: int) -> list[Episode]:
    """The episodes that say which conversation they tell of."""
    condition = "episodes.told IN (SELECT key FROM conversations WHERE ref = ?)"
    return reader.where(EPISODES, condition, (conversation.ref,), now, None)


def tells_of(reader: Reader, episode: Episode, now: int) -> list[Conversation]:
    """The conversation that an episode tells of."""
    condition = "conversations.key IN (SELECT told FROM episodes WHERE ref = ?)"
    return reader.where(CONVERSATIONS, condition, (episode.ref,), now, None)


def _memories_at(
    reader: Reader, rows: Iterable[tuple[str, str | None]]
) -> Iterator[str]:
    """The refs of the memories in files that were written."""
    stores = whereabouts(reader)
    for path, folder in list(rows):
        place = stores.of(path, folder)
        found = reader.ask(
            "SELECT memories.ref FROM memories "
            "JOIN sources ON sources.id = memories.source "
            "JOIN stores ON stores.id = sources.store "
            "WHERE stores.path = ? AND sources.path = ? ORDER BY memories.id",
            tuple(map(os.fsencode, place)) if place else (b"", b""),
        )
        yield from (ref for (ref,) in found)


def _each_once(refs: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys(refs)


def _name(path: str) -> str:
    """The last part of a path, whichever system wrote it."""
    return holdable(path).replace("\\", "/").rpartition("/")[2]


def written_files(reader: Reader) -> set[Placed]:
    """The files of stores that any message wrote, be they there now or not."""
    stores = whereabouts(reader)
    rows = reader.ask(f"SELECT DISTINCT writes.path, {_FOLDER} {_WRITING}", ())
    places = (stores.of(path, folder) for path, folder in rows.fetchall())
    return {place for place in places if place}


def standing_by(reader: Reader, store: Path, at: int) -> set[str]:
    """The files of a store whose memories or pages may have been there by a time."""
    rows = reader.ask(
        "SELECT sources.path FROM sources JOIN stores ON stores.id = sources.store "
        "WHERE stores.path = ?1 AND (sources.id IN (SELECT source FROM memories "
        "WHERE coalesce(created_at, 0) <= ?2) "
        "OR sources.id IN (SELECT source FROM documents))",
        (os.fsencode(store), at),
    )
    return {os.fsdecode(path) for (path,) in rows}
