"""Each problem has the command that fixes it, if its format knows one."""

from pathlib import Path

import pytest

from store.kinds.problems import Problem
from tests.store.catalogue.stores import Shelf, edge, linked, memory, write


def problems(shelf: Shelf) -> dict[str, Problem]:
    """The problems, by code."""
    return {one.code: one for one in shelf.problems()}


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """A graph in which an edge has an old title, at a path with a space."""
    root = linked(tmp_path / "my graph")
    write(root, "graph/edges/one--SOLVES--two-000009.md", edge(9, 1, 2, to_title="Old"))
    shelf = Shelf(tmp_path / "catalogue.db", root)
    shelf.sync()
    return shelf


def test_the_fix_command_names_code_and_store_quoted_for_a_shell(
    shelf: Shelf,
) -> None:
    fix = problems(shelf)["stale-title"].fix

    assert fix == f"recollect health --fix stale-title -s '{shelf.places[0]}'"


def test_a_problem_that_only_an_editor_can_fix_has_no_command(shelf: Shelf) -> None:
    write(shelf.places[0], "graph/fixes/odd.md", memory(5).replace("id:", "id: ["))
    shelf.sync()

    told = {code: one.fix for code, one in problems(shelf).items()}

    assert None in told.values()
    assert told["stale-title"] is not None


def test_a_later_problem_has_its_command_too(shelf: Shelf) -> None:
    write(shelf.places[0], "graph/edges/other-000008.md", edge(8, 1, 2, to_title="Odd"))
    shelf.sync()

    assert all(one.fix for one in shelf.problems() if one.code == "stale-title")
