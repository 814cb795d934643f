"""What the library returns besides records: hits, links, versions, blame, …."""

from msgspec import Struct

from store.kinds import Record
from store.kinds.memories import Memory
from store.reports import Parameter

# A link: an edge, episode or mention, seen from one of its ends.


class Link(Struct, frozen=True, kw_only=True):
    """A link from a record, or to it."""

    direction: str
    """`out` for a link from the record, `in` for a link to it."""
    by: str
    """The source of the link: `edge`, `episode`, `document` or `transcript`."""
    type: str
    """The edge's type, or else `tells of`, `names`, `wrote`, `started`, `holds`,
    `answered by` and others."""
    ref: str | None
    """The ref of the other end; null for a broken link."""
    title: str | None
    """The title of the other end, if known."""
    strength: float | None
    """The strength of the link, 0…1."""
    context: str | None
    """The reason for the link, in the writer's words."""
    edge: str | None
    """The ref of the edge, if the link is one."""
    store: str
    """The absolute path of the store's root."""
    path: str
    """The file that contains the link."""


# A hit: a record that matches a query, with its rank and snippet.


class Snippet(Struct, frozen=True, kw_only=True):
    """The text that matched, with some context."""

    text: str
    """The text around the match."""
    spans: tuple[tuple[int, int], ...]
    """The positions of the matches in it, as start and end."""


class Hit(Struct, frozen=True, kw_only=True):
    """A record that matches a query."""

    record: Record
    """The record itself; its fields come first in the JSON."""
    kind: str
    """The kind of the record."""
    score: float
    """How well it matches; higher is better."""
    snippet: Snippet | None
    """The text that matched, if text was searched."""
    similar: bool
    """Whether it matches only approximately, by similar names or meaning."""
    reasons: tuple[str, ...]
    """The reasons for its rank, most important first."""


# A memory that is similar to another one.


class Similar(Struct, frozen=True, kw_only=True):
    """A memory similar to another: how much, why, and whether they are linked."""

    memory: Memory
    """The memory; its fields come first in the JSON."""
    score: float
    """How similar their tags and words are, 0…1."""
    reason: str
    """The reason: shared tags, rare words, distance of their vectors."""
    linked: bool
    """Whether there is already an edge between them."""


# Vectors of memories, and what is left to do.


class Embedded(Struct, frozen=True, kw_only=True):
    """The vectors of a store's memories, and what is missing."""

    store: str
    """The absolute path of the store's root."""
    provider: str
    """The provider in the settings."""
    model: str
    """Its model."""
    memories: int
    """How many memories there are."""
    vectors: int
    """How many have a vector of their present text."""
    missing: int
    """How many will be sent: new ones, and those with another text than before."""
    changed: int
    """How many of the missing have a vector of their former text."""
    secret: int
    """How many are left out because they may contain a secret."""
    characters: int
    """The characters of the missing texts, before the first is sent."""
    tokens: int
    """An estimate of their tokens."""
    file: str
    """The file for the vectors."""


# A memory as it will be.


class Forecast(Struct, frozen=True, kw_only=True):
    """A memory, and how far it will have faded some days later if it isn't recalled."""

    ref: str
    """The memory's ref."""
    store: str
    """The absolute path of the store's root."""
    title: str
    """Its title."""
    stage: str | None
    """Its stage now; null if nothing fades."""
    strength: float | None
    """Its strength now."""
    stage_then: str | None
    """Its stage then."""
    strength_then: float | None
    """Its strength then."""
    changes_on: str | None
    """The day on which it leaves its present stage; null if it doesn't until then."""


# A memory that has a duplicate.


class Double(Struct, frozen=True, kw_only=True):
    """A memory that is a duplicate of another one in its store, or nearly so."""

    memory: Memory
    """The memory; its fields come first in the JSON."""
    of: str
    """The ref of the first memory of its group of duplicates, which may be itself."""
    share: float
    """The share of words that the most similar two of the group have in common, 0…1."""
    why: str
    """Why they count as duplicates."""
    nearest: str
    """The ref of the one in the group with which it shares most words."""


# A memory that is due for a review.


class Due(Struct, frozen=True, kw_only=True):
    """A memory that is due for a review, and the reason."""

    memory: Memory
    """The memory; its fields come first in the JSON."""
    queue: str
    """Its review queue; the first one, if it is in several."""
    why: str
    """What there is to decide."""


# A lead: the target of a pointer that is given as evidence for a metric.


class Lead(Struct, frozen=True, kw_only=True):
    """A record, a file, or a place outside the stores that is never opened."""

    ref: str | None = None
    """The record that it points to."""
    title: str = ""
    """Its title, if that is known and names what points to it."""
    store: str = ""
    """The root of the store of the file that it points to, if there is no record."""
    path: str = ""
    """The file, relative to the store."""
    line: int | None = None
    """The line, if one is given."""
    outside: str = ""
    """A path or an address outside all stores, if it points to neither."""

    @property
    def is_here(self) -> bool:
        """Whether it points to a record or a file in the stores."""
        return bool(self.ref or self.path)


