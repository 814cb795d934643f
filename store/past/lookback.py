"""Stores as of an earlier time, read into a separate index."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from store.catalogue.checks import forget_later, keep_certain
from store.catalogue.counts import Difference, differences
from store.catalogue.database import Catalogue
from store.catalogue.sync import sync
from store.discover import Found
from store.errors import UnreadableError
from store.findings import START, Findings, Mark
from store.formats.port import (
    Format,
    FormatAround,
    OpenStore,
    Passage,
    Place,
    Refused,
    Source,
)
from store.kinds import Record
from store.past.rebuild import Maker, Remade, Then, shown_moment, unreadable
from store.records.reports import Progress
from store.times import parse

# A format that reads a store as of a time.


class AsOf(FormatAround):
    """Reads another format's stores as of a time, without changing them."""

    editable = False

    def __init__(self, inner: Format, then: Then) -> None:
        super().__init__(inner)
        self.then = then

    def open(self, path: Path) -> "OpenAsOf":
        """Open the store as of that time."""
        return OpenAsOf(self.inner, path, self.then)


class OpenAsOf(OpenStore):
    """A store as of a time: changed files are reconstructed, others read directly.

    Records with a later date are left out of reconstructed files, even if their text
    was there before a later change.
    """

    def __init__(self, inner: Format, path: Path, then: Then) -> None:
        """Raises UnreadableError if the store can't be opened."""
        self._then = then
        self._now = inner.open(path)
        self._mirror: OpenStore | None = None
        if then.mirrored:
            self._mirror = inner.open(then.mirror)

    @property
    def title(self) -> str:
        """Its current title."""
        return self._now.title

    def glance(self) -> bytes | None:
        """Return None: the past never changes."""
        return None

    def scan(self) -> Iterator[Source | Refused]:
        """The sources of that time: reconstructed files and unchanged ones.

        Existing files keep their current role, as the folder of reconstructed files
        lacks the context to determine it.
        """
        made = self._then.mirrored
        now = list(self._now.scan())
        roles = {item.path: item.role for item in now if isinstance(item, Source)}
        for item in self._mirror.scan() if self._mirror else ():
            if isinstance(item, Source) and item.path in made:
                yield item._replace(role=roles.get(item.path, item.role))
            elif item.path in made:
                yield item
        for item in now:
            if item.path not in made and item.path not in self._then.absent:
                yield item

    def read(self, source: Source, since: Mark = START) -> Findings:
        """Read one source as of that time."""
        is_made = source.path in self._then.mirrored
        store = self._mirror if is_made and self._mirror else self._now
        return self._then.findings(source, store.read(source, since))

    def passage(self, source: Source, place: Place) -> Passage:
        """A whole message; messages never change."""
        if source.path in self._then.absent:
            raise UnreadableError(f"{source.path} did not exist then.")
        return self._now.passage(source, place)

    def close(self) -> None:
        """Close both stores."""
        self._now.__exit__(None, None, None)
        if self._mirror:
            self._mirror.__exit__(None, None, None)


# A look back: reconstructed stores, read into a separate catalogue.


