"""All results of a query are changed, confirmed and undone at once."""

import os
import shutil
from pathlib import Path

import pytest

from tests.tui.cli.changes.stores import AGENTS, WORK, Desk, contents, desk
from tests.tui.cli.machine import Machine

QUERY = "type:fix"


def many(graph: Desk) -> int:
    """The number of editable memories that the query finds: all but a damaged one."""
    found = graph.memories(QUERY)
    whole = [row for row in found if "invalid-yaml" not in row["problems"]]
    assert len(found) > len(whole) >= 10
    return len(whole)


def test_without_a_terminal_a_large_change_needs_yes(graph: Desk) -> None:
    count, before = many(graph), graph.contents()

    refused = graph.run("tag", "--query", QUERY, "+mended")

    assert (refused.code, refused.out) == (2, "")
    assert f"tag {count} memories" in refused.err
    assert "--yes" in refused.err
    assert ": The front matter is damaged" in refused.err
    assert graph.contents() == before

    change = graph.one("tag", "--query", QUERY, "+mended", "--yes")
    assert len(change["refs"]) == count
    assert len(graph.memories("tag:mended")) == count


def test_a_change_of_many_records_has_one_undo(graph: Desk) -> None:
    before = graph.contents()
    graph.one("tag", "--query", QUERY, "+mended", "--yes")
    assert len(graph.rows("history")) == 1

    assert graph.run("undo").code == 0

    assert graph.contents() == before


def test_fewer_than_ten_are_changed_without_confirmation(graph: Desk) -> None:
    refs = [row["ref"] for row in graph.memories(QUERY)[:9]]

    assert graph.run("tag", *refs, "+mended").code == 0

    assert len(graph.memories("tag:mended")) == 9


def test_a_query_without_results_changes_nothing_and_says_so(graph: Desk) -> None:
    answer = graph.run("tag", "--query", "type:nonsense", "+x", "--yes")

    assert (answer.code, answer.out) == (0, "")
    assert "'nonsense'" in answer.err
    assert graph.rows("history") == []


def test_an_empty_query_is_refused(graph: Desk) -> None:
    answer = graph.run("delete", "--query", " ", "--yes")

    assert answer.code == 2
    assert "match everything" in answer.err


def test_an_invalid_query_is_wrong_use(graph: Desk) -> None:
    answer = graph.run("pin", "--query", "tpe:fix")

    assert answer.code == 2
    assert "'type'" in answer.err


def test_a_group_that_is_not_closed_changes_nothing(graph: Desk) -> None:
    answer = graph.run("tag", "--query", "(redis", "+x", "--yes")

    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "recollect: A parenthesis isn't closed in '(redis'.\n"
    assert graph.rows("history") == []
    listed = graph.run("list", "memories", "(redis", "--json")
    assert listed.err == f"{answer.err[:-2]}; it ends with the query.\n"
    assert listed.out == graph.run("list", "memories", "redis", "--json").out
    for whole in ("(redis)", "a)"):
        assert "closed" not in graph.run("list", "memories", whole).err


def test_grave_changes_need_confirmation_however_few_they_are(graph: Desk) -> None:
    before, ref = graph.contents(), graph.memory(QUERY)["ref"]

    answer = graph.run("delete", ref)

    assert (answer.code, answer.out) == (2, "")
    assert graph.contents() == before


def in_terminal(
    graph: Desk, *words: str, typed: bytes, asked: bytes
) -> tuple[int, str]:
    """Run it in a terminal, and type an answer to its prompt."""
    with graph.machine.terminal(*words, "-s", str(graph.store)) as terminal:
        shown = terminal.until(asked)
        terminal.type(typed)
        shown += terminal.rest()
        return terminal.process.wait(), shown.decode()


def test_at_a_terminal_the_plan_is_shown_and_yes_applies_it(graph: Desk) -> None:
    words = ("tag", "--query", QUERY, "+mended")

    code, shown = in_terminal(graph, *words, typed=b"y\n", asked=b"[y/N] ")

    assert code == 0
    assert "\n\x1b[36m@@ " in shown.replace("\r", "")
    assert "undo with: recollect undo " in shown
    assert len(graph.memories("tag:mended")) == many(graph)


@pytest.mark.parametrize("typed", [b"\n", b"n\n", b"\x04"])
def test_anything_but_yes_changes_nothing(graph: Desk, typed: bytes) -> None:
    before = graph.contents()
    words = ("tag", "--query", QUERY, "+mended")

    code, shown = in_terminal(graph, *words, typed=typed, asked=b"[y/N] ")

    assert code == 1
    assert "Nothing was changed." in shown
    assert graph.contents() == before


