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

_FAILED = (
    "WITH asked AS MATERIALIZED (SELECT messages.line AS line, call.value AS call "
    "FROM messages, json_each(messages.calls) AS call WHERE messages.source = :source "
    "AND messages.line IN (SELECT value FROM json_each(:lines))) "
    "SELECT asked.line FROM messages AS told, json_each(told.answers) AS answer "
    "JOIN asked ON asked.call = answer.value AND asked.line < told.line "
    "WHERE told.source = :source AND told.line > :first "
    "AND told.answers IS NOT NULL GROUP BY asked.line "
    "HAVING min(coalesce(told.errors, 0) >= json_array_length(told.answers))"
)
"""The lines, of some, whose calls were answered and failed, every one of them.

It looks once through the answers of a transcript, so it is asked of what wrote memories
alone: most of what is written are other files.
"""

Write = tuple[int, int, str, str | None]
"""The source and the line of a message that writes a file, the path, the folder."""

_HOLDING = (
    "JOIN runs ON runs.source = writes.source "
    "AND +writes.line BETWEEN runs.first_line AND runs.last_line "
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
        f"SELECT conversations.ref, messages.source, messages.line, writes.path, "
        f"{_FOLDER} {_WRITING} {_HOLDING} WHERE writes.name = ? "
        "ORDER BY conversations.first_at",
        (_name(place.path),),
    )
    stores = whereabouts(reader)
    mine = [row for row in rows if stores.of(row[3], row[4]) == place]
    failed = failed_of(reader, {(row[1], row[2]) for row in mine})
    refs = [row[0] for row in mine if (row[1], row[2]) not in failed]
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
        f"SELECT messages.source, messages.line, writes.path, {_FOLDER} "
        f"{_WRITING} {_HOLDING} WHERE conversations.ref = ? ORDER BY writes.id",
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
        f"SELECT messages.source, messages.line, writes.path, {_FOLDER} {_WRITING} "
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


def failed_of(reader: Reader, writes: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The sources and lines, of some, that wrote nothing: all their calls failed."""
    failed: set[tuple[int, int]] = set()
    for source in {source for source, _ in writes}:
        lines = [line for place, line in writes if place == source]
        listed = orjson.dumps(lines).decode()
        values = {"source": source, "lines": listed, "first": min(lines)}
        rows = reader.connection.execute(_FAILED, values)
        failed |= {(source, line) for (line,) in rows}
    return failed


def _memories_at(reader: Reader, rows: Iterable[Write]) -> Iterator[str]:
    """The refs of the memories in files that were written, and not only meant to be."""
    stores = whereabouts(reader)
    writes = [(source, line, path, folder) for source, line, path, folder in rows]
    places = dict.fromkeys((path, folder) for _, _, path, folder in writes)
    refs = {one: _refs_at(reader, stores.of(*one)) for one in places}
    told = [write for write in writes if refs[write[2], write[3]]]
    failed = failed_of(reader, {(source, line) for source, line, *_ in told})
    for source, line, path, folder in told:
        if (source, line) not in failed:
            yield from refs[path, folder]


def _refs_at(reader: Reader, place: Placed | None) -> list[str]:
    """The refs of the memories in a file, in order."""
    if place is None:
        return []
    found = reader.ask(
        "SELECT memories.ref FROM memories "
        "JOIN sources ON sources.id = memories.source "
        "JOIN stores ON stores.id = sources.store "
        "WHERE stores.path = ? AND sources.path = ? ORDER BY memories.id",
        tuple(map(os.fsencode, place)),
    )
    return [ref for (ref,) in found]


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
    """The files of a store in which something may have stood by a time, and changed."""
    rows = reader.ask(
        "SELECT sources.path FROM sources JOIN stores ON stores.id = sources.store "
        "WHERE stores.path = ?1 AND (sources.id IN (SELECT source FROM memories "
        "WHERE coalesce(created_at, 0) <= ?2) "
        "OR sources.id IN (SELECT source FROM agents "
        "WHERE coalesce(started_at, 0) <= ?2) "
        "OR sources.id IN (SELECT source FROM documents))",
        (os.fsencode(store), at),
    )
    return {os.fsdecode(path) for (path,) in rows}
