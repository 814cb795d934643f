"""The journal works without naming a store, in any later process."""

import re
import shutil
from pathlib import Path

import pytest

from tests.tui.cli.changes.stores import GRAPH, NOTES, WORK, Desk, desk
from tests.tui.cli.machine import Machine

PAST = [
    *("change", "at", "action", "store", "stores", "refs", "paths", "undone"),
    *("half_done", "conflicts"),
]
BACKUP = ["backup", "change", "at", "action", "store", "path", "bytes", "kept"]


@pytest.fixture
def ref(graph: Desk) -> str:
    return graph.memory("type:fix", "!is:pinned")["ref"]


def in_another_process(machine: Machine, *words: str) -> tuple[int, str]:
    process = machine.start(*words)
    out, err = process.communicate()
    return process.returncode, (out + err).decode()


def test_a_change_is_undone_by_another_process_without_naming_its_store(
    graph: Desk, ref: str
) -> None:
    before = graph.contents()
    change = graph.one("tag", ref, "+mended")

    code, told = in_another_process(graph.machine, *change["undo"].split()[1:])

    assert (code, told[:8]) == (0, "undone: ")
    assert graph.contents() == before
    code, told = in_another_process(graph.machine, "redo")
    assert (code, told[:8]) == (0, "redone: ")
    assert "mended" in graph.show(ref)["tags"]


def test_changes_are_listed_newest_first_with_their_state(
    graph: Desk, agents: Desk, ref: str
) -> None:
    first = graph.one("tag", ref, "+one")["change"]
    second = agents.one("tag", agents.memory("type:learning")["ref"], "+two")["change"]
    graph.machine.run("undo", first)

    rows = graph.machine.run("history", "--json").rows

    assert all(list(row) == PAST for row in rows)
    told = [(row["change"], row["store"], row["undone"]) for row in rows]
    assert told == [
        (second, str(agents.store), False),
        (first, str(graph.store), True),
    ]
    lines = graph.machine.run("history").out.splitlines()
    assert re.match(rf"{second}\t\d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d\ttagged ", lines[0])
    assert "\tundone\t" in lines[1]
    assert graph.machine.run("history", "--limit", "1").out.splitlines() == lines[:1]
    assert graph.machine.run("history", "--offset", "1").out.splitlines() == lines[1:]
    assert [row["change"] for row in graph.rows("history")] == [first]


def test_a_terminal_shows_the_first_change_without_a_column_of_what_is_undone(
    graph: Desk, ref: str
) -> None:
    change = graph.one("tag", ref, "+one")["change"]

    answer = graph.machine.in_terminal("history")

    assert answer.code == 0
    assert change in answer.out
    assert "undone" not in answer.out


def test_before_the_first_change_there_is_none(machine: Machine) -> None:
    assert machine.run("history").code == 0
    assert machine.run("history").out == ""
    assert not (machine.state / "changes").exists()


@pytest.mark.parametrize("word", ["undo", "redo"])
def test_nothing_to_undo_is_reported(machine: Machine, word: str) -> None:
    answer = machine.run(word)

    assert (answer.code, answer.out) == (1, "")
    assert f"nothing to {word}" in answer.err


def test_with_a_store_its_newest_change_is_undone(
    graph: Desk, agents: Desk, ref: str
) -> None:
    first = graph.one("tag", ref, "+one")["change"]
    agents.one("tag", agents.memory("type:learning")["ref"], "+two")

    assert graph.one("undo")["change"] == first
    nothing_left = graph.run("undo")
    assert nothing_left.code == 1
    assert "nothing to undo" in nothing_left.err


def test_redo_in_a_named_store_is_about_that_store(
    graph: Desk, agents: Desk, ref: str
) -> None:
    first = graph.one("tag", ref, "+one")["change"]
    graph.run("undo")
    agents.one("tag", agents.memory("type:learning")["ref"], "+two")

    assert graph.one("redo", "--dry-run")["action"].startswith("redo tag ")
    assert graph.one("redo")["undo"] == f"recollect undo {first}"
    nothing_left = graph.run("redo")
    assert nothing_left.code == 1
    assert "nothing to redo" in nothing_left.err


