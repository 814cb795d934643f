"""What belongs to a conversation or a message, and where a message lies."""

import os
from collections.abc import Mapping, Sequence

import orjson
from msgspec import Struct

from store.catalogue.reader import Reader
from store.catalogue.rows.transcripts import uuid_of
from store.catalogue.views import CONVERSATIONS, MESSAGES
from store.errors import NothingFoundError
from store.findings import Json
from store.formats.port import Place
from store.records.conversation import Conversation, Message

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
"""The messages whose calls are answered, and those that answer them."""


class Facts(Struct, frozen=True):
    """What the catalogue holds of a conversation beside what a list shows."""

    agent: str | None
    unanswered: int
    summary: str | None
    lines: Mapping[str, int]
    fields: Mapping[str, Json]


class Spot(Struct, frozen=True):
    """Where a message lies: its source's path, and the place in it."""

    path: str
    place: Place


def facts_of(reader: Reader, ref: str) -> Facts:
    """What else is known of a conversation."""
    row = reader.ask(
        "SELECT agent, unanswered, summary, fields, (SELECT lines FROM sessions "
        "WHERE sessions.source = conversations.source LIMIT 1) AS lines "
        "FROM conversations WHERE ref = ?",
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
    """The messages of a conversation, in order of their lines."""
    condition = (
        "messages.id IN (SELECT held.id FROM conversations AS one "
        "JOIN runs AS mine ON mine.conversation = one.id "
        "JOIN messages AS held ON held.source = mine.source "
        "AND held.line BETWEEN mine.first_line AND mine.last_line "
        "WHERE one.ref = ?)"
    )
    found = reader.where(MESSAGES, condition, (ref,), now, None)
    return sorted(found, key=lambda message: message.line)


def failed_in(reader: Reader, ref: str) -> list[str]:
    """The refs of the messages of a conversation that bring results of failed calls."""
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
    """The conversation that goes by a ref."""
    return reader.where(CONVERSATIONS, "conversations.ref = ?", (ref,), now, 1)


def answering(reader: Reader, ref: str, now: int) -> list[Message]:
    """The messages that bring the results of a message's calls."""
    return _paired(reader, ref, now, of="calls", among="answers")


def answers_to(
    reader: Reader, refs: Sequence[str], now: int
) -> dict[str, list[Message]]:
    """The messages that bring the results of many messages' calls, by these messages.

    Each transcript is gone through once for all of them.
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
    """The messages whose calls a message answers."""
    return _paired(reader, ref, now, of="answers", among="calls")


def _paired(
    reader: Reader, ref: str, now: int, *, of: str, among: str
) -> list[Message]:
    """The messages of the same transcript that name calls which one names as well."""
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
    """Where a message lies."""
    row = reader.ask(
        "SELECT sources.path, messages.offset, extent, line, key, uuid "
        "FROM messages JOIN sources ON sources.id = messages.source "
        "WHERE messages.ref = ?",
        (ref,),
    ).fetchone()
    if row is None:
        raise NothingFoundError(f"{ref} is no longer in the catalogue.")
    path, offset, extent, line, key, uuid = row
    return Spot(
        os.fsdecode(path), Place(offset, extent, line, key or uuid_of(uuid) or "")
    )
