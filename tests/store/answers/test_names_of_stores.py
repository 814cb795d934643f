"""Stores with one title have names that tell them apart."""

from store.answers.lists import told_apart


def test_a_title_of_its_own_is_the_name() -> None:
    assert told_apart({"/a/notes": "notes", "/b/work": "work"}) == {
        "/a/notes": "notes",
        "/b/work": "work",
    }


def test_equal_titles_have_the_folders_above() -> None:
    assert told_apart({"/zoe/kei/memory": "memory", "/zoe/memory": "memory"}) == {
        "/zoe/kei/memory": "kei/memory",
        "/zoe/memory": "zoe/memory",
    }
    assert told_apart({"/a/x/.memory": "memory", "/b/x/memory": "memory"}) == {
        "/a/x/.memory": "a/x/memory",
        "/b/x/memory": "b/x/memory",
    }


def test_folders_beneath_the_titles_one_are_left_out() -> None:
    stores = {"/a/api/.claude/memory": "api", "/b/api/.claude/memory": "api"}

    assert list(told_apart(stores).values()) == ["a/api", "b/api"]


def test_a_title_from_elsewhere_has_the_folder_of_its_store() -> None:
    stores = {"/p/-zoe-a-api/memory": "api", "/p/-zoe-b-api/memory": "api"}

    assert list(told_apart(stores).values()) == ["-zoe-a-api/api", "-zoe-b-api/api"]


def test_one_path_within_another_is_told_apart_by_it() -> None:
    assert told_apart({"/memory": "memory", "/memory/memory": "memory"}) == {
        "/memory": "/memory",
        "/memory/memory": "memory/memory",
    }
