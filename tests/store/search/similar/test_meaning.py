"""Search by meaning across stores with and without usable vectors."""

from collections.abc import Iterator

import pytest

from store.formats.port import Vectors
from store.search.meaning import Held, Near, by_meaning, nearest
from store.settings import PROVIDERS, Provider
from tests.store.search.similar.provider import Local, embedded

HOMELAB = Held(
    "/homelab",
    Vectors("nomic-embed-text:v1.5", {"id:a": [1, 0], "id:b": [0, 2], "id:c": [-1, 0]}),
)
WORK = Held("/work", Vectors(None, {"id:d": [3, 3]}))
LONG = Held("/long", Vectors("nomic-embed-text", {"id:e": [1, 0, 0]}))
OTHER = Held("/other", Vectors("text-embedding-3-small", {"id:f": [1, 0]}))


@pytest.fixture
def local() -> Iterator[Local]:
    """A provider for which everything has the same meaning."""
    with Local(embedded(2, 0)) as serving:
        yield serving


def test_the_nearest_come_first_from_all_stores(local: Local) -> None:
    meant = by_meaning("redis", local.ollama(), {}, [HOMELAB, WORK], 3)

    assert [(near.store, near.key) for near in meant.near] == [
        ("/homelab", "id:a"),
        ("/work", "id:d"),
    ]
    assert [near.score for near in meant.near] == pytest.approx([1, 0.5**0.5])
    assert meant.notes == ()


def test_what_is_no_nearer_than_most_is_no_hit(local: Local) -> None:
    around = {f"id:{number}": [3, 1 + number / 999] for number in range(30)}
    alone = by_meaning("redis", local.ollama(), {}, [_held(around)], 40)
    with_one = by_meaning(
        "redis", local.ollama(), {}, [_held({**around, "id:a": [9, 0.1]})], 40
    )
    few = by_meaning("redis", local.ollama(), {}, [_held({"id:0": [3, 1]})], 40)

    assert alone.near == ()
    assert [near.key for near in with_one.near] == ["id:a"]
    assert [near.key for near in few.near] == ["id:0"]


def _held(vectors: dict[str, list[float]]) -> Held:
    return Held("/homelab", Vectors("nomic-embed-text", vectors))


def test_of_two_vectors_of_a_memory_the_first_counts(local: Local) -> None:
    newer, older = _held({"id:a": [1, 1]}), _held({"id:a": [1, 0], "id:b": [1, 0]})
    other = Held("/homelab", OTHER.vectors)
    meant = by_meaning("redis", local.ollama(), {}, [newer, older, other], 3)

    assert [near.key for near in meant.near] == ["id:b", "id:a"]
    assert meant.near[1].score == pytest.approx(0.5**0.5)


def test_vectors_that_cannot_be_compared_are_reported(local: Local) -> None:
    meant = by_meaning("redis", local.ollama(), {}, [LONG, OTHER, HOMELAB], 1)

    assert meant.near == (Near("/homelab", "id:a", 1.0),)
    assert meant.notes == (
        (
            "The vectors of /long have 3 dimensions, but nomic-embed-text makes "
            "2; only words were searched there."
        ),
        (
            "The vectors of /other were made by text-embedding-3-small, not by "
            "nomic-embed-text; only words were searched there."
        ),
    )


def test_without_vectors_no_provider_is_called(local: Local) -> None:
    nothing = by_meaning("redis", local.ollama(), {}, [], 3)
    other = by_meaning("redis", local.ollama(), {}, [OTHER], 3)

    assert nothing.notes == (
        "No store has vectors; only words were searched. `recollect embed` makes them.",
    )
    assert len(other.notes) == 1
    assert nothing.near == other.near == ()
    assert local.asked == []


def test_vectors_are_not_read_if_the_search_is_switched_off() -> None:
    def reading() -> Iterator[Held]:
        raise AssertionError
        yield HOMELAB

    meant = by_meaning("redis", PROVIDERS[Provider.OFF], {}, reading(), 3)

    assert meant.near == ()
    assert meant.notes == (
        "Semantic search is off in the settings; only words were searched.",
    )


def test_a_provider_without_an_answer_is_reported(local: Local) -> None:
    meant = by_meaning("redis", local.openai(), {}, [WORK], 3)

    assert meant.near == ()
    assert meant.notes == (
        "No key for semantic search in A_KEY. Only words were searched.",
    )


def test_other_vectors_of_a_store_are_only_reported_without_its_own(
    local: Local,
) -> None:
    theirs = Held("/work", Vectors("nomic-embed-text", {"id:d": [3, 3]}))

    meant = by_meaning("redis", local.openai(), {}, [theirs, WORK], 3)

    assert meant.notes == (
        "No key for semantic search in A_KEY. Only words were searched.",
    )


def test_the_nearest_vectors_are_found() -> None:
    vectors = {"east": [5.0, 0.1], "north": [0.0, 1.0], "west": [-1.0, 0.0]}

    assert [key for key, _ in nearest([1, 0], vectors, 2)] == ["east", "north"]
    assert nearest([1, 0], {}, 2) == []
