"""A small store, and a file outside that must never be read."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.files.beneath import Root
from tests.store.files.beneath.walks import CANARY


@pytest.fixture
def top(tmp_path: Path) -> Path:
    top = tmp_path / "store"
    (top / "graph" / "fixes").mkdir(parents=True)
    (top / "graph" / "fixes" / "redis.md").write_bytes(b"# Redis\n")
    (top / "CORE.md").write_bytes(b"core")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "redis.md").write_text(CANARY)
    return top


@pytest.fixture
def root(top: Path) -> Iterator[Root]:
    with Root(top) as root:
        yield root
