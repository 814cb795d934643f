"""The program's own small files: read without waiting, replaced atomically."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock, Timeout
from hypothesis import given
from hypothesis import strategies as st

from store import machine as private
from store.errors import UnreadableError
from store.machine import NotWrittenError, only_writer, read_own, replace_own


@pytest.fixture(params=[0o000, 0o777])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    """A user whose files are open, and one whose files are private."""
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("umask")
def test_written_files_are_private(tmp_path: Path) -> None:
    replace_own(tmp_path / "own/file", b"x")

    assert mode(tmp_path / "own") == 0o700
    assert mode(tmp_path / "own/file") == 0o600


def test_a_file_open_to_others_is_closed(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"before")
    (tmp_path / "file").chmod(0o644)

    replace_own(tmp_path / "file", b"after")

    assert (tmp_path / "file").read_bytes() == b"after"
    assert mode(tmp_path / "file") == 0o600


@given(st.binary())
def test_a_written_file_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes
) -> None:
    file = tmp_path_factory.mktemp("own") / "file"

    replace_own(file, raw)

    assert read_own(file, len(raw)) == raw
    assert [path.name for path in file.parent.iterdir()] == ["file"]


def test_a_missing_file_is_none(tmp_path: Path) -> None:
    assert read_own(tmp_path / "file", 9) is None
    assert read_own(tmp_path / "folder/file", 9) is None


def test_anything_but_a_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")

    with pytest.raises(UnreadableError, match="is not a regular file"):
        read_own(tmp_path, 9)
    with pytest.raises(UnreadableError, match="Can't read"):
        read_own(tmp_path / "loop", 9)


def test_a_file_that_is_too_large_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 2049)

    with pytest.raises(UnreadableError, match=r"file is larger than 2 KiB\.$"):
        read_own(tmp_path / "file", 2048)


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "own/file").mkdir(parents=True)

    with pytest.raises(NotWrittenError, match=r"Can't write"):
        replace_own(tmp_path / "own/file", b"x")

    assert [path.name for path in (tmp_path / "own").iterdir()] == ["file"]


def test_a_slow_writer_is_not_waited_for_forever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private, "PATIENCE", 0)
    waits = pytest.raises(NotWrittenError, match="Another recollect is writing")

    with FileLock(tmp_path / "writing.lock"), waits, only_writer(tmp_path):
        pass

    with only_writer(tmp_path), pytest.raises(Timeout):
        FileLock(tmp_path / "writing.lock", timeout=0).acquire()


def test_a_lock_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "own").write_bytes(b"")

    with (
        pytest.raises(NotWrittenError, match="Can't write"),
        only_writer(tmp_path / "own"),
    ):
        pass
