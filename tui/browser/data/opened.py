"""A record opened: what its file says, what it is linked with, its bytes."""

from collections.abc import Hashable, Mapping, Sequence

from msgspec import Struct, field

from store.errors import GivenUpError, RecollectError
from store.library import Library, Record
from store.opening import InFull
from store.records.conversation import Conversation
from store.records.edge import Edge
from store.records.episode import Episode
from store.records.link import Link
from store.records.memory import MemoryInFull
from tui.browser.data.history import History
from widgets.graph.sightings import Sighting


class Ends(Struct, frozen=True):
    """What links lead to, and what they are made of."""

    types: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    """The types of the memories at their other ends, by their refs."""
    edges: Mapping[str, Edge] = field(default_factory=dict[str, Edge])
    """The edges that links are, by their refs."""


class Opened(Struct, frozen=True):
    """All that the reader shows of a record."""

    record: Record
    """The record as the list has it."""
    full: InFull | None = None
    """The record with its text; None where it is no record of its own."""
    links: Sequence[Link] = ()
    """What it points to and what points to it."""
    ends: Ends = Ends()
    """What is to be known of the links besides."""
    raw: bytes | None = None
    """The bytes that it is written in."""
    history: History | None = None
    """What is known of the past of its file, once that was asked for."""
    seen: Sequence[Sighting] | None = None
    """Where it is told of and what is like it, once that was asked for."""
    possible: Mapping[str, str] = field(default_factory=dict[str, str])
    """What can be done with it, word by word, and why not now."""
    tells: MemoryInFull | None = None
    """The memory that an entry of a log tells of, whole."""
    doubt: str = ""
    """Why it may not have been like this at the time that is looked back at."""
    failure: str = ""
    """Why it could not be opened."""

    @property
    def key(self) -> Hashable:
        """What it is."""
        return self.record.ref or (self.record.store, str(self.record))


def open_record(library: Library, record: Record) -> Opened:
    """Open a record; where that fails, the reader says why."""
    if not record.ref:
        return Opened(record)
    try:
        full = _whole(library, record)
        links = tuple(library.links(record.ref))
        return Opened(
            record,
            full,
            links,
            ends_of(library, links),
            library.raw(record.ref),
            possible=library.possible(record.ref),
            tells=_told_of(library, record),
            doubt=library.doubt(record.ref),
        )
    except GivenUpError:
        raise
    except RecollectError as error:
        return Opened(record, failure=str(error))


def ends_of(library: Library, links: Sequence[Link]) -> Ends:
    """What is to be known of links besides."""
    return Ends(
        library.types([link.ref for link in links if link.ref]),
        library.edges([link.edge for link in links if link.edge]),
    )


def _told_of(library: Library, record: Record) -> MemoryInFull | None:
    """The memory that an entry of a log tells of; none where it cannot be read."""
    if not isinstance(record, Episode) or record.memory is None:
        return None
    try:
        memory = library.show(record.memory)
    except GivenUpError:
        raise
    except RecollectError:
        return None
    return memory if isinstance(memory, MemoryInFull) else None


def _whole(library: Library, record: Record) -> InFull:
    """The record whole, but for what was said: that is read message by message."""
    if isinstance(record, Conversation):
        return library.about(record)
    return library.show(record.ref or "")
