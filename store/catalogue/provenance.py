"""Which conversation wrote which memory, and what else belongs to a conversation."""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from uuid import UUID

import orjson
from msgspec import Struct
from msgspec.structs import replace

from store.catalogue.reader import Reader, known_stores
from store.derive.paths import Placed, Whereabouts
from store.errors import NothingFoundError
from store.findings import Json
from store.formats.port import Place
from store.kinds.conversations import (
    CONVERSATIONS,
    OF_SESSION,
    PARTS,
    SUMMARY,
    Conversation,
)
from store.kinds.memories import MEMORIES, Memory
from store.kinds.messages import MESSAGES, NOT_COPIED, Message, uuid_of
from store.kinds.pages import EPISODES, Episode
from store.kinds.table import holdable
from store.text import regex

EVERY_MESSAGE = replace(MESSAGES, is_shown=NOT_COPIED)
"""Messages, including those that are listed as messages of a transcript."""

# Who wrote what: the messages and conversations of a memory, and the reverse.

_FOLDER = (
    "CASE WHEN substr(writes.path, 1, 1) IN ('/', '~', char(92)) THEN NULL ELSE "
    "(SELECT cwd FROM envelopes WHERE envelopes.source = messages.source "
    "AND envelopes.number = messages.envelope) END"
)
"""The working directory of a message, if the path is relative to it."""

_WRITING = (
    "FROM writes JOIN messages ON messages.source = writes.source "
    "AND messages.line = writes.line"
)
"""The messages that write files."""

_HOLDING = (
    "JOIN runs ON runs.source = writes.source "
    "AND +writes.line BETWEEN runs.first_line AND runs.last_line "
    "JOIN conversations ON conversations.id = runs.conversation"
)
"""The conversations that contain them."""


def whereabouts(reader: Reader) -> Whereabouts:
    """Finds the chosen store that contains a path."""
    seen = set(reader.stores_seen)
    known = known_stores(reader.connection)
    return Whereabouts(str(one.path) for one in known if one.row in seen)


def writings_of(reader: Reader, place: Placed, now: int) -> list[Message]:
    """The messages whose calls write a file, oldest first."""
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
        "SELECT conversations.ref, conversations.shown_as, writes.path, "
        f"{_FOLDER} {_WRITING} {_HOLDING} "
        "WHERE writes.name = ? AND NOT writes.failed ORDER BY conversations.first_at",
        (_name(place.path),),
    )
    stores = whereabouts(reader)
    refs = [
        ref
        for own, listed, path, folder in rows
        if stores.of(path, folder) == place
        for ref in (own, listed)
        if ref
    ]
    own = "conversations.session = (SELECT session FROM memories WHERE ref = ?)"
    named = reader.ask(
        f"SELECT ref FROM conversations WHERE agent IS NULL AND {OF_SESSION} "
        "ORDER BY first_at".format(own),
        (memory.ref, memory.ref),
    )
    for ref in _each_once([*refs, *(ref for (ref,) in named)]):
        condition = "conversations.ref = ?"
        yield from reader.where(CONVERSATIONS, condition, (ref,), now, None)


def written_by(
    reader: Reader, conversation: Conversation, now: int
) -> Iterator[Memory]:
    """The memories that a conversation wrote, or that name it as their origin."""
    rows = reader.ask(
        f"SELECT writes.path, {_FOLDER} {_WRITING} {_HOLDING} "
        "WHERE conversations.ref = ? AND NOT writes.failed ORDER BY writes.id",
        (conversation.ref,),
    )
    refs = _memories_at(reader, rows)
    named = reader.ask(
        "SELECT ref FROM memories WHERE session IN (SELECT session FROM conversations "
        "WHERE ref = ?1 AND agent IS NULL UNION SELECT conversations.session "
        f"FROM {PARTS} WHERE wholes.ref = ?1 AND wholes.agent IS NULL) ORDER BY id",
        (conversation.ref,),
    )
    for ref in _each_once([*refs, *(ref for (ref,) in named)]):
        yield from reader.where(MEMORIES, "memories.ref = ?", (ref,), now, None)


