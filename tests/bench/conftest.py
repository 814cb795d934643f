from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from store import demo
from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from tests.bench.queries import Item, known_items

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The sample stores, read."""
    folder = tmp_path_factory.mktemp("finding")
    demo.write(folder / "samples", NOW)
    micros = int(NOW.timestamp()) * 1_000_000
    with Library(folder / "cache/catalogue.db", micros) as library:
        library.stores.choose(beneath([folder / "samples"], FORMATS).stores)
        library.sync()
        yield library


@pytest.fixture(scope="session")
def items(samples: Library) -> list[Item]:
    """The items to find in the sample stores."""
    return known_items(samples)