def test_a_change_of_two_stores_is_undone_from_either(
    graph: Desk, machine: Machine, samples: Path, ref: str
) -> None:
    work = desk(machine, samples, WORK)
    before = graph.contents(), work.contents()
    machine.run("move", ref, "--to", work.store, "-s", graph.store, "--yes")
    assert graph.contents() != before[0]
    assert [row["stores"] for row in work.rows("history")] == [
        [str(graph.store), str(work.store)]
    ]

    work.one("undo")

    assert (graph.contents(), work.contents()) == before


def test_a_dry_run_of_undo_shows_the_changes(graph: Desk, ref: str) -> None:
    graph.one("tag", ref, "+mended")
    before = graph.contents()

    plan = graph.machine.run("undo", "--dry-run", "--json").rows[0]

    assert plan["action"].startswith("undo tag ")
    assert "-tags: " in plan["steps"][0]["diff"]
    assert graph.contents() == before
    graph.one("undo")
    again = graph.machine.run("redo", "--dry-run", "--json").rows[0]
    assert again["action"].startswith("redo tag ")
    assert "+tags: " in again["steps"][0]["diff"]
    assert graph.rows("history")[0]["undone"]


@pytest.mark.parametrize(
    "words", [("undo",), ("redo",), ("history", "--purge", "--yes")]
)
def test_a_read_only_session_undoes_nothing(
    graph: Desk, ref: str, words: tuple[str, ...]
) -> None:
    graph.one("tag", ref, "+mended")
    before = graph.contents()

    answer = graph.machine.run(*words, "--read-only")

    assert answer.code == 4
    assert graph.contents() == before
    assert len(graph.rows("history")) == 1


def test_a_session_that_is_read_only_does_not_ask_whether_to_forget(
    graph: Desk, ref: str
) -> None:
    graph.one("tag", ref, "+mended")

    answer = graph.machine.in_terminal("history", "--purge", "--read-only")

    assert answer.code == 4
    assert "purge" not in answer.out
    assert len(graph.rows("history")) == 1


@pytest.mark.parametrize("word", ["append", "link", "rename", "tag"])
def test_redo_names_the_records_as_they_are_named_by_now(
    machine: Machine, samples: Path, word: str
) -> None:
    store = desk(machine, samples, NOTES if word == "rename" else GRAPH)
    first, second = (one["ref"] for one in store.memories("!is:pinned")[:2])
    words = {
        "append": ("episode", "title=Kiln day", "type=fix", "summary=It went well."),
        "link": (first, second, "--type", "REQUIRES"),
        "rename": (first, "Another title"),
        "tag": (first, "+mended"),
    }[word]
    made = store.one(word, *words)["refs"]
    store.one("undo")

    again = store.one("redo")["refs"]

    assert made
    assert again == made
    assert store.show(again[0])["ref"] == made[0]


def test_backups_are_private(graph: Desk, ref: str) -> None:
    graph.one("tag", ref, "+mended")

    kept = [*(graph.machine.state / "changes").rglob("*")]

    assert kept
    for path in kept:
        assert path.stat().st_mode & 0o077 == 0 or path.parent.name == "limbo"


def test_backups_of_a_record_are_listed_and_one_is_restored(
    graph: Desk, ref: str
) -> None:
    original = (graph.store / graph.show(ref)["path"]).read_bytes()
    graph.one("tag", ref, "+one")
    graph.one("tag", ref, "+two")

    newest, oldest = graph.rows("backups", ref)

    assert list(newest) == BACKUP
    assert oldest["bytes"] == len(original)
    assert Path(oldest["kept"]).read_bytes() == original
    shown = graph.machine.in_terminal("backups", ref, "-s", graph.store).out
    assert f"\n{oldest['backup'][:8]}  " in shown.replace("\r", "")
    change = graph.one("return", ref, oldest["backup"][:10])
    assert change["refs"] == [ref]
    assert not {"one", "two"} & set(graph.show(ref)["tags"])


