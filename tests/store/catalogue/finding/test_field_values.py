"""The values that fields have in the stores, and those that no record has."""

import pytest

from store.library import Library
from tests.store.catalogue.finding.asking import tree_of
from tests.store.catalogue.stores import Shelf, cognitive, linked, memory, write


def test_values_are_counted_the_most_frequent_first(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    for number, tags in enumerate(["[a, B]", "[B]", "[]"], start=1):
        write(store, f"graph/fixes/{number}.md", memory(number, tags=tags))
    shelf.sync()
    with shelf.opened() as library:
        assert library.values(["memories"], "type") == [("fix", 3)]
        assert library.values(["memories"], "tags") == [("B", 2), ("a", 1)]
        assert library.values(["memories"], "tags", "b") == [("B", 2)]
        assert library.values(["memories"], "tags", "c") == []
        assert library.values([], "store") == [("a", 1)]


def test_the_type_of_an_edge_is_counted_once(shelf: Shelf) -> None:
    linked(shelf.places[0] / "a")
    shelf.sync()
    with shelf.opened() as library:
        assert library.values(["memories"], "edge") == [("SOLVES", 1)]
        assert library.values(["edges"], "type") == [("SOLVES", 1)]
        assert library.values([], "type") == [("fix", 2), ("SOLVES", 1)]


def test_what_lies_in_another_store_is_not_offered(shelf: Shelf) -> None:
    for name in ("a", "b"):
        store = cognitive(shelf.places[0] / name, 0)
        write(store, "graph/fixes/1.md", memory(1, tags=f"[{name}]"))
    shelf.sync()
    with shelf.opened() as library:
        library.choose([one for one in shelf.found() if one.path.name == "b"])

        assert library.values([], "tags") == [("b", 1)]
        assert library.values([], "store") == [("b", 1)]


@pytest.mark.parametrize("field", ["title", "path", "id", "strength", "updated", "no"])
def test_what_hardly_two_records_share_is_not_listed(
    samples: Library, field: str
) -> None:
    assert samples.values([], field) == []


@pytest.mark.parametrize(
    "field",
    [
        "type",
        "tags",
        "edge",
        "problems",
        "category",
        "code",
        "project",
        "tool",
        "models",
        "branch",
        "kind",
        "role",
        "event_class",
        "format",
        "store",
    ],
)
def test_every_value_that_is_listed_finds_something(
    samples: Library, field: str
) -> None:
    listed = samples.values([], field)

    assert listed
    assert [count for _, count in listed] == sorted(
        (count for _, count in listed), reverse=True
    )


def unknown(library: Library, text: str, *kinds: str) -> list[str]:
    return [one.reason for one in library.unknown(kinds, tree_of(text))]


def test_a_value_that_no_record_has_is_told_with_the_nearest(samples: Library) -> None:
    assert unknown(samples, "type:solutoin", "memories") == [
        "'type' is never 'solutoin'; the nearest is 'solution'."
    ]
    assert unknown(samples, "type:solution,fxi x") == [
        "'type' is never 'fxi'; the nearest is 'fix'."
    ]
    (complaint,) = samples.unknown((), tree_of("a tag:rediss"))
    assert complaint.reason.startswith("'tags' is never 'rediss'")
    assert "a tag:rediss"[slice(*complaint.span)] == "tag:rediss"


@pytest.mark.parametrize(
    "text",
    [
        "type:SOLUTION",
        "type:solution zzz",
        "-type:fxi",
        "role:core",
        "title:zzz",
        "strength>9",
        "store:home",
        "zzz",
    ],
)
def test_nothing_is_said_of_what_is_there_or_is_no_value(
    samples: Library, text: str
) -> None:
    assert unknown(samples, text) == []
