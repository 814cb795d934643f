"""Update the index from the files: read what changed, remove what was deleted."""

import gc
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from stat import S_ISDIR

from msgspec import Struct, field

from store.catalogue.database import transaction
from store.catalogue.reader import known_stores
from store.catalogue.schema import TABLES
from store.catalogue.sources import SETTLED, UNREAD, Known, Sources, StoreEntry
from store.catalogue.words import index_words
from store.derive.conversations import USUAL
from store.discover import Found
from store.errors import UnreadableError
from store.findings import START, UNREADABLE, Mark, not_read
from store.formats.port import OpenStore, Refused, Source
from store.kinds import KINDS
from store.kinds.table import Row, holdable
from store.records.reports import Progress, SyncReport

# The log of changes in stores, for all processes that show them.

_KEPT = 1000
"""How many moves are saved; every process has seen the older ones."""


class Move(Struct, frozen=True):
    """A change in a store, and the kinds it affects."""

    number: int
    """Greater than the numbers of all moves before."""
    store: Path
    """The store's root."""
    kinds: frozenset[str]
    """The kinds of record that may have changed."""


def kinds_shown(tables: Iterable[str]) -> frozenset[str]:
    """The kinds of record that are affected by the rows of some tables."""
    shown = (TABLES[table].shows for table in tables if table in TABLES)
    return frozenset(kind for kinds in shown for kind in kinds) | {"problems"}


EVERY_KIND = frozenset(KINDS)
"""The kinds that change if a store is added or removed."""


def note_move(
    connection: sqlite3.Connection, store: bytes, kinds: Iterable[str]
) -> None:
    """Record that a store changed, and delete old records of that."""
    row = connection.execute(
        "INSERT INTO moves (store, kinds) VALUES (?, ?)",
        (store, " ".join(sorted(kinds))),
    ).lastrowid
    connection.execute("DELETE FROM moves WHERE id <= ?", ((row or 0) - _KEPT,))


def moves_since(connection: sqlite3.Connection, number: int) -> list[Move]:
    """The moves after a number; all of them if the catalogue was rebuilt since."""
    since = number if number <= newest_move(connection) else 0
    rows = connection.execute(
        "SELECT id, store, kinds FROM moves WHERE id > ? ORDER BY id", (since,)
    )
    return [
        Move(row, Path(os.fsdecode(store)), frozenset(kinds.split()))
        for row, store, kinds in rows
    ]


def newest_move(connection: sqlite3.Connection) -> int:
    """The number of the last move; 0 if missing."""
    (number,) = connection.execute("SELECT max(id) FROM moves").fetchone()
    return int(number or 0)


# What changed in a store since it was read: compare a scan with the catalogue.


class Moved(Struct):
    """What a sync has to do for one store."""

    found: Found
    title: str
    files: int
    """The number of its sources now."""
    signature: bytes
    """A hash of its state, which is the same if nothing changed."""
    refused: list[Row]
    """Files that are not read, with the reason."""
    still: bool = False
    """Whether nothing changed."""
    is_settled: bool = False
    """Whether nothing changed except files that were already read on their own, after
    an edit by this program. Then there is nothing to settle, and only the signature
    differs."""
    changed: list[Source] = field(default_factory=list[Source])
    """The new and changed sources."""
    known: dict[str, Known] = field(default_factory=dict[str, Known])
    """What the catalogue knows about the changed sources."""
    gone: list[Known] = field(default_factory=list[Known])
    """The sources in the catalogue that no longer exist."""
    paths: list[str] = field(default_factory=list[str])
    """The paths of changed and removed files; all if the last sync was interrupted."""

    @property
    def place(self) -> bytes:
        """The store's path as in the catalogue."""
        return os.fsencode(self.found.path)

    def since(self, source: Source) -> Mark:
        """Where to continue reading: at the old end if the file only grew.

        A file with another inode, or with the same size but another time, was
        rewritten.
        """
        known = self.known.get(source.path)
        if known is None:
            return START
        if known.is_partly_read(source):
            return known.mark
        before, now = known.stamp, source.stamp
        if source.compares:
            is_same = (known.role, before.inode) == (source.role, now.inode)
            return known.mark if is_same and known.mark.memory else START
        has_grown = now.inode == before.inode and now.size > before.size
        goes_on = source.grows and has_grown and 0 <= known.mark.offset <= now.size
        return known.mark if goes_on else START

    def size(self, source: Source) -> int:
        """The number of bytes of a source to read."""
        return max(0, source.stamp.size - self.since(source).offset)


