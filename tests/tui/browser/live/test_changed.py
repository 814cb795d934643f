"""Changed rows are distinguished from those that only aged."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from store.kinds.memories import Memory
from tests.store.catalogue.stores import Shelf, cognitive, memory, write
from tui.browser.sync import changed, gone


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    shelf = Shelf(tmp_path / "catalogue.db", cognitive(tmp_path / "store", 3))
    shelf.sync()
    return shelf


def on_the_screen(shelf: Shelf) -> dict[str, Memory]:
    return {memory.ref: memory for memory in shelf.memories()}


def test_created_and_changed_records_are_new(shelf: Shelf) -> None:
    before = on_the_screen(shelf)
    write(shelf.places[0], "graph/fixes/memory-2.md", memory(2, title="Other"))
    write(shelf.places[0], "graph/fixes/memory-9.md", memory(9))
    shelf.sync()
    after = on_the_screen(shelf)

    assert {after[ref].title for ref in changed(before, after)} == {"Other", "Memory 9"}
    assert gone(before, after) == set()


def test_deleted_records_are_gone(shelf: Shelf) -> None:
    before = on_the_screen(shelf)
    (shelf.places[0] / "graph/fixes/memory-2.md").unlink()
    shelf.sync()
    after = on_the_screen(shelf)

    assert [before[ref].title for ref in gone(before, after)] == ["Memory 2"]
    assert changed(before, after) == set()


def test_a_memory_that_only_fades_is_not_new(shelf: Shelf) -> None:
    before = on_the_screen(shelf)
    shelf.now = "2027-03-01T12:00:00Z"
    after = on_the_screen(shelf)

    assert before != after
    assert changed(before, after) == set()


def test_a_conversation_that_ends_is_not_new(tmp_path: Path) -> None:
    line = (
        '{"type":"user","uuid":"a","sessionId":"s","timestamp":'
        '"2026-03-01T11:59:00Z","message":{"role":"user","content":"Hello"}}\n'
    )
    write(tmp_path / "projects", "-home-zoe/s.jsonl", line)
    shelf = Shelf(tmp_path / "catalogue.db", tmp_path / "projects")
    shelf.sync()
    before = {one.ref: one for one in shelf.conversations()}
    shelf.now = "2026-03-02T12:00:00Z"
    after = {one.ref: one for one in shelf.conversations()}
    longer = {ref: replace(one, messages=2) for ref, one in after.items()}

    assert before != after
    assert changed(before, after) == set()
    assert changed(before, longer) == set(after)
