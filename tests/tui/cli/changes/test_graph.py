"""Links, names and folders: references follow a memory."""

from pathlib import Path

import pytest

from tests.tui.cli.changes.stores import NOTES, WORK, Desk, contents, desk
from tests.tui.cli.machine import Machine


@pytest.fixture
def ends(graph: Desk) -> tuple[str, str]:
    """Two memories without an edge between them."""
    first, second = graph.memories("type:fix", "!is:pinned", "!is:broken")[:2]
    return first["ref"], second["ref"]


def edges(graph: Desk, start: str, end: str) -> list[str]:
    """The types of the edges from one memory to another."""
    links = graph.rows("links", start)
    return [
        link["type"]
        for link in links
        if (link["by"], link["direction"], link["ref"]) == ("edge", "out", end)
    ]


def test_two_memories_are_linked_and_unlinked_by_their_ends(
    graph: Desk, ends: tuple[str, str]
) -> None:
    before = graph.contents()
    words = ("--type", "CAUSES", "--strength", "0.4", "--context", "It did.")

    change = graph.one("link", *ends, *words)

    assert change["refs"][:2] == [*ends]
    shown = graph.show(change["refs"][2])
    assert (shown["type"], shown["strength"]) == ("CAUSES", 0.4)
    assert shown["context"] == "It did."
    assert set(shown["sides"]) >= {"file", "outgoing", "incoming"}
    refused = graph.run("unlink", *reversed(ends))
    assert f"the other way: recollect unlink {' '.join(ends)}" in refused.err
    graph.one("unlink", *ends)
    assert edges(graph, *ends) == []
    graph.run("undo")
    graph.run("undo")
    assert graph.contents() == before


def test_an_edge_is_unlinked_by_its_ref(graph: Desk, ends: tuple[str, str]) -> None:
    edge = graph.one("link", *ends, "--type", "CAUSES")["refs"][2]

    graph.one("unlink", edge)

    assert graph.run("show", edge).code == 1


def test_of_several_edges_the_type_chooses_one(
    graph: Desk, ends: tuple[str, str]
) -> None:
    graph.one("link", *ends, "--type", "CAUSES")
    graph.one("link", *ends, "--type", "REQUIRES")

    several = graph.run("unlink", *ends)
    assert several.code == 1
    assert "CAUSES" in several.err
    assert "REQUIRES" in several.err
    graph.one("unlink", *ends, "--type", "CAUSES")
    assert edges(graph, *ends) == ["REQUIRES"]
    missing = graph.run("unlink", *ends, "--type", "CAUSES")
    assert missing.code == 1
    assert "No CAUSES edge from" in missing.err


def test_a_memory_is_not_an_edge(graph: Desk, ends: tuple[str, str]) -> None:
    answer = graph.run("unlink", ends[0])

    assert answer.code == 2
    assert "isn't an edge" in answer.err


def test_a_renamed_memory_keeps_its_ref_and_its_links(graph: Desk) -> None:
    memory = graph.memory("links>1", "!is:pinned", "!is:broken")
    links = {link["edge"] for link in graph.rows("links", memory["ref"])}
    before = graph.contents()

    change = graph.one("rename", memory["ref"], "Called otherwise", "--yes")

    assert change["refs"] == [memory["ref"]]
    assert graph.show(memory["ref"])["title"] == "Called otherwise"
    assert {link["edge"] for link in graph.rows("links", memory["ref"])} >= links - {
        None
    }
    graph.run("undo")
    assert graph.contents() == before


def test_a_pinned_memory_moves_to_the_vault_and_keeps_its_ref(
    graph: Desk, ends: tuple[str, str]
) -> None:
    change = graph.one("pin", ends[0])

    assert change["refs"] == [ends[0]]
    shown = graph.show(ends[0])
    assert (shown["pinned"], shown["path"].partition("/")[0]) == (True, "vault")
    graph.one("unpin", ends[0])
    assert not graph.show(ends[0])["pinned"]


