"""A look back: stores made as they were, and read into a catalogue of their own."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from store.catalogue.differences import Difference
from store.catalogue.views import Record
from store.discover import Found
from store.past.format import AsOf
from store.past.making import Remade
from store.past.moment import told
from store.times import parse


class Lookback(Struct, frozen=True):
    """Stores as they were at a time."""

    catalogue: Path
    """The catalogue that they were read into."""
    remade: tuple[Remade, ...]
    """The stores."""
    differences: Mapping[str, Difference]
    """How much of each kind is other now."""

    @property
    def at(self) -> int:
        """The time, in microseconds since 1970."""
        return self.remade[0].then.at

    @property
    def stores(self) -> tuple[Found, ...]:
        """The stores, to be looked at."""
        return tuple(
            Found(one.store.path, AsOf(one.store.format, one.then))
            for one in self.remade
        )

    @property
    def when(self) -> str:
        """The time, as it is shown."""
        return told(self.at)

    def mirror(self, store: str, path: str) -> Path | None:
        """The folder in which a file lies that was made anew."""
        for one in self.remade:
            if str(one.store.path) == store and path in one.then.mirrored:
                return one.then.mirror
        return None

    def doubt(self, record: Record) -> str:
        """Why a record may have been other than it is shown; nothing where none is."""
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
    def is_doubtful(self) -> bool:
        """Whether any file is shown as it is now for want of knowing better."""
        return any(one.doubtful for one in self.remade)

    @property
    def sentence(self) -> str:
        """How well all this is known, in one sentence; nothing where it is for sure."""
        doubtful = sum(len(one.doubtful) for one in self.remade)
        outside = sum(not one.commit for one in self.remade)
        told = [f"{_files(doubtful)} changed since and {_are(doubtful)} shown as now"]
        told = told if doubtful else []
        undated = sum(len(one.undated) for one in self.remade)
        if undated:
            told.append(f"{_files(undated)} gone since may have been gone by then")
        if outside:
            told.append(f"of {_stores(outside)} what was deleted since may be missing")
        return f"As of {self.when}: {'; '.join(told)}." if told else ""

    def notes(self) -> Sequence[str]:
        """What is to be known of how well all this is known."""
        notes = [note for one in self.remade for note in _notes(one)]
        outside = [one for one in self.remade if not one.commit]
        if outside:
            notes.append(_MISSING.format(_stores(len(outside))))
        if self.is_doubtful:
            notes.append(_HEALTH)
        return notes


_NAMED = 3
"""So many files are named at most."""

_MAY_DIFFER = "As it is now: it changed since, and nothing tells how it was as of {}."
_MAY_BE_GONE = "It is there no more, and may have been gone as of {}."
_MISSING = (
    "Of {} nothing is kept but what agents' tools wrote, what was changed from here,"
    " and what is dated: what was deleted since in another way is missing."
)
_UNDATED = (
    "What is there no more, and nothing tells since when, is shown as it was left: {}"
    " in {}."
)
_HEALTH = (
    "Health tells of what is shown here: where that is known in part, it finds fault"
    " with what only is not known."
)


def _stores(count: int) -> str:
    return f"{count} stores that are not in git" if count > 1 else "a store outside git"


def _notes(remade: Remade) -> Iterator[str]:
    """What tells of a store, and what was in the way."""
    name = remade.store.path
    yield from remade.notes
    if remade.commit:
        yield f"{name} is as it was committed in {remade.commit[:8]}."
    if remade.doubtful:
        yield _doubtful(name, remade.doubtful)
    if remade.undated:
        yield _UNDATED.format(_named(remade.undated), name)


def _doubtful(name: Path, paths: Sequence[str]) -> str:
    """Which files are shown as they are though they changed."""
    several = f"{len(paths)} files are" if len(paths) > 1 else "A file is"
    return (
        f"{several} shown as now, for they changed since and nothing tells how they"
        f" were: {_named(paths)} in {name}."
    )


def _named(paths: Sequence[str]) -> str:
    """The first of some files by name."""
    first = ", ".join(paths[:_NAMED])
    return f"{first}, …" if len(paths) > _NAMED else first


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
