"""Search by meaning, across stores that keep vectors and stores that do not fit."""

from collections.abc import Iterator

import pytest

from store.formats.port import Vectors
from store.search.similar import Held, Near, by_meaning, nearest
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
    """A provider for which everything means the same."""
    with Local(embedded(2, 0)) as serving:
        yield serving


def test_the_nearest_come_first_whichever_store_they_are_in(local: Local) -> None:
    meant = by_meaning("redis", local.ollama(), {}, [HOMELAB, WORK], 3)

    assert [(near.store, near.key) for near in meant.near] == [
        ("/homelab", "id:a"),
        ("/work", "id:d"),
        ("/homelab", "id:b"),
    ]
    assert [near.score for near in meant.near] == pytest.approx([1, 0.5**0.5, 0])
    assert meant.notes == ()


def test_vectors_that_cannot_be_compared_are_told(local: Local) -> None:
    meant = by_meaning("redis", local.ollama(), {}, [LONG, OTHER, HOMELAB], 1)

    assert meant.near == (Near("/homelab", "id:a", 1.0),)
    assert meant.notes == (
        (
            "The vectors of /other were made by text-embedding-3-small, not by "
            "nomic-embed-text, so words alone were searched there."
        ),
        (
            "The vectors of /long have 3 dimensions and that of nomic-embed-text has "
            "2, so words alone were searched there."
        ),
    )


def test_nobody_is_asked_where_there_is_nothing_to_compare(local: Local) -> None:
    nothing = by_meaning("redis", local.ollama(), {}, [], 3)
    other = by_meaning("redis", local.ollama(), {}, [OTHER], 3)

    assert nothing.notes == ("No store keeps vectors, so words alone were searched.",)
    assert len(other.notes) == 1
    assert nothing.near == other.near == ()
    assert local.asked == []


def test_vectors_are_not_even_read_where_it_is_switched_off() -> None:
    def reading() -> Iterator[Held]:
        raise AssertionError
        yield HOMELAB

    meant = by_meaning("redis", PROVIDERS[Provider.OFF], {}, reading(), 3)

    assert meant.near == ()
    assert meant.notes == (
        "Search by meaning is switched off in the settings; words alone were searched.",
    )


def test_a_provider_that_gives_none_is_told(local: Local) -> None:
    meant = by_meaning("redis", local.openai(), {}, [WORK], 3)

    assert meant.near == ()
    assert meant.notes == (
        "A_KEY holds no key for search by meaning. Words alone were searched.",
    )


def test_the_nearest_vectors_are_found() -> None:
    vectors = {"east": [5.0, 0.1], "north": [0.0, 1.0], "west": [-1.0, 0.0]}

    assert [key for key, _ in nearest([1, 0], vectors, 2)] == ["east", "north"]
    assert nearest([1, 0], {}, 2) == []
