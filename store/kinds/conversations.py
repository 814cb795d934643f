"""Conversations: messages of one transcript without a long gap between them."""

from collections.abc import Callable, Mapping
from os import fsdecode
from typing import Annotated

import orjson
from msgspec import Struct
from msgspec.structs import replace

from store.derive.conversations import (
    ACTIVE,
    USUAL,
    Prices,
    Rule,
    Tokens,
    price_of,
    status,
)
from store.findings import Json, SessionFound
from store.kinds import field
from store.kinds.kind import (
    REF,
    SESSION,
    STORE,
    Kind,
    Place,
    Ranked,
    at,
    has_text,
    lines_of,
)
from store.kinds.messages import (
    CHOSEN,
    COST,
    NOT_COPIED,
    SOURCE,
    TEXTS,
    TOKENS,
    Message,
    at_of,
    identity_of,
)
from store.kinds.table import (
    Attribute,
    Cell,
    Made,
    Origin,
    Table,
    column,
    columns,
    json_of,
    json_text,
    later,
    moment,
    ref_of,
)
from store.times import written_at

STATUSES = ("active", "ready", "queued", "processing", "archived", "skipped", "review")
"""The statuses of a conversation, in order."""


_TOKENS = TOKENS.format("conversations")
"""The total tokens of a conversation."""

PARTS = (
    "conversations JOIN sources AS copies ON copies.id = conversations.source "
    "JOIN conversations AS wholes ON wholes.source = copies.copy_of "
    "AND coalesce(wholes.first_at <= conversations.last_at "
    "AND wholes.last_at >= conversations.first_at, 1)"
)
"""The conversations of transcripts that are copies, and those that contain them."""

OF_SESSION = (
    f"({{0}} OR conversations.id IN (SELECT wholes.id FROM {PARTS} WHERE {{0}}))"
)
"""A condition on the session of a conversation, or of a part that it contains."""

NOT_ELSEWHERE = (
    "(conversations.shown_in IS NULL "
    f"OR NOT (conversations.shown_in IN ({CHOSEN}) AND EXISTS (SELECT 1 FROM "
    "conversations AS same JOIN sources AS there ON there.id = same.source "
    "WHERE same.ref = conversations.shown_as AND there.copy_of IS NULL)))"
)
"""The condition that a conversation is not listed as that of a transcript."""

_COPIES = (
    "(SELECT * FROM conversations AS same WHERE same.shown_as = conversations.ref "
    f"AND same.store IN ({CHOSEN}) ORDER BY first_at, ref)"
)
"""The same conversation in other sources, such as a database."""

_STATED = (
    f"coalesce(conversations.status, (SELECT status FROM {_COPIES} "
    "WHERE status IS NOT NULL ORDER BY last_at DESC LIMIT 1))"
)
"""The status of a conversation according to a source, if one has it."""

SUMMARY = (
    "coalesce(conversations.summary, "
    f"(SELECT group_concat(summary, char(10)) FROM {_COPIES}))"
)
"""The summary of a conversation, if a source has one."""

_COPIED = (
    "(SELECT json_group_array(json_array(same.ref, hex(homes.path), "
    "hex(places.path), same.status, same.summary, "
    f"json(files_written))) FROM {_COPIES} AS same "
    "JOIN stores AS homes ON homes.id = same.store "
    "JOIN sources AS places ON places.id = same.source)"
)
"""The fields of these, as JSON."""


_STATUS = (
    _STATED,
    "conversations.last_at",
    "conversations.entries",
    "stores.gap + coalesce(stores.poll, 0)",
    "stores.minimum",
    "conversations.is_closed",
)
"""The columns that determine the status of a conversation."""

_Cells = tuple[int, str | None, int | None, int, int | None, int | None, int]
"""The time now, and the values of these columns."""


