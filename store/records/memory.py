"""A memory: one thing that an agent chose to keep."""

from collections.abc import Mapping

from msgspec import Struct

from store.findings import Value


class Memory(Struct, frozen=True, kw_only=True):
    """A memory as a list shows it."""

    ref: str
    """Names the memory for every other command; stable between runs."""
    store: str
    """The absolute path of the store's root."""
    format: str
    """The format of the store: `cognitive`, `notes`, …"""
    id: str | None
    """The memory's own identifier, where its format has one."""
    type: str | None
    """What kind of memory it is, in the store's own word."""
    title: str
    """What it is called; the file's stem where it has no title."""
    description: str | None
    """One line about it, where the format has one."""
    tags: tuple[str, ...]
    """Its tags, in the order of the file."""
    importance: float | str | None
    """How much it matters: 0…1, or high, medium, low in agent-memory."""
    confidence: float | None
    """How sure its writer was, 0…1."""
    created: str | None
    """When it was made, as written."""
    updated: str | None
    """When it was last changed, as written."""
    accessed: str | None
    """When an agent last recalled it, as written."""
    access_count: int
    """How often an agent recalled it."""
    strength: float | None
    """The decay score now; 999.0 when pinned; null where nothing fades."""
    stage: str | None
    """`vault active fading dormant archived`; null where nothing fades."""
    pinned: bool
    """Whether it lies in the vault, or is pinned where its store has no word for it."""
    archived: bool
    """Whether it was put away."""
    path: str
    """The file that holds it, relative to the store."""
    line: int | None
    """The line it starts at, where one file holds many."""
    links_in: int
    """How many edges point to it."""
    links_out: int
    """How many edges it points along."""
    problems: tuple[str, ...]
    """The codes of the problems that concern it."""


class Relation(Struct, frozen=True, kw_only=True):
    """One line of a memory's own list of relations."""

    target: str | None
    """The identifier it names, as written."""
    type: str | None
    """The kind of relation, as written."""
    direction: str | None
    """`outgoing` or `incoming`, as written."""
    strength: float | None
    """How strong, 0…1."""
    context: str | None
    """Why, in the writer's words."""
    edge_id: str | None
    """The edge file that tells more about it."""
    fields: Mapping[str, Value]
    """Everything else in the entry, as it stands."""


class MemoryInFull(Struct, frozen=True, kw_only=True):
    """A memory as `show` gives it: the row, and all that its file holds."""

    memory: Memory
    """What a list shows of it."""
    body: str
    """Its text."""
    fields: Mapping[str, Value]
    """Everything else in its header, as it stands."""
    relations: tuple[Relation, ...]
    """The relations that it lists itself."""
    steps: tuple[str, ...]
    """A procedure's steps."""
    preconditions: tuple[str, ...]
    """What must hold before a procedure."""
    postconditions: tuple[str, ...]
    """What holds after a procedure."""
