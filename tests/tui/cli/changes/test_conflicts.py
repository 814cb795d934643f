"""Concurrent writes are never lost, and cause exit code 3."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.tui.cli.changes.stores import NOTES, Desk, desk
from tests.tui.cli.machine import Machine


def page(graph: Desk, ref: str) -> Path:
    return graph.store / graph.show(ref)["path"]


@pytest.fixture
def ref(graph: Desk) -> str:
    return graph.memory("type:fix", "!is:pinned")["ref"]


def test_a_concurrent_change_is_not_overwritten(
    graph: Desk, ref: str, tmp_path: Path
) -> None:
    path = page(graph, ref)
    editor = tmp_path / "editor"
    editor.write_text(
        f"#!/bin/sh\necho 'By another.' >> '{path}'\necho 'By me.' >> \"$1\"\n"
    )
    editor.chmod(0o700)

    answer = graph.run("edit", ref, EDITOR=str(editor))

    assert (answer.code, answer.out) == (3, "")
    assert path.read_text().endswith("By another.\n")
    assert f"recollect edit {ref} --draft" in answer.err
    undecided = graph.run("edit", ref, "--draft", EDITOR="sed -i s/By.me/Mine/")
    assert undecided.code == 1
    assert "Conflict markers" in undecided.err
    kept = graph.run("edit", ref, "--draft", EDITOR="sed -i -E '/^(<|=|>){7}/d'")
    assert kept.code == 0
    assert path.read_text().endswith("Mine.\nBy another.\n")


def test_at_a_terminal_the_user_decides_between_two_texts(
    graph: Desk, ref: str, tmp_path: Path
) -> None:
    path = page(graph, ref)
    before = path.read_text()
    editor = tmp_path / "editor"
    editor.write_text(
        f"#!/bin/sh\ngrep -q '^<<<' \"$1\" && sed -i -E '/^(<|=|>){{7}}/d' \"$1\" "
        f"&& exit\necho 'By another.' >> '{path}'\necho 'By me.' >> \"$1\"\n"
    )
    editor.chmod(0o700)
    for key, end in (
        (b"", "By another.\n"),
        (b"t", "By another.\n"),
        (b"m", "By me.\n"),
        (b"b", "By me.\nBy another.\n"),
    ):
        path.write_text(before)
        words = ("edit", ref, "-s", graph.store)
        with graph.machine.terminal(*words, EDITOR=str(editor)) as terminal:
            shown = terminal.until(b"later: ").decode()
            terminal.type(key + b"\n")
            terminal.rest()
            assert terminal.process.wait() == (0 if key else 3)
        assert "+By another." in shown
        assert "+By me." in shown
        assert path.read_text().endswith(before[-20:] + end)


def test_concurrent_changes_of_different_fields_are_not_a_conflict(
    graph: Desk, ref: str, tmp_path: Path
) -> None:
    path = page(graph, ref)
    before = path.read_text()
    tags = next(line for line in before.split("\n") if line.startswith("tags:"))
    editor = tmp_path / "editor"
    editor.write_text(
        f"#!/bin/sh\nsed -i 's/^importance:.*/importance: 0.11/' '{path}'\n"
        "sed -i 's/^tags:.*/tags: [mine]/' \"$1\"\n"
    )
    editor.chmod(0o700)

    answer = graph.run("edit", ref, EDITOR=str(editor))

    assert answer.code == 0
    assert "both changes were merged" in answer.err
    after = path.read_text()
    assert "importance: 0.11\n" in after
    assert "tags: [mine]\n" in after
    assert tags not in after


def test_keeping_theirs_leaves_a_draft(graph: Desk, ref: str, tmp_path: Path) -> None:
    path = page(graph, ref)
    editor = tmp_path / "editor"
    editor.write_text(
        f"#!/bin/sh\necho 'By another.' >> '{path}'\necho 'By me.' >> \"$1\"\n"
    )
    editor.chmod(0o700)
    words = ("edit", ref, "-s", graph.store)
    with graph.machine.terminal(*words, EDITOR=str(editor)) as terminal:
        terminal.until(b"later: ")
        terminal.type(b"t\n")
        terminal.rest()
        assert terminal.process.wait() == 0

    assert path.read_text().endswith("By another.\n")
    drafts = (graph.machine.state / "changes").glob("drafts/*")
    assert any(b"By me." in draft.read_bytes() for draft in drafts)


def test_a_record_changed_since_is_not_undone(graph: Desk, ref: str) -> None:
    change = graph.one("tag", ref, "+mended")["change"]
    path = page(graph, ref)
    with path.open("a") as file:
        file.write("By another.\n")
    before = graph.contents()

    answer = graph.machine.run("undo", change)

    assert (answer.code, answer.out) == (3, "")
    assert "\n+By another.\n" in answer.err
    assert graph.contents() == before
    assert not graph.rows("history")[0]["undone"]


def test_an_undo_refused_for_a_later_change_shows_no_diff(graph: Desk) -> None:
    ref = graph.memory("!is:pinned", "!has:problems")["ref"]
    tagged = graph.one("tag", ref, "+mended")["change"]
    pinned = graph.one("pin", ref)

    answer = graph.run("undo", tagged)

    assert answer.code == 3
    reason, *more = answer.err.splitlines()
    assert reason.startswith("recollect: A later change builds on it: pin “")
    assert reason.endswith(f"Undo that first: recollect undo {pinned['change']}")
    assert more == []
    (moved,) = (path for path in pinned["paths"] if path.startswith("vault/"))
    with (graph.store / moved).open("a") as file:
        file.write("By another.\n")
    assert "Undo that first" in graph.run("undo", tagged).err


def test_index_entries_of_other_programs_survive_an_undo(
    machine: Machine, samples: Path
) -> None:
    notes = desk(machine, samples, NOTES)
    ref = notes.memory("tag:terraform|type:project")["ref"]
    before = notes.contents()
    change = notes.one("rename", ref, "Called otherwise")["change"]
    index = notes.store / "MEMORY.md"
    line = b"- [Theirs](theirs.md): written meanwhile\n"
    index.write_bytes(index.read_bytes() + line)

    undone = notes.one("undo", change)

    assert undone["notes"] == []
    after = notes.contents()
    assert after.pop("MEMORY.md") == before.pop("MEMORY.md") + line
    assert after == before


@contextmanager
def held(lock: Path) -> Generator[None]:
    """Lock a store as its own programs do: a lock file of a running process."""
    lock.write_text(f"{os.getppid()} 2026-03-01T12:00:00Z\n")
    yield
    lock.unlink()


def test_a_store_locked_by_a_running_process_is_left_alone(
    agents: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.files.locks.PATIENCE", 0.0)
    before, memory = agents.contents(), agents.memory("type:learning")["ref"]

    with held(agents.store / ".lock"):
        answer = agents.run("tag", memory, "+mended")

    assert (answer.code, answer.out) == (3, "")
    assert f"is locked by process {os.getppid()}" in answer.err
    assert agents.contents() == before
