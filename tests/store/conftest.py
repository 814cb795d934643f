"""Shared by the tests of the store: a catalogue, stores to read into it, settings."""

from collections.abc import Callable
from pathlib import Path

import pytest

from store.machine import Places
from tests.store.catalogue.stores import Shelf
from tests.store.formats.cognitive_stores import make_small_store

Written = Callable[[str], Places]


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """The program's own folders on a separate machine."""
    return Places(tmp_path / "cache", tmp_path / "state", tmp_path / "config")


@pytest.fixture
def written(places: Places) -> Written:
    """Writes a text as the settings."""

    def write(text: str) -> Places:
        places.config.mkdir()
        (places.config / "config.toml").write_bytes(text.encode())
        return places

    return write


@pytest.fixture
def in_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process reads everything alone."""
    monkeypatch.setattr("store.catalogue.update.WORTH_A_PROCESS", 1_000_000)


@pytest.fixture
def shown_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every batch is written and shown before the next."""
    monkeypatch.setattr("store.catalogue.update._SHOWN_EVERY", -1)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """A catalogue, and a folder for stores to be put in."""
    (tmp_path / "stores").mkdir()
    return Shelf(tmp_path / "cache/catalogue.db", tmp_path / "stores")


@pytest.fixture
def small(shelf: Shelf) -> Shelf:
    """A store with one of everything, read."""
    make_small_store(shelf.places[0])
    shelf.sync()
    return shelf
