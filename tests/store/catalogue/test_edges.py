"""Edges combined from every place that states them."""

import json
import os

from store.catalogue.reader import Page
from tests.store.catalogue.stores import (
    NOON,
    Shelf,
    cognitive,
    edge,
    linked,
    memory,
    note,
    notes,
    own_id,
    relation,
    write,
)


def test_an_edge_file_and_both_ends_make_one_edge(shelf: Shelf) -> None:
    linked(shelf.places[0] / "a")
    shelf.sync()

    (found,) = shelf.edges()

    assert found.sides == ("file", "outgoing", "incoming")
    assert (found.id, found.type, found.created) == (own_id(9), "SOLVES", NOON)
    assert (found.from_title, found.to_title) == ("Memory 1", "Memory 2")
    assert found.from_ == shelf.memory("Memory 1").ref
    assert found.to == shelf.memory("Memory 2").ref
    assert found.path == "graph/edges/one--SOLVES--two-000009.md"
    assert found.context == "Edge 9."


def test_without_its_file_the_two_ends_still_make_one_edge(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    (store / "graph/edges/one--SOLVES--two-000009.md").unlink()
    shelf.sync()

    (found,) = shelf.edges()

    assert found.sides == ("outgoing", "incoming")
    assert (found.id, found.path) == (own_id(9), "graph/fixes/one.md")


def test_ids_name_the_same_memory_in_any_case(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    upper = own_id(0xABCDEF).upper()
    target = relation(0xABCDEF, "outgoing").replace(own_id(0xABCDEF), upper)
    write(store, "graph/fixes/one.md", memory(1, target))
    write(store, "graph/fixes/two.md", memory(0xABCDEF, title="Two"))
    shelf.sync()

    (found,) = shelf.edges()

    assert found.to == shelf.memory("Two").ref


def test_two_edge_files_between_the_same_memories_are_two_edges(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    write(store, "graph/edges/again.md", edge(10, 1, 2))
    shelf.sync()

    found = {one.id: one for one in shelf.edges()}

    assert set(found) == {own_id(9), own_id(10)}
    assert found[own_id(9)].sides == ("file", "outgoing", "incoming")
    assert found[own_id(10)].sides == ("file",)
    assert found[own_id(9)].ref != found[own_id(10)].ref


def test_an_edge_keeps_its_ref_when_neighbours_come_and_go(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    shelf.sync()
    (before,) = shelf.edges()
    write(store, "graph/edges/again.md", edge(10, 1, 2))
    shelf.sync()
    again = {one.id: one.ref for one in shelf.edges()}
    write(store, before.path, edge(9, 1, 2, strength="0.4"))
    shelf.sync()
    touched = {one.id: one.ref for one in shelf.edges()}
    (store / "graph/edges/again.md").unlink()
    shelf.sync()
    (after,) = shelf.edges()

    assert again == touched
    assert again[own_id(9)] == before.ref == after.ref


def test_edges_that_share_an_id_have_refs_of_their_own(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    write(store, "graph/edges/x-copied.md", edge(9, 2, 1))
    write(store, "graph/edges/y-copied.md", edge(9, 1, 2))
    shelf.sync()

    found = shelf.edges()

    assert [one.id for one in found] == [own_id(9)] * 3
    assert len({one.ref for one in found}) == 3
    assert [shelf.row(one.ref) for one in found] == found


def test_refs_of_edges_do_not_depend_on_the_order_of_reading(
    shelf: Shelf,
) -> None:
    store = linked(shelf.places[0] / "a")
    for name in "xyz":
        write(store, f"graph/edges/{name}.md", edge(9, 1, 2, strength="0.4"))
    shelf.sync()
    before = shelf.everything()
    for name in "xzy":
        write(store, f"graph/edges/{name}.md", edge(9, 1, 2, strength="0.4"))
        shelf.sync()

    assert shelf.everything() == before


def test_edges_can_be_rebuilt_after_a_list_was_read(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    write(store, "graph/edges/again.md", edge(10, 1, 2))
    with shelf.opened() as library:
        library.sync()
        assert len(list(library.lists.page("edges", Page()))) == 2
        write(store, "graph/edges/again.md", edge(10, 1, 2, strength="0.3"))
        library.sync()

        assert len(list(library.lists.page("edges", Page()))) == 2


def test_a_flaw_in_an_edge_file_belongs_to_the_edge(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    write(store, "graph/edges/again.md", edge(10, 1, 2, strength="very"))
    shelf.sync()

    (problem,) = [one for one in shelf.problems() if one.code == "bad-strength"]

    assert problem.ref == next(one.ref for one in shelf.edges() if one.id == own_id(10))


def test_a_missing_end_is_null_and_named_as_in_the_edge(
    shelf: Shelf,
) -> None:
    store = cognitive(shelf.places[0] / "a", 1)
    write(store, "graph/edges/e.md", edge(9, 1, 7, to_title="Gone since"))
    shelf.sync()

    (found,) = shelf.edges()

    assert (found.from_title, found.to, found.to_title) == (
        "Memory 1",
        None,
        "Gone since",
    )
    assert found.problems == ("dangling-link", "one-sided-link")[:1]
    assert shelf.memory("Memory 1").links_out == 1


def test_a_new_memory_takes_over_its_edges(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    write(store, "graph/edges/e.md", edge(9, 1, 2, to_title="An old title"))
    shelf.sync()
    (before,) = shelf.edges()
    for number in (1, 2):
        write(store, f"graph/fixes/{number}.md", memory(number))
    shelf.sync()
    (after,) = shelf.edges()

    assert (before.from_, before.to, before.to_title) == (None, None, "An old title")
    assert (after.ref, after.to_title) == (before.ref, "Memory 2")
    assert None not in (after.from_, after.to)


def test_links_are_counted_on_both_ends(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 3)
    for number, (start, end) in enumerate([(1, 2), (1, 3), (3, 2), (2, 2), (3, 8)]):
        write(store, f"graph/edges/{number}.md", edge(20 + number, start, end))
    shelf.sync()

    counts = {one.title[-1]: (one.links_in, one.links_out) for one in shelf.memories()}

    assert counts == {"1": (0, 2), "2": (3, 1), "3": (1, 2)}
    (store / "graph/edges/0.md").unlink()
    shelf.sync()
    assert shelf.memory("Memory 1").links_out == 1


def test_the_index_is_one_more_side(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    ends = {"from_id": own_id(1), "to_id": own_id(2), "type": "SOLVES"}
    write(store, "_index.json", json.dumps({"version": 2, "edges": {own_id(9): ends}}))
    shelf.sync()

    (found,) = shelf.edges()

    assert found.sides == ("file", "outgoing", "incoming", "index")


def test_wikilinks_find_a_memory_by_title_or_file_in_any_spelling(
    shelf: Shelf,
) -> None:
    store = notes(shelf.places[0] / ".memory", "Use tabs")
    (store / "Use tabs.md").rename(store / "tabs_rule.md")
    for number, link in enumerate(["use-TABS", "Use_tabs", "tabs rule", "TABS-RULE"]):
        write(store, f"n{number}.md", note(f"note {number}", f"See [[{link}]]."))
    write(store, "lost.md", note("lost", "See [[no such note]]."))
    shelf.sync()

    found = {one.from_title: one.to_title for one in shelf.edges()}

    assert found == dict.fromkeys([f"note {n}" for n in range(4)], "Use tabs") | {
        "lost": "no such note"
    }
    assert shelf.memory("Use tabs").links_in == 4


def test_a_link_to_a_moved_file_finds_it_by_its_name(shelf: Shelf) -> None:
    store = notes(shelf.places[0] / ".memory", "tabs")
    write(store, "style.md", note("style", "See [tabs](tabs.md)."))
    write(store, "deep/style.md", note("deep style", "See [tabs](../tabs.md)."))
    shelf.sync()
    before = [one.to for one in shelf.edges()]
    (store / "archive").mkdir()
    (store / "tabs.md").rename(store / "archive/tabs.md")

    shelf.sync()

    moved = shelf.memory("tabs")
    assert (len(before), None in before) == (2, False)
    assert [one.to for one in shelf.edges()] == [moved.ref, moved.ref]
    assert moved.archived


def test_a_file_name_that_is_not_text_does_no_harm(shelf: Shelf) -> None:
    store = notes(shelf.places[0] / "b", "One", "Two")
    write(store, "three.md", note("Three", body="See [[two]]."))
    write(store, os.fsdecode(b"b\xffd.md"), note("Bad"))
    shelf.sync()

    (found,) = shelf.edges()
    assert found.to == shelf.memory("Two").ref
