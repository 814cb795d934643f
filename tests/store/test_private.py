"""The program's own small files: read without waiting, replaced whole or not."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock, Timeout
from hypothesis import given
from hypothesis import strategies as st

from store import private
from store.errors import UnreadableError
from store.private import NotWrittenError, only_writer, read_own, replace_own


@pytest.fixture(params=[0o000, 0o777])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    """A user who leaves everything open, and one who closes all to themselves."""
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("umask")
def test_what_is_written_is_for_its_owner_alone(tmp_path: Path) -> None:
    replace_own(tmp_path / "own/file", b"x")

    assert mode(tmp_path / "own") == 0o700
    assert mode(tmp_path / "own/file") == 0o600


def test_a_file_that_was_open_to_others_is_closed(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"before")
    (tmp_path / "file").chmod(0o644)

    replace_own(tmp_path / "file", b"after")

    assert (tmp_path / "file").read_bytes() == b"after"
    assert mode(tmp_path / "file") == 0o600


@given(st.binary())
def test_what_was_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes
) -> None:
    file = tmp_path_factory.mktemp("own") / "file"

    replace_own(file, raw)

    assert read_own(file, len(raw)) == raw
    assert [path.name for path in file.parent.iterdir()] == ["file"]


def test_there_may_be_nothing_to_read(tmp_path: Path) -> None:
    assert read_own(tmp_path / "file", 9) is None
    assert read_own(tmp_path / "folder/file", 9) is None


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")

    with pytest.raises(UnreadableError, match="is no plain file"):
        read_own(tmp_path, 9)
    with pytest.raises(UnreadableError, match="cannot be read: Too many levels"):
        read_own(tmp_path / "loop", 9)


def test_what_is_too_large_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 2049)

    with pytest.raises(UnreadableError, match=r"file is larger than 2 KiB\.$"):
        read_own(tmp_path / "file", 2048)


def test_nothing_is_left_of_what_could_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "own/file").mkdir(parents=True)

    with pytest.raises(NotWrittenError, match=r"file cannot be written: Is a dir.*\.$"):
        replace_own(tmp_path / "own/file", b"x")

    assert [path.name for path in (tmp_path / "own").iterdir()] == ["file"]


def test_who_writes_for_long_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private, "PATIENCE", 0)
    waits = pytest.raises(NotWrittenError, match="Another recollect is writing")

    with FileLock(tmp_path / "writing.lock"), waits, only_writer(tmp_path):
        pass

    with only_writer(tmp_path), pytest.raises(Timeout):
        FileLock(tmp_path / "writing.lock", timeout=0).acquire()


def test_a_lock_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "own").write_bytes(b"")

    with (
        pytest.raises(NotWrittenError, match="cannot be written"),
        only_writer(tmp_path / "own"),
    ):
        pass
