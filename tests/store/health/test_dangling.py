"""An edge with an end that is not a memory of the store."""

import pytest

from tests.store.catalogue.stores import (
    Shelf,
    cognitive,
    edge,
    memory,
    note,
    notes,
    own_id,
    relation,
    write,
)

EDGE = "graph/edges/e.md"


def test_a_missing_end_is_named_as_in_the_edge(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 1)
    write(store, EDGE, edge(9, 1, 7, to_title="Gone since"))
    write(store, "graph/fixes/memory-1.md", memory(1, relation(7, "outgoing")))
    shelf.sync()

    (problem,) = shelf.problems()

    assert (problem.code, problem.severity) == ("dangling-link", "warning")
    assert (problem.path, problem.ref) == (EDGE, shelf.edges()[0].ref)
    assert problem.message == (
        f"Broken SOLVES link: no memory with the id “{own_id(7)}” (named “Gone since”)."
    )
    assert shelf.edges()[0].problems == ("dangling-link",)


def test_an_end_without_a_title_is_named_by_its_id(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 1)
    write(store, EDGE, edge(9, 7, 1))
    shelf.sync()

    messages = [p.message for p in shelf.problems() if p.code == "dangling-link"]

    assert len(messages) == 1
    assert f"“{own_id(7)}”" in messages[0]


def test_an_edge_between_two_missing_memories_has_two_problems(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 1)
    write(store, EDGE, edge(9, 7, 8))
    shelf.sync()

    assert shelf.codes() == ["dangling-link", "dangling-link"]
    assert shelf.edges()[0].problems == ("dangling-link",)


@pytest.mark.parametrize(
    ("body", "message", "line"),
    [
        (
            "See [[No such note]].",
            "no memory with the name “No such note”",
            7,
        ),
        (
            "\nSee [it](gone.md).",
            "no memory with the path “gone.md” (named “it”)",
            8,
        ),
    ],
)
def test_a_link_in_a_text_is_a_note_with_its_line(
    shelf: Shelf, body: str, message: str, line: int
) -> None:
    store = notes(shelf.places[0] / ".memory", "tabs")
    write(store, "tabs.md", note("tabs", body))
    shelf.sync()

    (problem,) = shelf.problems()

    assert (problem.code, problem.severity) == ("dangling-link", "note")
    assert (problem.path, problem.line) == ("tabs.md", line)
    assert problem.message == f"Broken link: {message}."


def test_a_very_long_name_is_cut(shelf: Shelf) -> None:
    store = notes(shelf.places[0] / ".memory", "tabs")
    write(store, "tabs.md", note("tabs", f"See [[{'long ' * 100}]]."))
    shelf.sync()

    (problem,) = shelf.problems()

    assert len(problem.message) < 160
    assert "…”" in problem.message