def written_in(reader: Reader, message: Message, now: int) -> Iterator[Memory]:
    """The memories that the calls of a message wrote."""
    rows = reader.ask(
        f"SELECT writes.path, {_FOLDER} {_WRITING} "
        "WHERE messages.ref = ? AND NOT writes.failed ORDER BY writes.id",
        (message.ref,),
    )
    for ref in _each_once(_memories_at(reader, rows)):
        yield from reader.where(MEMORIES, "memories.ref = ?", (ref,), now, None)


def episodes_about(
    reader: Reader, conversation: Conversation, now: int
) -> list[Episode]:
    """The episodes that name the conversation, in any source, as their subject."""
    condition = (
        "episodes.conversation_key IN "
        "(SELECT key FROM conversations WHERE ref = ?1 OR shown_as = ?1)"
    )
    return reader.where(EPISODES, condition, (conversation.ref,), now, None)


def conversations_named(
    reader: Reader, episode: Episode, now: int
) -> list[Conversation]:
    """The conversation that an episode names as its subject, as it is listed."""
    named = "(SELECT conversation_key FROM episodes WHERE ref = ?1)"
    condition = (
        f"(conversations.key IN {named} OR conversations.ref IN "
        f"(SELECT shown_as FROM conversations AS same WHERE same.key IN {named}))"
    )
    return reader.where(CONVERSATIONS, condition, (episode.ref,), now, None)


def _memories_at(reader: Reader, rows: Iterable[sqlite3.Row]) -> Iterator[str]:
    """The refs of the memories at some paths, relative to working directories."""
    stores = whereabouts(reader)
    for path, folder in dict.fromkeys((path, folder) for path, folder in rows):
        yield from _refs_at(reader, stores.of(path, folder))


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
    """The last part of a path from any operating system."""
    return holdable(path).replace("\\", "/").rpartition("/")[2]


def written_files(reader: Reader) -> set[Placed]:
    """The files in stores that any message wrote, whether they still exist or not."""
    stores = whereabouts(reader)
    rows = reader.ask(f"SELECT DISTINCT writes.path, {_FOLDER} {_WRITING}", ())
    places = (stores.of(path, folder) for path, folder in rows.fetchall())
    return {place for place in places if place}


def standing_by(reader: Reader, store: Path, at: int) -> set[str]:
    """The files of a store that may have existed at a time, with other content."""
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


# The details of a conversation or a message, and the location of a message.

_ANSWERS = (
    "WITH asked AS MATERIALIZED (SELECT one.ref, one.source, named.value AS call "
    "FROM messages AS one, json_each(one.calls) AS named "
    "WHERE one.ref IN (SELECT value FROM json_each(?))) "
    "SELECT DISTINCT asked.ref, others.ref FROM messages AS others "
    "JOIN json_each(others.answers) AS theirs "
    "JOIN asked ON asked.source = others.source AND asked.call = theirs.value "
    "WHERE others.source IN (SELECT source FROM asked) AND others.answers IS NOT NULL "
    "ORDER BY others.source, others.line"
)
"""The messages with calls, and those with their results."""


class Facts(Struct, frozen=True):
    """The details of a conversation that lists do not show."""

    agent: str | None
    unanswered: int
    summary: str | None
    lines: Mapping[str, int]
    fields: Mapping[str, Json]


class Spot(Struct, frozen=True):
    """The location of a message: the path of its source, and the place in it."""

    path: str
    place: Place


def facts_of(reader: Reader, ref: str) -> Facts:
    """The details of a conversation."""
    row = reader.ask(
        f"SELECT agent, unanswered, {SUMMARY} AS summary, fields, "
        "(SELECT lines FROM sessions WHERE sessions.source = conversations.source "
        "LIMIT 1) AS lines FROM conversations WHERE ref = ?",
        (ref,),
    ).fetchone()
    return Facts(
        agent=row["agent"],
        unanswered=row["unanswered"],
        summary=row["summary"],
        lines=orjson.loads(row["lines"] or "{}"),
        fields=orjson.loads(row["fields"]),
    )


