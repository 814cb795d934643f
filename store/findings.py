"""What a format reports about one file: memories, claims, episodes, messages, flaws."""

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from typing import NamedTuple

from msgspec import Struct, field

from store.errors import RefusedError, UnreadableError
from store.times import Instant

# The parts of findings: values, flaws, sides, marks and keys.

Value = str | list["Value"] | Mapping[str, "Value"]
"""A value of a header; scalars remain strings as in the file."""


Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
"""A value of a JSON document, unchanged."""


FORMATS = (
    *("cognitive", "agent-memory", "notes", "kei", "transcripts", "claudia", "pages"),
    "instructions",
)
"""The formats of stores."""

UNREADABLE = "unreadable"
"""The code of the flaw for a source that could not be read at all."""


class Severity(StrEnum):
    """The severity of a problem."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Side(StrEnum):
    """The place where an edge is written."""

    FILE = "file"
    OUTGOING = "outgoing"
    INCOMING = "incoming"
    WIKILINK = "wikilink"
    INDEX = "index"


class Flaw(Struct, frozen=True, kw_only=True):
    """Something wrong in the source being read."""

    code: str
    """The kind of problem, as a word for scripts."""
    message: str
    """A sentence that describes the problem."""
    severity: Severity = Severity.WARNING
    """Its severity."""
    line: int | None = None
    """The line, if known."""


class Flaws(list[Flaw]):
    """The flaws that were found so far."""

    def note(
        self,
        code: str,
        message: str,
        severity: Severity = Severity.WARNING,
        line: int | None = None,
    ) -> None:
        """Add a flaw."""
        flaw = Flaw(code=code, message=message, severity=severity, line=line)
        self.append(flaw)


def not_read(error: UnreadableError) -> Flaw:
    """The flaw for a source that could not be read, with the reason."""
    code = "refused" if isinstance(error, RefusedError) else UNREADABLE
    return Flaw(code=code, message=str(error), severity=Severity.ERROR)


class Mark(NamedTuple):
    """Where reading stopped, and the state needed to continue from there."""

    offset: int = 0
    """The offset of the next byte."""
    memory: bytes = b""
    """The format's own state; opaque to everything else."""


START = Mark()
"""The mark for reading from the beginning."""


def name_key(name: str) -> str:
    """The key for matching wikilinks, stems and titles; ignores case, `-` and `_`."""
    words = name.casefold().replace("_", " ").replace("-", " ").split()
    return f"name:{'-'.join(words)}"


SHORT = "id6:"
"""The prefix of keys that several memories may share."""

_SHORT_LENGTH = 6


def short_key(identifier: str) -> str:
    """The key made of an identifier's first six characters, as used in file names."""
    return SHORT + identifier.removeprefix("id:")[:_SHORT_LENGTH].casefold()


# Memories, and the claims that link them.


class MemoryFound(Struct, frozen=True, kw_only=True):
    """A memory, as found in its file."""

    title: str
    """Its title, or else its file name without suffix."""
    id: str | None = None
    """Its own identifier, if its format has one."""
    type: str | None = None
    """The type of the memory, as the store names it."""
    description: str | None = None
    """A one-line description, if the format has one."""
    tags: tuple[str, ...] = ()
    """Its tags, in file order."""
    importance: float | str | None = None
    """Its importance: 0…1, or a word if the format uses words."""
    confidence: float | None = None
    """How sure its author was, 0…1."""
    created: Instant | None = None
    """When it was created."""
    updated: Instant | None = None
    """When it was last changed."""
    accessed: Instant | None = None
    """When an agent last recalled it."""
    access_count: int = 0
    """How often agents recalled it."""
    pinned: bool = False
    """Whether it is in a vault."""
    archived: bool = False
    """Whether it is archived."""
    fades: bool = False
    """Whether the decay model applies to it."""
    line: int | None = None
    """The line it starts at, if its file contains several."""
    names: tuple[str, ...] = ()
    """The `name:` keys by which wikilinks may refer to it."""
    session: str | None = None
    """The session that wrote it, if recorded."""
    body: str = ""
    """Its text, including the final newline."""
    fields: Mapping[str, Value] = field(default_factory=dict[str, Value])
    """Every header key without an attribute here, unchanged."""
    relations: tuple[Mapping[str, Value], ...] = ()
    """Its own list of relations, entry by entry."""
    steps: tuple[str, ...] = ()
    """The steps of a procedure."""
    preconditions: tuple[str, ...] = ()
    """The preconditions of a procedure."""
    postconditions: tuple[str, ...] = ()
    """The postconditions of a procedure."""


