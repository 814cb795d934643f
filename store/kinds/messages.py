"""Messages, as transcripts hold them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import blake2b
from operator import attrgetter
from os import fsdecode
from typing import Annotated, Any
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from store.findings import ConversationFound, Json, MessageFound, without_thoughts
from store.findings import Tokens as TokensFound
from store.kinds import field, table
from store.kinds.kind import (
    LINE,
    PATH_TEXT,
    REF,
    SESSION,
    STORE,
    Kind,
    Ranked,
    Shelf,
    at,
)
from store.times import Instant

MESSAGE_KINDS = (
    *("prompt", "reply", "thinking", "tool_use", "tool_result", "command", "output"),
    *("interrupt", "notification", "summary", "meta", "system", "other"),
)
"""The kinds of message."""


# Conversations that are in several sources, and in which of them they are shown.

CHOSEN = "/*chosen*/"
"""What a reader replaces by the row ids of the chosen stores, in a list."""

NOT_COPIED = "sources.copy_of IS NULL"
"""The condition that a source is not a copy of a part of another one."""

NOT_DOUBLE = (
    "NOT (sources.has_doubles AND EXISTS (SELECT 1 FROM doubles "
    f"WHERE doubles.message = messages.id AND doubles.shown_in IN ({CHOSEN})))"
)
"""The condition that a message is not listed as that of a transcript."""


# Identifiers and times, stored briefly: there are hundreds of thousands.

_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - added to, and spelt with its zone
_FOUR = "-[0-9a-f]{4}"
_REMEMBERED = 8192
"""Identifiers to remember: as many as a piece of a transcript usually has."""
_IS_UUID = re.compile(f"[0-9a-f]{{8}}{_FOUR}{_FOUR}{_FOUR}-[0-9a-f]{{12}}").fullmatch
_IS_USUAL = re.compile(
    r"[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII
).fullmatch


def uuid_of(cell: table.Cell) -> str | None:
    """The identifier in a cell."""
    return str(UUID(bytes=cell)) if isinstance(cell, bytes) else _text(cell)


def at_of(text: table.Cell, moment: table.Cell) -> str | None:
    """The time in two cells, as text."""
    if text is None and isinstance(moment, int):
        return _spelt(moment)
    return _text(text)


def _text(cell: table.Cell) -> str | None:
    return cell if isinstance(cell, str) else None


@lru_cache(_REMEMBERED)
def _compact(uuid: str) -> table.Cell:
    """An identifier in sixteen bytes, if it has the usual form; otherwise unchanged.

    Two columns of a message ask for the same one.
    """
    return bytes.fromhex(uuid.replace("-", "")) if _IS_UUID(uuid) else uuid


def _unusual(instant: Instant) -> str | None:
    """A time as text; None if its microseconds are enough to reproduce that."""
    told = instant.micros is not None and _IS_USUAL(instant.text)
    return None if told else instant.iso


def _spelt(moment: int) -> str:
    """A time in the usual form of transcripts."""
    spelt = _EPOCH + timedelta(microseconds=moment)
    return spelt.isoformat(timespec="milliseconds") + "Z"


def _source(file: str | None, path: bytes) -> str:
    """The transcript of a conversation, which a database may name."""
    return file or fsdecode(path)


SOURCE = field.Phrase(
    "its transcript",
    column=None,
    shown=("conversations.source_file", "sources.path"),
    read=_source,
    sql=f"coalesce(conversations.source_file, {PATH_TEXT})",
    sort="sources.path",
)


# The record.


def _visible_text(kind: str, text: str) -> str:
    """What a message says, without what its model thought."""
    return without_thoughts(kind, text)[0]


class Message(Struct, frozen=True, kw_only=True):
    """One message of a conversation."""

    ref: Annotated[str, REF]
    """The message's ref for other commands."""
    store: Annotated[str, STORE]
    """The absolute path of the store's root."""
    conversation: Annotated[
        str | None, field.Identifier("its conversation", joined="conversations.ref")
    ]
    """The ref of its conversation."""
    session: Annotated[
        str | None,
        replace(SESSION, joined="coalesce(envelopes.session, conversations.session)"),
    ]
    """Its session."""
    source: Annotated[str, SOURCE]
    """Its file, relative to the store."""
    line: Annotated[int, LINE]
    """The line it starts at."""
    uuid: Annotated[
        str | None,
        field.Identifier(
            "its own id",
            type="",
            fill=table.Made("uuid", _compact),
            read=uuid_of,
            sql="spelt_uuid(messages.uuid)",
        ),
    ]
    """Its own identifier, if it has one."""
    role: Annotated[str | None, field.Text("the speaker", sort=field.PLAIN)]
    """The role of its author."""
    kind: Annotated[
        str, field.Text("the kind of message", choices=MESSAGE_KINDS, sort=field.PLAIN)
    ]
    """Its kind: one of `MESSAGE_KINDS`."""
    at: Annotated[
        str | None,
        field.Moment(
            "when",
            fill=table.Made("at", _unusual),
            shown=("messages.at", "messages.at_micros"),
            read=at_of,
        ),
    ]
    """When it was written."""
    text: Annotated[
        str,
        field.Phrase(
            "its text",
            is_long=True,
            shown=("messages.kind", "messages.text"),
            read=_visible_text,
            sql="messages.text",
        ),
    ]
    """Its text."""
    tools: Annotated[
        tuple[str, ...],
        field.Texts(
            "a tool it calls",
            name="tool",
            aliases=("tools",),
            type="TEXT",
            fill=table.Made("tools", table.json_text),
        ),
    ]
    """The tools that it calls."""


