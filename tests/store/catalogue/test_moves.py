"""Changes are reported to every process, whichever one read them."""

from pathlib import Path

import pytest

from store.kinds import KINDS
from store.library import Move
from tests.store.catalogue.stores import Shelf, cognitive, linked, memory, notes, write


@pytest.fixture
def store(shelf: Shelf) -> Path:
    return cognitive(shelf.places[0] / "a", 2)


def moves(shelf: Shelf, since: int) -> list[Move]:
    with shelf.opened() as library:
        return library.index.moves(since)


def newest(shelf: Shelf) -> int:
    with shelf.opened() as library:
        return library.index.newest_move()


def kinds(shelf: Shelf, since: int) -> set[str]:
    return {kind for move in moves(shelf, since) for kind in move.kinds}


def test_nothing_changed_at_first(shelf: Shelf) -> None:
    cognitive(shelf.places[0] / "a", 0)

    assert newest(shelf) == 0
    assert moves(shelf, 0) == []


def test_every_sync_that_finds_something_reports_it_by_store(
    shelf: Shelf, store: Path
) -> None:
    other = notes(shelf.places[0] / "b", "one")
    shelf.sync()
    assert {move.store for move in moves(shelf, 0)} == {store, other}

    since = newest(shelf)
    shelf.sync()
    assert moves(shelf, since) == []

    write(store, "graph/fixes/memory-3.md", memory(3))
    shelf.sync()
    assert [move.store for move in moves(shelf, since)] == [store]


def test_deleted_sources_report_what_they_contained(shelf: Shelf, store: Path) -> None:
    write(store, "episodes/2026-03-01.md", "# 2026-03-01\n\n## 10:00 - Something\n")
    shelf.sync()
    assert shelf.episodes()
    since = newest(shelf)

    (store / "episodes/2026-03-01.md").unlink()
    shelf.sync()

    assert shelf.episodes() == []
    assert kinds(shelf, since) >= {"episodes"}
    assert "memories" not in kinds(shelf, since)


def test_changed_kinds_are_named(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    shelf.sync()
    since = newest(shelf)
    before = shelf.everything()

    write(store, "graph/fixes/one.md", memory(1, title="Alone"))
    shelf.sync()

    after = shelf.everything()
    differ = {kind for kind in KINDS if before[kind] != after[kind]}
    assert differ >= {"memories", "edges"}
    assert kinds(shelf, since) >= differ


def test_a_store_that_vanishes_is_reported_as_a_whole(
    shelf: Shelf, store: Path
) -> None:
    shelf.sync()
    since = newest(shelf)
    with shelf.opened() as library:
        store.rename(shelf.places[0].with_name("elsewhere"))
        library.sync()
        told = library.index.moves(since)

    assert {kind for move in told for kind in move.kinds} == set(KINDS)
    assert {move.store for move in told} == {store}


def test_conversations_divided_differently_are_reported(shelf: Shelf) -> None:
    line = (
        '{"type":"user","uuid":"a","sessionId":"s","timestamp":'
        '"2026-03-01T11:59:00Z","message":{"role":"user","content":"Hello"}}\n'
    )
    write(shelf.places[0], "projects/-home-zoe/s.jsonl", line)
    shelf.sync()
    since = newest(shelf)

    shelf.gap *= 2
    shelf.sync()

    assert kinds(shelf, since) == {"conversations", "messages", "problems"}


def test_after_very_many_changes_every_kind_may_have_changed(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 70)
    shelf.sync()
    since = newest(shelf)

    for number in range(1, 71):
        write(store, f"graph/fixes/memory-{number}.md", memory(number, body="New."))
    shelf.sync()

    assert kinds(shelf, since) == set(KINDS)


def test_in_a_rebuilt_catalogue_everything_changed(shelf: Shelf, store: Path) -> None:
    shelf.sync()
    since = newest(shelf) + 100

    assert [move.store for move in moves(shelf, since)] == [store]


def test_old_reports_are_forgotten(
    shelf: Shelf, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.catalogue.sync._KEPT", 2)
    for number in range(5):
        write(store, "graph/fixes/memory-1.md", memory(1, body=f"{number}"))
        shelf.sync()

    assert [move.number for move in moves(shelf, 0)] == [4, 5]
