"""Changes made by recollect are part of a file's history, undone or not."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from store.answers.stores import Writing
from store.edits.draft import Draft, FileStep
from store.edits.engine import Engine
from store.kinds.memories import Memory
from store.library import Library, Page, PastLibrary
from store.machine import Places
from tests.store.catalogue.stores import Shelf, micros, note, notes, write

GLAZE = note("glaze", "Cone six.")
COPPER = GLAZE.replace("six", "nine")
NOON = micros("2026-03-01T12:00:00Z")
MINUTE = 60_000_000


@pytest.fixture
def engine(places: Places) -> Iterator[Engine]:
    """An engine whose clock advances by a minute on each use."""
    clock = count(NOON, MINUTE)
    with Engine(places, lambda: next(clock)) as engine:
        yield engine


def changed(engine: Engine, store: Path, action: str, text: str | None) -> None:
    """Change the memory through the engine."""
    file = store / "glaze.md"
    before = file.read_bytes() if file.exists() else None
    after = None if text is None else text.encode()
    step = FileStep(path="glaze.md", before=before, after=after)
    engine.apply(store, Draft(action=action, steps=(step,)))


def opened(shelf: Shelf, places: Places) -> Library:
    shelf.sync()
    library = Library(shelf.catalogue, micros(shelf.now), writing=Writing(places))
    library.stores.choose(shelf.found())
    return library


def test_changes_are_versions_and_have_their_lines(
    shelf: Shelf, places: Places, engine: Engine
) -> None:
    store = notes(shelf.places[0] / ".memory", "glaze")
    write(store, "glaze.md", GLAZE)
    changed(engine, store, "edit “glaze”", COPPER)

    with opened(shelf, places) as library:
        ref = shelf.memory("glaze").ref
        (version,) = library.history.versions(ref)
        blame = library.history.blame(ref)

    assert (version.by, version.what) == ("change", "edit “glaze”")
    assert (version.at or "").startswith("2026-03-01T12:")
    assert "+Cone nine." in (version.diff or "")
    assert [(one.by, one.text) for one in blame.lines if one.by == "change"] == [
        ("change", "Cone nine.")
    ]
    assert version.ref == engine.past()[0].change


def test_undone_changes_are_listed_as_well(
    shelf: Shelf, places: Places, engine: Engine
) -> None:
    store = notes(shelf.places[0] / ".memory", "glaze")
    write(store, "glaze.md", GLAZE)
    changed(engine, store, "edit “glaze”", COPPER)
    engine.undo()

    with opened(shelf, places) as library:
        versions = library.history.versions(shelf.memory("glaze").ref)

        blame = library.history.blame(shelf.memory("glaze").ref)

    assert [one.what for one in versions] == ["undo edit “glaze”", "edit “glaze”"]
    assert {one.by for one in blame.lines} == {"unknown"}


def test_a_store_is_reconstructed_through_its_changes(
    shelf: Shelf, places: Places, engine: Engine, tmp_path: Path
) -> None:
    store = notes(shelf.places[0] / ".memory", "glaze")
    write(store, "glaze.md", GLAZE)
    changed(engine, store, "edit “glaze”", COPPER)
    later = (store / "glaze.md").stat().st_mtime_ns // 1000
    first = engine.past()[0].at
    assert later > NOON

    with opened(shelf, places) as library:
        before = library.history.look_back(
            micros(first) - 1, folder(tmp_path, "before")
        )
        after = library.history.look_back(micros(first) + 1, folder(tmp_path, "after"))

    ref = shelf.memory("glaze").ref
    with PastLibrary(before) as past:
        assert past.records.raw(ref) == GLAZE.encode()
    with PastLibrary(after) as past:
        assert past.records.raw(ref) == COPPER.encode()


def moved(engine: Engine, store: Path, action: str, text: str) -> None:
    """Rename the memory through the engine, and change a word."""
    before = (store / "glaze.md").read_bytes()
    steps = (
        FileStep(path="celadon.md", before=None, after=text.encode()),
        FileStep(path="glaze.md", before=before, after=None),
    )
    engine.apply(store, Draft(action=action, steps=steps))


def test_a_memory_moved_by_a_change_keeps_its_authors(
    shelf: Shelf, places: Places, engine: Engine, tmp_path: Path
) -> None:
    store = notes(shelf.places[0] / ".memory", "glaze")
    write(store, "glaze.md", GLAZE)
    changed(engine, store, "edit “glaze”", COPPER)
    moved(engine, store, "rename “glaze”", COPPER.replace("glaze", "celadon"))
    edit, move = reversed([micros(one.at) for one in engine.past()])

    with opened(shelf, places) as library:
        ref = shelf.memory("celadon").ref
        versions = library.history.versions(ref)
        blame = library.history.blame(ref)
        between = library.history.look_back(
            (edit + move) // 2, folder(tmp_path, "between")
        )
        after = library.history.look_back(move + 1, folder(tmp_path, "after"))

    assert [(one.what, one.added) for one in versions] == [
        ("rename “glaze”", 1),
        ("edit “glaze”", 1),
    ]
    told = [(one.what, one.text) for one in blame.lines if one.by == "change"]
    assert told == [("rename “glaze”", "name: celadon"), ("edit “glaze”", "Cone nine.")]
    for lookback, paths in ((between, ["glaze.md"]), (after, ["celadon.md"])):
        with PastLibrary(lookback) as past:
            memories = past.lists.page("memories", Page())
            assert [one.path for one in memories if isinstance(one, Memory)] == paths


def test_a_memory_moved_there_and_back_keeps_its_authors(
    shelf: Shelf, places: Places, engine: Engine
) -> None:
    store = notes(shelf.places[0] / ".memory", "glaze")
    write(store, "glaze.md", GLAZE)
    changed(engine, store, "edit “glaze”", COPPER)
    moved(engine, store, "archive “glaze”", COPPER)
    engine.undo()

    with opened(shelf, places) as library:
        ref = shelf.memory("glaze").ref
        versions = library.history.versions(ref)
        blame = library.history.blame(ref)

    assert [(one.what, one.added) for one in versions] == [
        ("undo archive “glaze”", 0),
        ("archive “glaze”", 0),
        ("edit “glaze”", 1),
    ]
    told = [(one.what, one.text) for one in blame.lines if one.by == "change"]
    assert told == [("edit “glaze”", "Cone nine.")]


def test_a_memory_deleted_by_a_change_existed_until_then(
    shelf: Shelf, places: Places, engine: Engine, tmp_path: Path
) -> None:
    store = notes(shelf.places[0] / ".memory", "glaze", "cone")
    changed(engine, store, "delete “glaze”", None)
    (deleted,) = [micros(one.at) for one in engine.past()]

    with opened(shelf, places) as library:
        before = library.history.look_back(deleted - 1, folder(tmp_path, "before"))
        after = library.history.look_back(deleted + 1, folder(tmp_path, "after"))

    with PastLibrary(before) as past:
        assert past.lists.count("memories") == 2
        assert before.differences["memories"].gone == 1
    with PastLibrary(after) as past:
        assert past.lists.count("memories") == 1


def test_a_journal_without_its_bytes_shows_what_it_can(
    shelf: Shelf, places: Places, engine: Engine
) -> None:
    store = notes(shelf.places[0] / ".memory", "glaze")
    write(store, "glaze.md", GLAZE)
    changed(engine, store, "edit “glaze”", COPPER)
    for blob in (places.state / "changes/blobs").iterdir():
        blob.unlink()

    with opened(shelf, places) as library:
        (version,) = library.history.versions(shelf.memory("glaze").ref)

    assert (version.what, version.diff) == ("edit “glaze”", None)


def test_without_changes_nothing_is_created(shelf: Shelf, places: Places) -> None:
    notes(shelf.places[0] / ".memory", "glaze")

    with opened(shelf, places) as library:
        assert library.history.versions(shelf.memory("glaze").ref) == []

    assert not places.state.exists()


def folder(within: Path, name: str) -> Path:
    made = within / name
    made.mkdir()
    return made