def what_moved(found: Found, known: Sources) -> Moved:
    """Compare a store with the catalogue; if it cannot be opened, that is a problem."""
    place, form = os.fsencode(found.path), found.format.name
    before = known.signature(place, form)
    glance = None
    try:
        with found.format.open(found.path) as store:
            title = found.name or store.title
            glance = store.glance()
            same = glance and before and _signature(found, title, glance) == before
            if before and same and not _can_be_read_now(store, known.unread(place)):
                files = known.files(place)
                return Moved(found, holdable(title), files, before, [], still=True)
            seen = list(store.scan())
    except UnreadableError as error:
        title, glance = found.name or found.path.name, None
        seen = [Refused("", not_read(error))]
    sources = [item for item in seen if isinstance(item, Source)]
    refused = [_refusal(item) for item in seen if isinstance(item, Refused)]
    content = glance or _listing(sources, refused)
    signature = _signature(found, title, content)
    moved = Moved(found, holdable(title), len(sources), signature, refused)
    if before == signature and not glance:
        moved.still = True
        return moved
    gone = _compare(moved, sources, known.known(place, form))
    changed = sources if before is None else moved.changed
    moved.paths = [*(source.path for source in changed), *gone]
    differs = moved.changed or moved.gone or before != SETTLED
    moved.is_settled = not differs and known.refused(place) == refused
    return moved


def _can_be_read_now(store: OpenStore, unread: list[Source]) -> bool:
    """Whether an unreadable source is readable now, which its stamp does not show."""
    findings = (store.read(source) for source in unread)
    return any(UNREADABLE not in {f.code for f in found.flaws} for found in findings)


def _signature(found: Found, title: str, content: bytes) -> bytes:
    """A hash that changes with the title, who said the format, and the content."""
    name = f"{title}\0{found.is_said}".encode("utf-8", "surrogateescape")
    return blake2b(name, key=blake2b(content).digest()).digest()


def _listing(sources: list[Source], refused: list[Row]) -> bytes:
    """A digest of a scan, for formats that have no cheaper summary."""
    digest = blake2b()
    for one in (*sources, *refused):
        digest.update(repr(one).encode("utf-8", "surrogateescape"))
    return digest.digest()


def _compare(
    moved: Moved, sources: Iterable[Source], known: Iterable[tuple[str, Known]]
) -> list[str]:
    """Find the changed sources, and those that are gone; returns the paths of these."""
    unknown = {source.path: source for source in sources}
    gone: list[str] = []
    for path, one in known:
        source = unknown.pop(path, None)
        if source is None:
            gone.append(path)
            moved.gone.append(one)
        elif (
            (one.stamp, one.role) != (source.stamp, source.role)
            or one.more
            or one.mark.offset == UNREAD
        ):
            moved.changed.append(source)
            moved.known[path] = one
    moved.changed += unknown.values()
    return gone


def _refusal(item: Refused) -> Row:
    """The problem for a file that is not read."""
    flaw = item.flaw
    path = os.fsencode(item.path)
    return (path, flaw.code, flaw.severity.value, flaw.line, flaw.message)


# Bring the index up to date; what reads files is loaded only if one has changed.


