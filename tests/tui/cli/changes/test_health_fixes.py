"""Problems are listed with their fixes, and fixed; derived files are rebuilt."""

import json
from pathlib import Path

import pytest

from tests.tui.cli.changes.stores import Desk

CODE = "one-sided-link"


def codes(graph: Desk) -> list[str]:
    return [row["code"] for row in graph.rows("health")]


def test_every_problem_is_listed_with_the_command_that_fixes_it(graph: Desk) -> None:
    rows = graph.rows("health")

    fixes = {row["code"]: row["fix"] for row in rows}
    assert fixes[CODE] == f"recollect health --fix {CODE} -s {graph.store}"
    assert rows == graph.rows("list", "problems")
    answer = graph.run("health")
    assert f"\trecollect health --fix {CODE} -s {graph.store}\t" in answer.out


def test_at_a_terminal_a_heading_says_what_can_be_fixed(graph: Desk) -> None:
    answer = graph.machine.in_terminal("health", "-s", graph.store)

    assert f"{CODE} · can be fixed" in answer.out
    assert answer.out.count("recollect health --fix ") == 2
    assert "recollect health --fix safe" in answer.out


def test_problems_with_a_fix_are_found_by_a_query(graph: Desk) -> None:
    found = graph.rows("list", "problems", "has:fix")

    assert found
    assert {row["code"] for row in found} == {
        row["code"] for row in graph.rows("health") if row["fix"]
    }


def test_the_listed_command_fixes_it_and_undo_restores_it(
    graph: Desk,
) -> None:
    before = graph.contents()
    fix = next(row["fix"] for row in graph.rows("health") if row["code"] == CODE)

    answer = graph.machine.run(*fix.split()[1:])

    assert answer.code == 0
    assert answer.out.startswith("fixed ")
    assert CODE not in codes(graph)
    graph.machine.run("undo")
    assert graph.contents() == before
    assert CODE in codes(graph)


def test_several_codes_are_fixed_in_one_change(graph: Desk) -> None:
    change = graph.one("health", "--fix", CODE, "stale-title")

    assert change["action"] == "fix 2 problems"
    assert not {CODE, "stale-title"} & set(codes(graph))


def test_a_dry_run_fixes_nothing(graph: Desk) -> None:
    before = graph.contents()

    plan = graph.one("health", "--fix", CODE, "--dry-run")

    assert plan["steps"]
    assert graph.contents() == before


def test_a_problem_that_cannot_be_fixed_says_why(agents: Desk) -> None:
    (agents.store / ".lock").touch()

    answer = agents.run("health", "--fix", "locked")

    assert (answer.code, answer.out) == (0, "")
    assert ": Another process is using the store." in answer.err


def modes(desk: Desk) -> dict[str, int]:
    """The permissions of the store's folder and its files."""
    paths = [desk.store, *desk.store.rglob("*")]
    return {str(path): path.stat().st_mode & 0o777 for path in paths}


def test_permissions_are_restricted_and_restored(agents: Desk) -> None:
    agents.store.chmod(0o755)
    before, contents = modes(agents), agents.contents()

    plan = agents.one("health", "--fix", "open-permissions", "--dry-run")
    assert {"path": ".", "before": "mode 0755\n", "after": "mode 0700\n"}.items() <= (
        plan["steps"][0].items()
    )
    agents.one("health", "--fix", "open-permissions", "--yes")

    assert set(modes(agents).values()) == {0o700, 0o600}
    assert agents.contents() == contents
    assert "open-permissions" not in codes(agents)
    agents.run("undo")
    assert modes(agents) == before
    assert "open-permissions" in codes(agents)


def test_permissions_are_fixed_along_with_other_problems(agents: Desk) -> None:
    agents.store.chmod(0o755)
    before, contents = modes(agents), agents.contents()
    fixes = ("open-permissions", "damaged-line", "duplicate-id", "index-drift")

    agents.one("health", "--fix", *fixes, "--yes")

    assert set(modes(agents).values()) == {0o700, 0o600}
    assert not {*fixes} & set(codes(agents))
    agents.run("undo")
    assert (modes(agents), agents.contents()) == (before, contents)


def test_permissions_changed_meanwhile_are_left_alone(
    agents: Desk,
) -> None:
    agents.store.chmod(0o755)
    agents.one("health", "--fix", "open-permissions", "--yes")
    agents.store.chmod(0o711)

    refused = agents.run("undo")

    assert refused.code == 3
    assert "mode 0711" in refused.err


def test_the_copy_that_stays_can_be_chosen(agents: Desk) -> None:
    assert "duplicate-id" in codes(agents)

    plan = agents.one("health", "--fix", "duplicate-id", "--way", "newest", "--dry-run")
    agents.one("health", "--fix", "duplicate-id", "--yes")

    assert plan["steps"]
    assert "duplicate-id" not in codes(agents)


def test_without_problems_nothing_is_fixed(graph: Desk) -> None:
    empty = graph.machine.home / "empty"
    (empty / "graph" / "fixes").mkdir(parents=True)
    (empty / "_index.json").write_text('{"version": 2, "count": 0, "entries": {}}')

    answer = graph.machine.in_terminal("health", "-s", empty)

    assert (answer.code, "No problems." in answer.out) == (0, True)


def test_a_derived_file_is_rebuilt_and_undone(graph: Desk) -> None:
    before = graph.contents()
    assert "index-drift" in codes(graph)

    answer = graph.run("rebuild", "index")

    assert answer.code == 0
    assert answer.out.startswith("rebuilt")
    assert "index-drift" not in codes(graph)
    again = graph.run("rebuild", "index")
    assert (again.code, again.out) == (0, "")
    assert "Nothing to change" in again.err
    graph.run("undo")
    assert graph.contents() == before


@pytest.mark.parametrize("what", ["index", "state", "core", "reflection"])
def test_a_dry_run_shows_exactly_what_is_written(graph: Desk, what: str) -> None:
    plan = graph.one("rebuild", what, "--dry-run")
    (step,) = plan["steps"]
    assert step["after"] != (graph.store / step["path"]).read_text()

    now = "2026-03-01T12:00:00Z"
    graph.one("rebuild", what, "--now", now, "--yes")

    planned = graph.one("rebuild", what, "--dry-run", "--now", now)
    assert planned["steps"] == []


def test_several_stores_are_one_change(graph: Desk, agents: Desk) -> None:
    before = graph.contents(), agents.contents()

    change = graph.one("rebuild", "index", "-s", agents.store)

    assert change["action"] == "rebuild index in 2 stores"
    assert {Path(path).name for path in change["paths"]} >= {
        "_index.json",
        "index.json",
    }
    assert graph.machine.run("undo").code == 0
    assert (graph.contents(), agents.contents()) == before


def test_a_rebuilt_index_is_valid_json(agents: Desk) -> None:
    (agents.store / "index.json").write_text("{")

    agents.one("rebuild", "index")

    assert json.loads((agents.store / "index.json").read_text())


def test_a_message_without_room_goes_on_below(graph: Desk) -> None:
    out = graph.machine.in_terminal("health", "-s", graph.store).out

    assert "by line." in out
