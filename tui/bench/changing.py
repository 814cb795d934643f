"""What an edit takes, in a store of any size, with backup, journal and all."""

import os
from collections.abc import Iterator
from functools import partial
from itertools import cycle
from pathlib import Path

from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library, Page, Writing
from store.places import Places
from store.records.intents import Intent, Set
from tui.bench.floors import once, usual
from tui.bench.graph import tenth_of
from tui.bench.measure import Measure

_EDITS = 20
_FSYNCS = 3
_MORE = 0.015
"""What an edit may take beside making something durable three times, in seconds."""

_BLOCK = b"x" * 4096
_NOISE = 1.5
_LEAST = 0.002
"""How much longer something takes that takes the same: so many times, and seconds."""


def measure_changing(store: Path, catalogue: Path) -> Iterator[Measure]:
    """Edit memories of a store that was read before, and of one a tenth its size."""
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
    """A library over one store, which it may change; to be closed."""
    beside = catalogue.parent
    places = Places(beside, beside / "state", beside / "config")
    library = Library(catalogue, 0, writing=Writing(places, clock=_clock))
    library.choose(beneath([store], FORMATS).stores)
    return library


def make(library: Library, store: Path, intent: Intent, name: str | None) -> None:
    """Make a change from beginning to end."""
    names = [] if name is None else [name]
    library.change(library.plan(intent, names, store), is_permitted=True)


def _edits(store: Path, catalogue: Path) -> float:
    """Seconds of an edit, usually."""
    with writable(store, catalogue) as library:
        page = library.page("memories", Page(limit=_EDITS + 1))
        first, *rest = [str(memory.ref) for memory in page]
        values = cycle(["0.125", "0.875"])

        def edit(name: str) -> None:
            make(library, store, Set(name="importance", value=next(values)), name)

        edit(first)  # what is loaded at the first change
        return usual([once(partial(edit, name)) for name in rest or [first]])


def _clock() -> int:
    """Changes are all made at the same time."""
    return 1_800_000_000_000_000


def _fsync(path: Path) -> None:
    """Make one block durable."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        os.write(handle, _BLOCK)
        os.fsync(handle)
    finally:
        os.close(handle)
