"""A file that was replaced while somebody had it open: what he writes is kept."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.edits.kept.blobs import Blobs, name_of
from store.edits.kept.limbo import Limbo

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux tells who has a file open"
)


class Told:
    """A limbo, and what it tells."""

    def __init__(self, folder: Path) -> None:
        self.late: list[tuple[str, int, bytes]] = []
        self.blobs = Blobs(folder / "blobs")
        self.limbo = Limbo(
            folder / "limbo",
            self.blobs,
            lambda operation, number, raw: self.late.append((operation, number, raw)),
        )

    def put_away(self, path: Path) -> None:
        folder = os.open(path.parent, os.O_RDONLY)
        self.limbo.put_away("c0ffee", 3, folder, path.name)
        os.close(folder)


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Told]:
    told = Told(tmp_path)
    with told.limbo:
        yield told


def test_what_is_kept_already_goes_when_it_is_looked_at(
    told: Told, tmp_path: Path
) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"old\n")
    told.blobs.keep([b"old\n"])

    told.put_away(path)
    assert not path.exists()
    told.limbo.look()

    assert list((tmp_path / "limbo").iterdir()) == []
    assert told.late == []


def test_what_somebody_writes_later_is_kept_and_told(
    told: Told, tmp_path: Path
) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"old\n")
    told.blobs.keep([b"old\n"])

    with path.open("ab") as file:
        told.put_away(path)
        told.limbo.look()
        assert len(list((tmp_path / "limbo").iterdir())) == 1
        file.write(b"and more\n")
    told.limbo.look()

    assert told.late == [("c0ffee", 3, b"old\nand more\n")]
    assert told.blobs.read(name_of(b"old\nand more\n")) == b"old\nand more\n"


def test_on_another_file_system_it_is_kept_open_instead(tmp_path: Path) -> None:
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
    told.limbo.close()

    assert told.late == [("c0ffee", 3, b"old\nand more\n")]
