import os
from pathlib import Path

import pytest

from store.errors import RefusedError
from store.files.beneath import Root


def test_a_file_is_read_in_pieces_even_if_it_is_renamed_meanwhile(
    tmp_path: Path,
) -> None:
    (tmp_path / "log").write_bytes(b"one two")
    with Root(tmp_path) as root, root.opened("log") as log:
        (tmp_path / "log").rename(tmp_path / "old")
        assert log.at(4, 3) == b"two"
        assert log.at(0, 3) == b"one"
        assert log.at(4, 100) == b"two"
        assert log.at(100, 1) == b""
        assert log.stamp.size == 7


def test_only_plain_files_within_the_root_are_opened(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    (tmp_path / "outside").write_text("secret")
    (tmp_path / "store" / "out").symlink_to("../outside")
    (tmp_path / "store" / "in").symlink_to("real")
    (tmp_path / "store" / "real").write_text("kept")
    os.mkfifo(tmp_path / "store" / "pipe")
    with Root(tmp_path / "store") as root:
        for path in ("out", "pipe", "../outside"):
            with pytest.raises(RefusedError):
                root.opened(path)
        with root.opened("in") as file:
            assert file.at(0, 4) == b"kept"