class MessageInFull(Struct, frozen=True, kw_only=True):
    """A message as shown by `show`, complete."""

    message: Message
    """The fields shown in a list."""
    answers: tuple[str, ...]
    """The refs of the messages whose calls it answers."""
    answered_by: tuple[str, ...]
    """The refs of the messages that answer its calls."""
    parts: tuple[Mapping[str, Json], ...]
    """Its blocks in order: text, thinking, calls, results, pictures."""
    fields: Mapping[str, Json]
    """Everything else in its lines, unchanged."""


# What is stored of a message; most cells are null, as most messages lack most of it.

COMPACTION = 1
"""The flag of a message at which the conversation was compacted."""

QUEUED = 2
"""The flag of a message that was typed while the agent was working."""

FAILED = 4
"""The flag of a message that reports that every call that it answers failed."""


Envelope = tuple[str | None, str | None, str | None, str | None]
"""What many messages have in common: session, folder, branch and model."""

_ENVELOPES = 64
"""The number of envelopes to remember; a transcript has a few dozen."""

_ENVELOPE_BYTES = 6
"""48 bits: enough for the envelopes of a transcript."""


def identity_of(
    found: MessageFound | ConversationFound, origin: table.Origin
) -> tuple[str, ...]:
    """What identifies a message, or a conversation that its source lists."""
    return (origin.path, found.key)


def _kin(uuid: str) -> table.Cell:
    """A number that a message shares only with its copies in other transcripts."""
    short = _compact(uuid)
    return int.from_bytes(short[:7]) if isinstance(short, bytes) else None


def _spent(tokens: TokensFound) -> table.Cell:
    return " ".join(map(str, tokens))


def _flags(found: MessageFound, _origin: table.Origin) -> table.Cell:
    if not (found.is_compaction or found.is_queued or found.is_failure):
        return None
    flags = COMPACTION * found.is_compaction + QUEUED * found.is_queued
    return flags + FAILED * found.is_failure


def envelope_of(found: MessageFound) -> Envelope:
    """The envelope of a message."""
    return (found.session, found.cwd, found.branch, found.model)


@lru_cache(_ENVELOPES)
def _number(envelope: Envelope) -> int:
    """The number of an envelope: a hash, so it is always the same."""
    digest = blake2b(repr(envelope).encode(), digest_size=_ENVELOPE_BYTES)
    return int.from_bytes(digest.digest())


def envelopes(found: Iterable[MessageFound]) -> list[table.Row]:
    """The envelopes of some messages as rows, each once."""
    several = dict.fromkeys(map(envelope_of, found))
    return [(_number(envelope), *envelope) for envelope in several]


def found_again(row: Mapping[str, Any]) -> MessageFound:
    """The message that a row and its envelope were created from, without its writes."""
    moment, until, flags = row["at_micros"], row["until_micros"], row["flags"] or 0
    at, uuid = at_of(row["at"], moment), uuid_of(row["uuid"])
    return MessageFound(
        key=row["key"] or uuid or "",
        kind=row["kind"],
        line=row["line"],
        text=row["text"],
        role=row["role"],
        at=None if at is None else Instant(at, moment),
        until=None if until is None else Instant(_spelt(until), until),
        offset=row["offset"],
        extent=row["extent"],
        uuid=uuid,
        session=row["session"],
        cwd=row["cwd"],
        branch=row["branch"],
        model=row["model"],
        tokens=TokensFound(*map(int, row["tokens"].split())) if row["tokens"] else None,
        tools=table.texts(row["tools"]),
        calls=table.texts(row["calls"]),
        answers=table.texts(row["answers"]),
        errors=row["errors"] or 0,
        entries=row["entries"] or 0,
        is_compaction=bool(flags & COMPACTION),
        is_queued=bool(flags & QUEUED),
        is_failure=bool(flags & FAILED),
        conversation=row["conversation_key"],
    )


def writes(found: Sequence[MessageFound]) -> Iterator[table.Row]:
    """The files that messages write, and whether one of them says that it failed."""
    wanted = {write.call for message in found for write in message.writes} - {""}
    results = [m for m in found if m.answers and not wanted.isdisjoint(m.answers)]
    failed = {call for m in results if m.is_failure for call in m.answers}
    failed.difference_update(*(m.answers for m in results if not m.is_failure))
    for message in found:
        for path, call in message.writes:
            name = path.replace("\\", "/").rpartition("/")[2]
            yield (message.line, path, name, call, call in failed)


