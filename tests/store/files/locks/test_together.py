"""Several programs change one file under its lock, and no write is lost."""

import multiprocessing
import os
from pathlib import Path

from tests.store.files.locks.locks import add, add_ours, add_theirs, at_once

TIMES = int(os.environ.get("RECOLLECT_TEST_LOCKED", "40"))


def test_eight_of_our_processes_lose_no_write(tmp_path: Path) -> None:
    assert at_once(tmp_path, [add_ours] * 8, TIMES) == set()
    assert not (tmp_path / ".lock").exists()


def test_our_writer_and_another_programs_lose_no_write(tmp_path: Path) -> None:
    """Theirs has moments in which nobody is safe: opened and not yet locked, unlocked
    and not yet removed. A busy machine may stop it in one, but not time and again."""
    tries = (at_once(tmp_path, [add_ours, add_theirs], TIMES * 4) for _ in range(4))
    assert any(not lost for lost in tries)


def test_two_writers_without_a_lock_lose_writes_so_the_test_can_fail(
    tmp_path: Path,
) -> None:
    both_have_read = multiprocessing.Barrier(2, timeout=60)

    def add_carelessly(root: Path, line: bytes) -> None:
        add(root, line, both_have_read.wait)

    assert at_once(tmp_path, [add_carelessly] * 2, TIMES) != set()
