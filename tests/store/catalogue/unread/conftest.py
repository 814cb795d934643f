"""Stores of all formats: completely read, and not read at all."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from store import demo
from store.discover import Found
from store.formats.instructions.format import FORMAT as INSTRUCTIONS
from store.formats.pages.format import FORMAT as PAGES
from store.library import Library
from tests.store.catalogue.stores import Shelf, write


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stores; no test writes to them."""
    folder = tmp_path_factory.mktemp("unread") / "stores"
    folder.mkdir()
    demo.write(folder, datetime(2026, 3, 1, tzinfo=UTC))
    write(folder.with_name("pages"), "redis.md", "# Redis\n\nSee [[Retry policy]].\n")
    write(folder.with_name("pages"), "http/Retry policy.md", "Three tries each.\n")
    write(folder.with_name("project"), "AGENTS.md", "# Rules\n\nTest every change.\n")
    return folder


def shelf_of(catalogue: Path, stores: Path) -> Shelf:
    """The sample stores, a folder of plain pages, and a project's instructions."""
    made = Shelf(catalogue, stores)
    made.given.append(Found(stores.with_name("pages"), PAGES))
    made.given.append(Found(stores.with_name("project"), INSTRUCTIONS))
    return made


@pytest.fixture(scope="session")
def whole(stores: Path) -> Iterator[Library]:
    """A library in which all of them are read."""
    with shelf_of(
        stores.with_name("whole") / "catalogue.db", stores
    ).opened() as library:
        library.sync()
        yield library


@pytest.fixture
def unread(stores: Path, tmp_path: Path) -> Iterator[Library]:
    """A library in which none of them is."""
    with shelf_of(tmp_path / "cache/catalogue.db", stores).opened() as library:
        yield library
