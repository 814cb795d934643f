"""Records are found during the first sync, before they are indexed."""

import pytest

from store.catalogue.words import listed
from store.kinds.memories import HEADS
from store.library import Page
from store.records.reports import Progress
from store.search.tree import Not
from tests.store.catalogue.search.question import rows, tree_of
from tests.store.catalogue.stores import Shelf, cognitive, memory, note, notes, write
from tests.store.catalogue.words.shelved import catalogue
from tests.store.formats import transcripts_stores as told

pytestmark = pytest.mark.usefixtures("in_one_process", "shown_at_once")

MEMORIES_MADE = 300


def seen_meanwhile(shelf: Shelf, kind: str, *queries: str) -> list[list[int]]:
    """How many records another process finds, repeatedly during a sync."""
    seen: list[list[int]] = []

    def look(_progress: Progress) -> None:
        with catalogue(shelf.catalogue) as connection:
            assert listed(connection, HEADS) == 0
        with shelf.opened() as other:
            counts = [other.lists.count(kind)]
            for query in queries:
                tree = tree_of(query, kind)
                found = rows(other, kind, tree)
                best = other.search.best(tree, Page(limit=5), [kind])
                assert other.lists.count(kind, tree) == len(found)
                assert best.is_more or best.total == len(found)
                assert not best.is_similar
                assert len(found) + other.lists.count(kind, Not(tree)) == counts[0]
                counts.append(len(found))
            seen.append(counts)

    shelf.sync(look)
    return seen


def test_memories_are_found_during_the_first_sync(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    for number in range(MEMORIES_MADE):
        text = memory(number, title=f"Glaze {number}", body=f"Cone six of {number}.")
        write(store, f"graph/fixes/{number}.md", text)

    seen = seen_meanwhile(shelf, "memories", "glaze", "cone six", "laz -zebra", "^gla")

    assert len(seen) > 2
    assert seen == [[count] * 5 for count, *_ in seen]
    assert seen[-1][0] == MEMORIES_MADE


def test_messages_are_found_during_the_first_sync(shelf: Shelf) -> None:
    folder = shelf.places[0] / "projects" / told.SLUG
    for number in range(MEMORIES_MADE):
        line = told.user(f"ask {number}", f"Which cone, {number}?", 1)
        told.put(folder / f"{told.uuid(number)}.jsonl", line)

    seen = seen_meanwhile(shelf, "messages", "cone", '"which cone"', "/con./")

    assert len(seen) > 2
    assert seen == [[count] * 4 for count, *_ in seen]
    assert seen[-1][0] == MEMORIES_MADE


def test_after_the_sync_the_index_finds_the_same(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    for number in range(MEMORIES_MADE):
        write(store, f"graph/fixes/{number}.md", memory(number))
    before: list[list[str]] = []

    def look(_progress: Progress) -> None:
        with shelf.opened() as other:
            found = rows(other, "memories", tree_of("body|memory -7"))
            before.append([str(record.ref) for record in found])

    shelf.sync(look)
    with shelf.opened() as library:
        found = rows(library, "memories", tree_of("body|memory -7"))
        assert [str(record.ref) for record in found] == before[-1]
        assert 0 < len(found) < MEMORIES_MADE


def test_nothing_is_called_unseen_before_the_links_of_its_index_are_known(
    shelf: Shelf,
) -> None:
    store = notes(shelf.places[0] / ".memory", *(f"n{at}" for at in range(150)))
    write(store, "alone.md", note("alone"))

    seen = seen_meanwhile(shelf, "memories", "is:unseen")

    assert seen
    assert {unseen for _, unseen in seen} == {0}
    with shelf.opened() as library:
        assert library.lists.count("memories", tree_of("is:unseen")) == 1
