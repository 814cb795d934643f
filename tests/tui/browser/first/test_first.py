"""What is said to who is new here, and where there is nothing to show."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from store import demo
from store.formats.register import FORMATS
from store.keeping.permitted import permit
from store.library import Library
from store.places import Places
from store.records.reports import StoreReport
from tests.store.catalogue.stores import Shelf
from tui.browser.first.access import access
from tui.browser.first.counting import counted, listed
from tui.browser.first.empty import Emptiness, why_empty
from tui.browser.first.found import welcome
from tui.browser.first.hints import MOST, complaints_told, first_hints
from tui.browser.first.keeps import keeps, lacking
from tui.browser.first.progress import progress
from tui.browser.live.reading import Reading
from tui.commands.registry import REGISTRY
from tui.words import KINDS


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


def test_every_store_is_told_with_its_place_and_what_it_holds(
    shelf: Shelf, stores: Sequence[StoreReport]
) -> None:
    heading, _, *rows, _, access_told = welcome(stores, FORMATS, shelf.places[0])

    assert heading == "These stores were found:"
    assert len(rows) == len(stores)
    for row, store in zip(rows, stores, strict=True):
        assert row.startswith("✓")
        assert store.name in row
        assert "~/" in row
    assert "read-only" in access_told


def test_formats_of_which_there_is_no_store_tell_where_was_looked(
    shelf: Shelf, stores: Sequence[StoreReport]
) -> None:
    only = [store for store in stores if store.format == "notes"]

    rows = welcome(only, FORMATS, shelf.places[0])

    missing = {form.name for form in FORMATS if form.usually} - {"notes"}
    assert {row.split()[1] for row in rows if row.startswith("·")} == missing
    assert all(row.endswith("not found") for row in rows if row.startswith("·"))
    assert welcome([], FORMATS, Path("/home/zoe"))[0] == "No store was found."


def test_what_a_store_calls_itself_reaches_no_terminal(
    stores: Sequence[StoreReport],
) -> None:
    evil = replace(stores[0], name="\x1b[2Jgone")

    assert not any("\x1b" in line for line in welcome([evil], FORMATS, Path("/")))


def test_hints_are_shown_at_the_first_three_starts() -> None:
    keymap = REGISTRY.usual_keys

    shown = [first_hints(keymap, start) for start in range(1, 5)]

    assert shown[0] == shown[1] == shown[2]
    assert [line[0] for line in shown[0]] == ["/", shown[0][1][0], "?"]
    assert shown[3] == ()


def test_hints_tell_the_keys_as_they_are_now() -> None:
    changed = REGISTRY.usual_keys.changed({"filter": (("ctrl+f",),), "keys": ()})

    lines = first_hints(changed, 1)

    assert lines[0].startswith("^f ")
    assert "every key" not in lines[-1]


def test_what_is_wrong_with_the_settings_is_told_as_far_as_there_is_room() -> None:
    wrong = [f"config.toml:{line}: This is no colour." for line in range(1, 6)]

    assert complaints_told(wrong[:MOST]) == tuple(wrong[:MOST])
    assert complaints_told(wrong) == (
        *wrong[: MOST - 1],
        "And 3 more; all are told when you leave.",
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
def test_columns_are_for_what_some_store_keeps(
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
        ([], "edges", "No store is looked at."),
        (["a-new-format"], "edges", "There are no edges here."),
    ],
)
def test_an_empty_view_explains_itself(
    formats: list[str], kind: str, told: str
) -> None:
    assert why_empty(Emptiness(kind, formats)) == (told,)


def test_a_query_that_finds_nothing_says_why_and_how_to_be_rid_of_it() -> None:
    nothing = Emptiness("memories", ["notes"], "imp>2", "importance is 0…1")

    assert why_empty(nothing) == (
        "No memory matches `imp>2` – importance is 0…1 · esc clears",
    )


def test_a_query_is_text_and_no_more() -> None:
    (told,) = why_empty(Emptiness("edges", ["notes"], "\x1b]0;x\x07"))

    assert "\x1b" not in told
    assert "\x07" not in told


def test_what_is_being_read_may_yet_come() -> None:
    reading = Reading(120, 9800)

    for query in ("", "redis"):
        lines = why_empty(Emptiness("memories", ["notes"], query, reading=reading))
        assert "reading 120/9 800 files" in lines


@pytest.mark.parametrize(
    ("reading", "told"),
    [
        (Reading(120, 9800), "reading 120/9 800 files"),
        (Reading(0, 1), "reading 0/1 file"),
        (Reading(1200), "another recollect is reading · 1 200 files so far"),
        (Reading(9, 9, finished=True), ""),
        (Reading(failure="The disk is full."), "The disk is full."),
    ],
)
def test_how_far_reading_is(reading: Reading, told: str) -> None:
    assert progress(reading) == told


def test_no_format_keeps_more_than_is_known_of_it(shelf: Shelf) -> None:
    with Library(shelf.catalogue, 0) as library:
        for found in shelf.found():
            library.choose([found])
            held = {kind for kind in KINDS if library.count(kind)}
            assert {
                kind for kind in held if not keeps(found.format.name, kind)
            } == set()


def test_stores_are_read_only_until_the_user_says_otherwise(
    tmp_path: Path, shelf: Shelf
) -> None:
    with shelf.opened() as library:
        stores = library.names()
    places = Places(tmp_path, tmp_path, tmp_path)
    writable = [store for store in stores if store.writable]
    assert access(writable, places) == "RO"

    for store in writable:
        permit(places, store.path, changes=True)

    assert access(writable, places) == "RW"
    assert access(stores, places) == "RW"
    only_looked_at = [store for store in stores if not store.writable]
    assert access(only_looked_at, places) == "RO"
    assert access([], places) == "RO"


def test_counts_and_names_as_people_say_them() -> None:
    assert counted(1, "memories") == "1 memory"
    assert counted(9800, "edges") == "9 800 edges"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(["a"]) == "a"
