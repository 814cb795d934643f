"""Searching during changes: half-read files, a running sync, vanishing stores."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from store.catalogue import unread as look
from store.formats import growing
from store.kinds.conversations import Conversation
from store.kinds.memories import Memory
from store.kinds.messages import Message
from store.library import Library, Page, Progress
from tests.bench.transcripts import make_transcripts
from tests.store.catalogue.search.question import tree_of
from tests.store.catalogue.stores import Shelf, cognitive, memory, notes, write
from tests.store.catalogue.unread.conftest import shelf_of
from tests.store.catalogue.unread.queries import AT_LEISURE, hits, listed, refs
from tests.test_hostile import CLASSES, TOOL

SPOKEN = 300_000
"""Bytes of a transcript that is read in several pieces."""


@pytest.fixture
def in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Transcripts are read and shown a few lines at a time."""
    monkeypatch.setattr(growing, "PIECE", 40_000)
    monkeypatch.setattr("store.catalogue.update._SHOWN_EVERY", -1)


def stop_after(pieces: int) -> Callable[[Progress], None]:
    """Interrupt a sync after a number of pieces."""
    left = iter(range(pieces))

    def report(_progress: Progress) -> None:
        if next(left, None) is None:
            raise InterruptedError

    return report


@pytest.mark.usefixtures("in_pieces")
@pytest.mark.parametrize("pieces", [0, 1, 3])
def test_the_rest_of_a_half_read_file_is_searched(shelf: Shelf, pieces: int) -> None:
    make_transcripts(shelf.places[0] / "projects", SPOKEN, SPOKEN)
    tree = tree_of("redis", "messages")
    with shelf.opened() as library:
        with pytest.raises(InterruptedError):
            library.sync(stop_after(pieces))
        before = list(library.lists.page("messages", Page(), query=tree))
        found = listed(library, "messages", tree)
        talks = listed(library, "conversations", tree_of("redis", "conversations"))
        library.sync()
        after = list(library.lists.page("messages", Page(), query=tree))

    assert 0 < len(before) < len(after)
    assert [row.ref for row in found] == [row.ref for row in after]
    assert talks == []
    for one, other in zip(found, after, strict=True):
        assert isinstance(one, Message)
        assert isinstance(other, Message)
        assert (one.text, one.line, one.uuid) == (other.text, other.line, other.uuid)


@pytest.mark.usefixtures("in_pieces")
def test_a_completely_read_transcript_has_its_conversations(shelf: Shelf) -> None:
    make_transcripts(shelf.places[0] / "projects", SPOKEN, SPOKEN)
    tree = tree_of("redis", "conversations")
    with shelf.opened() as library:
        found = listed(library, "conversations", tree)
        library.sync()
        after = list(library.lists.page("conversations", Page(), query=tree))

    assert found == after
    assert all(isinstance(one, Conversation) for one in found)
    assert found


@pytest.mark.usefixtures("in_one_process", "shown_at_once")
def test_at_every_moment_of_a_sync_everything_is_found(
    stores: Path, whole: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.catalogue.update._BATCH", 60)
    tree = tree_of("redis")
    will_be = refs(hits(whole, tree))
    shelf = shelf_of(tmp_path / "cache/catalogue.db", stores)
    moments: list[list[str]] = []

    def look_on(_progress: Progress) -> None:
        with shelf.opened() as library:
            moments.append(refs(hits(library, tree, looks=True)))

    shelf.sync(look_on)

    assert len(moments) > 5
    assert all(found == will_be for found in moments)


def test_searching_unread_files_does_not_affect_the_sync(
    stores: Path, tmp_path: Path
) -> None:
    looked_at = Shelf(tmp_path / "one/catalogue.db", stores)
    with looked_at.opened() as library:
        hits(library, tree_of("redis"), looks=True)
    left_alone = Shelf(tmp_path / "other/catalogue.db", stores)

    assert looked_at.rows() == left_alone_before(left_alone)
    assert looked_at.sync().changed == left_alone.sync().changed
    assert looked_at.everything() == left_alone.everything()


def left_alone_before(shelf: Shelf) -> dict[str, int]:
    """The rows of an empty catalogue."""
    shelf.opened().close()
    return shelf.rows()


def test_a_store_that_vanished_reports_nothing(shelf: Shelf) -> None:
    cognitive(shelf.places[0] / "a", 2)
    notes(shelf.places[0] / "memory", "kept")
    with shelf.opened() as library:
        library.stores.choose(shelf.found())
        shutil.rmtree(shelf.places[0] / "a")
        found = hits(library, tree_of("note"), looks=True)

    assert [hit.record.path for hit in found if isinstance(hit.record, Memory)] == [
        "kept.md"
    ]


def test_a_file_that_vanishes_meanwhile_is_not_an_error(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = cognitive(shelf.places[0] / "a", 3)
    listed_before = look.what_moved

    def and_then_it_goes(*arguments: object) -> object:
        moved = listed_before(*arguments)  # type: ignore[arg-type]
        (store / "graph/fixes/memory-2.md").unlink()
        return moved

    monkeypatch.setattr(look, "what_moved", and_then_it_goes)
    tree = tree_of("memory")
    with (
        shelf.opened() as library,
        library.search.unread(tree, (), AT_LEISURE) as unread,
    ):
        found = library.search.best(tree, Page(), unread=unread).hits

    assert len(found) == 2
    assert (unread.files, unread.unread, unread.looked) == (3, 3, 2)


def test_large_files_are_left_to_the_sync(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(look, "LARGE", 1000)
    store = cognitive(shelf.places[0] / "a", 1)
    write(store, "graph/fixes/large.md", memory(2, body="Large. " * 1000))
    tree = tree_of("memory")
    with (
        shelf.opened() as library,
        library.search.unread(tree, (), AT_LEISURE) as unread,
    ):
        assert (unread.unread, unread.looked) == (2, 1)


@pytest.mark.usefixtures("in_pieces")
def test_the_end_of_a_large_file_is_searched_once_it_is_near(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_transcripts(shelf.places[0] / "projects", SPOKEN, SPOKEN)
    monkeypatch.setattr(look, "LARGE", SPOKEN // 2)
    tree = tree_of("redis", "messages")
    with shelf.opened() as library:
        assert listed(library, "messages", tree) == []
        with pytest.raises(InterruptedError):
            library.sync(stop_after(5))
        found = [row.ref for row in listed(library, "messages", tree)]
        library.sync()
        assert found == [
            row.ref for row in library.lists.page("messages", Page(), query=tree)
        ]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hostile stores."""
    if not TOOL.exists():
        pytest.skip("The tool that makes hostile stores is not beside the project.")
    folder = tmp_path_factory.mktemp("hostile") / "stores"
    made = [sys.executable, TOOL, "make", folder, "--only", ",".join(CLASSES)]
    subprocess.run(made, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("text", ["e", "/./", "the -a", "日本"])
def test_hostile_stores_are_searched_except_large_files(
    hostile: Path, tmp_path: Path, text: str
) -> None:
    tree = tree_of(text)
    with Shelf(tmp_path / "cache/catalogue.db", hostile).opened() as library:
        before = hits(library, tree, looks=True)
        library.sync()
        after = hits(library, tree)

    found = set(refs(before))
    missing = [
        hit for hit in after if hit.kind == "memory" and hit.record.ref not in found
    ]
    assert found == set(refs(after)) - {hit.record.ref for hit in missing}
    for hit in missing:
        assert isinstance(hit.record, Memory)
        assert Path(hit.record.store, hit.record.path).stat().st_size > look.LARGE
