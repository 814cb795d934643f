"""Lock files in every state, and what is left of them."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from store.errors import RefusedError
from store.files import locks as creating
from store.files import locks as lock
from store.files.locks import HeldError
from tests.store.files.locks.locks import locked


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "PATIENCE", 0.02)


@pytest.fixture(scope="module")
def dead() -> int:
    """The id of a dead process."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def left(folder: Path, raw: bytes, age: float = 3600) -> Path:
    """A lock file of some age."""
    path = folder / ".lock"
    path.write_bytes(raw)
    moment = time.time() - age
    os.utime(path, (moment, moment))
    return path


def test_a_lock_names_its_holder_and_is_removed_on_release(tmp_path: Path) -> None:
    with locked(tmp_path):
        first, when, _ = (tmp_path / ".lock").read_text().split("\n")
        assert int(first) == os.getpid()
        assert when.startswith("20")
        assert (tmp_path / ".lock").stat().st_mode & 0o777 == 0o600

    assert list(tmp_path.iterdir()) == []


def test_a_lock_held_for_long_renews_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / ".lock"
    with locked(tmp_path) as got:
        said = path.read_bytes()
        got.refresh()
        assert path.read_bytes() == said
        monkeypatch.setattr(lock, "REFRESHED", -1)
        got.refresh()
        assert path.read_bytes() != said
        assert path.read_bytes().startswith(b"%d\n" % os.getpid())


def test_the_second_process_learns_who_holds_the_lock(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(HeldError, match=f"process {os.getpid()}"):
        locked(tmp_path)

    locked(tmp_path).close()


@pytest.mark.parametrize(
    ("raw", "age"),
    [
        (b"", 0),
        (b"what is this", 3600),
        (b"0\n0\n", 3600),
        (b"-1\n0\n", 3600),
        (b"9" * 400, 3600),
        (b"1" * 10_000, 3600),
        (b"1\n0\n", 3600),
        (b'{"pid": 1, "timestamp": "2026-01-01T00:00:00Z"}', 3600),
    ],
)
def test_a_lock_that_may_be_in_use_is_left_alone(
    raw: bytes, age: float, tmp_path: Path
) -> None:
    path = left(tmp_path, raw, age)

    with pytest.raises(HeldError):
        locked(tmp_path)

    assert path.read_bytes() == raw


def test_a_lock_of_a_dead_process_counts_for_a_while(dead: int, tmp_path: Path) -> None:
    left(tmp_path, b"%d\n" % dead, age=3)
    with pytest.raises(HeldError, match=", which has ended; it expires after"):
        locked(tmp_path)

    left(tmp_path, b"%d\n" % dead, age=31)
    with locked(tmp_path) as got:
        assert str(dead) in (got.taken_over or "")


def test_a_lock_from_the_future_counts_however_old_the_file_is(
    dead: int, tmp_path: Path
) -> None:
    left(tmp_path, b"%d\n4102444800\n" % dead)

    with pytest.raises(HeldError):
        locked(tmp_path)


def test_an_old_empty_lock_is_taken_over(tmp_path: Path) -> None:
    left(tmp_path, b"")

    locked(tmp_path).close()

    assert not (tmp_path / ".lock").exists()


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, Path.touch])
def test_a_file_that_is_not_a_lock_is_not_taken_over(
    make: Callable[[Path], None], tmp_path: Path
) -> None:
    store = tmp_path / "store"
    store.mkdir()
    make(tmp_path / "outside")
    before = (tmp_path / "outside").lstat()
    (store / ".lock").symlink_to("../outside")
    with pytest.raises(RefusedError):
        locked(store)

    (store / ".lock").unlink()
    (tmp_path / "outside").rename(store / ".lock")
    if not (store / ".lock").is_file():
        with pytest.raises(RefusedError):
            locked(store)
    assert (store / ".lock").lstat().st_mtime_ns == before.st_mtime_ns


def test_a_link_to_a_file_of_the_store_is_not_taken_for_a_lock(tmp_path: Path) -> None:
    note = tmp_path / "2026.md"
    note.write_bytes(b"2026\n")
    os.utime(note, (0, 0))
    (tmp_path / ".lock").symlink_to(note.name)

    with pytest.raises(RefusedError):
        locked(tmp_path)

    assert note.read_bytes() == b"2026\n"


def test_without_unnamed_files_a_lock_is_created_step_by_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(creating.sys, "platform", "another")

    with locked(tmp_path), pytest.raises(HeldError):
        locked(tmp_path)

    assert not (tmp_path / ".lock").exists()


def test_while_another_process_waits_the_file_stays_and_is_empty(
    tmp_path: Path,
) -> None:
    wait = "import fcntl, sys; file = open(sys.argv[1], 'a'); fcntl.flock(file, 2)"
    got = locked(tmp_path)
    path = tmp_path / ".lock"
    with subprocess.Popen([sys.executable, "-c", wait, path]) as waiting:
        while not _waits(waiting.pid):
            pass
        got.close()

    assert path.read_bytes() == b""
    assert path.stat().st_mtime == 0
    locked(tmp_path).close()
    assert not path.exists()


def _waits(pid: int) -> bool:
    lines = Path("/proc/locks").read_text("ascii").split("\n")
    return any("->" in line and f" {pid} " in line for line in lines)
