"""Others write too: what they wrote is never lost, and exit code 3 tells of it."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.tui.cli.changing.stores import Desk


def page(graph: Desk, ref: str) -> Path:
    return graph.store / graph.show(ref)["path"]


@pytest.fixture
def ref(graph: Desk) -> str:
    return graph.memory("type:fix", "!is:pinned")["ref"]


def test_what_another_changed_meanwhile_is_not_overwritten(
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
    kept = graph.run("edit", ref, "--draft", EDITOR="sed -i s/me/myself/")
    assert kept.code == 0
    assert path.read_text().endswith("By myself.\n")


def test_what_another_changed_since_is_not_undone(graph: Desk, ref: str) -> None:
    change = graph.one("tag", ref, "+mended")["change"]
    path = page(graph, ref)
    with path.open("a") as file:
        file.write("By another.\n")
    before = graph.contents()

    answer = graph.machine.run("undo", change)

    assert (answer.code, answer.out) == (3, "")
    assert graph.contents() == before
    assert not graph.rows("history")[0]["undone"]


@contextmanager
def held(lock: Path) -> Generator[None]:
    """Hold a store as its own programs do: a lock file of a living process."""
    lock.write_text(f"{os.getppid()} 2026-03-01T12:00:00Z\n")
    yield
    lock.unlink()


def test_a_store_that_a_living_process_holds_is_left_alone(
    agents: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.files.locking.lock.PATIENCE", 0.0)
    before, memory = agents.contents(), agents.memory("type:learning")["ref"]

    with held(agents.store / ".lock"):
        answer = agents.run("tag", memory, "+mended")

    assert (answer.code, answer.out) == (3, "")
    assert f"is held by process {os.getppid()}" in answer.err
    assert agents.contents() == before