def messages_of(reader: Reader, ref: str, now: int) -> list[Message]:
    """The messages of a conversation, in line order."""
    condition = (
        "messages.id IN (SELECT held.id FROM conversations AS one "
        "JOIN runs AS mine ON mine.conversation = one.id "
        "JOIN messages AS held ON held.source = mine.source "
        "AND held.line BETWEEN mine.first_line AND mine.last_line "
        "WHERE one.ref = ?)"
    )
    found = reader.where(EVERY_MESSAGE, condition, (ref,), now, None)
    return sorted(found, key=lambda message: message.line)


def failed_in(reader: Reader, ref: str) -> list[str]:
    """The refs of messages in a conversation with results of failed calls."""
    rows = reader.ask(
        "SELECT messages.ref FROM conversations "
        "JOIN runs ON runs.conversation = conversations.id "
        "JOIN messages ON messages.source = runs.source "
        "AND messages.line BETWEEN runs.first_line AND runs.last_line "
        "WHERE conversations.ref = ? AND messages.errors > 0 ORDER BY messages.line",
        (ref,),
    )
    return [found for (found,) in rows]


def agents_of(reader: Reader, ref: str, now: int) -> list[Conversation]:
    """The conversations of the sub-agents that a conversation started."""
    return reader.where(CONVERSATIONS, "parents.ref = ?", (ref,), now, None)


def conversation_called(reader: Reader, ref: str, now: int) -> list[Conversation]:
    """The conversation with a ref."""
    return reader.where(CONVERSATIONS, "conversations.ref = ?", (ref,), now, 1)


def answering(reader: Reader, ref: str, now: int) -> list[Message]:
    """The messages with the results of a message's calls."""
    return _paired(reader, ref, now, of="calls", among="answers")


def answers_to(
    reader: Reader, refs: Sequence[str], now: int
) -> dict[str, list[Message]]:
    """The messages with the results of calls, by the ref of the calling message.

    Each transcript is searched only once.
    """
    pairs = reader.ask(_ANSWERS, (orjson.dumps(refs).decode(),)).fetchall()
    known = orjson.dumps([answer for _, answer in pairs]).decode()
    condition = "messages.ref IN (SELECT value FROM json_each(?))"
    found = reader.where(MESSAGES, condition, (known,), now, None)
    messages = {message.ref: message for message in found}
    answers: dict[str, list[Message]] = {}
    for asked, answer in pairs:
        if answer in messages:
            answers.setdefault(asked, []).append(messages[answer])
    return answers


def asking(reader: Reader, ref: str, now: int) -> list[Message]:
    """The messages whose calls have their results in a message."""
    return _paired(reader, ref, now, of="answers", among="calls")


def _paired(
    reader: Reader, ref: str, now: int, *, of: str, among: str
) -> list[Message]:
    """The messages of the same transcript that share a call identifier with one."""
    condition = (
        "messages.id IN (SELECT others.id FROM messages AS one "
        "JOIN messages AS others ON others.source = one.source "
        f"WHERE one.ref = ? AND one.{of} IS NOT NULL "
        f"AND others.{among} IS NOT NULL AND EXISTS "
        f"(SELECT 1 FROM json_each(one.{of}) AS named, json_each(others.{among}) "
        "AS theirs WHERE named.value = theirs.value))"
    )
    found = reader.where(MESSAGES, condition, (ref,), now, None)
    return sorted(found, key=lambda message: message.line)


