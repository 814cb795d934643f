"""What a transcript holds: messages, and what it says about itself."""

from collections.abc import Mapping
from enum import IntEnum
from typing import NamedTuple

from msgspec import Struct, field

from store.findings.words import Json
from store.times import Instant


class Tokens(NamedTuple):
    """What one API message cost, in tokens."""

    input: int = 0
    """Read by the model."""
    output: int = 0
    """Written by the model."""
    cache_read: int = 0
    """Read from its cache."""
    cache_creation: int = 0
    """Put into its cache."""


class MessageFound(Struct, frozen=True, kw_only=True):
    """One message of a transcript, put together from all of its lines."""

    key: str
    """What tells it from every other message of its source."""
    kind: str
    """What it is: `prompt reply thinking tool_use tool_result …`."""
    line: int
    """The line it starts at."""
    text: str = ""
    """What it says, fit to be searched: no pictures, no copies of files."""
    role: str | None = None
    """Who speaks."""
    at: Instant | None = None
    """When it was written; None where its lines do not tell."""
    until: Instant | None = None
    """When its last line was written, where that is not when its first was."""
    offset: int = 0
    """The byte that its first line begins at."""
    extent: int = 0
    """How many bytes lie between there and the end of its last line."""
    uuid: str | None = None
    """Its own identifier, where it has one."""
    parent: str | None = None
    """The identifier of the message that it follows, where it names one."""
    session: str | None = None
    """The session that it belongs to."""
    cwd: str | None = None
    """The folder that it was written in."""
    branch: str | None = None
    """The git branch that was checked out there."""
    model: str | None = None
    """The model that answered."""
    tokens: Tokens | None = None
    """What it cost, counted once; None where it cost nothing."""
    tools: tuple[str, ...] = ()
    """The names of the tools that it calls, one for each call."""
    calls: tuple[str, ...] = ()
    """The identifiers of those calls, in the same order."""
    answers: tuple[str, ...] = ()
    """The identifiers of the calls whose results it brings."""
    errors: int = 0
    """How many of those results say that the call failed."""
    writes: tuple[str, ...] = ()
    """The files that its calls write, as the calls name them."""
    entries: int = 0
    """How many of its lines are entries by the rules of spec 004's ingestion."""
    is_compaction: bool = False
    """Whether what came before it was compacted here."""
    is_queued: bool = False
    """Whether it was typed while the agent worked, and stands nowhere else so far."""
    conversation: str | None = None
    """The key of its conversation, where the source says which; else the gap rule."""


class Rank(IntEnum):
    """How good a name for a transcript is: the first is best."""

    CUSTOM = 0
    """What its owner called it."""
    WRITTEN = 1
    """What a model called it."""
    AGENT = 2
    """What the agent was called that held it."""
    SUMMARY = 3
    """What it came to, in a line."""
    ASKED = 4
    """The first thing that was asked."""
    NICKNAME = 5
    """A name by chance."""


class TitleFound(Struct, frozen=True, kw_only=True):
    """A name for a transcript; among those of the best rank the last one counts."""

    rank: int
    """How good a name it is, a `Rank`."""
    text: str
    """The name."""
    line: int
    """The line it stands on."""


class SessionFound(Struct, frozen=True, kw_only=True):
    """What a transcript says about itself, as far as it was read."""

    session: str | None = None
    """The session that the file is named after, or that its lines name."""
    agent: str | None = None
    """The sub-agent whose transcript it is."""
    parent: str | None = None
    """The path of the transcript that started this sub-agent."""
    titles: tuple[TitleFound, ...] = ()
    """Names for it."""
    lines: Mapping[str, int] = field(default_factory=dict[str, int])
    """How many lines of each type there are, those included that make no message."""


class ConversationFound(Struct, frozen=True, kw_only=True):
    """A conversation, where a source lists conversations by itself."""

    key: str
    """What tells it from every other of its source."""
    session: str | None = None
    """The session that it belongs to."""
    source: str | None = None
    """The transcript that it was taken from, as the source names it."""
    title: str | None = None
    """What it is called, where it has a name."""
    first: Instant | None = None
    """When its first message was written."""
    last: Instant | None = None
    """When its last message was written."""
    entries: int = 0
    """How many entries it has, as the source counts them."""
    status: str | None = None
    """Where it stands in its life."""
    summary: str | None = None
    """What it was about."""
    project: str | None = None
    """The project that it was about."""
    cwd: str | None = None
    """The folder that it was held in."""
    files_written: tuple[str, ...] = ()
    """The files that were written because of it."""
    line: int | None = None
    """The row that holds it."""
    fields: Mapping[str, Json] = field(default_factory=dict[str, Json])
    """What else the source says of it, as it stands."""
