"""How fast memories are changed, backup and journal included."""

import os
from collections.abc import Iterator
from functools import partial
from itertools import cycle
from pathlib import Path

from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library, Page, Writing
from store.machine import Places
from store.records.intents import Create, Delete, Intent, Set
from tests.bench.baseline import Measure, once, usual
from tests.bench.memories import tenth_of
from tests.bench.stores import make_lines

# Edits in stores of any size, including backup and journal.

_EDITS = 20
_FSYNCS = 3
_NOISE = 1.5
_LEAST = 0.002
"""The allowed noise of equal times: a factor, and seconds."""
_MORE = 0.015
"""Target of an edit in seconds, in addition to three fsyncs."""

_BLOCK = b"x" * 4096


def measure_changing(store: Path, catalogue: Path) -> Iterator[Measure]:
    """Edit memories of a synced store, and of one a tenth its size."""
    floor = usual(
        [once(lambda: _fsync(catalogue.with_name("durable"))) for _ in range(_EDITS)]
    )
    large = _edits(store, catalogue)
    yield Measure(
        name="an edit, planned, kept, journalled, durable and read again",
        value=large,
        unit="s",
        floor="an fsync",
        floor_value=floor,
        bound=_FSYNCS * floor + _MORE,
    )
    other = _edits(tenth_of(store), tenth_of(catalogue))
    yield Measure(
        name="an edit among ten times the memories",
        value=large,
        unit="s",
        floor="among a tenth of them",
        floor_value=other,
        bound=_NOISE * other + _LEAST,
    )


def writable(store: Path, catalogue: Path) -> Library:
    """A library that may change one store; the caller closes it."""
    beside = catalogue.parent
    places = Places(beside, beside / "state", beside / "config")
    library = Library(catalogue, 0, writing=Writing(places, clock=_clock))
    library.stores.choose(beneath([store], FORMATS).stores)
    return library


def make(library: Library, store: Path, intent: Intent, name: str | None) -> None:
    """Plan and make a change."""
    names = [] if name is None else [name]
    library.changes.apply(library.plans.plan(intent, names, store), is_permitted=True)


def _edits(store: Path, catalogue: Path) -> float:
    """The median seconds of an edit."""
    with writable(store, catalogue) as library:
        page = library.lists.page("memories", Page(limit=_EDITS + 1))
        first, *rest = [str(memory.ref) for memory in page]
        values = cycle(["0.125", "0.875"])

        def edit(name: str) -> None:
            make(library, store, Set(name="importance", value=next(values)), name)

        edit(first)  # imports modules
        return usual([once(partial(edit, name)) for name in rest or [first]])


def _clock() -> int:
    """A fixed time for all changes; times in the future would be problems."""
    return 1_760_000_000_000_000


def _fsync(path: Path) -> None:
    """Write and fsync one block."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        os.write(handle, _BLOCK)
        os.fsync(handle)
    finally:
        os.close(handle)


# The write times that a memory server promises, in a store of its format.
_TIMES = 5
_FEWEST = 24
"""Minimum number of memories, enough to change and delete some."""

_APPEND, _UPDATE, _DELETE = 0.005, 0.1, 0.1
"""The server's promises in seconds, for a thousand memories."""

_FLOOR = "writing that file once, durably"


def measure_lines(store: Path, catalogue: Path, memories: int) -> Iterator[Measure]:
    """Add, change and delete memories of a store."""
    memories = max(memories, _FEWEST)
    made = make_lines(store, memories)
    with writable(store, catalogue) as library:
        library.sync()
        page = library.lists.page("memories", Page(limit=2 * _TIMES + 1))
        first, *rest = [str(memory.ref) for memory in page]
        do = partial(make, library, store)
        do(Set(name="category", value="first"), first)  # imports modules
        floor = usual([once(partial(_write, made)) for _ in range(_TIMES)])
        for word, intent, names, bound in (
            ("add", Create(title="One more"), [None] * _TIMES, _APPEND),
            ("change", Set(name="category", value="other"), rest[:_TIMES], _UPDATE),
            ("delete", Delete(), rest[_TIMES:], _DELETE),
        ):
            times = [once(partial(do, intent, name)) for name in names]
            yield Measure(
                name=f"{word} one of {memories} lines, with backup and journal",
                value=usual(times),
                unit="s",
                floor=_FLOOR,
                floor_value=floor,
                bound=bound,
            )


def _write(path: Path) -> None:
    """Copy a file durably."""
    raw = path.read_bytes()
    new = path.with_suffix(".tmp")
    with new.open("wb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    new.unlink()
