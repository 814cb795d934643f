"""The values of fields in the stores, and values that no record has."""

import pytest

from store.kinds import KINDS
from store.library import Library
from tests.store.catalogue.search.question import titles, tree_of
from tests.store.catalogue.stores import Shelf, cognitive, linked, memory, write


def test_values_are_sorted_by_frequency(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    for number, tags in enumerate(["[a, B]", "[B]", "[]"], start=1):
        write(store, f"graph/fixes/{number}.md", memory(number, tags=tags))
    shelf.sync()
    with shelf.opened() as library:
        assert library.search.values(["memories"], "type") == [("fix", 3)]
        assert library.search.values(["memories"], "tags") == [("B", 2), ("a", 1)]
        assert library.search.values(["memories"], "tags", "b") == [("B", 2)]
        assert library.search.values(["memories"], "tags", "c") == []
        assert library.search.values([], "store") == [("a", 1)]


def test_a_value_is_found_by_its_plain_letters(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    for number, tag in enumerate(["łódź", "LODZ", "straße, x", "lodzer"], start=1):
        write(store, f"graph/fixes/{number}.md", memory(number, tags=f"[{tag}]"))
    shelf.sync()
    for typed, found in {
        "tag:lodz": ["Memory 1", "Memory 2"],
        "tag:Łódź": ["Memory 1", "Memory 2"],
        "-tag:lodz": ["Memory 3", "Memory 4"],
        "tag:strasse": ["Memory 3"],
        "tag:x": ["Memory 3"],
        "tag:lodze": [],
    }.items():
        assert titles(shelf, typed) == found, typed
    with shelf.opened() as library:
        assert dict(library.search.values(["memories"], "tags", "lo")) == {
            "LODZ": 1,
            "lodzer": 1,
            "łódź": 1,
        }


def test_the_type_of_an_edge_is_counted_once(shelf: Shelf) -> None:
    linked(shelf.places[0] / "a")
    shelf.sync()
    with shelf.opened() as library:
        assert library.search.values(["memories"], "edge") == [("SOLVES", 1)]
        assert library.search.values(["edges"], "type") == [("SOLVES", 1)]
        assert library.search.values([], "type") == [("fix", 2), ("SOLVES", 1)]


def test_values_of_other_stores_are_not_offered(shelf: Shelf) -> None:
    for name in ("a", "b"):
        store = cognitive(shelf.places[0] / name, 0)
        write(store, "graph/fixes/1.md", memory(1, tags=f"[{name}]"))
    shelf.sync()
    with shelf.opened() as library:
        library.stores.choose([one for one in shelf.found() if one.path.name == "b"])

        assert library.search.values([], "tags") == [("b", 1)]
        assert library.search.values([], "store") == [("b", 1)]


@pytest.mark.parametrize("field", ["title", "path", "id", "strength", "updated", "no"])
def test_values_that_are_almost_unique_are_not_listed(
    samples: Library, field: str
) -> None:
    assert samples.search.values([], field) == []


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
def test_every_listed_value_finds_something(samples: Library, field: str) -> None:
    listed = samples.search.values([], field)

    assert listed
    assert [count for _, count in listed] == sorted(
        (count for _, count in listed), reverse=True
    )


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        ("memories", "edge"),
        ("edges", "from_type"),
        ("edges", "to_type"),
        ("memories", "problems"),
        ("memories", "stage"),
        ("documents", "category"),
        ("conversations", "branch"),
    ],
)
def test_all_values_that_are_listed_are_known_for_completion(
    samples: Library, kind: str, field: str
) -> None:
    known = samples.search.known(kind)

    assert known[field]
    assert known[field][0][1] > 0


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_has_known_values(samples: Library, kind: str) -> None:
    assert samples.search.known(kind)["store"]


def unknown(library: Library, text: str, *kinds: str) -> list[str]:
    return [one.reason for one in library.search.unknown(kinds, tree_of(text))]


def test_an_unknown_value_is_reported_with_the_nearest_one(samples: Library) -> None:
    assert unknown(samples, "type:solutoin", "memories") == [
        "No type 'solutoin'; did you mean 'solution'?"
    ]
    assert unknown(samples, "type:solution,fxi x") == [
        "No type 'fxi'; did you mean 'fix'?"
    ]
    assert unknown(samples, "-type:fxi") == unknown(samples, "type:fxi")
    (complaint,) = samples.search.unknown((), tree_of("a tag:rediss"))
    assert complaint.reason.startswith("No tag 'rediss'")
    assert "a tag:rediss"[slice(*complaint.span)] == "tag:rediss"


def test_a_store_without_such_records_is_not_called_unknown(samples: Library) -> None:
    told = "The store 'claude/projects' has no memories."

    assert unknown(samples, "store:claude/projects", "memories") == [told]
    assert unknown(samples, "store:claude/projects", "conversations") == []
    assert unknown(samples, "store:claude/projetcs", "memories") == [
        "No store 'claude/projetcs'; did you mean 'claude/projects'?"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "type:SOLUTION",
        "type:solution zzz",
        "-type:fix",
        "role:core",
        "title:zzz",
        "strength>9",
        "store:home",
        "zzz",
    ],
)
def test_known_values_and_other_terms_are_not_reported(
    samples: Library, text: str
) -> None:
    assert unknown(samples, text) == []
