"""Whether another program has a file open for writing, as far as known."""

import sys
from pathlib import Path

import pytest

from store.files import writable as writers

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux tells who has a file open"
)


def test_a_writer_is_noticed_and_a_reader_is_not(root: Path) -> None:
    with (root / "a.md").open("rb") as file:
        assert writers.is_written(file.fileno()) is False
        with (root / "a.md").open("ab"):
            assert writers.is_written(file.fileno()) is True
        assert writers.is_written(file.fileno()) is False


def test_on_network_file_systems_the_answer_is_unknown(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = writers._MOUNTS.read_text("utf-8")  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] # the system's own
    far = tmp_path / "mountinfo"
    kinds = [line.partition(" - ") for line in mounts.split("\n")]
    far.write_text("\n".join(f"{one} - nfs4 {kind}" for one, _, kind in kinds))
    monkeypatch.setattr(writers, "_MOUNTS", far)

    with (root / "a.md").open("rb") as file, (root / "a.md").open("ab"):
        assert writers.is_written(file.fileno()) is None
