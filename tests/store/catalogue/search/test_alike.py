"""Memories similar to one, found by the index, with their links."""

import json

import pytest

from store.errors import AmbiguousError, NothingFoundError
from store.records.answers import Similar
from tests.store.catalogue.stores import (
    Shelf,
    cognitive,
    edge,
    memory,
    note,
    own_id,
    relation,
    write,
)

TAGS = "[redis, homelab]"


def similar(
    shelf: Shelf, title: str, limit: int = 20, *, unlinked: bool = False
) -> list[Similar]:
    """The memories similar to one with this title, without any complaint."""
    complaints: list[str] = []
    with shelf.opened() as library:
        found = library.search.similar(
            shelf.memory(title).ref, limit, complaints.append, unlinked=unlinked
        )
    assert complaints == []
    return found


def titles(found: list[Similar]) -> list[str]:
    return [one.memory.title for one in found]


@pytest.fixture
def kiln(shelf: Shelf) -> Shelf:
    """Memories about timeouts, linked ones, and many others."""
    store = cognitive(shelf.places[0] / "a", 0)
    texts = {
        1: (
            "Timeouts",
            "[Redis, timeout]",
            "The socket_keepalive of the firewall valve.",
        ),
        2: ("Drops", "[redis]", "The firewall valve lacks any socket_keepalive."),
        3: ("Proxy", "[timeout]", "The keepalive of a socket, in other words."),
        4: ("Backup", "[nas]", "Copies the volumes."),
        5: ("Cafes", "[]", "京都の喫茶店 near the firewall"),
        6: ("Cake", "[]", "喫茶店の cake"),
    }
    for number in range(10, 20):
        write(store, f"graph/fixes/{number}.md", memory(number, body="The stones."))
    for number, (title, tags, body) in texts.items():
        entries = {
            1: [relation(3, "outgoing", edge=own_id(9))],
            3: [relation(1, "incoming", edge=own_id(9))],
        }.get(number, [])
        text = memory(number, *entries, title=title, body=body, tags=tags)
        write(store, f"graph/fixes/{number}.md", text)
    write(store, "graph/edges/link.md", edge(9, 1, 3))
    shelf.sync()
    return shelf


def test_the_most_similar_come_first_with_reason_and_link(kiln: Shelf) -> None:
    first, second, third = similar(kiln, "Timeouts")

    assert titles([first, second, third]) == ["Drops", "Proxy", "Cafes"]
    assert first.reason.startswith("1 shared tag: redis; rare words: valve, firewall")
    assert second.reason == "1 shared tag: timeout"
    assert third.reason == "rare words: firewall"
    assert 1 >= first.score > second.score > third.score > 0
    assert [one.linked for one in (first, second, third)] == [False, True, False]


def test_links_count_in_either_direction(kiln: Shelf) -> None:
    (found,) = (one for one in similar(kiln, "Proxy") if one.memory.title == "Timeouts")

    assert found.linked


def test_linked_memories_can_be_left_out(kiln: Shelf) -> None:
    assert titles(similar(kiln, "Timeouts", unlinked=True)) == ["Drops", "Cafes"]
    assert titles(similar(kiln, "Timeouts", 1)) == ["Drops"]


def test_scripts_without_spaces_are_compared_too(kiln: Shelf) -> None:
    (only,) = similar(kiln, "Cake")

    assert only.memory.title == "Cafes"
    assert only.reason == "rare words: 喫茶, 茶店"


def test_nothing_is_similar_without_shared_words(kiln: Shelf) -> None:
    assert similar(kiln, "Backup") == []


def test_a_page_with_a_word_is_not_a_memory(shelf: Shelf) -> None:
    store = shelf.places[0] / ".memory"
    write(store, "glaze.md", note("glaze", "Cobalt, thinly."))
    write(store, "kiln.md", note("kiln", "Slowly."))
    write(
        store, "MEMORY.md", "- [glaze](glaze.md) — cobalt\n- [kiln](kiln.md) — warm\n"
    )
    shelf.sync()

    assert "cobalt" not in "".join(one.reason for one in similar(shelf, "glaze"))


def test_memories_of_unopened_stores_are_not_compared(
    kiln: Shelf,
) -> None:
    other = cognitive(kiln.places[0] / "b", 0)
    write(other, "graph/fixes/1.md", memory(7, title="Twin", tags="[redis]"))
    kiln.sync()
    assert "Twin" in titles(similar(kiln, "Drops"))
    with kiln.opened() as library:
        library.stores.choose([one for one in kiln.found() if one.path.name == "a"])
        found = library.search.similar(kiln.memory("Drops").ref, 20, pytest.fail)

    assert "Twin" not in titles(found)


def test_a_duplicate_is_similar_to_its_copy(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    for name in ("one", "two"):
        write(store, f"graph/fixes/{name}.md", memory(1, tags=TAGS, title=name))
    shelf.sync()

    assert titles(similar(shelf, "one")) in (["one"], ["two"])


def test_vectors_find_memories_without_shared_words(kiln: Shelf) -> None:
    store = kiln.places[0] / "a"
    entries = {own_id(1): [1, 0], own_id(2): [0.9, 0.1], own_id(4): [1, 0.1]}
    entries[own_id(5)] = [-1, 0]
    write(store, "_embeddings.json", json.dumps({"model": "m", "entries": entries}))

    found = similar(kiln, "Timeouts")

    assert titles(found) == ["Drops", "Backup", "Proxy", "Cafes"]
    assert found[0].reason.endswith("; meaning 0.99")
    assert found[1].reason == "meaning 1.00"
    assert found[3].reason == "rare words: firewall"


def test_vectors_of_other_models_are_not_compared(kiln: Shelf) -> None:
    other = cognitive(kiln.places[0] / "b", 0)
    write(other, "graph/fixes/1.md", memory(7, title="Twin"))
    for store, number, model in (("a", 1, "m"), ("b", 7, "n")):
        told = {"model": model, "entries": {own_id(number): [1, 0]}}
        write(kiln.places[0] / store, "_embeddings.json", json.dumps(told))
    kiln.sync()

    assert "Twin" not in titles(similar(kiln, "Timeouts"))


def test_damaged_vectors_are_reported_and_words_still_work(kiln: Shelf) -> None:
    write(kiln.places[0] / "a", "_embeddings.json", "{")
    complaints: list[str] = []
    with kiln.opened() as library:
        found = library.search.similar(
            kiln.memory("Timeouts").ref, 20, complaints.append
        )

    assert titles(found) == ["Drops", "Proxy", "Cafes"]
    (complaint,) = complaints
    assert complaint.startswith(f"Can't use the vectors in {kiln.places[0] / 'a'}:")


def test_a_memory_can_be_named_as_elsewhere(kiln: Shelf) -> None:
    with kiln.opened() as library:
        assert titles(library.search.similar(own_id(4)[:8], 20, pytest.fail)) == []
        with pytest.raises(AmbiguousError):
            library.search.similar("0000000", 20, pytest.fail)
        (link,) = kiln.edges()
        with pytest.raises(NothingFoundError, match="isn't a memory"):
            library.search.similar(link.ref, 20, pytest.fail)