def sync(
    connection: sqlite3.Connection,
    stores: Sequence[Found],
    report: Callable[[Progress], None],
    gap: int = USUAL.gap,
    again: Sequence[Path] = (),
) -> SyncReport:
    """Read what changed in these stores; returns a report.

    `gap` separates conversations: microseconds of silence between two of them. Files in
    `again`, or in folders in `again`, are read from the start even if they did not
    change.

    The garbage collector is off meanwhile. A million tuples are created without any
    cycle, and looking for cycles would take a fifth of the time.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        for found in stores if again else ():
            _forget_stamps(connection, found, again)
        return _sync(connection, stores, report, gap)
    finally:
        if collects:
            gc.enable()


def _sync(
    connection: sqlite3.Connection,
    stores: Sequence[Found],
    report: Callable[[Progress], None],
    gap: int,
) -> SyncReport:
    began = time.perf_counter()
    _forget_vanished(connection)
    sources = Sources(connection)
    found = [what_moved(store, sources) for store in stores]
    moves = {_enter(connection, moved): moved for moved in found}
    size = sum(moved.size(source) for moved in found for source in moved.changed)
    changed = sum(len(moved.changed) for moved in found)
    outdated = {
        row: moved
        for row, moved in moves.items()
        if not (moved.still or moved.is_settled)
        or sources.gap(row) != moved.found.gap(gap)
        or sources.has_future_times(row)
    }
    records = 0
    if outdated:
        from store.catalogue.update import Update  # noqa: PLC0415  # if anything moved

        records = Update(connection, report, gap).run(outdated, size)
    index_words(connection)
    return SyncReport(
        seconds=round(time.perf_counter() - began, 6),
        files=sum(moved.files for moved in found),
        changed=changed,
        removed=sum(len(moved.gone) for moved in found),
        bytes=size,
        records=records,
        problems=_problems(connection, list(moves)),
    )


def _forget_vanished(connection: sqlite3.Connection) -> None:
    """Remove stores whose folder no longer exists."""
    gone = [store for store in known_stores(connection) if _is_gone(store.path)]
    if gone:
        with transaction(connection):
            for store in gone:
                Sources(connection).forget_store(store.row)
                note_move(connection, os.fsencode(store.path), EVERY_KIND)


def _forget_stamps(
    connection: sqlite3.Connection, found: Found, again: Sequence[Path]
) -> None:
    """Mark the files at some paths, or in folders there, as changed."""
    sources, place = Sources(connection), os.fsencode(found.path)
    rows = [
        one.row
        for path, one in sources.known(place, found.format.name)
        if _lies_at(os.path.normpath(found.path / path), again)
    ]
    with transaction(connection):
        sources.forget_stamps(place, rows)


def _enter(connection: sqlite3.Connection, moved: Moved) -> int:
    """Write a store, unless nothing changed; returns its row."""
    form, sources = moved.found.format, Sources(connection)
    rule = moved.found.rule or USUAL
    writable = form.editable and os.access(moved.found.path, os.W_OK)
    with transaction(connection):
        entry = StoreEntry(
            form.name,
            moved.title,
            writable,
            moved.found.is_said,
            rule.minimum,
            rule.poll,
        )
        row = sources.enter(moved.place, entry)
        if moved.is_settled:
            sources.sign(row, moved.signature)
    return row


def _problems(connection: sqlite3.Connection, stores: Sequence[int]) -> int:
    """The number of problems in the stores now."""
    marks = ", ".join("?" * len(stores))
    (number,) = connection.execute(
        "SELECT coalesce(sum(count), 0) FROM problems "
        f"WHERE store IN ({marks}) AND shared IS NULL",
        stores,
    ).fetchone()
    return int(number)


def _lies_at(file: str, places: Sequence[Path]) -> bool:
    """Whether a file is one of some paths, or inside one."""
    return any(Path(file).is_relative_to(place) for place in places)


def _is_gone(path: Path) -> bool:
    """Whether a folder certainly does not exist; an inaccessible one may exist."""
    try:
        return not S_ISDIR(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
