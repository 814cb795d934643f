"""Records in full, and stores with their counts."""

import pytest

from store.errors import NothingFoundError, UnreadableError
from store.kinds.edges import EdgeInFull
from store.kinds.memories import Relation
from store.kinds.pages import DocumentInFull
from tests.store.catalogue.stores import Shelf, linked, memory, notes, own_id, write
from tests.store.formats.cognitive_stores import CORE, DEPLOY, TIMEOUTS


def test_a_memory_is_shown_with_the_whole_content_of_its_file(small: Shelf) -> None:
    shown = small.show_memory(TIMEOUTS)

    assert shown.memory == small.memory("Fixed Redis connection timeouts")
    assert shown.body.strip() == "See [[deploy to production]]."
    (found,) = shown.relations
    assert isinstance(found, Relation)
    assert (found.type, found.direction, found.strength) == ("SOLVES", "outgoing", 0.8)
    assert found.context == "Keepalive prevents idle disconnections"


def test_a_procedure_is_shown_with_its_steps(small: Shelf) -> None:
    shown = small.show_memory(DEPLOY)

    assert shown.steps == ("Run tests", "Push to registry")
    assert shown.preconditions == ("On main branch",)
    assert shown.postconditions == ("Service healthy",)


def test_other_fields_are_shown_unchanged(shelf: Shelf) -> None:
    write(shelf.places[0], "graph/fixes/a.md", memory(1, mood="[good, better]"))
    shelf.sync()

    assert shelf.show_memory(own_id(1)).fields == {"mood": ["good", "better"]}


def test_a_document_is_shown_with_its_text(small: Shelf) -> None:
    (core,) = (found for found in small.documents() if found.role == "core")

    shown = small.show(core.ref)

    assert isinstance(shown, DocumentInFull)
    assert (shown.document, shown.text) == (core, CORE)


def test_episodes_are_complete_already(small: Shelf) -> None:
    assert small.episodes()
    for record in small.episodes():
        assert small.show(record.ref) == record


def test_an_edge_is_shown_with_the_whole_content_of_its_file(small: Shelf) -> None:
    edge = next(edge for edge in small.edges() if "file" in edge.sides)

    shown = small.show(edge.ref)

    assert isinstance(shown, EdgeInFull)
    assert shown.edge == edge
    assert edge.context is not None
    assert edge.context in shown.body
    assert len(shown.body) > len(edge.context)
    assert set(shown.fields) == {"updated"}


def test_an_episode_names_its_memory(small: Shelf) -> None:
    latest, earlier = small.episodes()

    assert (latest.time, latest.memory) == ("11:15", None)
    assert earlier.memory == small.memory("Fixed Redis connection timeouts").ref
    assert earlier.tags == ("redis", "homelab")


def test_the_text_is_that_of_the_file_now(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    shelf.sync()
    found = shelf.memory("Memory 1")
    write(store, found.path, memory(1, body="Newer.", title="Newer"))

    shown = shelf.show_memory(found.ref)

    assert shown.body.strip() == "Newer."
    assert shown.memory.title == "Memory 1"


def test_a_file_with_another_memory_now_is_reported(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    shelf.sync()
    found = shelf.memory("Memory 1")
    write(store, found.path, memory(5))

    with pytest.raises(
        UnreadableError, match="has changed and no longer contains this"
    ):
        shelf.show(found.ref)


def test_a_missing_file_is_reported(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    shelf.sync()
    found = shelf.memory("Memory 1")
    (store / found.path).unlink()

    with pytest.raises(UnreadableError, match=found.path):
        shelf.show(found.ref)


def test_a_page_that_is_not_one_any_more_is_reported(shelf: Shelf) -> None:
    store = notes(shelf.places[0] / ".memory", "tabs")
    shelf.sync()
    (index,) = shelf.documents()
    (store / index.path).unlink()

    with pytest.raises(UnreadableError, match=r"MEMORY\.md"):
        shelf.show(index.ref)


def test_an_unopened_store_has_no_records(small: Shelf) -> None:
    name = small.memory("Deploy to production").ref
    with small.opened() as library:
        library.stores.choose([])

        with pytest.raises(NothingFoundError):
            library.records.show(name)
        (known,) = library.stores.remembered()
        assert (known.path, known.format) == (small.places[0], "cognitive")


def test_a_store_is_reported_with_its_counts(small: Shelf) -> None:
    (report,) = small.stores()

    assert (report.format, report.path) == ("cognitive", str(small.places[0]))
    assert (report.memories, report.edges, report.episodes) == (3, 2, 2)
    assert report.name == small.places[0].name
    assert report.writable
    assert report.bytes == sum(
        file.stat().st_size
        for file in [*small.places[0].rglob("*.md"), *small.places[0].glob("*.json")]
    ) + len((small.places[0] / ".gitignore").read_bytes())
