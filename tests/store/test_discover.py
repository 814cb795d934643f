"""Stores are found by what is in them, within bounds, and by no link out."""

import os
from pathlib import Path

import pytest

from store.discover import (
    DEPTH,
    Search,
    beneath,
    nowhere_beneath,
    nowhere_on_this_machine,
    on_this_machine,
)
from store.errors import NoStoresError
from store.formats.cognitive import FORMAT as COGNITIVE
from store.formats.notes import FORMAT as NOTES
from store.formats.register import FORMATS
from store.machine import Machine
from tests.store.catalogue.stores import cognitive, linked, notes


def found(search: Search, root: Path) -> dict[str, str]:
    """The format of every store, by its path beneath a folder."""
    return {str(s.path.relative_to(root)): s.format.name for s in search.stores}


def found_beneath(*places: Path) -> dict[str, str]:
    return found(beneath(places, FORMATS), places[0])


def test_a_machine_is_looked_over_where_stores_usually_are(tmp_path: Path) -> None:
    home = tmp_path / "home"
    linked(home / ".local/share/cognitive-memory")
    linked(home / ".local/share/cognitive-memory/work")
    notes(home / ".claude/projects/-home-ada-shop/memory", "tabs")
    notes(home / "shop/.memory", "spaces")
    linked(home / "elsewhere/graph-of-mine")
    machine = Machine(home, home / "shop", {})

    search = on_this_machine(FORMATS, machine)

    assert found(search, home) == {
        ".local/share/cognitive-memory": "cognitive",
        ".local/share/cognitive-memory/work": "cognitive",
        ".claude/projects/-home-ada-shop/memory": "notes",
        "shop/.memory": "notes",
    }
    assert search.cut_short == ()


def test_the_environment_says_where_else(tmp_path: Path) -> None:
    linked(tmp_path / "mine")
    (tmp_path / "home").mkdir()
    environment = {"COGNITIVE_MEMORY_DIR": str(tmp_path / "mine")}
    machine = Machine(tmp_path / "home", tmp_path / "home", environment)

    search = on_this_machine(FORMATS, machine)

    assert found(search, tmp_path) == {"mine": "cognitive"}


def test_an_empty_machine_has_no_stores_and_no_places(tmp_path: Path) -> None:
    search = on_this_machine(FORMATS, Machine(tmp_path, tmp_path, {}))

    assert search == Search((), ())
    sentence = str(nowhere_on_this_machine(FORMATS))
    assert "recollect demo" in sentence
    assert "--store" in sentence


def test_a_folder_is_searched_through_its_own_folders(tmp_path: Path) -> None:
    linked(tmp_path / "a/deep/store")
    notes(tmp_path / "a/project/.memory", "tabs")
    cognitive(tmp_path / "b")
    (tmp_path / "c/nothing/here").mkdir(parents=True)

    assert found_beneath(tmp_path) == {
        "a/deep/store": "cognitive",
        "a/project/.memory": "notes",
        "b": "cognitive",
    }
    assert found_beneath(tmp_path / "c") == {}
    assert str(tmp_path / "c") in str(nowhere_beneath([tmp_path / "c"]))


def test_a_store_itself_may_be_named(tmp_path: Path) -> None:
    store = linked(tmp_path / "a")

    (one,) = beneath([store], FORMATS).stores

    assert (one.path, one.format) == (store, COGNITIVE)


def test_named_graphs_within_a_graph_are_stores_of_their_own(tmp_path: Path) -> None:
    linked(tmp_path / "graphs")
    linked(tmp_path / "graphs/work")
    linked(tmp_path / "graphs/home/garden")

    assert set(found_beneath(tmp_path)) == {
        "graphs",
        "graphs/work",
        "graphs/home/garden",
    }


def test_what_belongs_to_a_store_is_no_store_of_its_own(tmp_path: Path) -> None:
    linked(tmp_path / "a")
    linked(tmp_path / "a/vault/kept")
    notes(tmp_path / "a/other/.memory", "tabs")
    notes(tmp_path / "b/.memory", "tabs")
    notes(tmp_path / "b/.memory/team", "spaces")

    assert found_beneath(tmp_path) == {"a": "cognitive", "b/.memory": "notes"}


def test_what_is_named_is_looked_into_whatever_else_is_named(tmp_path: Path) -> None:
    linked(tmp_path / "a")
    inner = notes(tmp_path / "a/other/.memory", "tabs")
    both = {"a": "cognitive", "a/other/.memory": "notes"}

    assert found(beneath([tmp_path, inner], FORMATS), tmp_path) == both
    assert found(beneath([inner, tmp_path], FORMATS), tmp_path) == both


