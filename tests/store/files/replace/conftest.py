"""A store, and the folder for its replaced files."""

from pathlib import Path

import pytest

from tests.store.files.replace.writable import Away


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    folder.mkdir()
    (folder / "a.md").write_bytes(b"old\n")
    return folder


@pytest.fixture
def away(tmp_path: Path) -> Away:
    return Away(tmp_path / "away")