def test_deleting_needs_a_typed_confirmation(graph: Desk) -> None:
    ref, title = (graph.memory(QUERY)[name] for name in ("ref", "title"))
    asked = "“delete 1”".encode()

    code, shown = in_terminal(graph, "delete", ref, typed=b"y\n", asked=asked)
    assert code == 1
    assert f"Delete “{title[:20]}" in shown
    assert "”? Type “delete 1” to confirm:" in shown
    assert graph.show(ref)

    code, _ = in_terminal(graph, "delete", ref, typed=b"delete 1\n", asked=asked)
    assert code == 0
    assert graph.run("show", ref).code == 1


def test_records_of_several_stores_are_one_change(
    graph: Desk, machine: Machine, samples: Path
) -> None:
    other = desk(machine, samples, WORK).store
    here, there = graph.contents(), contents(other)
    query = ("tag", "--query", QUERY, "+mended", "--yes")
    (plan,) = graph.rows(*query, "-s", other, "--dry-run")
    assert not any("b//" in step["diff"] for step in plan["steps"])

    both = graph.one(*query, "-s", other)

    assert both["action"].endswith(" records in 2 stores")
    assert any(path.startswith(str(other)) for path in both["paths"])
    assert graph.contents() != here
    assert contents(other) != there
    assert machine.run("undo").code == 0
    assert (graph.contents(), contents(other)) == (here, there)


def test_a_plan_of_many_records_names_them_and_sums_up_its_files(graph: Desk) -> None:
    rows = graph.memories("!has:problems", "--limit", "22")
    refs, titles = ([row[name] for row in rows] for name in ("ref", "title"))
    words = ("tag", *refs, "+mended", "--dry-run")

    plan, shown = graph.one(*words), graph.run(*words).out.split("\n")

    assert (plan["refs"], plan["titles"]) == (refs, titles)
    named = [f"  {row['ref'][7:15]}  {row['title']}" for row in rows[:20]]
    assert shown[1:22] == [*named, "  and 2 more"]
    files = len({step["path"] for step in plan["steps"]})
    assert shown[22].startswith(f"{files} files, +")
    assert shown[23].startswith("--- ")


def test_a_value_that_one_store_refuses_is_wrong_use_and_names_the_store(
    graph: Desk, machine: Machine, samples: Path
) -> None:
    other = desk(machine, samples, AGENTS).store

    answer = graph.run("set", "--query", "redis", "importance=.5", "--yes", "-s", other)

    assert (answer.code, answer.out) == (2, "")
    assert f"`importance` must be high, medium or low. ({other})" in answer.err


def test_records_of_stores_with_their_own_locks_are_one_change_too(
    graph: Desk, agents: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.files.locks.PATIENCE", 0.0)
    one, other = graph.memory(QUERY)["ref"], agents.memory("type:learning")["ref"]
    before = graph.contents(), agents.contents()
    words = ("tag", one, other, "+mended", "-s", agents.store)

    (agents.store / ".lock").write_text(f"{os.getppid()} 2026-03-01T12:00:00Z\n")
    assert graph.run(*words).code == 3
    (agents.store / ".lock").unlink()
    assert (graph.contents(), agents.contents()) == before

    assert graph.one(*words)["refs"] == [one, other]
    assert graph.machine.run("undo").code == 0
    assert (graph.contents(), agents.contents()) == before


def test_if_one_of_several_changes_fails_the_others_are_reported(
    agents: Desk,
) -> None:
    twin, target = (agents.machine.home / name for name in ("twin", "target"))
    for place in (twin, target):
        shutil.copytree(agents.store, place)
    for empty in ("learnings.jsonl", "core_memories.jsonl"):
        (target / empty).write_text("")
    here = [row["ref"] for row in agents.memories("type:learning", "!is:archived")]
    known = agents.machine.run("list", "memories", "--json", "-s", twin).rows
    like = next(row for row in known if row["id"] == agents.show(here[0])["id"])
    other = next(row for row in known if row["id"] == agents.show(here[1])["id"])
    move = ("move", "--to", target, "-s", twin, "--json")

    both = agents.run(*move, here[0], other["ref"])
    assert both.code == 0, both.err
    assert len(both.rows) == 2
    for _ in both.rows:
        agents.machine.run("undo")
    half = agents.run(*move, here[0], like["ref"])

    assert half.code == 1
    assert len(half.rows) == 1
    assert "1 of 2 changes made, 1 not." in half.err


def test_a_partly_impossible_change_is_not_begun(graph: Desk, agents: Desk) -> None:
    before = graph.contents()
    one, other = graph.memory(QUERY)["ref"], agents.memory("type:learning")["ref"]

    answer = graph.run("move", one, other, "--to", graph.store, "-s", agents.store)

    assert answer.code == 1
    assert graph.contents() == before


def test_a_store_that_vanished_gives_one_short_error(graph: Desk) -> None:
    ref = graph.memory(QUERY)["ref"]
    shutil.rmtree(graph.store)

    answer = graph.run("tag", ref, "+x", "--no-sync")

    assert answer.code == 1
    assert answer.err.count("\n") == 1
