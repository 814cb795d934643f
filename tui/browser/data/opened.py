"""A record opened: what its file says, what it is linked with, its bytes."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from store.errors import GivenUpError, RecollectError
from store.library import Library, Record
from store.opening import InFull
from store.records.link import Link
from widgets.graph.sightings import Sighting


@dataclass(frozen=True, slots=True)
class Opened:
    """All that the reader shows of a record."""

    record: Record
    """The record as the list has it."""
    full: InFull | None = None
    """The record with its text; None where it is no record of its own."""
    links: Sequence[Link] = ()
    """What it points to and what points to it."""
    types: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    """What kinds of memory those are that it is linked with."""
    raw: bytes | None = None
    """The bytes that it is written in."""
    history: str = "…"
    """What is known of the changes of its file, once that was asked for."""
    seen: Sequence[Sighting] | None = None
    """Where it is told of and what is like it, once that was asked for."""
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
        full = library.show(record.ref)
        links = tuple(library.links(record.ref))
        types = library.types([link.ref for link in links if link.ref])
        return Opened(record, full, links, types, library.raw(record.ref))
    except GivenUpError:
        raise
    except RecollectError as error:
        return Opened(record, failure=str(error))
