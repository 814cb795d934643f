"""Unread files are counted, and facts that need all files are not reported."""

from collections.abc import Sequence

import pytest
from filelock import FileLock

from store.errors import CatalogueBusyError
from store.kinds import Record
from store.kinds.memories import Memory
from store.library import Library, Page, Progress
from store.search.tree import EVERYTHING, Node
from tests.store.catalogue.search.question import tree_of
from tests.store.catalogue.stores import Shelf, cognitive, linked, memory, note, write
from tests.store.catalogue.unread.queries import AT_LEISURE, listed


def sentence(library: Library, tree: Node, kind: str = "memories") -> str | None:
    with library.search.unread(tree, [kind], AT_LEISURE) as unread:
        return unread.sentence


def called(records: Sequence[Record]) -> list[str]:
    """The titles of memories, sorted."""
    return sorted(record.title for record in records if isinstance(record, Memory))


def test_unread_files_are_counted(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 3)
    with shelf.opened() as library:
        about = tree_of("memory")
        assert sentence(library, about) == (
            "3 of 3 files are not read yet; 3 of them were searched anyway."
        )
        library.sync()
        assert sentence(library, about) is None
        write(store, "graph/fixes/memory-4.md", memory(4))
        assert sentence(library, about) == (
            "1 of 4 files is not read yet; 1 of them was searched anyway."
        )
        assert sentence(library, EVERYTHING) == "1 of 4 files is not read yet."


def test_without_time_nothing_is_searched(shelf: Shelf) -> None:
    cognitive(shelf.places[0] / "a", 3)
    about = tree_of("memory")
    with shelf.opened() as library, library.search.unread(about, (), 0) as unread:
        assert unread.sentence == "3 of 3 files are not read yet."
        assert library.search.best(about, Page(), unread=unread).hits == []


def test_unfinished_assembly_is_reported(shelf: Shelf) -> None:
    linked(shelf.places[0] / "a")

    def stop(_progress: Progress) -> None:
        raise InterruptedError

    with shelf.opened() as library:
        with pytest.raises(InterruptedError):
            library.sync(stop)
        told = sentence(library, tree_of("memory"))

    assert told == "All files are read; their links are not resolved yet."


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("memories", "is:orphan"),
        ("memories", "links>0"),
        ("memories", "stage:active memory"),
        ("memories", "-has:problems"),
        ("edges", "solves"),
        ("problems", "memory"),
    ],
)
def test_facts_that_need_all_files_are_not_reported_for_some(
    shelf: Shelf, kind: str, text: str
) -> None:
    linked(shelf.places[0] / "a")
    with shelf.opened() as library:
        tree = tree_of(text, kind)
        assert sentence(library, tree, kind) == "3 of 3 files are not read yet."
        assert listed(library, kind, tree) == []


def test_a_strength_that_other_files_decide_is_not_guessed(shelf: Shelf) -> None:
    cognitive(shelf.places[0] / "a", 1)
    with shelf.opened() as library:
        (found,) = listed(library, "memories", tree_of("memory", "memories"))

    assert isinstance(found, Memory)
    assert (found.strength, found.stage) == (None, None)


def test_a_changed_file_is_shown_as_it_is_now(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 2)
    with shelf.opened() as library:
        library.sync()
        write(store, "graph/fixes/memory-2.md", memory(2, title="Memory of now"))
        tree = tree_of("memory", "memories")

        found = called(listed(library, "memories", tree))
        with library.search.unread(tree, (), AT_LEISURE) as unread:
            best = library.search.best(tree, Page(), unread=unread)

    assert found == ["Memory 1", "Memory of now"]
    assert called([hit.record for hit in best.hits]) == found
    assert best.total == 2


def test_exact_hits_come_before_similar_ones(shelf: Shelf) -> None:
    store = shelf.places[0] / "memory"
    write(store, "MEMORY.md", "- [a](keepalive-settings.md)\n")
    write(store, "keepalive-settings.md", note("keepalive-settings"))
    with shelf.opened() as library:
        library.sync()
        tree = tree_of("keepalivee")
        assert library.search.best(tree, Page()).is_similar
        write(store, "new.md", note("new", "About keepalivee."))

        with library.search.unread(tree, (), AT_LEISURE) as unread:
            best = library.search.best(tree, Page(), unread=unread)

    assert not best.is_similar
    assert [hit.kind for hit in best.hits] == ["memory"]


def test_without_waiting_the_other_reader_is_reported_at_once(shelf: Shelf) -> None:
    cognitive(shelf.places[0] / "a", 1)
    with shelf.opened() as library:
        lock = FileLock(shelf.catalogue.with_name("catalogue.db.lock"))
        with lock, pytest.raises(CatalogueBusyError):
            library.sync(waits=False)
        assert library.sync(waits=False).changed == 1