def spot_of(reader: Reader, ref: str) -> Spot:
    """The location of a message."""
    row = reader.ask(
        "SELECT sources.path, messages.offset, extent, line, key, uuid "
        "FROM messages JOIN sources ON sources.id = messages.source "
        "WHERE messages.ref = ?",
        (ref,),
    ).fetchone()
    if row is None:
        raise NothingFoundError(f"{ref} no longer exists.")
    path, offset, extent, line, key, uuid = row
    return Spot(
        os.fsdecode(path), Place(offset, extent, line, key or uuid_of(uuid) or "")
    )


# Pointers: find the record that a pointer refers to.
#
# A pointer is whatever an agent wrote down to find something again:
# `tasks.jsonl#musl-build`, the identifier of a session, a message or a call,
# `traces/….jsonl:42`.

_TIER = regex(r"^(?:REAL|FROM-JOURNAL|ESTIMATE(?:-HTC)?):\s*")
_PLACE = regex(r"(?P<path>[^#\s]+?)(?:#L?|:)(?P<line>[0-9]{1,9})")
_ENTRY = regex(r"(?P<path>[^#\s]+)#(?P<entry>\S.*)")
_LIKE, _ESCAPED = regex("[!%_]"), r"!\g<0>"
_LONGEST = 1000

_FILE = (
    "source IN (SELECT id FROM sources "
    "WHERE CAST(path AS TEXT) = :path OR CAST(path AS TEXT) LIKE :end ESCAPE '!')"
)
"""The condition that the path of a record's file ends with a path."""


_IN_SESSION = "events.session = :entry AND NOT events.is_copy"


class Pointer(Struct, frozen=True):
    """A pointer, split into its parts."""

    text: str
    path: str = ""
    """The file, if there is one."""
    line: int | None = None
    entry: str = ""
    """The name of an entry in that file."""

    @classmethod
    def of(cls, text: str) -> "Pointer":
        """Parse a pointer."""
        text = _TIER.sub("", text.strip()[:_LONGEST]).strip()
        if place := _PLACE.fullmatch(text):
            return cls(text, place["path"], int(place["line"]))
        if entry := _ENTRY.fullmatch(text):
            return cls(text, entry["path"], entry=entry["entry"].strip())
        return cls(text, text)


def meant(reader: Reader, pointer: Pointer, store: str, besides: str) -> str | None:
    """The ref of the record that a pointer refers to, other than its own record.

    Records of the same store take precedence.
    """
    found = _meant(reader, pointer, store)
    return next((ref for ref in found if ref != besides), None)


def _meant(reader: Reader, pointer: Pointer, store: str) -> Iterator[str]:
    """The records that it may refer to, most likely first."""
    for kind in ("measures", "events", "messages"):
        if pointer.line is not None:
            condition = f"{kind}.line = :line AND {kind}.{_FILE}"
            yield from _refs(reader, kind, condition, pointer, store)
    if pointer.entry:
        called = "(measures.own_id = :entry OR measures.name = :entry)"
        called = f"{called} AND measures.{_FILE}"
        yield from _refs(reader, "measures", called, pointer, store)
    yield from _named(reader, pointer, pointer.entry or pointer.text, store)


def _named(reader: Reader, pointer: Pointer, name: str, store: str) -> Iterator[str]:
    """The records with a name in any file: sessions, messages, calls."""
    named = Pointer(pointer.text, entry=name)
    yield from _refs(
        reader, "conversations", "conversations.session = :entry", named, store
    )
    if _uuid(name):
        yield from _refs(reader, "messages", "messages.uuid = :uuid", named, store)
    for kind in ("agents", "measures"):
        yield from _refs(reader, kind, f"{kind}.own_id = :entry", named, store)
    yield from _refs(reader, "events", _IN_SESSION, named, store)
    for kind in ("memories", "messages", "measures", "conversations", "events"):
        yield from _refs(reader, kind, f"{kind}.ref = :entry", named, store)