# News: what was added or changed in a store since the user's last visit.


class News(Struct, frozen=True, kw_only=True):
    """How much is new in a store, by kind."""

    store: str
    """The absolute path of the store's root."""
    name: str
    """The name of the store: its project, or its folder."""
    looked: str | None
    """When the user last viewed it; null if never, and everything is new."""
    memories: int
    """How many memories are new or changed."""
    edges: int
    """How many edges are new."""
    episodes: int
    """How many episodes are new."""
    conversations: int
    """How many conversations are new or were continued."""
    messages: int
    """How many messages are new."""
    documents: int
    """How many documents are new or changed."""
    problems: int
    """How many problems were found for the first time."""


# A query from the history, or saved under a name.


class KeptQuery(Struct, frozen=True, kw_only=True):
    """A saved or a recent query."""

    query: str
    """The text of the query."""
    name: str | None
    """Its name; null if it is only recent."""


# A report: a built-in question that stores can answer.


class ParameterReport(Struct, frozen=True, kw_only=True):
    """A parameter of a built-in report."""

    name: str
    """Its name, for NAME=VALUE."""
    type: str
    """`text number day month moment until flag`."""
    required: bool
    """Whether it has to be given."""
    repeatable: bool
    """Whether it can be given several times."""
    choices: tuple[str, ...]
    """Its valid values; empty if there are too many to list."""
    usual: str | None
    """The default value, or null."""

    @classmethod
    def of(cls, parameter: Parameter) -> "ParameterReport":
        """Describe a parameter."""
        return cls(
            name=parameter.name,
            type=parameter.type.value,
            required=parameter.is_required,
            repeatable=parameter.is_repeatable,
            choices=parameter.choices,
            usual=parameter.usual or None,
        )


class QuestionReport(Struct, frozen=True, kw_only=True):
    """A built-in report, and which of the chosen stores support it."""

    name: str
    """The name of the report, as `report` takes it."""
    words: str
    """The arguments after the name, as in a usage line."""
    help: str
    """What the report shows, in one line."""
    formats: tuple[str, ...]
    """The formats that support it."""
    stores: tuple[str, ...]
    """The absolute paths of the open stores that support it."""
    parameters: tuple[ParameterReport, ...]
    """Its arguments, each also as `NAME=VALUE`."""
    columns: tuple[str, ...]
    """The names of its columns."""


# A version of a file: who made it when, and what changed.


class Version(Struct, frozen=True, kw_only=True):
    """One change of the file that contains a record."""

    by: str
    """The author: `call` of an agent's tool, `command` of an agent that may have
    changed it, `change` made with recollect, `commit` in git, or else `unknown`."""
    what: str
    """The tool, the command, the action, or the commit message."""
    who: str | None
    """The author of the commit; null if unknown."""
    at: str | None
    """The time; null if unknown."""
    ref: str | None
    """The ref of the message with the call, or the id of the change or the commit."""
    conversation: str | None
    """The ref of the conversation in which it was made."""
    session: str | None
    """The session in which it was made."""
    store: str
    """The absolute path of the store's root."""
    path: str
    """The file, relative to the store."""
    added: int | None
    """The number of lines added; null if unknown."""
    removed: int | None
    """The number of lines removed; null if unknown."""
    diff: str | None
    """The unified diff to the version before; null if unknown."""


# Blame: which tool call of an agent wrote which lines of a file.


class Blamed(Struct, frozen=True, kw_only=True):
    """Consecutive lines from the same change."""

    first: int
    """The first line, counted from 1."""
    last: int
    """The last line."""
    by: str
    """The author: `call`, `change` or `commit`, or else `unknown`."""
    what: str | None
    """The tool, the action, or the commit message."""
    at: str | None
    """The time of the change."""
    ref: str | None
    """The ref of the message, or the id of the change or the commit."""
    conversation: str | None
    """The ref of the conversation in which they were written."""
    session: str | None
    """The session in which they were written."""
    who: str | None
    """The author of the commit."""
    text: str
    """The text of the lines."""


class Blame(Struct, frozen=True, kw_only=True):
    """The file of a record, line by line."""

    ref: str
    """The record."""
    store: str
    """The absolute path of the store's root."""
    path: str
    """The file, relative to the store."""
    lines: tuple[Blamed, ...]
    """All its lines, in order."""
    written: tuple[str, ...]
    """The refs of the messages whose calls wrote the file, oldest first, even if none
    of their lines is left."""
    maybe: tuple[str, ...]
    """The refs of messages with commands that may have changed it."""
