"""Each problem comes with the command that mends it, as far as its format says so."""

from pathlib import Path

import pytest

from store.records.problem import Problem
from tests.store.catalogue.stores import Shelf, edge, linked, memory, write


def problems(shelf: Shelf) -> dict[str, Problem]:
    """What is wrong, by code."""
    return {one.code: one for one in shelf.problems()}


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """A graph in which an edge copies an old title, at a path with a blank."""
    root = linked(tmp_path / "my graph")
    write(root, "graph/edges/one--SOLVES--two-000009.md", edge(9, 1, 2, to_title="Old"))
    shelf = Shelf(tmp_path / "catalogue.db", root)
    shelf.sync()
    return shelf


def test_the_command_names_the_code_and_the_store_as_a_shell_wants_it(
    shelf: Shelf,
) -> None:
    fix = problems(shelf)["stale-title"].fix

    assert fix == f"recollect health --fix stale-title -s '{shelf.places[0]}'"


def test_what_only_an_editor_mends_has_no_command(shelf: Shelf) -> None:
    write(shelf.places[0], "graph/fixes/odd.md", memory(5).replace("id:", "id: ["))
    shelf.sync()

    told = {code: one.fix for code, one in problems(shelf).items()}

    assert None in told.values()
    assert told["stale-title"] is not None


def test_a_problem_that_came_later_has_its_command_too(shelf: Shelf) -> None:
    write(shelf.places[0], "graph/edges/other-000008.md", edge(8, 1, 2, to_title="Odd"))
    shelf.sync()

    assert all(one.fix for one in shelf.problems() if one.code == "stale-title")
