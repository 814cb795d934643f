"""`recollect rebuild --dry-run`: the rebuilt file; see also `changing`."""

import json
from pathlib import Path

import pytest

from tests.store.formats.cognitive_stores import make_small_store, write
from tests.store.formats.contract import tree
from tests.tui.cli.machine import Machine


@pytest.fixture
def store(machine: Machine) -> Path:
    """A store with an empty index."""
    root = machine.home / "store"
    make_small_store(root)
    write(root, "_index.json", '{\n  "version": 2,\n  "entries": {}\n}\n')
    return root


def test_a_dry_run_shows_the_diff_and_writes_nothing(
    machine: Machine, store: Path
) -> None:
    before = tree(store)
    answer = machine.run("rebuild", "index", "--dry-run", "-s", store)
    assert answer.code == 0
    assert "--- a/_index.json\n+++ b/_index.json\n@@ " in answer.out
    assert '\n+      "title": "Redis connection drops",\n' in answer.out
    assert tree(store) == before


def test_a_plan_is_one_object(machine: Machine, store: Path) -> None:
    answer = machine.run("rebuild", "index", "--dry-run", "--json", "-s", store)
    (plan,) = answer.rows
    (step,) = plan["steps"]
    assert step["path"] == "_index.json"
    assert step["before"] == (store / "_index.json").read_text()
    assert json.loads(step["after"])["count"] == 3
    assert step["diff"].startswith("--- a/_index.json\n")
    assert plan["warnings"] == []


def test_the_content_of_a_store_cannot_act_on_the_terminal(
    machine: Machine, store: Path
) -> None:
    write(store, "_index.json", '{"version": 2, "x\x1b[2J": 1}')
    answer = machine.run("rebuild", "index", "--dry-run", "-s", store)
    assert "\x1b" not in answer.out
    assert "␛[2J" in answer.out


def test_warnings_are_separate_from_the_diff(machine: Machine, store: Path) -> None:
    write(store, "graph/fixes/nameless.md", "---\ntitle: One\n---\n\nText.\n")
    answer = machine.run("rebuild", "index", "--dry-run", "-s", store)
    assert "graph/fixes/nameless.md is skipped: no id." in answer.err
    assert "left out" not in answer.out


def test_an_identical_file_is_reported(machine: Machine, store: Path) -> None:
    first = machine.run("rebuild", "index", "--dry-run", "--json", "-s", store)
    write(store, "_index.json", first.rows[0]["steps"][0]["after"])
    answer = machine.run("rebuild", "index", "--dry-run", "-s", store)
    assert (answer.code, answer.out) == (0, "")
    assert "Nothing to change." in answer.err


def test_a_missing_derived_file_is_not_called_identical(
    machine: Machine, store: Path
) -> None:
    answer = machine.run("rebuild", "notes-index", "--dry-run", "-s", store)
    assert (answer.code, answer.out) == (1, "")
    assert "recollect: Unknown index; choose from index, state, core," in answer.err


def test_at_a_terminal_the_diff_is_coloured(machine: Machine, store: Path) -> None:
    answer = machine.in_terminal("rebuild", "index", "--dry-run", "-s", store)
    assert answer.code == 0
    assert "\x1b[32m+" in answer.out