def test_a_memory_is_moved_to_another_store_and_back(
    graph: Desk, machine: Machine, samples: Path, ends: tuple[str, str]
) -> None:
    other = desk(machine, samples, WORK)
    here, there = graph.contents(), other.contents()

    change = graph.one("move", ends[0], "--to", other.store, "--yes")

    (ref,) = change["refs"]
    assert other.show(ref)["store"] == str(other.store)
    assert graph.run("show", ends[0]).code == 1
    assert machine.run("undo").code == 0
    assert (graph.contents(), other.contents()) == (here, there)


def test_a_copy_leaves_the_original(
    graph: Desk, machine: Machine, samples: Path, ends: tuple[str, str]
) -> None:
    other = desk(machine, samples, WORK)

    change = graph.one("copy", ends[0], "--to", other.store)

    assert change["refs"][0] == ends[0]
    assert other.show(change["refs"][1])["title"] == graph.show(ends[0])["title"]


@pytest.mark.parametrize("place", ["nowhere", "."])
def test_a_target_that_is_not_a_store_is_reported(
    graph: Desk, ends: tuple[str, str], place: str
) -> None:
    answer = graph.run("move", ends[0], "--to", graph.machine.home / place, "--yes")

    assert answer.code == 1
    assert "No store at" in answer.err


def test_an_unknown_type_of_link_is_answered_with_the_nearest(
    graph: Desk, ends: tuple[str, str]
) -> None:
    answer = graph.run("link", *ends, "--type", "SOLVS")

    assert answer.code == 2
    assert "did you mean 'SOLVES'? (choose from ALTERNATIVE_TO, " in answer.err


def test_the_target_may_be_named_as_in_the_list_of_stores(
    graph: Desk, machine: Machine, samples: Path, ends: tuple[str, str]
) -> None:
    other = desk(machine, samples, WORK)
    (name,) = (
        one["name"] for one in machine.run("stores", "--json", "-s", other.store).rows
    )

    change = graph.one("copy", ends[0], "--to", name, "-s", other.store)
    unknown = graph.run("copy", ends[0], "--to", f"{name}s", "-s", other.store)

    assert other.show(change["refs"][1])["title"] == graph.show(ends[0])["title"]
    assert unknown.code == 1
    assert f"did you mean {name!r}? (open stores: " in unknown.err


def test_a_store_of_another_format_is_refused(
    graph: Desk, machine: Machine, samples: Path, ends: tuple[str, str]
) -> None:
    other = desk(machine, samples, NOTES).store
    before = contents(other)

    answer = graph.run("move", ends[0], "--to", other, "--yes")

    assert answer.code == 1
    assert contents(other) == before


def test_two_memories_are_merged_and_both_restored(
    graph: Desk, ends: tuple[str, str]
) -> None:
    before = graph.contents()
    first, second = (graph.show(ref) for ref in ends)

    change = graph.one(
        *("merge", *ends, "--field", f"importance={ends[1]}"),
        *("--field", "title=Both of them", "--body", ends[1], "--yes"),
    )

    assert change["refs"] == [ends[0]]
    shown = graph.show(ends[0])
    assert shown["title"] == "Both of them"
    assert shown["importance"] == second["importance"]
    assert shown["body"].strip() == second["body"].strip()
    assert set(shown["tags"]) == {*first["tags"], *second["tags"]}
    assert graph.run("show", ends[1]).code == 1
    graph.run("undo")
    assert graph.contents() == before


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("A", "A"), "two or more different memories"),
        (("A",), "two or more different memories"),
        (("A", "B", "--body", "C"), "isn't one of the merged memories"),
        (
            ("A", "B", "--field", "title=memory:ffff"),
            "isn't one of the merged memories",
        ),
        (("A", "B", "--field", "nonsense=B"), "has no field 'nonsense'"),
    ],
)
def test_an_impossible_merge_is_wrong_use(
    graph: Desk, ends: tuple[str, str], words: tuple[str, ...], told: str
) -> None:
    first, second = ends
    place = {"A": first, "B": second, "nonsense=B": f"nonsense={second}"}

    answer = graph.run("merge", *(place.get(word, word) for word in words), "--yes")

    assert (answer.code, answer.out) == (2, "")
    assert told in answer.err
