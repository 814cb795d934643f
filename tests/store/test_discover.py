"""Stores are found by their content, within limits, and not through links."""

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
from store.formats.cognitive.format import FORMAT as COGNITIVE
from store.formats.notes.format import FORMAT as NOTES
from store.formats.register import FORMATS
from store.machine import Machine
from tests.store.catalogue.stores import cognitive, linked, notes
from tests.store.formats.transcripts_stores import SESSION, SLUG, put, user


def found(search: Search, root: Path) -> dict[str, str]:
    """The format of every store, by its path beneath a folder."""
    return {str(s.path.relative_to(root)): s.format.name for s in search.stores}


def found_beneath(*places: Path) -> dict[str, str]:
    return found(beneath(places, FORMATS), places[0])


def test_usual_places_of_a_machine_are_searched(tmp_path: Path) -> None:
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


def test_the_environment_adds_places(tmp_path: Path) -> None:
    linked(tmp_path / "mine")
    (tmp_path / "home").mkdir()
    environment = {"COGNITIVE_MEMORY_DIR": str(tmp_path / "mine")}
    machine = Machine(tmp_path / "home", tmp_path / "home", environment)

    search = on_this_machine(FORMATS, machine)

    assert found(search, tmp_path) == {"mine": "cognitive"}


def test_an_empty_machine_has_no_stores_and_no_places(tmp_path: Path) -> None:
    search = on_this_machine(FORMATS, Machine(tmp_path, tmp_path, {}))

    assert search == Search((), ())
    sentence = str(nowhere_on_this_machine(FORMATS, Machine(tmp_path, tmp_path, {})))
    assert "recollect demo" in sentence
    assert "--store" in sentence


def test_stores_in_the_current_folder_are_suggested(tmp_path: Path) -> None:
    here = tmp_path / "project"
    cognitive(here / "graph")
    machine = Machine(tmp_path / "home", here, {})

    sentence = str(nowhere_on_this_machine(FORMATS, machine))

    assert sentence.endswith(
        "\n1 store in this folder; open it with `recollect .`, or add `-s .` "
        "to a command."
    )


def test_a_folder_is_searched_with_its_subfolders(tmp_path: Path) -> None:
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


def test_parts_of_a_store_are_not_stores_of_their_own(tmp_path: Path) -> None:
    linked(tmp_path / "a")
    linked(tmp_path / "a/vault/kept")
    notes(tmp_path / "a/other/.memory", "tabs")
    notes(tmp_path / "b/.memory", "tabs")
    notes(tmp_path / "b/.memory/team", "spaces")

    assert found_beneath(tmp_path) == {"a": "cognitive", "b/.memory": "notes"}


def test_a_named_folder_is_searched_whatever_else_is_named(tmp_path: Path) -> None:
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


def test_a_search_as_deep_as_its_limit_reports_it(tmp_path: Path) -> None:
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


def test_a_search_as_wide_as_its_limit_reports_it(
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


def test_a_named_link_is_followed_and_its_store_found_once(
    tmp_path: Path,
) -> None:
    linked(tmp_path / "store")
    (tmp_path / "link").symlink_to(tmp_path / "store")
    places = [tmp_path / "link", tmp_path / "store", tmp_path / "link/../store"]

    search = beneath([*places, tmp_path], FORMATS)

    assert [one.path for one in search.stores] == [tmp_path / "store"]


def test_a_relative_path_starts_at_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked(tmp_path / "store")
    monkeypatch.chdir(tmp_path)

    (one,) = beneath([Path("store")], FORMATS).stores

    assert one.path == tmp_path / "store"


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("missing", "does not exist"),
        ("pipe", "is not a folder"),
        ("pipe/below", "does not exist"),
        ("x" * 5000, "can't be read: File name too long"),
        ("circle", "can't be read"),
        ("nul\0", "does not exist"),
    ],
)
def test_an_unreadable_named_folder_is_reported(
    tmp_path: Path, name: str, wrong: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "circle").symlink_to(tmp_path / "circle")

    with pytest.raises(NoStoresError, match=wrong):
        beneath([tmp_path / name], FORMATS)


@pytest.mark.skipif(os.geteuid() == 0, reason="the root user may read everything")
def test_an_unreadable_folder_is_skipped(tmp_path: Path) -> None:
    linked(tmp_path / "closed/store")
    linked(tmp_path / "open")
    (tmp_path / "closed").chmod(0)
    try:
        assert found_beneath(tmp_path) == {"open": "cognitive"}
    finally:
        (tmp_path / "closed").chmod(0o700)


def test_the_first_format_that_recognises_a_folder_has_it(tmp_path: Path) -> None:
    store = linked(tmp_path / "a")
    notes(store, "tabs")

    for formats in ((COGNITIVE, NOTES), (NOTES, COGNITIVE)):
        assert [one.format for one in beneath([store], formats).stores] == [formats[0]]


def test_a_file_means_the_store_that_contains_it(tmp_path: Path) -> None:
    page = tmp_path / "memory/one.md"
    page.parent.mkdir()
    page.write_text("---\nname: One\ndescription: It\ntype: user\n---\n\nOne.\n")
    (tmp_path / "memory/MEMORY.md").write_text("- [One](one.md) — It\n")

    by_file = beneath([page], FORMATS).stores

    assert by_file == beneath([page.parent], FORMATS).stores
    assert [found.path for found in by_file] == [page.parent]


def test_saved_transcripts_are_listed_with_the_live_ones(tmp_path: Path) -> None:
    session, agent = f"{SLUG}/{SESSION}", f"{SLUG}/{SESSION}/subagents/agent-a1.jsonl"
    for folder in ("projects", "projects-backup"):
        for path in (f"{session}.jsonl", agent):
            put(tmp_path / folder / path, user("a", "Fire the kiln"))
    notes(tmp_path / "projects-backup" / SLUG / "memory", "tabs")

    assert found_beneath(tmp_path) == {
        "projects": "transcripts",
        f"projects-backup/{SLUG}/memory": "notes",
    }
    saved = tmp_path / "projects-backup"
    assert [one.path for one in beneath([saved], FORMATS).stores] == [
        saved,
        saved / SLUG / "memory",
    ]


def test_saved_transcripts_are_a_store_without_live_ones(tmp_path: Path) -> None:
    put(tmp_path / "projects-backup" / SLUG / "a.jsonl", user("a", "Fire the kiln"))
    (tmp_path / "projects").mkdir()

    assert found_beneath(tmp_path) == {"projects-backup": "transcripts"}
    saved = tmp_path / "projects-backup"
    assert [one.path for one in beneath([saved], FORMATS).stores] == [saved]
