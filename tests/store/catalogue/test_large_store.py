"""A change does the same work in a large store; a sync needs little memory per note."""

import sys
import tracemalloc
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from store.catalogue.checks import MOST
from store.formats.notes.format import FORMAT
from store.records.intents import Create, Delete, Intent, Pin, Rename, Retag, Set
from tests.store.formats.changed_stores import Changed
from tests.store.formats.notes_stores import note, write

SMALL, LARGE = 100, MOST + 400
STEP = 100
"""How many steps of SQLite's machine are counted at once."""


class Effort:
    """The work of some code: functions called, and steps of SQLite."""

    calls = 0
    steps = 0

    def step(self) -> None:
        self.steps += STEP

    def call(self, _frame: FrameType, event: str, _what: object) -> None:
        self.calls += event in {"call", "c_call"}


def opened(beside: Path, notes: int) -> Changed:
    """Notes without a type, missing in the index, with broken links."""
    root = beside / ".claude/projects/-home-me-x/memory"
    for number in range(notes):
        header = f"name: note-{number:04d}\ndescription: What {number} is about\n"
        body = f"See [[gone-{number}]] and [[note-{number // 2:04d}]].\n"
        write(root / f"note-{number:04d}.md", note(header, body))
    write(root / "MEMORY.md", "# Memory\n\n- [One](note-0000.md) — One of them\n")
    return Changed(root, FORMAT, beside / "own")


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Changed]]:
    beside = tmp_path_factory.mktemp("stores")
    sizes = {"small": SMALL, "large": LARGE}
    both = [opened(beside / name, notes) for name, notes in sizes.items()]
    yield both
    for store in both:
        store.close()


@contextmanager
def measured(store: Changed) -> Generator[Effort]:
    effort = Effort()
    connection = store.library.stores.catalogue.connection
    connection.set_progress_handler(effort.step, STEP)
    sys.setprofile(effort.call)
    try:
        yield effort
    finally:
        sys.setprofile(None)
        connection.set_progress_handler(None, 0)


@pytest.mark.parametrize(
    "intent",
    [
        Retag(add=("new",)),
        Set(name="type", value="user"),
        Set(name="description", value="Something else"),
        Rename(title="Another name"),
        Delete(),
        Pin(),
        Create(title="One more"),
    ],
)
def test_a_change_does_the_same_work_in_a_large_store(
    intent: Intent, stores: list[Changed]
) -> None:
    efforts: list[Effort] = []
    for store in stores:
        ref = store.memory("note-0070")
        chosen = () if isinstance(intent, Create) else (ref,)
        store.do(intent, *chosen)
        store.undo()
        with measured(store) as effort:
            store.do(intent, *chosen)
            store.undo()
        efforts.append(effort)

    small, large = efforts
    assert large.calls < 2 * small.calls
    assert large.steps < 2 * small.steps


PER_NOTE = 1024
"""The most bytes that a first sync holds of a note, besides those of SQLite."""


def test_a_first_sync_keeps_little_of_each_note_in_memory(
    stores: list[Changed], tmp_path: Path
) -> None:
    peaks: list[int] = []
    for number, store in enumerate(stores):
        tracemalloc.start()
        with Changed(store.root, FORMAT, tmp_path / str(number)):
            peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()

    assert peaks[1] - peaks[0] < PER_NOTE * (LARGE - SMALL)