def test_a_record_of_a_shared_file_is_restored_alone(agents: Desk) -> None:
    first, second = (one["ref"] for one in agents.memories("type:learning")[:2])
    before = agents.show(first)
    agents.one("tag", first, "+one")
    agents.one("tag", second, "+two")

    newest, oldest, *own = agents.rows("backups", first)

    assert (newest["action"][:3], oldest["action"][:3]) == ("tag", "tag")
    (copy,) = (one for one in own if one["at"][:4] == oldest["at"][:4])
    assert copy["change"] is None
    for backup in (oldest, copy):
        assert "one" in agents.show(first)["tags"]
        change = agents.one("return", first, backup["backup"])
        assert change["action"].startswith("return ")
        assert agents.show(first)["tags"] == before["tags"]
        assert "two" in agents.show(second)["tags"]
        agents.one("undo")
    fresh = agents.one("new", "--title", "Later", "--type", "learning")["refs"][0]
    answer = agents.run("return", fresh, oldest["backup"])
    assert answer.code == 1
    assert "doesn't contain this" in answer.err


def test_a_backup_of_the_store_itself_is_restored(agents: Desk) -> None:
    before = (agents.store / "learnings.jsonl").read_bytes()
    agents.one("tag", agents.memory("type:learning")["ref"], "+one")
    own = [
        row["ref"]
        for row in agents.rows("list", "documents")
        if row["path"].startswith(".backup/learnings.jsonl")
    ]

    answer = agents.run("return", own[0], "--yes")

    assert answer.code == 0, answer.err
    assert (agents.store / "learnings.jsonl").read_bytes() == before


def test_an_unknown_backup_is_reported(graph: Desk, ref: str) -> None:
    answer = graph.run("return", ref, "nonsense")

    assert answer.code == 1
    assert f"No single backup matches 'nonsense'; recollect backups {ref}" in answer.err
    graph.one("tag", ref, "+changed")
    answer = graph.run("return", ref)
    assert f"Name one of its backups: recollect backups {ref} lists them." in answer.err


def test_doctor_checks_the_journal_and_the_backups(graph: Desk, ref: str) -> None:
    graph.one("tag", ref, "+mended")
    shutil.rmtree(graph.machine.state / "changes" / "limbo")

    answer = graph.machine.run("doctor", "--json")

    assert answer.code == 0, answer.out
    assert all(row["good"] for row in answer.rows)
    assert {"journal", "backups"} <= {row["check"] for row in answer.rows}
    for blob in (graph.machine.state / "changes" / "blobs").iterdir():
        blob.write_bytes(b"damaged")
    answer = graph.machine.run("doctor")
    assert answer.code == 1
    assert "backups" in answer.err


def test_the_history_can_be_purged(graph: Desk, ref: str) -> None:
    graph.one("tag", ref, "+mended")

    assert graph.machine.run("history", "--purge").code == 2
    assert graph.machine.run("history", "--purge", "--yes").code == 0

    assert graph.rows("history") == []
    assert "mended" in graph.show(ref)["tags"]
    assert graph.machine.run("undo").code == 1


def test_an_interrupted_change_is_settled_by_the_next_command(
    graph: Desk, ref: str
) -> None:
    path = graph.store / graph.show(ref)["path"]
    before = path.read_bytes()
    graph.one("tag", ref, "+mended")
    journal = graph.machine.state / "changes" / "journal.jsonl"
    begun = journal.read_bytes().rstrip(b"\n").rpartition(b"\n")[0]
    journal.write_bytes(begun + b"\n")
    path.write_bytes(before)

    read_only = graph.run("list", "memories", "--limit", "1", "--read-only")
    assert "was interrupted" not in read_only.err
    answer = graph.run("list", "memories", "--limit", "1")

    assert answer.code == 0
    assert "was interrupted; it was undone." in answer.err
    again = graph.run("list", "memories", "--limit", "1")
    assert again.err == ""
    assert path.read_bytes() == before