def _refs(
    reader: Reader, kind: str, condition: str, pointer: Pointer, store: str
) -> Iterator[str]:
    """The first record of one kind that meets a condition, if any."""
    within = ", ".join(str(row) for row in reader.stores_seen) or "NULL"
    question = (
        f"SELECT {kind}.ref FROM {kind} JOIN stores ON stores.id = {kind}.store "
        f"WHERE {condition} AND {kind}.store IN ({within}) "
        f"ORDER BY stores.path = :store DESC, {kind}.id LIMIT 1"
    )
    name = pointer.path.removeprefix("./")
    values = {
        "entry": pointer.entry,
        "uuid": _uuid(pointer.entry),
        "line": pointer.line,
        "path": name,
        "end": f"%/{_LIKE.sub(_ESCAPED, name)}",
        "store": os.fsencode(store),
    }
    rows: list[tuple[str]] = reader.connection.execute(question, values).fetchall()
    return (ref for (ref,) in rows)


def _uuid(name: str) -> bytes | None:
    """The UUID as bytes, as the catalogue stores it; None if it is invalid."""
    try:
        return UUID(name).bytes
    except ValueError:
        return None


# The record behind a row of a report.

_IS_FILE = "source IN (SELECT id FROM sources WHERE CAST(path AS TEXT) = :path)"
_IS_HERE = "(line IS NULL OR line = :line)"
_ROWS = (
    ("conversation", "conversations", "conversations.key = :entry"),
    ("message", "messages", "messages.key = :entry"),
    ("from", "conversations", "conversations.key = :entry"),
    ("from", "messages", "messages.key = :entry"),
    ("id", "conversations", "conversations.key = :entry"),
    ("id", "memories", "memories.own_id = :entry"),
    ("id", "agents", "agents.own_id = :entry"),
    *(
        ("path", kind, f"{kind}.{_IS_FILE} AND {_IS_HERE}")
        for kind in ("measures", "events", "messages", "memories", "episodes")
    ),
    ("path", "conversations", f"conversations.{_IS_FILE}"),
    ("path", "documents", f"documents.{_IS_FILE}"),
    ("file", "conversations", "conversations.source_file = :entry"),
)
"""The columns that name a record of the same store, its kind, and how it is found."""


def record_of(reader: Reader, row: Mapping[str, Json]) -> str | None:
    """The ref of the record that a row of a report is about, if it is about one."""
    line, store = row.get("line"), str(row.get("store"))
    for column, kind, condition in _ROWS:
        value = row.get(column)
        if isinstance(value, str) and value:
            at = line if isinstance(line, int) else None
            pointer = Pointer(value, value, at, value)
            condition = f"{condition} AND stores.path = :store"  # noqa: PLW2901
            for ref in _refs(reader, kind, condition, pointer, store):
                return ref
    return None


# The shortest path between two memories, following edges in both directions.

_FARTHEST = 12
"""The longest path; memories further apart count as unrelated."""

_ENDS = 2

_NEIGHBOURS = (
    'SELECT start, "end" FROM edges WHERE start IN (SELECT value FROM json_each(?1)) '
    'AND "end" IS NOT NULL UNION ALL '
    'SELECT "end", start FROM edges WHERE "end" IN (SELECT value FROM json_each(?1)) '
    "AND start IS NOT NULL"
)


def way(reader: Reader, *ends: int) -> list[int]:
    """The rows on the path, both ends included; empty if missing."""
    if len(ends) != _ENDS:
        return []
    begin, end = ends
    before: dict[int, int] = {begin: begin}
    edge = [begin]
    for _ in range(_FARTHEST):
        if end in before or not edge:
            break
        asked = (orjson.dumps(edge).decode(),)
        edge = list[int]()
        for here, there in reader.connection.execute(_NEIGHBOURS, asked):
            if there not in before:
                before[there] = here
                edge.append(there)
    return _back(before, begin, end) if end in before else []


def _back(before: dict[int, int], begin: int, end: int) -> list[int]:
    """The path, reconstructed from its end."""
    found = [end]
    while found[-1] != begin:
        found.append(before[found[-1]])
    return found[::-1]
