"""A machine of one's own, with a settings file in its place."""

from collections.abc import Callable
from pathlib import Path

import pytest

from store.places import Places

Written = Callable[[str], Places]


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "cache", tmp_path / "state", tmp_path / "config")


@pytest.fixture
def written(places: Places) -> Written:
    """Puts a text where the settings are."""

    def write(text: str) -> Places:
        places.config.mkdir()
        (places.config / "config.toml").write_bytes(text.encode())
        return places

    return write
