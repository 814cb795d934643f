"""What a file says of memories, and of what links them."""

from collections.abc import Mapping

from msgspec import Struct, field

from store.findings.words import Side, Value
from store.times import Instant


class MemoryFound(Struct, frozen=True, kw_only=True):
    """A memory, as its file tells it."""

    title: str
    """What it is called; the stem of its file where it has no title."""
    id: str | None = None
    """Its own identifier, where its format has one."""
    type: str | None = None
    """What kind of memory it is, in the store's own word."""
    description: str | None = None
    """One line about it, where the format has one."""
    tags: tuple[str, ...] = ()
    """Its tags, in the order of the file."""
    importance: float | str | None = None
    """How much it matters: 0…1, or a word where the format has words."""
    confidence: float | None = None
    """How sure its writer was, 0…1."""
    created: Instant | None = None
    """When it was made."""
    updated: Instant | None = None
    """When it was last changed."""
    accessed: Instant | None = None
    """When an agent last recalled it."""
    access_count: int = 0
    """How often an agent recalled it."""
    pinned: bool = False
    """Whether it lies in a vault."""
    archived: bool = False
    """Whether it was put away."""
    fades: bool = False
    """Whether the decay model applies to it."""
    line: int | None = None
    """The line it starts at, where one file holds many."""
    names: tuple[str, ...] = ()
    """The `name:` keys that wikilinks may call it by."""
    session: str | None = None
    """The session that wrote it, where it says so."""
    body: str = ""
    """Its text, final newline included."""
    fields: Mapping[str, Value] = field(default_factory=dict[str, Value])
    """Every header key that no other attribute here carries, as it stands."""
    relations: tuple[Mapping[str, Value], ...] = ()
    """Its own list of relations, entry by entry."""
    steps: tuple[str, ...] = ()
    """The steps of a procedure."""
    preconditions: tuple[str, ...] = ()
    """What must hold before a procedure."""
    postconditions: tuple[str, ...] = ()
    """What holds after it."""


class Claim(Struct, frozen=True, kw_only=True):
    """One file's word that one memory points to another.

    Ends are keys that the catalogue resolves within the store: `id:…` an identifier,
    `path:…` a path relative to the store, `name:…` a title or stem (see `name_key`).
    """

    start: str
    """The key of the memory that the edge starts at."""
    end: str
    """The key of the memory that it leads to."""
    type: str
    """What kind of link it is."""
    side: Side
    """Where this word is written."""
    edge_id: str | None = None
    """The edge's own identifier, where the writer gives one."""
    strength: float | None = None
    """How strong, 0…1."""
    context: str | None = None
    """Why, in the writer's words."""
    created: Instant | None = None
    """When it was made."""
    start_title: str | None = None
    """The start's title, as the writer copied it; the link's text for a wikilink."""
    end_title: str | None = None
    """The end's title, as the writer copied it; the link's text for a wikilink."""
    line: int | None = None
    """The line, where one can be named."""
    body: str = ""
    """The text of a file that is about this edge alone."""
    fields: Mapping[str, Value] = field(default_factory=dict[str, Value])
    """What else that file's header holds, as it stands."""


class AccessFound(Struct, frozen=True, kw_only=True):
    """What a store's state file says about the use of one memory."""

    key: str
    """The memory's key."""
    count: int
    """How often it was recalled."""
    last: Instant | None
    """When it was last recalled."""
    score: float | None
    """The score as the store last computed it."""


class IndexEntry(Struct, frozen=True, kw_only=True):
    """What a store's derived index says about one memory."""

    key: str
    """The memory's key."""
    path: str | None
    """Where the index says that its file lies; None where that is no path."""
    facts: Mapping[str, Value]
    """The copied fields, scalars as strings."""
