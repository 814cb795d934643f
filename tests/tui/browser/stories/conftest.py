"""Sample stores, read once for all stories: nobody changes them."""

import time
from collections.abc import Iterator

import pytest

from store.library import Library
from tests.frames import NOW, Shelf, a_shelf, on_shelf


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    """The stores, and the catalogue of them."""
    with a_shelf(tmp_path_factory.mktemp("shelf")) as made:
        yield made


@pytest.fixture
def library(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    """What is known of them, at the instant at which they were made."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    with on_shelf(shelf, NOW) as opened:
        yield opened
