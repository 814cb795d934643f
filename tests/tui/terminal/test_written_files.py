"""Files for the user: written completely or not at all, and nothing overwritten."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.errors import UnreadableError
from tui.terminal.programs import NotExportedError, write_file


def broken() -> Iterator[bytes]:
    yield b"the beginning"
    raise UnreadableError("The rest cannot be read.")


def test_a_file_is_written(tmp_path: Path) -> None:
    path = tmp_path / "a.md"

    assert write_file(path, [b"one ", b"two"], replaces=False) == 7
    assert path.read_bytes() == b"one two"
    assert list(tmp_path.iterdir()) == [path]


def test_an_existing_file_stays_unless_it_is_to_be_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"mine")

    with pytest.raises(NotExportedError, match="already exists"):
        write_file(path, [b"yours"], replaces=False)
    assert path.read_bytes() == b"mine"
    write_file(path, [b"yours"], replaces=True)
    assert path.read_bytes() == b"yours"


def test_a_broken_link_counts_as_existing(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.symlink_to("nowhere")

    with pytest.raises(NotExportedError):
        write_file(path, [b"x"], replaces=False)


def test_an_interrupted_write_leaves_nothing_half_written(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"mine")

    with pytest.raises(UnreadableError):
        write_file(path, broken(), replaces=True)
    assert path.read_bytes() == b"mine"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_created_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.md"

    def pieces() -> Iterator[bytes]:
        yield b"ours"
        path.write_bytes(b"theirs")

    with pytest.raises(NotExportedError, match="already exists"):
        write_file(path, pieces(), replaces=False)
    assert path.read_bytes() == b"theirs"