class Claim(Struct, frozen=True, kw_only=True):
    """A statement in one file that one memory links to another.

    Its ends are keys, which the catalogue resolves within the store: `id:…` is an
    identifier, `path:…` a path relative to the store, `name:…` a title or stem (see
    `name_key`).
    """

    start: str
    """The key of the memory at the start of the edge."""
    end: str
    """The key of the memory at its end."""
    type: str
    """The type of the link."""
    side: Side
    """Where the claim is written."""
    edge_id: str | None = None
    """The edge's own identifier, if it has one."""
    strength: float | None = None
    """The strength of the link, 0…1."""
    context: str | None = None
    """The reason for the link, in the writer's words."""
    created: Instant | None = None
    """When it was created."""
    start_title: str | None = None
    """The title of the start, as copied by the writer; for a wikilink, its text."""
    end_title: str | None = None
    """The title of the end, as copied by the writer; for a wikilink, its text."""
    path: str | None = None
    """The edge file, as an index names it."""
    line: int | None = None
    """The line, if known."""
    body: str = ""
    """The text of the edge file, if the claim is from one."""
    fields: Mapping[str, Value] = field(default_factory=dict[str, Value])
    """The other fields of the edge file's header, unchanged."""


class AccessFound(Struct, frozen=True, kw_only=True):
    """The usage of one memory, according to a store's state file."""

    key: str
    """The memory's key."""
    count: int
    """How often it was recalled; negative if unknown, as of a date in the past."""
    last: Instant | None
    """When it was last recalled."""
    score: float | None
    """The score that the store last computed."""


class IndexEntry(Struct, frozen=True, kw_only=True):
    """The entry of one memory in a store's derived index."""

    key: str
    """The memory's key."""
    path: str | None
    """The path of its file in the index; None if it is not a valid path."""
    facts: Mapping[str, Value]
    """The copied fields, scalars as strings."""


# Episodes and documents: pages about memories.


class EpisodeFound(Struct, frozen=True, kw_only=True):
    """One entry of a daily log."""

    date: str
    """The day, as YYYY-MM-DD."""
    time: str | None
    """The time of day, as written."""
    title: str
    """The title of the entry."""
    line: int
    """The line it starts at."""
    type: str | None = None
    """The type of the memory that it is about."""
    tags: tuple[str, ...] = ()
    """Its tags, in file order."""
    summary: str | None = None
    """What happened."""
    link: str | None = None
    """The link, as written."""
    target: str | None = None
    """The key of the linked memory; None if the link leads out of the store."""
    conversation: str | None = None
    """The key of the conversation that it is about, if it names one."""


class Mention(Struct, frozen=True, kw_only=True):
    """A line of a document that names a memory."""

    target: str | None
    """The key of the memory; None if the link leads out of the store."""
    link: str
    """The link, as written."""
    label: str
    """The text of the link."""
    note: str | None
    """What the line says about it."""
    line: int
    """The line of the mention."""


class DocumentFound(Struct, frozen=True, kw_only=True):
    """A page about memories that is not a memory itself."""

    title: str
    """Its first heading, or else its file name without suffix."""
    role: str
    """`core reflection memory-index document episode-file instructions`."""
    text: str
    """Its text, with secrets masked."""
    category: str | None = None
    """The folder that names its subject."""
    facts: Mapping[str, Value] = field(default_factory=dict[str, Value])
    """What was extracted from it for `show`: counts, sections, settings."""
    mentions: tuple[Mention, ...] = ()
    """The memories that it names."""


# Transcripts: their messages, and the facts about the session.


class Tokens(NamedTuple):
    """The tokens of one API message."""

    input: int = 0
    """Tokens read by the model."""
    output: int = 0
    """Tokens written by the model."""
    cache_read: int = 0
    """Tokens read from the cache."""
    cache_creation: int = 0
    """Tokens written to the cache."""


class Write(NamedTuple):
    """A file that a call writes."""

    path: str
    """The file, as named in the call."""
    call: str = ""
    """The identifier of the call."""


THOUGHTS = "\n\n\x1e\n\n"
"""Separates what a message says from the thoughts of its writer."""


def with_thoughts(kind: str, says: str, thinks: str) -> str:
    """The text of a message, followed by the thoughts of its writer.

    A message that consists only of thoughts has no divider.
    """
    if kind == "thinking" and not says:
        return thinks
    return f"{says}{THOUGHTS}{thinks}" if thinks or kind == "thinking" else says


