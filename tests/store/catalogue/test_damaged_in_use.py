"""Damage deep in the catalogue is only noticed when those pages are used."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from store.catalogue.database import only_one, seal, seal_of
from store.catalogue.reader import Page
from store.errors import CatalogueDamagedError
from tests.bench.stores import make_store
from tests.store.catalogue.stores import Shelf

_HEADER = 100
"""Bytes of a database before its first page begins."""


def damage(catalogue: Path, table: str) -> bytes:
    """Damage the first page of a table, as a failing disk would: without a new time.

    Returns the bytes.
    """
    with closing(sqlite3.connect(catalogue)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        roots = dict(connection.execute("SELECT name, rootpage FROM sqlite_master"))
    raw = bytearray(catalogue.read_bytes())
    begin = (roots[table] - 1) * size if table in roots else _HEADER
    raw[begin : begin + 64] = b"\xee" * 64
    catalogue.write_bytes(raw)
    seal(catalogue)
    return bytes(raw)


@pytest.fixture
def full(shelf: Shelf) -> Shelf:
    make_store(shelf.places[0] / "a", 60)
    shelf.sync()
    return shelf


def set_aside(shelf: Shelf) -> bytes:
    """The backup of the previous catalogue."""
    kept = sorted(shelf.catalogue.parent.glob("catalogue.db.set-aside-*"))
    return kept[0].read_bytes()


def test_a_list_reports_the_damage_and_the_next_one_is_complete(full: Shelf) -> None:
    spoilt = damage(full.catalogue, "memories")

    with pytest.raises(CatalogueDamagedError, match="set-aside"):
        full.memories()
    full.sync()

    assert len(full.memories()) == 60
    assert set_aside(full) == spoilt


def test_a_sync_that_meets_damage_rebuilds_the_index_and_reports_it(
    full: Shelf,
) -> None:
    spoilt = damage(full.catalogue, "memories")
    fixes = full.places[0] / "a/graph/fixes"
    fixes.rename(fixes.with_name("moved"))

    with full.opened() as library:
        library.sync()

        assert library.stores.notice
        assert "set-aside" in library.stores.notice
        assert library.lists.count("memories") == 60
    assert set_aside(full) == spoilt


def test_damage_to_the_tables_shows_when_the_index_is_opened(full: Shelf) -> None:
    spoilt = damage(full.catalogue, "sqlite_master")

    with full.opened() as library:
        assert library.stores.notice
        library.sync()
        assert library.lists.count("memories") == 60
    assert set_aside(full) == spoilt


def test_an_index_replaced_by_another_process_is_opened_again(full: Shelf) -> None:
    with full.opened() as library, full.opened() as other:
        damage(full.catalogue, "memories")
        with pytest.raises(CatalogueDamagedError):
            list(other.lists.page("memories", Page()))
        other.sync()

        assert library.lists.count("memories") == 60
        assert len(list(library.lists.page("memories", Page()))) == 60


def test_a_byte_changed_by_another_program_is_noticed(full: Shelf) -> None:
    with closing(sqlite3.connect(full.catalogue)) as connection, connection:
        connection.execute("UPDATE memories SET title = 'Other' || title")

    with full.opened() as library:
        assert library.stores.notice
        assert "all files are read again" in library.stores.notice
        library.sync()
        titles = [memory.title for memory in full.memories()]
    assert len(titles) == 60
    assert not any(title.startswith("Other") for title in titles)
    with full.opened() as library:
        assert library.stores.notice is None


def test_a_process_that_reads_the_stores_is_not_mistaken_for_damage(
    full: Shelf,
) -> None:
    """Between a change and its seal, only the lock shows that nothing is wrong."""
    seal_of(full.catalogue).unlink()
    with only_one(full.catalogue.with_name("catalogue.db.lock")):
        assert len(full.memories()) == 60
    with full.opened() as library:
        assert library.stores.notice


def test_an_index_in_use_is_not_emptied_by_another_process(full: Shelf) -> None:
    with full.opened() as library:
        seal_of(full.catalogue).unlink()
        with full.opened() as other:
            assert other.stores.notice is None

        assert library.lists.count("memories") == 60
    with full.opened() as library:
        assert library.stores.notice