# The kind.

TOKENS = (
    "(SELECT sum(value) FROM json_each('[' || replace({}.tokens, ' ', ',') || ']'))"
)
"""The total tokens of a message or a conversation."""

_BRANCH, _MODEL = "envelopes.branch", "envelopes.model"
_COST = "cost_of(envelopes.model, messages.tokens)"

COST = (
    f"(SELECT sum({_COST}) FROM runs JOIN messages ON messages.source = runs.source "
    "AND messages.line BETWEEN runs.first_line AND runs.last_line "
    "JOIN envelopes ON envelopes.source = messages.source "
    "AND envelopes.number = messages.envelope "
    "WHERE runs.conversation = conversations.id AND messages.tokens IS NOT NULL)"
)
"""What the messages of a conversation cost."""

TEXTS = Shelf("messages", ("text",))

_ENVELOPE_TABLE = table.Table(
    "envelopes",
    table.columns(
        "number INTEGER NOT NULL, session TEXT, cwd TEXT, branch TEXT, model TEXT"
    ),
    id="",
    key="source, number",
)
_WRITES = table.Table(
    "writes",
    table.columns(
        "line INTEGER NOT NULL, path TEXT NOT NULL, name TEXT NOT NULL, "
        "call TEXT NOT NULL, failed INTEGER NOT NULL"
    ),
    {"by_source": "(source, line)", "by_name": "(name)"},
    shows=("conversations",),
)

_DOUBLES = table.Table(
    "doubles",
    table.later("shown_in INTEGER NOT NULL"),
    {"by_source": "(source)"},
    shows=("messages",),
    id="message INTEGER PRIMARY KEY",
)
"""The messages that are shown as those of a transcript in another store."""

MESSAGES = Kind(
    name="messages",
    record=Message,
    identity=identity_of,
    stored=(
        table.column("key TEXT", lambda m, _: None if m.key == m.uuid else m.key),
        table.column("until_micros INTEGER", table.Made("until", attrgetter("micros"))),
        *table.columns("offset INTEGER NOT NULL, extent INTEGER NOT NULL"),
        table.column("kin INTEGER", table.Made("uuid", _kin)),
        table.column("envelope INTEGER NOT NULL", lambda m, _: _number(envelope_of(m))),
        table.column("tokens TEXT", table.Made("tokens", _spent)),
        table.column("calls TEXT", table.Made("calls", table.json_text)),
        table.column("answers TEXT", table.Made("answers", table.json_text)),
        table.column("errors INTEGER", table.Made("errors", int)),
        table.column("entries INTEGER", table.Made("entries", int)),
        table.column("flags INTEGER", _flags),
        table.column("conversation_key TEXT", table.Attribute("conversation")),
    ),
    indexes={
        "by_source": "(source, line)",
        "by_ref": "(ref)",
        "by_time": "(at_micros)",
        "queued": f"(source) WHERE flags & {QUEUED}",
    },
    tables=(_ENVELOPE_TABLE, _WRITES, _DOUBLES),
    shows=("messages", "conversations"),
    joins={
        "envelopes": (
            "JOIN envelopes ON envelopes.source = messages.source "
            "AND envelopes.number = messages.envelope"
        ),
        "runs": (
            "LEFT JOIN runs ON runs.source = messages.source AND runs.first_line = "
            "(SELECT max(first_line) FROM runs AS begun WHERE "
            "begun.source = messages.source AND begun.first_line <= messages.line) "
            "AND runs.last_line >= messages.line"
        ),
        "conversations": (
            "LEFT JOIN conversations ON conversations.id = runs.conversation"
        ),
    },
    is_shown=f"{NOT_COPIED} AND {NOT_DOUBLE}",
    ties=("source", "line", "ref"),
    sort_order="at kind role model branch tokens cost source store",
    queried={
        "project": field.Text("the project", sql="conversations.project"),
        "branch": field.Text("the git branch", sql=_BRANCH, sort=_BRANCH),
        "model": field.Text(
            "the model", match=field.Match.PART, sql=_MODEL, sort=_MODEL
        ),
        "tokens": field.Number("the number of tokens", sql=TOKENS.format("messages")),
        "cost": field.Number("what it cost, by your prices", sql=_COST),
    },
    field_order=(
        "project tool kind role at text model branch tokens cost conversation uuid "
        "source"
    ),
    shelves=(TEXTS,),
    everywhere=(TEXTS.whole,),
    places={"text": (TEXTS.whole,)},
    belongings={
        "tools": "messages.tools IS NOT NULL",
        "conversation": "conversations.ref IS NOT NULL",
    },
    times=(at("messages.at_micros"),),
    facets=("kind", "project", "tool", "model", "branch"),
    ranked=Ranked(body="messages.text", at="messages.at_micros"),
)
"""Messages."""
