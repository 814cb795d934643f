"""The links of every kind of record, from both ends."""

from store.records.answers import Link
from tests.store.catalogue.stores import Shelf, edge, memory, note, notes, own_id, write
from tests.store.formats.cognitive_stores import DROPS, TIMEOUTS, TIMEOUTS_PATH


def told(links: list[Link]) -> list[tuple[str, str, str, str | None]]:
    return [(link.direction, link.by, link.type, link.title) for link in links]


def test_a_memory_has_edges_out_and_in_and_its_mentions(small: Shelf) -> None:
    assert told(small.links(TIMEOUTS)) == [
        ("out", "edge", "SOLVES", "Redis connection drops"),
        ("out", "edge", "link", "deploy to production".capitalize()),
        ("in", "episode", "tells of", "Fixed Redis timeouts"),
        ("in", "document", "names", "Memory Core (auto-generated)"),
        ("in", "document", "names", "Reflection Summary (auto-generated)"),
    ]


def test_an_edge_is_visible_from_its_other_end_as_well(small: Shelf) -> None:
    (out,) = (link for link in small.links(TIMEOUTS) if link.type == "SOLVES")
    (back, *_) = small.links(DROPS)

    assert (out.ref, back.ref) == (
        small.memory("Redis connection drops").ref,
        small.memory("Fixed Redis connection timeouts").ref,
    )
    assert (back.direction, back.by, back.edge) == ("in", "edge", out.edge)
    assert (out.strength, out.context) == (back.strength, back.context) != (None, None)
    assert out.path == back.path


def test_an_edge_links_to_its_start_and_its_end(small: Shelf) -> None:
    (found,) = (one for one in small.edges() if one.type == "SOLVES")

    assert told(small.links(found.ref)) == [
        ("in", "edge", "SOLVES", "Fixed Redis connection timeouts"),
        ("out", "edge", "SOLVES", "Redis connection drops"),
    ]
    assert [link.ref for link in small.links(found.ref)] == [found.from_, found.to]


def test_an_episode_links_to_its_memory_if_it_has_one(small: Shelf) -> None:
    without, one = small.episodes()

    (link,) = small.links(one.ref)

    assert told([link]) == [
        ("out", "episode", "tells of", "Fixed Redis connection timeouts")
    ]
    assert (link.context, link.path) == ("Added keepalive", "episodes/2025-12-13.md")
    assert small.links(without.ref) == []


def test_a_document_links_to_the_memories_that_it_names(small: Shelf) -> None:
    (core,) = (found for found in small.documents() if found.role == "core")

    titles = {link.title for link in small.links(core.ref)}

    assert titles == {"Fixed Redis connection timeouts", "Deploy to production"}
    assert {link.direction for link in small.links(core.ref)} == {"out"}


def test_a_document_that_names_a_memory_twice_links_once(shelf: Shelf) -> None:
    store = notes(shelf.places[0] / ".memory", "tabs")
    write(store, "MEMORY.md", "- [tabs](tabs.md) — One\n- [again](tabs.md) — Two\n")
    shelf.sync()
    (index,) = shelf.documents()

    assert told(shelf.links(index.ref)) == [("out", "document", "names", "tabs")]
    assert told(shelf.links(shelf.memory("tabs").ref)) == [
        ("in", "document", "names", index.title)
    ]


def test_a_broken_link_has_a_title_and_no_ref(shelf: Shelf) -> None:
    write(shelf.places[0], "graph/fixes/a.md", memory(1))
    write(shelf.places[0], "graph/edges/e.md", edge(9, 1, 2, to_title="Gone"))
    shelf.sync()

    (link,) = shelf.links(own_id(1))

    assert (link.direction, link.ref, link.title) == ("out", None, "Gone")


def test_a_memory_that_links_to_itself_is_visible_from_both_ends(shelf: Shelf) -> None:
    store = notes(shelf.places[0] / ".memory")
    write(store, "loop.md", note("loop", "See [[loop]]."))
    shelf.sync()
    name = shelf.memory("loop").ref

    links = shelf.links(name)

    assert [(link.direction, link.ref) for link in links] == [
        ("out", name),
        ("in", name),
    ]


def test_an_unlinked_memory_has_no_links(shelf: Shelf) -> None:
    write(shelf.places[0], TIMEOUTS_PATH, memory(1, type="solution"))
    shelf.sync()

    assert shelf.links(own_id(1)) == []
