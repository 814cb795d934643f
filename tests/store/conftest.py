"""Shared by the tests of the store: a catalogue, and stores to read into it."""

from pathlib import Path

import pytest

from tests.store.catalogue.stores import Shelf
from tests.store.formats.cognitive_stores import make_small_store


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
