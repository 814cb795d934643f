"""The sample stores of all formats: read whole, and not read at all."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from store import demo
from store.library import Library
from tests.store.catalogue.stores import Shelf


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stores; nobody writes to them."""
    folder = tmp_path_factory.mktemp("unread") / "stores"
    folder.mkdir()
    demo.write(folder, datetime(2026, 3, 1, tzinfo=UTC))
    return folder


@pytest.fixture(scope="session")
def whole(stores: Path) -> Iterator[Library]:
    """A library in which all of them are read."""
    with Shelf(stores.with_name("whole") / "catalogue.db", stores).opened() as library:
        library.sync()
        yield library


@pytest.fixture
def unread(stores: Path, tmp_path: Path) -> Iterator[Library]:
    """A library in which none of them is."""
    with Shelf(tmp_path / "cache/catalogue.db", stores).opened() as library:
        yield library