def status_of(*cells: *_Cells) -> str:
    """The status of a conversation: that in its source, or else the derived one."""
    now, stated, last, entries, gap, minimum, is_closed = cells
    return stated or status(
        None if last is None else now - last,
        entries,
        Rule(
            USUAL.gap if gap is None else gap,
            USUAL.minimum if minimum is None else minimum,
        ),
        is_closed=bool(is_closed),
    )


def ready_of(*cells: *_Cells) -> str | None:
    """When an active conversation is over, if nothing more is said."""
    _, _, last, _, gap, *_ = cells
    if last is None or status_of(*cells) != ACTIVE:
        return None
    return written_at(last + (USUAL.gap if gap is None else gap))


def tokens_of(cell: str) -> Tokens:
    """The tokens in a cell."""
    read, written, from_cache, to_cache = map(int, cell.split())
    return Tokens(
        input=read, output=written, cache_read=from_cache, cache_creation=to_cache
    )


def cost_of(prices: Callable[[], Prices], model: str, tokens: str) -> float | None:
    """What a message cost; None without tokens, or without a price."""
    price = price_of(model, prices()) if model and tokens else None
    return price and price.of(tokens_of(tokens))


# The record.


def _time(text: str, column: str) -> field.Field:
    shown = (f"conversations.{column}", f"conversations.{column}_at")
    return field.Moment(text, shown=shown, read=at_of)


class Copy(Struct, frozen=True):
    """The same conversation in another source, such as the database of Claudia."""

    ref: str
    """The copy's ref for other commands."""
    store: str
    """The absolute path of the root of its store."""
    source: str
    """Its file, relative to the store."""
    status: str | None = None
    """Its status according to this source."""
    summary: str | None = None
    """Its summary in this source."""
    files_written: tuple[str, ...] = ()
    """The files written about it, according to this source."""


def _copies(cell: str) -> tuple[Copy, ...]:
    """The copies in a cell; the paths in it are in hexadecimal digits."""
    return tuple(
        Copy(ref, _path(store), _path(path), status, summary, tuple(files))
        for ref, store, path, status, summary, files in orjson.loads(cell)
    )


def _path(digits: str) -> str:
    return fsdecode(bytes.fromhex(digits))


class Conversation(Struct, frozen=True, kw_only=True):
    """Consecutive messages of one source file, without a long gap between them."""

    ref: Annotated[str, REF]
    """The conversation's ref for other commands."""
    store: Annotated[str, STORE]
    """The absolute path of the store's root."""
    session: Annotated[str | None, replace(SESSION, within=OF_SESSION)]
    """Its session."""
    source: Annotated[str, SOURCE]
    """Its file, relative to the store."""
    project: Annotated[str | None, field.Text("the project", sort=field.NOCASE)]
    """The name of the project's folder."""
    cwd: Annotated[str | None, field.Phrase("the working folder")]
    """The working directory."""
    branch: Annotated[str | None, field.Text("the git branch", sort=field.NOCASE)]
    """The git branch."""
    title: Annotated[str, field.Phrase("its title", sort=field.NOCASE)]
    """Its title."""
    first: Annotated[str | None, _time("when it started", "first")]
    """The time of its first message."""
    last: Annotated[str | None, _time("when it ended", "last")]
    """The time of its last message."""
    entries: Annotated[int, field.Number("the number of entries")]
    """The number of entries that the ingestion rules keep."""
    messages: Annotated[int, field.Number("the number of messages")]
    """The number of messages."""
    prompts: Annotated[int, field.Number("the number of prompts")]
    """The number of messages typed by a person."""
    tools: Annotated[int, field.Number("the number of tool calls")]
    """The number of tool calls."""
    tool_errors: Annotated[
        int, field.Number("the number of failed tool calls", aliases=("errors",))
    ]
    """The number of tool calls that failed."""
    status: Annotated[
        str,
        field.Text(
            "its status",
            choices=STATUSES,
            type="TEXT",
            shown=(field.NOW, *_STATUS),
            read=status_of,
            sql=f"status_of({', '.join(_STATUS)})",
        ),
    ]
    """Its status: `active ready queued processing archived skipped review`."""
    tokens: Annotated[
        Tokens,
        field.Number(
            "the number of tokens", type="TEXT NOT NULL", read=tokens_of, sql=_TOKENS
        ),
    ]
    """The tokens it used."""
    models: Annotated[
        tuple[str, ...],
        field.Texts(
            "a model", match=field.Match.PART, aliases=("model",), sort=field.NOCASE
        ),
    ]
    """The models that replied."""
    files_written: Annotated[
        tuple[str, ...],
        field.Texts("a file it wrote", match=field.Match.PART, aliases=("wrote",)),
    ]
    """The files that it wrote."""
    compactions: Annotated[int, field.Number("the number of compactions")]
    """How often it was compacted."""
    parent: Annotated[
        str | None, field.Identifier("its parent conversation", joined="parents.ref")
    ]
    """For sub-agents, the ref of the conversation that started it."""
    copies: Annotated[tuple[Copy, ...], field.Data(joined=_COPIED, read=_copies)] = ()
    """The same conversation in other sources, which is not listed on its own."""
    ready_at: Annotated[
        str | None, field.Data(column=None, shown=(field.NOW, *_STATUS), read=ready_of)
    ] = None
    """When it is over if nothing more is said; null unless it is `active`."""


