"""Late writes to a replaced file that was still open are kept."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.edits.backups import Blobs, ReplacedFiles, name_of

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux tells who has a file open"
)


class Told:
    """The replaced files, and what is reported of them."""

    def __init__(self, folder: Path) -> None:
        self.late: list[tuple[str, int, bytes]] = []
        self.blobs = Blobs(folder / "blobs")
        self.replaced = ReplacedFiles(
            folder / "limbo",
            self.blobs,
            lambda operation, number, raw: self.late.append((operation, number, raw)),
        )

    def put_away(self, path: Path) -> None:
        folder = os.open(path.parent, os.O_RDONLY)
        self.replaced.put_away("c0ffee", 3, folder, path.name)
        os.close(folder)


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Told]:
    told = Told(tmp_path)
    with told.replaced:
        yield told


def test_a_file_whose_bytes_are_kept_already_is_removed_when_checked(
    told: Told, tmp_path: Path
) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"old\n")
    told.blobs.keep([b"old\n"])

    told.put_away(path)
    assert not path.exists()
    told.replaced.look()

    assert list((tmp_path / "limbo").iterdir()) == []
    assert told.late == []


def test_late_writes_to_a_replaced_file_are_kept_and_reported(
    told: Told, tmp_path: Path
) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"old\n")
    told.blobs.keep([b"old\n"])

    with path.open("ab") as file:
        told.put_away(path)
        told.replaced.look()
        assert len(list((tmp_path / "limbo").iterdir())) == 1
        file.write(b"and more\n")
    told.replaced.look()

    assert told.late == [("c0ffee", 3, b"old\nand more\n")]
    assert told.blobs.read(name_of(b"old\nand more\n")) == b"old\nand more\n"


def test_on_another_file_system_the_file_is_kept_open_instead(tmp_path: Path) -> None:
    elsewhere = Path("/dev/shm")  # noqa: S108  # another file system, where there is one
    if not elsewhere.exists() or elsewhere.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is no other file system to write to")
    path = elsewhere / f"{tmp_path.name}-{os.getpid()}.md"
    path.write_bytes(b"old\n")
    told = Told(tmp_path)
    told.blobs.keep([b"old\n"])

    with path.open("ab") as file:
        told.put_away(path)
        assert not path.exists()
        file.write(b"and more\n")
    told.replaced.close()

    assert told.late == [("c0ffee", 3, b"old\nand more\n")]
