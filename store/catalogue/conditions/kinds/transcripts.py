"""How conversations and messages are searched."""

from msgspec.structs import replace

from store.catalogue.conditions.kinds.kind import (
    PATH,
    Kind,
    Place,
    common,
    suspicious,
)
from store.catalogue.conditions.told import Form, Told, moment, number, several
from store.catalogue.views.transcripts import TOKENS
from store.catalogue.words import shelves

_STATUS = (
    "status_of(conversations.status, conversations.last_at, conversations.entries, "
    "stores.gap, conversations.is_closed)"
)

_SAID = Place(
    "messages.text",
    shelves.MESSAGES,
    "messages.id",
    chosen=(
        "conversations.id IN (SELECT runs.conversation FROM messages "
        "JOIN runs ON runs.source = messages.source AND runs.first_line = "
        "(SELECT max(begun.first_line) FROM runs AS begun "
        "WHERE begun.source = messages.source AND begun.first_line <= messages.line) "
        "AND runs.last_line >= messages.line WHERE {})"
    ),
    each=(
        "EXISTS (SELECT 1 FROM runs JOIN messages ON messages.source = runs.source "
        "AND messages.line BETWEEN runs.first_line AND runs.last_line "
        "WHERE runs.conversation = conversations.id AND {})"
    ),
)
"""What is said in a conversation."""

_CALLED = (
    "conversations.id IN (SELECT runs.conversation FROM messages "
    "JOIN runs ON runs.source = messages.source "
    "AND messages.line BETWEEN runs.first_line AND runs.last_line "
    "WHERE messages.tools IS NOT NULL AND {})"
)

_ABOUT = " || char(10) || ".join(
    f"coalesce(conversations.{column}, '')"
    for column in ("title", "summary", "project", "cwd", "branch")
)

CONVERSATIONS = Kind(
    table="conversations",
    title="conversations.title",
    everywhere=(Place(_ABOUT), _SAID),
    places={
        "title": (Place("conversations.title"),),
        "summary": (Place("conversations.summary"),),
    },
    fields={
        **common("conversations"),
        "session": Told("conversations.session"),
        "title": Told("conversations.title"),
        "summary": Told("conversations.summary"),
        "status": Told(_STATUS),
        "project": Told("conversations.project"),
        "tool": Told("messages.tools", Form.LIST, within=_CALLED),
        "tools": number("conversations.tools"),
        "tool_errors": number("conversations.tool_errors"),
        "first": moment("conversations.first_at"),
        "last": moment("conversations.last_at"),
        "duration": number("(conversations.last_at - conversations.first_at) / 1e6"),
        "entries": number("conversations.entries"),
        "messages": number("conversations.messages"),
        "prompts": number("conversations.prompts"),
        "tokens": number(TOKENS),
        "compactions": number("conversations.compactions"),
        "models": several("conversations.models"),
        "branch": Told("conversations.branch"),
        "cwd": Told("conversations.cwd"),
        "files_written": several("conversations.files_written"),
        "parent": Told("parents.ref"),
        "source": Told(f"coalesce(conversations.source_file, {PATH})"),
    },
    states={
        "subagent": "conversations.parent IS NOT NULL",
        **suspicious("conversations"),
    },
    belongings={
        "tools": "conversations.tools > 0",
        "errors": "conversations.tool_errors > 0",
        "files": "conversations.files_written <> '[]'",
        "parent": "conversations.parent IS NOT NULL",
        "summary": "coalesce(conversations.summary, '') <> ''",
        "tokens": f"{TOKENS} > 0",
        "compactions": "conversations.compactions > 0",
    },
    times=(moment("conversations.first_at"), moment("conversations.last_at")),
    new="conversations.first_at",
    changed="conversations.last_at",
    facets={"project": "conversations.project", "status": _STATUS},
)
"""Conversations."""

CONVERSATION_ALONE = replace(CONVERSATIONS, everywhere=(Place(_ABOUT),))
"""Conversations without what is said in them, which is in their messages."""

MESSAGES = Kind(
    table="messages",
    everywhere=(Place("messages.text", shelves.MESSAGES, "messages.id"),),
    places={"text": (Place("messages.text", shelves.MESSAGES, "messages.id"),)},
    fields={
        **common("messages"),
        "line": number("messages.line"),
        "session": Told("coalesce(messages.session, conversations.session)"),
        "project": Told("conversations.project"),
        "tool": several("messages.tools"),
        "kind": Told("messages.kind"),
        "role": Told("messages.role"),
        "at": moment("messages.at_micros"),
        "text": Told("messages.text"),
        "conversation": Told("conversations.ref"),
        "uuid": Told("spelt_uuid(messages.uuid)"),
        "source": Told(f"coalesce(conversations.source_file, {PATH})"),
    },
    states=suspicious("messages"),
    belongings={
        "tools": "messages.tools IS NOT NULL",
        "conversation": "conversations.ref IS NOT NULL",
    },
    times=(moment("messages.at_micros"),),
    new="messages.at_micros",
    facets={
        "kind": "messages.kind",
        "project": "conversations.project",
        "tool": "messages.tools",
    },
)
"""Messages."""
