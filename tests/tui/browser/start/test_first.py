"""Hints for new users, and explanations of empty views."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from store import demo
from store.formats.register import FORMATS
from store.kinds import KINDS
from store.library import Library
from store.machine import Places
from store.records.reports import StoreReport
from store.state import permit
from tests.store.catalogue.stores import Shelf
from tui.browser.bars import counted, listed
from tui.browser.session import Kept, access
from tui.browser.sync import Reading
from tui.browser.welcome import (
    MOST,
    Emptiness,
    complaints_told,
    first_hints,
    keeps,
    lacking,
    nowhere,
    progress,
    why_empty,
)
from tui.commands.registry import REGISTRY


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """The sample stores, read."""
    folder = tmp_path_factory.mktemp("samples")
    demo.write(folder / "stores", datetime(2026, 3, 1, tzinfo=UTC))
    shelf = Shelf(folder / "catalogue.db", folder / "stores")
    shelf.sync()
    return shelf


@pytest.fixture
def stores(shelf: Shelf) -> Sequence[StoreReport]:
    return shelf.stores()


def test_formats_show_where_they_were_searched_if_no_store_was_found() -> None:
    heading, _, *rows = nowhere(FORMATS).split("\n")

    assert heading == "No stores found."
    assert [row.split()[0] for row in rows] == [
        form.name for form in FORMATS if form.usually
    ]
    assert all(row.endswith("not found") for row in rows)


def test_hints_are_shown_at_the_first_three_starts() -> None:
    keymap = REGISTRY.usual_keys

    shown = [first_hints(keymap, start) for start in range(1, 5)]

    assert shown[0] == shown[1] == shown[2]
    assert shown[0] == (
        "/ search · tab next pane · ! allow edits · u undo · ? all keys · : commands",
    )
    assert shown[3] == ()


def test_hints_show_the_current_keys() -> None:
    changed = REGISTRY.usual_keys.changed({"filter": (("ctrl+f",),), "keys": ()})

    (line,) = first_hints(changed, 1)

    assert line.startswith("^f search · ")
    assert "all keys" not in line


def test_problems_of_the_settings_are_shown_as_far_as_there_is_room() -> None:
    wrong = [f"config.toml:{line}: This is no colour." for line in range(1, 6)]

    assert complaints_told(wrong[:MOST]) == tuple(wrong[:MOST])
    assert complaints_told(wrong) == (
        *wrong[: MOST - 1],
        "And 3 more; all are shown when you quit.",
    )


@pytest.mark.parametrize(
    ("formats", "facts"),
    [
        (["notes", "notes"], {"strength", "importance", "uses"}),
        (["notes", "agent-memory"], {"strength"}),
        (["notes", "cognitive"], set[str]()),
        (["notes", "a-new-format"], set[str]()),
        ([], set[str]()),
    ],
)
def test_columns_appear_if_some_store_needs_them(
    formats: list[str], facts: set[str]
) -> None:
    assert lacking(formats) == facts


@pytest.mark.parametrize(
    ("formats", "kind", "told"),
    [
        (["kei"], "edges", "This store has no edges; format kei keeps none."),
        (
            ["kei", "transcripts", "kei"],
            "memories",
            "These stores have no memories; formats kei and transcripts keep none.",
        ),
        (["kei", "notes"], "edges", "There are no edges here."),
        ([], "edges", "No store is open."),
        (["a-new-format"], "edges", "There are no edges here."),
    ],
)
def test_an_empty_view_explains_itself(
    formats: list[str], kind: str, told: str
) -> None:
    assert why_empty(Emptiness(kind, formats)) == (told,)


def test_a_query_without_results_says_why_and_how_to_clear_it() -> None:
    nothing = Emptiness("memories", ["notes"], "imp>2", "importance is 0…1")

    assert why_empty(nothing) == (
        "No memory matches `imp>2` – importance is 0…1 · esc clears",
    )


def test_a_query_is_only_text() -> None:
    (told,) = why_empty(Emptiness("edges", ["notes"], "\x1b]0;x\x07"))

    assert "\x1b" not in told
    assert "\x07" not in told


def test_an_unfinished_read_may_still_bring_rows() -> None:
    reading = Reading(120, 9800)

    for query in ("", "redis"):
        lines = why_empty(Emptiness("memories", ["notes"], query, reading=reading))
        assert "reading 120 of 9 800 files…" in lines


@pytest.mark.parametrize(
    ("reading", "told"),
    [
        (Reading(120, 9800), "reading 120 of 9 800 files…"),
        (Reading(444, 444), "indexing 444 files…"),
        (Reading(0, 1), "reading 0 of 1 file…"),
        (Reading(1200), "another recollect is reading: 1 200 files so far"),
        (Reading(), "reading…"),
        (Reading(9, 9, finished=True), ""),
        (Reading(failure="The disk is full."), "The disk is full."),
    ],
)
def test_reading_progress_is_shown(reading: Reading, told: str) -> None:
    assert progress(reading) == told


def test_no_format_has_more_kinds_than_declared(shelf: Shelf) -> None:
    with Library(shelf.catalogue, 0) as library:
        for found in shelf.found():
            library.stores.choose([found])
            held = {kind for kind in KINDS if library.lists.count(kind)}
            assert {
                kind for kind in held if not keeps(found.format.name, kind)
            } == set()


def test_stores_are_read_only_until_the_user_allows_edits(
    tmp_path: Path, shelf: Shelf
) -> None:
    with shelf.opened() as library:
        stores = library.lists.names()
    places = Places(tmp_path, tmp_path, tmp_path)
    writable = [store for store in stores if store.writable]
    assert access(writable, places) == "read-only"

    for store in writable:
        permit(places, store.path, changes=True)

    assert access(writable, places) == "editing"
    assert access(stores, places) == "editing"
    only_looked_at = [store for store in stores if not store.writable]
    assert access(only_looked_at, places) == "read-only"
    assert access([], places) == "read-only"
    assert access([], places, [Path(writable[0].path)]) == "editing"


def test_allowing_edits_says_for_which_stores(tmp_path: Path) -> None:
    kept = Kept(places=Places(tmp_path, tmp_path, tmp_path))
    two = {"/a": "homelab", "/b": "kilnbook"}

    assert kept.permit(two, changes=True) == (
        "Edits allowed in homelab and kilnbook, also next time. ! turns it off."
    )
    three = {**two, "/c": "tailfin"}
    assert "Edits allowed in 3 stores, also" in kept.permit(three, changes=True)
    told = kept.permit(three, changes=True, among=12)
    assert "3 stores, also next time; 9 can only be read." in told


def test_counts_and_names_are_in_plain_words() -> None:
    assert counted(1, "memories") == "1 memory"
    assert counted(9800, "edges") == "9 800 edges"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(["a"]) == "a"