def without_thoughts(kind: str, words: str) -> tuple[str, str]:
    """Split a stored text into what the message says and its thoughts."""
    says, divider, thinks = words.partition(THOUGHTS)
    return ("", says) if kind == "thinking" and not divider else (says, thinks)


class MessageFound(Struct, frozen=True, kw_only=True):
    """One message of a transcript, combined from all its lines."""

    key: str
    """A key that is unique within its source."""
    kind: str
    """Its kind: `prompt reply thinking tool_use tool_result …`."""
    line: int
    """The line it starts at."""
    text: str = ""
    """Its text for searching, without pictures and file copies."""
    role: str | None = None
    """The role of its author."""
    at: Instant | None = None
    """When it was written; None if unknown."""
    until: Instant | None = None
    """When its last line was written, if later than its first."""
    offset: int = 0
    """The byte offset of its first line."""
    extent: int = 0
    """The number of bytes from there to the end of its last line."""
    uuid: str | None = None
    """Its own identifier, if it has one."""
    parent: str | None = None
    """The identifier of the message that it follows, if it names one."""
    session: str | None = None
    """Its session."""
    cwd: str | None = None
    """The working directory."""
    branch: str | None = None
    """The git branch checked out there."""
    model: str | None = None
    """The model that replied."""
    tokens: Tokens | None = None
    """The tokens it used, counted once; None if it used none."""
    tools: tuple[str, ...] = ()
    """The names of the tools that it calls, one for each call."""
    calls: tuple[str, ...] = ()
    """The identifiers of these calls, in the same order."""
    answers: tuple[str, ...] = ()
    """The identifiers of the calls whose results it contains."""
    errors: int = 0
    """How many of these results report a failed call."""
    writes: tuple[Write, ...] = ()
    """The files that its calls write."""
    entries: int = 0
    """How many of its lines count as entries by the ingestion rules of spec 004."""
    is_compaction: bool = False
    """Whether everything before it was compacted here."""
    is_queued: bool = False
    """Whether it was typed while the agent worked, and is only in the queue so far."""
    is_failure: bool = False
    """Whether it reports that every call that it answers failed."""
    conversation: str | None = None
    """The key of its conversation, if the source has one; otherwise gaps decide."""


class Rank(IntEnum):
    """How good a title for a transcript is; the first is best."""

    CUSTOM = 0
    """Given by the user."""
    WRITTEN = 1
    """Given by a model."""
    AGENT = 2
    """The name of the sub-agent."""
    SUMMARY = 3
    """A one-line summary."""
    ASKED = 4
    """The first prompt."""
    NICKNAME = 5
    """A random name."""


class TitleFound(Struct, frozen=True, kw_only=True):
    """A title of a transcript; among those of the best rank, the last one counts."""

    rank: int
    """How good the title is, a `Rank`."""
    text: str
    """The title."""
    line: int
    """Its line."""


class SessionFound(Struct, frozen=True, kw_only=True):
    """Facts about a transcript, limited to what was read so far."""

    session: str | None = None
    """The session in its file name, or in its lines."""
    agent: str | None = None
    """The sub-agent whose transcript it is."""
    parent: str | None = None
    """The path of the transcript that started this sub-agent."""
    origin: str | None = None
    """The file name of the transcript that this file is a copy of."""
    titles: tuple[TitleFound, ...] = ()
    """Its possible titles."""
    lines: Mapping[str, int] = field(default_factory=dict[str, int])
    """The number of lines of each type, including lines without a message."""


class ConversationFound(Struct, frozen=True, kw_only=True):
    """A conversation, from a source that lists conversations."""

    key: str
    """A key that is unique within its source."""
    session: str | None = None
    """Its session."""
    source: str | None = None
    """The transcript it was imported from, as the source names it."""
    title: str | None = None
    """Its title, if it has one."""
    first: Instant | None = None
    """The time of its first message."""
    last: Instant | None = None
    """The time of its last message."""
    entries: int = 0
    """Its number of entries, as counted by the source."""
    status: str | None = None
    """Its status."""
    summary: str | None = None
    """A summary of it."""
    project: str | None = None
    """Its project."""
    cwd: str | None = None
    """The working directory."""
    files_written: tuple[str, ...] = ()
    """The files written because of it."""
    line: int | None = None
    """Its row."""
    fields: Mapping[str, Json] = field(default_factory=dict[str, Json])
    """Everything else about it in the source, unchanged."""