def test_folders_of_machinery_are_not_entered(tmp_path: Path) -> None:
    for name in (".git", "node_modules", ".venv", "__pycache__", "target"):
        linked(tmp_path / name / "store")

    search = beneath([tmp_path], FORMATS)

    assert (search.stores, search.cut_short) == ((), ())
    assert found_beneath(tmp_path / "node_modules") == {"store": "cognitive"}


def test_a_search_is_as_deep_as_its_bound_and_says_so(tmp_path: Path) -> None:
    deepest = tmp_path.joinpath(*"a" * DEPTH)
    cognitive(deepest)
    within = beneath([tmp_path], FORMATS)
    linked(deepest / "too-deep")
    beyond = beneath([tmp_path], FORMATS)

    assert [one.path for one in within.stores] == [deepest]
    assert [one.path for one in beyond.stores] == [deepest]
    assert (within.cut_short, beyond.cut_short) == ((), (tmp_path,))
    below = beneath([tmp_path, deepest], FORMATS)
    assert [one.path for one in below.stores] == [deepest, deepest / "too-deep"]


def test_a_search_is_as_wide_as_its_bound_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(9):
        (tmp_path / f"many/{number}").mkdir(parents=True)
    linked(tmp_path / "few/store")
    monkeypatch.setattr("store.discover.FOLDERS", 8)

    search = beneath([tmp_path / "many", tmp_path / "few"], FORMATS)

    assert found(search, tmp_path) == {"few/store": "cognitive"}
    assert search.cut_short == (tmp_path / "many",)


def test_a_link_to_a_store_elsewhere_is_not_followed(tmp_path: Path) -> None:
    linked(tmp_path / "elsewhere")
    (tmp_path / "here").mkdir()
    (tmp_path / "here/link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "here/circle").symlink_to(tmp_path / "here")

    assert found_beneath(tmp_path / "here") == {}


def test_a_link_that_is_named_is_followed_and_its_store_found_once(
    tmp_path: Path,
) -> None:
    linked(tmp_path / "store")
    (tmp_path / "link").symlink_to(tmp_path / "store")
    places = [tmp_path / "link", tmp_path / "store", tmp_path / "link/../store"]

    search = beneath([*places, tmp_path], FORMATS)

    assert [one.path for one in search.stores] == [tmp_path / "store"]


def test_a_relative_path_is_one_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked(tmp_path / "store")
    monkeypatch.chdir(tmp_path)

    (one,) = beneath([Path("store")], FORMATS).stores

    assert one.path == tmp_path / "store"


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("missing", "is not there"),
        ("pipe", "is no folder"),
        ("pipe/below", "is not there"),
        ("x" * 5000, "cannot be looked into: File name too long"),
        ("circle", "cannot be looked into"),
        ("nul\0", "is not there"),
    ],
)
def test_what_cannot_be_looked_into_is_named(
    tmp_path: Path, name: str, wrong: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "circle").symlink_to(tmp_path / "circle")

    with pytest.raises(NoStoresError, match=wrong):
        beneath([tmp_path / name], FORMATS)


@pytest.mark.skipif(os.geteuid() == 0, reason="the root user may read everything")
def test_a_folder_that_may_not_be_read_is_passed_over(tmp_path: Path) -> None:
    linked(tmp_path / "closed/store")
    linked(tmp_path / "open")
    (tmp_path / "closed").chmod(0)
    try:
        assert found_beneath(tmp_path) == {"open": "cognitive"}
    finally:
        (tmp_path / "closed").chmod(0o700)


def test_the_first_format_that_knows_a_folder_has_it(tmp_path: Path) -> None:
    store = linked(tmp_path / "a")
    notes(store, "tabs")

    for formats in ((COGNITIVE, NOTES), (NOTES, COGNITIVE)):
        assert [one.format for one in beneath([store], formats).stores] == [formats[0]]


def test_a_file_stands_for_the_store_that_it_lies_in(tmp_path: Path) -> None:
    page = tmp_path / "memory/one.md"
    page.parent.mkdir()
    page.write_text("---\nname: One\ndescription: It\ntype: user\n---\n\nOne.\n")
    (tmp_path / "memory/MEMORY.md").write_text("- [One](one.md) — It\n")

    by_file = beneath([page], FORMATS).stores

    assert by_file == beneath([page.parent], FORMATS).stores
    assert [found.path for found in by_file] == [page.parent]
