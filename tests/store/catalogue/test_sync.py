"""Changed files are read, deleted ones removed, and nothing else is touched."""

import os
from pathlib import Path

from store.catalogue.reader import Page
from tests.store.catalogue.stores import (
    Shelf,
    cognitive,
    linked,
    memory,
    note,
    notes,
    own_id,
    relation,
    write,
)

ONE = "graph/fixes/memory-1.md"


def test_a_store_is_read_completely_the_first_time(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")

    report = shelf.sync()

    assert (report.files, report.changed, report.removed) == (3, 3, 0)
    assert report.bytes == sum(f.stat().st_size for f in store.rglob("*.md"))
    assert {one.title for one in shelf.memories()} == {"Memory 1", "Memory 2"}
    assert len(shelf.edges()) == 1
    assert (report.problems, shelf.problems()) == (0, [])


def test_an_unchanged_store_is_not_read_and_nothing_is_written(
    shelf: Shelf,
) -> None:
    linked(shelf.places[0] / "a")
    shelf.sync()
    everything = shelf.catalogue.parent.glob("catalogue.db*")
    files = [file for file in everything if file.suffix != ".lock"]
    before = {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in files}

    report = shelf.sync()

    assert (report.files, report.changed, report.records) == (3, 0, 0)
    assert report.bytes == 0
    assert {f: (f.read_bytes(), f.stat().st_mtime_ns) for f in files} == before


def test_only_the_file_that_changed_is_read(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 5)
    shelf.sync()
    changed = write(store, ONE, memory(1, title="Better", body="More to say."))

    report = shelf.sync()

    assert (report.files, report.changed, report.removed) == (5, 1, 0)
    assert report.bytes == changed.stat().st_size
    assert shelf.memory("Better").path == ONE
    assert len(shelf.memories()) == 5


def test_a_file_with_the_same_size_is_read_when_its_time_changed(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 1)
    shelf.sync()
    write(store, ONE, memory(1, title="Memory X"))

    assert shelf.sync().changed == 1
    assert shelf.memory("Memory X").path == ONE


def test_a_replaced_file_is_read(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 1)
    shelf.sync()
    before = (store / ONE).stat()
    other = write(store, "other", memory(1, title="Memory X"))
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.rename(store / ONE)

    assert shelf.sync().changed == 1
    assert shelf.memory("Memory X").path == ONE


def test_a_deleted_file_is_removed_with_all_its_findings(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    write(store, "graph/fixes/broken.md", "---\ntitle: [\n---\n")
    shelf.sync()
    for path in ("graph/fixes/broken.md", "graph/edges/one--SOLVES--two-000009.md"):
        (store / path).unlink()

    report = shelf.sync()

    assert (report.changed, report.removed) == (0, 2)
    assert [edge.sides for edge in shelf.edges()] == [("outgoing", "incoming")]
    assert set(shelf.codes()) == {"missing-edge-file"}


def test_a_deleted_memory_leaves_its_edges_broken(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    shelf.sync()
    (store / "graph/fixes/two.md").unlink()

    shelf.sync()

    (edge,) = shelf.edges()
    assert (edge.from_title, edge.to, edge.to_title) == ("Memory 1", None, own_id(2))
    assert edge.sides == ("file", "outgoing")
    assert [one.links_out for one in shelf.memories()] == [1]


def test_a_renamed_or_pinned_memory_keeps_its_ref(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    shelf.sync()
    before = shelf.memory("Memory 1")
    (store / "vault").mkdir()
    (store / "graph/fixes/one.md").rename(store / "vault/renamed.md")

    report = shelf.sync()

    after = shelf.memory("Memory 1")
    assert (report.changed, report.removed) == (1, 1)
    assert (after.ref, after.path) == (before.ref, "vault/renamed.md")
    assert (before.pinned, after.pinned, after.stage) == (False, True, "vault")
    assert after.strength == 999.0
    assert [edge.from_ for edge in shelf.edges()] == [after.ref]


def test_a_link_with_another_target_is_read_in_its_new_role(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a")
    write(store, "CORE.md", "# Memory Core (auto-generated)\n")
    os.link(store / "CORE.md", store / "PLANS.md")
    (store / "MEMORY.md").symlink_to("CORE.md")
    shelf.sync()
    (store / "MEMORY.md").unlink()
    (store / "MEMORY.md").symlink_to("PLANS.md")

    report = shelf.sync()

    roles = {document.path: document.role for document in shelf.documents()}
    assert report.changed == 1
    assert roles["MEMORY.md"] == roles["PLANS.md"] == "document"


def test_a_damaged_file_becomes_healthy_and_its_problems_disappear(
    shelf: Shelf,
) -> None:
    store = cognitive(shelf.places[0] / "a")
    write(store, ONE, b"---\nid: {\n---\n\xff\x00")
    shelf.sync()
    damaged = shelf.codes()
    write(store, ONE, memory(1))

    shelf.sync()

    assert damaged
    assert shelf.codes() == []
    assert shelf.memory("Memory 1").problems == ()


def test_a_store_whose_folder_is_gone_is_forgotten(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 2)
    notes(shelf.places[0] / "b", "tabs")
    shelf.sync()
    before = shelf.rows()["memories"]
    store.rename(shelf.catalogue.parent / "away")

    report = shelf.sync()

    assert (before, shelf.rows()["memories"]) == (3, 1)
    assert [store.format for store in shelf.stores()] == ["notes"]
    assert (report.changed, shelf.rows()["stores"]) == (0, 1)


def test_a_store_that_changes_its_format_is_read_again(
    shelf: Shelf, tmp_path: Path
) -> None:
    store = shelf.places[0] / "a"
    write(store, "graph/fixes/memory-1.md", memory(1))
    write(store, "MEMORY.md", "- [One](graph/fixes/memory-1.md) — A fix\n")
    write(store, "tabs.md", note("tabs"))
    shelf.sync()
    before = [report.format for report in shelf.stores()]
    (store / "graph").rename(store / "kept")

    shelf.sync()

    fresh = Shelf(tmp_path / "fresh/catalogue.db", *shelf.places)
    fresh.sync()
    after = [report.format for report in shelf.stores()]
    assert (before, after) == (["cognitive"], ["notes"])
    assert shelf.everything() == fresh.everything()
    assert shelf.rows() == fresh.rows()


def test_a_list_between_two_syncs_disturbs_neither(
    shelf: Shelf,
) -> None:
    store = linked(shelf.places[0] / "a")
    with shelf.opened() as library:
        library.sync()
        before = list(library.lists.page("memories", Page()))
        write(store, "graph/fixes/three.md", memory(3, relation(1, "outgoing")))
        report = library.sync()
        after = list(library.lists.page("memories", Page()))

    assert report.changed == 1
    assert (len(before), len(after)) == (2, 3)


def test_reading_in_steps_gives_the_same_as_reading_at_once(
    shelf: Shelf, tmp_path: Path
) -> None:
    store = linked(shelf.places[0] / "a")
    shelf.sync()
    write(store, "graph/fixes/a-copy.md", memory(1, title="An earlier copy"))
    shelf.sync()
    write(store, "graph/fixes/two.md", memory(2, relation(7, "outgoing")))
    shelf.sync()
    (store / "graph/fixes/a-copy.md").unlink()
    write(store, "graph/edges/x.md", f"---\nid: {own_id(8)}\n---\n")
    shelf.sync()

    fresh = Shelf(tmp_path / "fresh/catalogue.db", *shelf.places)
    fresh.sync()

    assert shelf.everything() == fresh.everything()
    assert shelf.rows() == fresh.rows()