# Journals and ledgers: events, metrics, agents.


class EventFound(Struct, frozen=True, kw_only=True):
    """Something that happened in a session, as recorded in a journal or a trace."""

    kind: str
    """The kind of line that reports it."""
    line: int
    """Its line or row."""
    session: str | None = None
    """The session in which it happened."""
    at: Instant | None = None
    """When it happened."""
    tool: str | None = None
    """The tool that was used."""
    file_path: str | None = None
    """The file it was used on."""
    is_error: bool = False
    """Whether it failed."""
    event_class: str = "other"
    """The class of the event, in everyday terms."""
    upstream_class: str | None = None
    """The class given by the kit that writes the traces; None if it drops the event."""
    message: str | None = None
    """Its text."""
    command: str | None = None
    """The shell command of a tool call."""
    is_copy: bool = False
    """Whether a better source may report the same session; if so, this is not shown."""


class MeasureFound(Struct, frozen=True, kw_only=True):
    """A recorded metric: a duration or a count, with the evidence for it."""

    kind: str
    """`session task claim toolstats`."""
    line: int
    """Its line."""
    name: str | None = None
    """What was measured."""
    id: str | None = None
    """Its own identifier, if it has one."""
    session: str | None = None
    """Its session."""
    start: Instant | None = None
    """When it started."""
    end: Instant | None = None
    """When it ended."""
    duration_s: float | None = None
    """The duration in seconds."""
    exit: int | None = None
    """The exit code of the measured program."""
    metric: Json = None
    """What was counted, or the claimed value."""
    source: str | None = None
    """The source of the metric: its writer, its evidence."""
    at: Instant | None = None
    """When it was recorded."""
    pointer: str | None = None
    """The record given as evidence, as written."""
    fields: Mapping[str, Json] = field(default_factory=dict[str, Json])
    """Everything else in the line, unchanged."""


class AgentFound(Struct, frozen=True, kw_only=True):
    """One row of an agent ledger."""

    id: str
    """The agent's identifier."""
    line: int
    """Its row."""
    started: Instant | None = None
    """When it was started, if recorded."""
    columns: Mapping[str, Json] = field(default_factory=dict[str, Json])
    """The ledger's columns, unchanged."""


# Everything found in one source.


class Replaced(Struct, frozen=True, kw_only=True):
    """What the findings of a source replace if it was compared with what was read.

    Everything else stays. A range is its first and its last line.
    """

    begins: bool
    """Whether they replace its documents, and its problems without a line."""
    messages: tuple[tuple[int, int], ...] = ()
    """Ranges of lines whose messages they replace."""
    conversations: tuple[tuple[int, int], ...] = ()
    """Ranges of lines whose conversations, and their problems, they replace."""
    keys: tuple[str, ...] = ()
    """The keys of conversations without a line that they replace."""


class Findings(Struct, frozen=True, kw_only=True):
    """Everything found in one source, or in one piece of it."""

    memories: tuple[MemoryFound, ...] = ()
    """Memories."""
    claims: tuple[Claim, ...] = ()
    """Claims about edges."""
    episodes: tuple[EpisodeFound, ...] = ()
    """Entries of a daily log."""
    documents: tuple[DocumentFound, ...] = ()
    """Pages that are not memories."""
    accesses: tuple[AccessFound, ...] = ()
    """Usage counts."""
    index: tuple[IndexEntry, ...] = ()
    """Entries of a derived index."""
    messages: tuple[MessageFound, ...] = ()
    """Messages of a transcript."""
    sessions: tuple[SessionFound, ...] = ()
    """Facts about a transcript: at most one."""
    conversations: tuple[ConversationFound, ...] = ()
    """Conversations that the source lists."""
    events: tuple[EventFound, ...] = ()
    """Events in sessions."""
    measures: tuple[MeasureFound, ...] = ()
    """Recorded metrics."""
    agents: tuple[AgentFound, ...] = ()
    """Rows of an agent ledger."""
    flaws: tuple[Flaw, ...] = ()
    """Problems of the source."""
    tail: Flaw | None = None
    """Problems of its end, which disappear when more is appended."""
    mark: Mark = START
    """Where to continue reading later, in a source that grows."""
    more: bool = False
    """Whether there is more to read now, starting at the mark."""
    anew: bool = False
    """Whether the source was replaced, so that it was read from the beginning."""
    replaced: Replaced | None = None
    """What these replace; None if they add to what was read before the mark."""
