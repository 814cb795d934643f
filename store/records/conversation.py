"""Conversations and their messages, as transcripts hold them."""

from collections.abc import Mapping

from msgspec import Struct

from store.findings import Json

STATUSES = ("active", "ready", "queued", "processing", "archived", "skipped", "review")
"""A conversation's life, in the order that it is lived."""

MESSAGE_KINDS = (
    "prompt",
    "reply",
    "thinking",
    "tool_use",
    "tool_result",
    "command",
    "output",
    "interrupt",
    "notification",
    "summary",
    "meta",
    "system",
    "other",
)
"""What a message can be."""


class Tokens(Struct, frozen=True, kw_only=True):
    """Tokens of a conversation, counted once for each API message."""

    input: int
    """Read by the model."""
    output: int
    """Written by the model."""
    cache_read: int
    """Read from its cache."""
    cache_creation: int
    """Put into its cache."""


class Conversation(Struct, frozen=True, kw_only=True):
    """Messages of one source file with no longer gap between them."""

    ref: str
    """Names the conversation for every other command."""
    store: str
    """The absolute path of the store's root."""
    session: str | None
    """The session that it belongs to."""
    source: str
    """The file that holds it, relative to the store."""
    project: str | None
    """The project, as its messages name it."""
    cwd: str | None
    """The folder that it was held in."""
    branch: str | None
    """The git branch that it was held on."""
    title: str
    """What it is called."""
    first: str | None
    """When its first message was written."""
    last: str | None
    """When its last message was written."""
    entries: int
    """How many entries the ingestion rules keep."""
    messages: int
    """How many messages it has."""
    prompts: int
    """How many of them a person typed."""
    tools: int
    """How many tools were called."""
    tool_errors: int
    """How many of those calls failed."""
    status: str
    """Where it stands: `active ready queued processing archived skipped review`."""
    tokens: Tokens
    """What it cost."""
    models: tuple[str, ...]
    """The models that answered."""
    files_written: tuple[str, ...]
    """The files that it wrote."""
    compactions: int
    """How often it was compacted."""
    parent: str | None
    """The ref of the conversation that started it, for sub-agents."""


class Message(Struct, frozen=True, kw_only=True):
    """One message of a conversation."""

    ref: str
    """Names the message for every other command."""
    store: str
    """The absolute path of the store's root."""
    conversation: str | None
    """The ref of the conversation that it belongs to."""
    session: str | None
    """The session that it belongs to."""
    source: str
    """The file that holds it, relative to the store."""
    line: int
    """The line it starts at."""
    uuid: str | None
    """Its own identifier, where it has one."""
    role: str | None
    """Who speaks."""
    kind: str
    """What it is: one of `MESSAGE_KINDS`."""
    at: str | None
    """When it was written."""
    text: str
    """What it says."""
    tools: tuple[str, ...]
    """The tools that it calls."""


class ConversationInFull(Struct, frozen=True, kw_only=True):
    """A conversation as `show` gives it."""

    conversation: Conversation
    """What a list shows of it."""
    agent: str | None
    """The sub-agent that held it, where one did."""
    agents: tuple[str, ...]
    """The refs of the conversations of the sub-agents that it started."""
    unanswered: int
    """How many calls of tools nothing answered."""
    summary: str | None
    """What it was about, where somebody summed it up."""
    lines: Mapping[str, int]
    """How many lines of each type its transcript has, those without message too."""
    fields: Mapping[str, Json]
    """What else its source says of it, as it stands."""
    failed: tuple[str, ...] | None = None
    """The refs of the messages that bring results of calls that failed; null where that
    is not known."""
    transcript: tuple[Message, ...]
    """Its messages, in order of their lines."""


class MessageInFull(Struct, frozen=True, kw_only=True):
    """A message as `show` gives it: nothing is left out."""

    message: Message
    """What a list shows of it."""
    answers: tuple[str, ...]
    """The refs of the messages whose calls it answers."""
    answered_by: tuple[str, ...]
    """The refs of the messages that answer its calls."""
    parts: tuple[Mapping[str, Json], ...]
    """Its blocks in order: texts, thoughts, calls, results, pictures."""
    fields: Mapping[str, Json]
    """What its lines say beside that, as it stands."""
