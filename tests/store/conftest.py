"""What the tests of the store share: a catalogue, and stores to be read into it."""

from pathlib import Path

import pytest

from tests.store.catalogue.stores import Shelf
from tests.store.formats.cognitive_stores import make_small_store


@pytest.fixture
def in_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much there is to read, this process reads it alone."""
    monkeypatch.setattr("store.catalogue.sync.WORTH_A_PROCESS", 1_000_000)


@pytest.fixture
def shown_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every batch that was read is written and shown before the next."""
    monkeypatch.setattr("store.catalogue.sync._SHOWN_EVERY", -1)


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
