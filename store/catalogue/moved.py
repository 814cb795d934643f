"""What moved in a store since it was last read: a scan held against the catalogue."""

import os
from array import array
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain

from store.catalogue.rows import Row, holdable
from store.catalogue.writer import Known, Writer
from store.discover import Found
from store.errors import UnreadableError
from store.findings import Flaw, Severity
from store.formats.port import Refused, Source


@dataclass(slots=True)
class Moved:
    """What is to be done for one store."""

    found: Found
    title: str
    files: int
    """How many sources it has now."""
    signature: bytes
    """What its listing comes to."""
    refused: list[Row]
    """What is there and is not read, with the reason."""
    still: bool = False
    """Whether nothing at all moved."""
    changed: list[Source] = field(default_factory=list[Source])
    """Those that are new or differ from what was read."""
    known: dict[str, Known] = field(default_factory=dict[str, Known])
    """What the catalogue holds of the changed ones."""
    gone: list[Known] = field(default_factory=list[Known])
    """What the catalogue holds and the store does not."""

    @property
    def place(self) -> bytes:
        """The store's path, as the catalogue keeps it."""
        return os.fsencode(self.found.path)

    def since(self, source: Source) -> int:
        """Where reading goes on: at the old end of a file that only grew."""
        known = self.known.get(source.path)
        if known is None or not source.grows:
            return 0
        same = known.stamp.inode == source.stamp.inode
        return known.offset if same and source.stamp.size >= known.offset else 0


def what_moved(found: Found, writer: Writer) -> Moved:
    """Scan a store and compare; one that cannot be opened holds nothing but that."""
    try:
        with found.format.open(found.path) as store:
            title = store.title
            seen = list(store.scan())
    except UnreadableError as error:
        flaw = Flaw(code="unreadable", message=str(error), severity=Severity.ERROR)
        title = found.path.name
        seen = [Refused("", flaw)]
    sources = [item for item in seen if isinstance(item, Source)]
    refused = [_refusal(item) for item in seen if isinstance(item, Refused)]
    signature = _signature(title, sources, refused)
    moved = Moved(found, holdable(title), len(sources), signature, refused)
    if writer.signature(moved.place, found.format.name) == signature:
        moved.still = True
        return moved
    known = writer.known(moved.place, found.format.name)
    for source in sources:
        _compare(moved, source, known.pop(source.path, None))
    moved.gone = list(known.values())
    return moved


def _signature(title: str, sources: list[Source], refused: list[Row]) -> bytes:
    """What tells in one glance that nothing moved, however many files there are."""
    seal = blake2b(repr((title, refused)).encode("utf-8", "surrogateescape"))
    names = "\0".join(f"{source.path}\0{source.role}" for source in sources)
    seal.update(names.encode("utf-8", "surrogateescape"))
    stamps = chain.from_iterable(source.stamp for source in sources)
    seal.update(array("q", stamps).tobytes())
    return seal.digest()


def _compare(moved: Moved, source: Source, known: Known | None) -> None:
    """Note a source that is not as it was read."""
    if known is None:
        moved.changed.append(source)
    elif known.stamp != source.stamp or known.role != source.role:
        moved.changed.append(source)
        moved.known[source.path] = known


def _refusal(item: Refused) -> Row:
    """The problem that stands for something that is not read."""
    flaw = item.flaw
    path = item.path.encode("utf-8", "surrogateescape")
    return (path, flaw.code, flaw.severity.value, flaw.line, flaw.message)
