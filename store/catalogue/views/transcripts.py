"""Conversations and messages, as lists show them."""

import os
import sqlite3

import orjson
from msgspec.structs import replace

from store.catalogue.views.view import PLACE, View, of_source
from store.derive.lifecycle import status
from store.derive.segments import USUAL
from store.records.conversation import Conversation, Message, Tokens


def _conversation(row: sqlite3.Row, now: int) -> Conversation:
    """A conversation; where it stands in its life is told for `now`."""
    from store.catalogue.rows.transcripts import at_of  # noqa: PLC0415  # by who lists what was said

    return Conversation(
        ref=row["ref"],
        store=os.fsdecode(row["store_path"]),
        session=row["session"],
        source=row["source_file"] or os.fsdecode(row["path"]),
        project=row["project"],
        cwd=row["cwd"],
        branch=row["branch"],
        title=row["title"],
        first=at_of(row["first"], row["first_at"]),
        last=at_of(row["last"], row["last_at"]),
        entries=row["entries"],
        messages=row["messages"],
        prompts=row["prompts"],
        tools=row["tools"],
        tool_errors=row["tool_errors"],
        status=status_of(
            now,
            row["status"],
            row["last_at"],
            row["entries"],
            row["gap"],
            row["is_closed"],
        ),
        tokens=_tokens(row["tokens"]),
        models=tuple(orjson.loads(row["models"])),
        files_written=tuple(orjson.loads(row["files_written"])),
        compactions=row["compactions"],
        parent=row["parent_ref"],
    )


def status_of(  # noqa: PLR0913, PLR0917  # SQL has no objects to pass
    now: int,
    told: str | None,
    last: int | None,
    entries: int,
    gap: int | None,
    is_closed: int,
) -> str:
    """Where a conversation stands: what its source says, else what its rule does."""
    return told or status(
        None if last is None else now - last,
        entries,
        USUAL if gap is None else replace(USUAL, gap=gap),
        is_closed=bool(is_closed),
    )


def _tokens(cell: str) -> Tokens:
    """What a conversation cost."""
    read, written, from_cache, to_cache = map(int, cell.split())
    return Tokens(
        input=read, output=written, cache_read=from_cache, cache_creation=to_cache
    )


def _message(row: sqlite3.Row, _now: int) -> Message:
    """A message."""
    from store.catalogue.rows.transcripts import at_of, uuid_of  # noqa: PLC0415  # the same
    from store.transcript import without_thoughts  # noqa: PLC0415  # the same

    return Message(
        ref=row["ref"],
        store=os.fsdecode(row["store_path"]),
        conversation=row["conversation_ref"],
        session=row["session"] or row["told_session"],
        source=row["source_file"] or os.fsdecode(row["path"]),
        line=row["line"],
        uuid=uuid_of(row["uuid"]),
        role=row["role"],
        kind=row["kind"],
        at=at_of(row["at"], row["at_micros"]),
        text=without_thoughts(row["kind"], row["text"])[0],
        tools=tuple(orjson.loads(row["tools"] or "[]")),
    )


TOKENS = (
    "(SELECT sum(value) FROM json_each("
    "'[' || replace(conversations.tokens, ' ', ',') || ']'))"
)
"""All tokens of a conversation."""

CONVERSATIONS: View[Conversation] = View(
    make=_conversation,
    table="conversations",
    ties=("conversations.ref",),
    columns=f"conversations.*, {PLACE}, stores.gap AS gap, parents.ref AS parent_ref",
    belongs={
        **of_source("conversations"),
        "parents": (
            "LEFT JOIN conversations AS parents ON parents.id = conversations.parent"
        ),
    },
    shown="sources.copy_of IS NULL",
    sorts={
        "last": "conversations.last_at",
        "first": "conversations.first_at",
        "title": "conversations.title COLLATE NOCASE",
        "project": "conversations.project COLLATE NOCASE",
        "entries": "conversations.entries",
        "messages": "conversations.messages",
        "prompts": "conversations.prompts",
        "tools": "conversations.tools",
        "tool_errors": "conversations.tool_errors",
        "duration": "(conversations.last_at - conversations.first_at)",
        "compactions": "conversations.compactions",
        "tokens": TOKENS,
        "branch": "conversations.branch COLLATE NOCASE",
        "source": "sources.path",
        "store": "stores.path",
    },
    largest_first=frozenset(
        {
            "last",
            "first",
            "entries",
            "messages",
            "prompts",
            "tools",
            "tool_errors",
            "duration",
            "compactions",
            "tokens",
        }
    ),
)

MESSAGES: View[Message] = View(
    make=_message,
    table="messages",
    ties=("messages.source", "messages.line", "messages.ref"),
    columns=(
        f"messages.*, {PLACE}, conversations.ref AS conversation_ref, "
        "conversations.source_file AS source_file, "
        "coalesce(conversations.session, (SELECT sessions.session FROM sessions "
        "WHERE sessions.source = messages.source LIMIT 1)) AS told_session"
    ),
    belongs={
        **of_source("messages"),
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
    shown="sources.copy_of IS NULL",
    sorts={
        "at": "messages.at_micros",
        "kind": "messages.kind",
        "role": "messages.role",
        "source": "sources.path",
        "store": "stores.path",
    },
    largest_first=frozenset({"at"}),
)
