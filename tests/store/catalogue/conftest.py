"""The sample stores of all formats, read."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from store import demo
from store.library import Library
from tests.store.catalogue.stores import Shelf


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The sample stores; no test writes to them."""
    folder = tmp_path_factory.mktemp("queries")
    (folder / "stores").mkdir()
    demo.write(folder / "stores", datetime(2026, 3, 1, tzinfo=UTC))
    with Shelf(folder / "cache/catalogue.db", folder / "stores").opened() as library:
        library.sync()
        yield library