class Lookback(Struct, frozen=True):
    """Stores as of a time."""

    catalogue: Path
    """The separate catalogue."""
    remade: tuple[Remade, ...]
    """The stores."""
    differences: Mapping[str, Difference]
    """The number of changed records of each kind."""

    @property
    def at(self) -> int:
        """The time, in microseconds since 1970."""
        return self.remade[0].then.at

    @property
    def stores(self) -> tuple[Found, ...]:
        """The stores, ready to be opened."""
        return tuple(
            replace(one.store, format=AsOf(one.store.format, one.then))
            for one in self.remade
        )

    @property
    def when(self) -> str:
        """The time for display."""
        return shown_moment(self.at)

    def mirror(self, store: str, path: str) -> Path | None:
        """The folder of a reconstructed file; None for other files."""
        for one in self.remade:
            if str(one.store.path) == store and path in one.then.mirrored:
                return one.then.mirror
        return None

    def doubt(self, record: Record) -> str:
        """Why a record may differ from what is shown; empty if it can't."""
        path = getattr(record, "path", "") or getattr(record, "source", "")
        changed = getattr(record, "updated", None)
        changed_at = parse(changed).micros if isinstance(changed, str) else None
        for one in self.remade:
            if str(one.store.path) != record.store:
                continue
            if path in one.undated:
                return _MAY_BE_GONE.format(self.when)
            if path in one.doubtful and (changed_at is None or changed_at > self.at):
                return _MAY_DIFFER.format(self.when)
        return ""

    @property
    def sentence(self) -> str:
        """What isn't known for certain, in one sentence; may be empty."""
        doubtful = sum(len(one.doubtful) for one in self.remade)
        outside = sum(not one.commit for one in self.remade)
        told: list[str] = []
        if doubtful:
            are = "is" if doubtful == 1 else "are"
            now = f"{are} shown in the current version"
            told.append(f"{_files(doubtful)} changed since and {now}")
        undated = sum(len(one.undated) for one in self.remade)
        if undated:
            told.append(f"{_files(undated)} deleted since at an unknown time")
        if outside:
            told.append(f"deletions in {_stores(outside)} may be missing")
        return f"As of {self.when}: {'; '.join(told)}." if told else ""

    def notes(self) -> Sequence[str]:
        """Sentences on the limits of what is known."""
        notes = [note for one in self.remade for note in _notes(one)]
        doubtful = [path for one in self.remade for path in one.doubtful]
        if doubtful:
            notes.append(_doubtful(doubtful))
        if not self.is_certain:
            notes.append(_HEALTH)
        outside = [one for one in self.remade if not one.commit]
        if outside:
            notes.append(_MISSING.format(_stores(len(outside))))
        return notes

    @property
    def is_certain(self) -> bool:
        """Whether every file is known, so that all problems of that time are."""
        return all(one.is_certain for one in self.remade)


_NAMED = 3
"""The most files named in a sentence."""

_MAY_DIFFER = (
    "Current version: the file has changed since, and its version as of {} is unknown."
)
_MAY_BE_GONE = "Deleted at an unknown time, possibly before {}."
_MISSING = (
    "For {}, deletions by other programs may be missing: only agents' tool calls, "
    "changes made here and dated records are known."
)
_UNDATED = "Deleted at an unknown time, so shown in their last version: {} in {}."
_HEALTH = (
    "Health shows only damage in files whose content then is known; links and indexes "
    "can't be checked."
)


def _stores(count: int) -> str:
    return f"{count} stores without git" if count > 1 else "a store without git"


def _notes(remade: Remade) -> Iterator[str]:
    """Notes on how a store was reconstructed."""
    name = remade.store.path
    yield from remade.notes
    if remade.commit:
        yield f"{name} is shown as of commit {remade.commit[:8]}."
    if remade.undated:
        yield _UNDATED.format(_named(remade.undated), name)


def _doubtful(paths: Sequence[str]) -> str:
    """The sentence on files shown in their current version."""
    several = f"{len(paths)} files" if len(paths) > 1 else "A file"
    are = "are" if len(paths) > 1 else "is"
    return (
        f"{several} ({_named(paths)}) {are} shown in the current version, as the "
        "earlier one is unknown."
    )


def _named(paths: Sequence[str]) -> str:
    """The names of the first files."""
    first = ", ".join(paths[:_NAMED])
    return f"{first}, …" if len(paths) > _NAMED else first


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"


# Look back at stores: reconstruct each of them, and read them all.

_CATALOGUE = "catalogue.db"


def read(
    stores: tuple[Remade, ...],
    now: Path,
    folder: Path,
    gap: int,
    report: Callable[[Progress], None],
) -> Lookback:
    """Read reconstructed stores, and compare them with the current ones."""
    place = folder / _CATALOGUE
    lookback = Lookback(place, stores, {})
    with closing(Catalogue(place)) as catalogue, catalogue.in_use() as connection:
        sync(connection, lookback.stores, report, gap)
        for one in stores:
            if not one.is_certain:
                keep_certain(connection, one.store.path, one.unsure)
            forget_later(connection, one.then.at)
    found = differences(place, now, [one.path for one in lookback.stores])
    if not lookback.is_certain:
        found["problems"] = Difference()
    return replace(lookback, differences=found)


def remade(maker: Maker, stores: Sequence[Found]) -> Iterator[Remade]:
    """The reconstructed stores, one after the other."""
    for found in stores:
        try:
            yield maker.remake(found)
        except UnreadableError as error:
            yield unreadable(found, error, maker.at, maker.folder)
