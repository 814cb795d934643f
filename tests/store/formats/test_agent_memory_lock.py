"""The store's own lock, which every writer takes while it writes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from store.formats.agent_memory.format import LOCK
from store.records.intents import Set
from tests.store.formats.agent_memory_changes import changed, drafted, named, rows
from tests.store.formats.agent_memory_stores import NOON, make_small_store, write

LONG_AGO = 1_700_000_000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "memories"
    root.mkdir()
    make_small_store(root)
    return root


def process_that_ended() -> int:
    ended = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"],
        capture_output=True,
        check=True,
    )
    return int(ended.stdout)


def test_every_change_takes_the_lock_and_leaves_none(root: Path) -> None:
    assert drafted(root, Set(name="body", value="x"), named(root, 1)).lock == LOCK

    changed(root, Set(name="body", value="x"), named(root, 1))

    assert not (root / LOCK).exists()


def test_a_lock_left_behind_is_taken_over(root: Path) -> None:
    write(root, LOCK, f"{process_that_ended()} {NOON}\n")
    os.utime(root / LOCK, (LONG_AGO, LONG_AGO))

    changed(root, Set(name="body", value="x"), named(root, 1))

    assert rows(root, "core_memories.jsonl")[0]["content"] == "x"
    assert not (root / LOCK).exists()
