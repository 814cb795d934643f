"""Who has a file open is told where the system tells it."""

import sys
from pathlib import Path

import pytest

from store.files.replacing import writers

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux tells who has a file open"
)


def test_a_writer_is_seen_and_a_reader_is_no_matter(root: Path) -> None:
    with (root / "a.md").open("rb") as file:
        assert writers.is_written(file.fileno()) is False
        with (root / "a.md").open("ab"):
            assert writers.is_written(file.fileno()) is True
        assert writers.is_written(file.fileno()) is False


def test_what_lies_on_another_machine_may_say_anything(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = writers._MOUNTS.read_text("utf-8")  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] # the system's own
    far = tmp_path / "mountinfo"
    kinds = [line.partition(" - ") for line in mounts.split("\n")]
    far.write_text("\n".join(f"{one} - nfs4 {kind}" for one, _, kind in kinds))
    monkeypatch.setattr(writers, "_MOUNTS", far)

    with (root / "a.md").open("rb") as file, (root / "a.md").open("ab"):
        assert writers.is_written(file.fileno()) is None