class ConversationInFull(Struct, frozen=True, kw_only=True):
    """A conversation as shown by `show`."""

    conversation: Conversation
    """The fields shown in a list."""
    agent: str | None
    """The sub-agent whose conversation it is, if any."""
    agents: tuple[str, ...]
    """The refs of the conversations of the sub-agents that it started."""
    unanswered: int
    """The number of tool calls without a result."""
    summary: str | None
    """Its summary, if it has one."""
    lines: Mapping[str, int]
    """The number of lines of each type in its transcript, including lines without a
    message."""
    fields: Mapping[str, Json]
    """Everything else about it in its source, unchanged."""
    failed: tuple[str, ...] | None = None
    """The refs of the messages with results of failed calls; null if unknown."""
    transcript: tuple[Message, ...]
    """Its messages, in line order."""


# The kind.


def _titles(found: SessionFound, _origin: Origin) -> Cell:
    return json_text([[one.rank, one.line, one.text] for one in found.titles])


_LISTED = Table(
    "listed",
    (
        column("ref TEXT NOT NULL", ref_of("conversation", identity_of)),
        *columns("key TEXT NOT NULL, session TEXT"),
        column("source_file TEXT", Attribute("source")),
        *columns("title TEXT"),
        *moment("first"),
        *moment("last"),
        *columns(
            "entries INTEGER NOT NULL, status TEXT, summary TEXT, project TEXT, "
            "cwd TEXT"
        ),
        column("files_written TEXT", Made("files_written", json_text)),
        *columns("line INTEGER"),
        column("fields TEXT NOT NULL", json_of("fields")),
    ),
    {"by_source": "(source)"},
    shows=("conversations",),
    found="conversations",
)
"""The conversations that a source lists itself."""

_SESSIONS = Table(
    "sessions",
    (
        *columns("session TEXT, agent TEXT, parent TEXT, origin TEXT"),
        column("titles TEXT NOT NULL", _titles),
        column("lines TEXT NOT NULL", json_of("lines")),
    ),
    {"by_source": "(source)"},
    shows=("conversations",),
    found="sessions",
)
"""A transcript's own data."""

_UNSETTLED = Table(
    "unsettled",
    later("key TEXT NOT NULL, first_line INTEGER, last_line INTEGER"),
    {"by_source": "(source)"},
)
"""The listed conversations to create again, and lines where their messages are."""

