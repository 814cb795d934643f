"""A separate machine with a settings file."""

from collections.abc import Callable
from pathlib import Path

import pytest

from store.machine import Places

Written = Callable[[str], Places]


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "cache", tmp_path / "state", tmp_path / "config")


@pytest.fixture
def written(places: Places) -> Written:
    """Writes a text as the settings."""

    def write(text: str) -> Places:
        places.config.mkdir()
        (places.config / "config.toml").write_bytes(text.encode())
        return places

    return write
