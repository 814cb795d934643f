"""What moved in a store since it was last read: a scan held against the catalogue."""

import os
from hashlib import blake2b

from msgspec import Struct, field

from store.catalogue.rows.cells import Row, holdable
from store.catalogue.rows.source import UNREAD
from store.catalogue.writer import SETTLED, Known, Writer
from store.discover import Found
from store.errors import UnreadableError
from store.findings import START, UNREADABLE, Mark, not_read
from store.formats.port import OpenStore, Refused, Source


class Moved(Struct):
    """What is to be done for one store."""

    found: Found
    title: str
    files: int
    """How many sources it has now."""
    signature: bytes
    """What it came to: the same again when nothing moved."""
    refused: list[Row]
    """What is there and is not read, with the reason."""
    still: bool = False
    """Whether nothing at all moved."""
    is_settled: bool = False
    """Whether nothing moved but what was read by itself, when it was changed from
    here: then nothing has to be put together, and only the signature is another."""
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

    def since(self, source: Source) -> Mark:
        """Where reading goes on: at the old end of a file that only grew."""
        known = self.known.get(source.path)
        if known is None or not (source.grows or known.is_partly_read(source)):
            return START
        goes_on = 0 <= known.mark.offset <= source.stamp.size
        return known.mark if goes_on else START


def what_moved(found: Found, writer: Writer) -> Moved:
    """Look at a store and compare; one that cannot be opened holds nothing but that."""
    place, form = os.fsencode(found.path), found.format.name
    before = writer.signature(place, form)
    glance = None
    try:
        with found.format.open(found.path) as store:
            title = store.title
            glance = store.glance()
            same = glance and before and _signature(title, glance) == before
            if before and same and not _can_be_read_now(store, writer.unread(place)):
                files = writer.files(place)
                return Moved(found, holdable(title), files, before, [], still=True)
            seen = list(store.scan())
    except UnreadableError as error:
        title, glance = found.path.name, None
        seen = [Refused("", not_read(error))]
    sources = [item for item in seen if isinstance(item, Source)]
    refused = [_refusal(item) for item in seen if isinstance(item, Refused)]
    signature = _signature(title, glance or _listing(sources, refused))
    moved = Moved(found, holdable(title), len(sources), signature, refused)
    if before == signature and not glance:
        moved.still = True
        return moved
    known = writer.known(place, form)
    for source in sources:
        _compare(moved, source, known.pop(source.path, None))
    moved.gone = list(known.values())
    differs = moved.changed or moved.gone or before != SETTLED
    moved.is_settled = not differs and writer.refused(place) == refused
    return moved


def _can_be_read_now(store: OpenStore, unread: list[Source]) -> bool:
    """Whether a source that could not be read can be: no stamp tells of that."""
    findings = (store.read(source) for source in unread)
    return any(UNREADABLE not in {f.code for f in found.flaws} for found in findings)


def _signature(title: str, content: bytes) -> bytes:
    """What tells in one comparison that neither the title nor anything else moved."""
    name = title.encode("utf-8", "surrogateescape")
    return blake2b(name, key=blake2b(content).digest()).digest()


def _listing(sources: list[Source], refused: list[Row]) -> bytes:
    """What a scan came to, where the format has no cheaper way to tell."""
    return repr((sources, refused)).encode("utf-8", "surrogateescape")


def _compare(moved: Moved, source: Source, known: Known | None) -> None:
    """Note a source that is not as it was read."""
    if known is None:
        moved.changed.append(source)
        return
    same = known.stamp == source.stamp and known.role == source.role
    if not same or known.more or known.mark.offset == UNREAD:
        moved.changed.append(source)
        moved.known[source.path] = known


def _refusal(item: Refused) -> Row:
    """The problem that stands for something that is not read."""
    flaw = item.flaw
    path = os.fsencode(item.path)
    return (path, flaw.code, flaw.severity.value, flaw.line, flaw.message)
