"""What the checks look at: a store's records, put as questions."""

from typing import NamedTuple, Protocol

from store.findings import MemoryFound, Value


class EdgeSeen(NamedTuple):
    """An edge with the ends that were found and the ends that it names."""

    ref: str
    type: str
    path: bytes
    line: int | None
    sides: str
    start: int | None
    end: int | None
    start_key: str
    end_key: str
    start_named: str | None
    end_named: str | None
    start_title: str | None
    end_title: str | None


class MemorySeen(NamedTuple):
    """A memory, and how often its store's index document names it."""

    ref: str
    key: str
    own_id: str | None
    title: str
    path: bytes
    line: int | None
    mentioned: int
    archived: int
    type: str | None
    is_copy: int


class ClaimSeen(NamedTuple):
    """A relation that names an edge by its identifier."""

    ref: str | None
    path: bytes
    line: int | None
    edge_id: str


class LinkSeen(NamedTuple):
    """A link of an episode or a document that leads to no memory."""

    ref: str | None
    path: bytes
    line: int
    link: str


class CountSeen(NamedTuple):
    """A number of memories that a derived index tells."""

    index_path: bytes
    of: str
    """Which memories: `total`, `archived`, or `type:…`."""
    told: Value


class EntrySeen(NamedTuple):
    """An entry of a derived index beside the memory it speaks of."""

    index_path: bytes
    key: str
    entry_path: str | None
    facts: dict[str, Value]
    ref: str | None
    path: bytes | None
    memory: MemoryFound | None


class Evidence(Protocol):
    """The records of one store."""

    @property
    def two_sided(self) -> frozenset[str]:
        """The sides that belong together in this store's format."""
        ...

    @property
    def index_knows_edges(self) -> bool:
        """Whether the store's index lists edges at all."""
        ...

    @property
    def doubtful_edges(self) -> list[EdgeSeen]:
        """The edges that a check could object to; the rest is plainly whole."""
        ...

    @property
    def memories(self) -> list[MemorySeen]:
        """All memories, in order of their paths."""
        ...

    def claims_without_edge_file(self) -> list[ClaimSeen]:
        """Relations that name an edge which no edge file has."""
        ...

    def memory_indexes(self) -> list[bytes]:
        """The paths of the documents that are meant to name every memory."""
        ...

    def lost_links(self) -> list[LinkSeen]:
        """Links of episodes and documents that lead to no memory."""
        ...

    def idle_accesses(self) -> list[tuple[bytes, str]]:
        """Entries of the state file that speak of no memory: the file and the key."""
        ...

    def index_entries(self) -> list[EntrySeen]:
        """Entries of the derived index, each beside its memory."""
        ...

    def index_counts(self) -> list[CountSeen]:
        """The numbers of memories that the derived index tells."""
        ...
