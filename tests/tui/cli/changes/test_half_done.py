"""A change that another program interfered with is listed until it is resolved."""

from pathlib import Path

import pytest

from tests.tui.cli.changes.stores import Desk

THEIRS = b"theirs\n"


@pytest.fixture
def half_done(graph: Desk) -> dict[str, str]:
    """A link of which one file is written, while another program wrote the other."""
    first, second = (one["ref"] for one in graph.memories("type:fix", "!is:pinned")[:2])
    paths = [graph.show(ref)["path"] for ref in (first, second)]
    before = graph.contents()
    change = graph.one("link", first, second, "--type", "FOLLOWS")
    journal = graph.machine.state / "changes" / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-1]))
    (graph.store / paths[0]).write_bytes(THEIRS)
    (graph.store / paths[1]).write_bytes(before[paths[1]])
    answer = graph.run("list", "memories", "--limit", "1")
    assert "is half done" in answer.err
    assert f"recollect resolve {change['change']}" in answer.err
    return {"change": change["change"], "theirs": paths[0], "other": paths[1]}


def test_history_lists_it_with_both_versions(
    graph: Desk, half_done: dict[str, str]
) -> None:
    newest, *_ = graph.rows("history")

    assert (newest["change"], newest["half_done"]) == (half_done["change"], True)
    (conflict,) = newest["conflicts"]
    assert (conflict["store"], conflict["path"]) == (
        str(graph.store),
        half_done["theirs"],
    )
    assert conflict["theirs"].encode() == THEIRS
    assert conflict["mine"].startswith(conflict["base"][:30])
    assert conflict["mine"] != conflict["base"]
    answer = graph.run("history")
    assert "\thalf-done\t" in answer.out.splitlines()[0]
    assert half_done["theirs"] in answer.err
    assert "--mine" in answer.err
    assert not any(row["half_done"] for row in graph.rows("history")[1:])


@pytest.mark.parametrize("words", [("undo",), ("redo",), ("undo", "CHANGE")])
def test_undo_and_redo_wait_for_it_and_show_both_versions(
    graph: Desk, half_done: dict[str, str], words: tuple[str, ...]
) -> None:
    before = graph.contents()

    answer = graph.run(*(half_done["change"] if w == "CHANGE" else w for w in words))

    assert (answer.code, answer.out) == (3, "")
    assert "+theirs" in answer.err
    assert "FOLLOWS" in answer.err
    assert f"recollect resolve {half_done['change']}" in answer.err
    assert graph.contents() == before


def test_health_lists_the_file_until_it_is_resolved(
    graph: Desk, half_done: dict[str, str]
) -> None:
    def told() -> list[tuple[str, str]]:
        rows = graph.rows("health")
        found = [row for row in rows if row["code"] == "half-done-change"]
        assert all(row["severity"] == "error" for row in found)
        return [(row["path"], row["fix"]) for row in found]

    command = f"recollect resolve {half_done['change']}"
    assert told() == [(half_done["theirs"], command)]
    assert half_done["theirs"] in graph.run("list", "problems").out
    (graph.store / "another.md").write_bytes(b"something moved\n")
    assert told() == [(half_done["theirs"], command)]
    refused = graph.run("health", "--fix", "half-done-change")
    assert command in refused.err

    graph.one("resolve", half_done["change"], "--dismiss")

    assert told() == []


def test_doctor_reports_it_until_it_is_resolved(
    graph: Desk, half_done: dict[str, str]
) -> None:
    answer = graph.machine.run("doctor", "--json")

    assert answer.code == 3
    (row,) = (row for row in answer.rows if not row["good"])
    assert row["check"] == "half-done"
    assert half_done["theirs"] in row["message"]
    graph.one("resolve", "--dismiss")
    assert graph.machine.run("doctor").code == 0


def test_mine_finishes_the_change(graph: Desk, half_done: dict[str, str]) -> None:
    before = graph.contents()
    plan = graph.one("resolve", "--mine", "--dry-run")
    assert {step["path"] for step in plan["steps"]} >= {
        half_done["theirs"],
        half_done["other"],
    }
    assert graph.contents() == before

    change = graph.one("resolve", half_done["change"], "--mine")

    assert change["action"].startswith("finish link ")
    for name in ("theirs", "other"):
        assert b"FOLLOWS" in (graph.store / half_done[name]).read_bytes()
    assert graph.rows("list", "edges", "type:FOLLOWS")
    graph.one("undo", change["change"])
    assert graph.contents() == before


def test_theirs_stays_and_the_rest_is_undone(
    graph: Desk, half_done: dict[str, str]
) -> None:
    change = graph.one("resolve", half_done["change"], "--theirs")

    assert change["action"].startswith("drop link ")
    assert (graph.store / half_done["theirs"]).read_bytes() == THEIRS
    there = [path for path in change["paths"] if (graph.store / path).exists()]
    assert there == ["_index.json"]


def test_without_a_choice_both_versions_are_shown(
    graph: Desk, half_done: dict[str, str]
) -> None:
    answer = graph.run("resolve")

    assert answer.code == 3
    assert f"{half_done['theirs']} (mine)" in answer.out
    assert f"{half_done['theirs']} (theirs)" in answer.out
    (row,) = graph.run("resolve", "--json").rows
    assert row["change"] == half_done["change"]
    graph.one("resolve", "--dismiss")
    assert graph.run("resolve").code == 0
    assert graph.run("resolve", "--mine").code == 1


def test_another_store_is_not_affected(
    agents: Desk, graph: Desk, half_done: dict[str, str], tmp_path: Path
) -> None:
    del half_done, tmp_path
    ref = agents.memory("type:learning")["ref"]
    agents.one("tag", ref, "+mended")

    assert agents.run("undo").code == 0
    assert graph.run("undo").code == 3


def test_a_read_only_session_resolves_nothing(
    graph: Desk, half_done: dict[str, str]
) -> None:
    before = graph.contents()

    for way in ("--mine", "--theirs", "--dismiss"):
        answer = graph.run("resolve", half_done["change"], way, "--read-only")
        assert answer.code == 4

    assert graph.contents() == before
    assert graph.rows("history")[0]["half_done"]
