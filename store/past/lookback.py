"""A look back: stores made as they were, and read into a catalogue of their own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from store.catalogue.differences import Difference
from store.discover import Found
from store.past.format import AsOf
from store.past.making import Remade
from store.past.moment import told


@dataclass(frozen=True, slots=True)
class Lookback:
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

    @property
    def is_doubtful(self) -> bool:
        """Whether any file is shown as it is now for want of knowing better."""
        return any(one.doubtful for one in self.remade)

    @property
    def sentence(self) -> str:
        """How well all this is known, in one sentence; nothing where it is for sure."""
        doubtful = sum(len(one.doubtful) for one in self.remade)
        outside = sum(not one.commit for one in self.remade)
        told = (
            [f"{doubtful} files changed since and are shown as now"] if doubtful else []
        )
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

_MISSING = (
    "Of {} nothing is kept but what agents' tools wrote, what was changed from here,"
    " and what is dated: what was deleted since in another way is missing."
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


def _doubtful(name: Path, paths: Sequence[str]) -> str:
    """Which files are shown as they are though they changed."""
    first = ", ".join(paths[:_NAMED])
    named = f"{first}, …" if len(paths) > _NAMED else first
    several = f"{len(paths)} files are" if len(paths) > 1 else "A file is"
    return (
        f"{several} shown as now, for they changed since and nothing tells how they"
        f" were: {named} in {name}."
    )
