"""The past of stores that were changed by recollect has nothing from the future."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from store.formats.cognitive.format import FORMAT
from store.kinds.memories import Memory
from store.library import Page, PastLibrary
from store.records.intents import Archive, Delete, Pin, Rename, Retag, Set
from tests.store.catalogue.stores import cognitive, memory, micros, write
from tests.store.formats.changed_stores import Changed

BEFORE, LATER = "2026-02-01T00:00:00Z", "2026-02-20T00:00:00Z"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Changed]:
    """A memory of January, and one of the middle of February."""
    root = cognitive(tmp_path / "stores/graph", 0)
    for number, title, day in ((1, "Old", "2026-01-10"), (2, "New", "2026-02-15")):
        made = f"{day}T10:00:00+00:00"
        text = memory(number, title=title, created=made, updated=made)
        write(root, f"graph/fixes/{title.lower()}.md", text)
    with Changed(root, FORMAT, tmp_path / "own") as changed:
        yield changed


def titles(store: Changed, moment: str, folder: Path) -> list[str]:
    """The titles of the memories as of a time."""
    place = folder / moment.replace(":", "")
    place.mkdir()
    with PastLibrary(store.library.history.look_back(micros(moment), place)) as past:
        found = past.lists.page("memories", Page())
        return sorted(one.title for one in found if isinstance(one, Memory))


def each(store: Changed) -> list[Memory]:
    return sorted(store.memories(), key=lambda one: one.title)


def delete_and_undo(store: Changed) -> None:
    store.do(Delete(), *each(store))
    store.undo()


def delete(store: Changed) -> None:
    store.do(Delete(), *each(store))


def edit(store: Changed) -> None:
    store.do(Set(name="importance", value="0.9"), *each(store))


def rename(store: Changed) -> None:
    for one in each(store):
        store.do(Rename(title=f"{one.title} again"), one)


def move(store: Changed) -> None:
    store.do(Pin(), *each(store))
    store.do(Pin(pins=False), *each(store))
    store.do(Archive(), *each(store))


def several(store: Changed) -> None:
    store.do(Retag(add=("a",)), *each(store))
    delete_and_undo(store)
    edit(store)
    store.undo()


@pytest.mark.parametrize(
    "change", [delete_and_undo, delete, edit, rename, move, several]
)
def test_later_memories_did_not_exist(
    store: Changed, tmp_path: Path, change: Callable[[Changed], None]
) -> None:
    change(store)

    assert titles(store, BEFORE, tmp_path) == ["Old"]
    assert titles(store, LATER, tmp_path) == ["New", "Old"]