_RUNS = (
    """
    CREATE TABLE runs (
        source INTEGER NOT NULL,
        first_line INTEGER NOT NULL,
        last_line INTEGER NOT NULL,
        conversation INTEGER NOT NULL,
        PRIMARY KEY (source, first_line)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX runs_by_conversation ON runs (conversation)",
)
"""The lines that each conversation covers."""

_SAID = Place(
    "messages.text",
    TEXTS,
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
"""The messages of a conversation."""

_CALLED = (
    "conversations.id IN (SELECT runs.conversation FROM messages "
    "JOIN runs ON runs.source = messages.source "
    "AND messages.line BETWEEN runs.first_line AND runs.last_line "
    "WHERE messages.tools IS NOT NULL AND {})"
)

_ABOUT = Place(
    lines_of(
        "conversations.title",
        SUMMARY,
        *(f"conversations.{name}" for name in ("project", "cwd", "branch")),
    )
)

_DURATION = "(conversations.last_at - conversations.first_at)"

CONVERSATIONS = Kind(
    name="conversations",
    record=Conversation,
    stored=(
        *columns(
            "key TEXT, source_file TEXT, unanswered INTEGER NOT NULL, "
            "is_closed INTEGER NOT NULL, agent TEXT"
        ),
        *later("parent INTEGER"),
        *columns("summary TEXT, line INTEGER, fields TEXT NOT NULL, origin TEXT"),
        *later("shown_as TEXT, shown_in INTEGER"),
    ),
    indexes={
        "by_session": "(session)",
        "by_last": "(last_at)",
        "by_parent": "(parent)",
        "by_origin": "(origin) WHERE origin IS NOT NULL",
        "shown": "(shown_as) WHERE shown_as IS NOT NULL",
    },
    further=_RUNS,
    tables=(_SESSIONS, _LISTED, _UNSETTLED),
    shows=("conversations", "messages"),
    joins={
        "parents": (
            "LEFT JOIN conversations AS parents ON parents.id = conversations.parent"
        )
    },
    is_shown=f"{NOT_COPIED} AND {NOT_ELSEWHERE}",
    sort_order=(
        "last first title project entries messages prompts tools tool_errors "
        "compactions duration tokens cost models branch source store"
    ),
    queried={
        "summary": field.Phrase("the content", sql=SUMMARY),
        "tool": field.Text(
            "a tool it called",
            form=field.Form.LIST,
            sql="messages.tools",
            within=_CALLED,
        ),
        "cost": field.Number("what it cost, by your prices", sql=COST),
        "duration": field.Number(
            "its duration",
            types=(field.Type.SECONDS,),
            aliases=("duration_s",),
            sql=f"{_DURATION} / 1e6",
            sort=_DURATION,
        ),
    },
    field_order=(
        "title summary status project tool tools tool_errors first last duration "
        "entries messages prompts tokens cost compactions models branch cwd "
        "files_written parent source"
    ),
    everywhere=(_ABOUT, _SAID),
    places={"title": (Place("conversations.title"),), "summary": (Place(SUMMARY),)},
    own_states={"subagent": "conversations.parent IS NOT NULL"},
    belongings={
        "tools": "conversations.tools > 0",
        "errors": "conversations.tool_errors > 0",
        "files": "conversations.files_written <> '[]'",
        "parent": "conversations.parent IS NOT NULL",
        "summary": has_text(SUMMARY),
        "tokens": f"{_TOKENS} > 0",
        "compactions": "conversations.compactions > 0",
        "copies": f"EXISTS {_COPIES}",
    },
    times=(at("conversations.first_at"), at("conversations.last_at")),
    changed="conversations.last_at",
    facets=("project", "status", "branch", "models"),
    ranked=Ranked(
        names="coalesce(conversations.project, '')",
        description="coalesce(conversations.cwd, '')",
        body="conversations.summary",
        at="conversations.last_at",
    ),
    names="conversations.title",
    content=("entries", "messages", "last_at"),
)
"""Conversations."""

CONVERSATIONS_ALONE = replace(CONVERSATIONS, everywhere=(_ABOUT,))
"""Conversations without their messages, which are records of their own."""
