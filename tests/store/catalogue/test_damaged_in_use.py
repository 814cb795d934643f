"""Damage deep in the catalogue shows only when those pages are used."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from store.errors import CatalogueDamagedError
from tests.store.catalogue.stores import Shelf
from tui.bench.made import make_store

_HEADER = 100
"""Bytes of a database before its first page begins."""


def damage(catalogue: Path, table: str) -> bytes:
    """Spoil the page that a table begins at, as a failing disk would.

    Answers the bytes.
    """
    with closing(sqlite3.connect(catalogue)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        roots = dict(connection.execute("SELECT name, rootpage FROM sqlite_master"))
    raw = bytearray(catalogue.read_bytes())
    begin = (roots[table] - 1) * size if table in roots else _HEADER
    raw[begin : begin + 64] = b"\xee" * 64
    catalogue.write_bytes(raw)
    return bytes(raw)


@pytest.fixture
def full(shelf: Shelf) -> Shelf:
    make_store(shelf.places[0] / "a", 60)
    shelf.sync()
    return shelf


def set_aside(shelf: Shelf) -> bytes:
    """What was kept of the catalogue that was there before."""
    kept = sorted(shelf.catalogue.parent.glob("catalogue.db.set-aside-*"))
    return kept[0].read_bytes()


def test_a_list_says_so_and_the_next_one_is_whole(full: Shelf) -> None:
    spoilt = damage(full.catalogue, "memories")

    with pytest.raises(CatalogueDamagedError, match="set-aside"):
        full.memories()
    full.sync()

    assert len(full.memories()) == 60
    assert set_aside(full) == spoilt


def test_a_sync_that_meets_damage_makes_it_anew_and_says_so(full: Shelf) -> None:
    spoilt = damage(full.catalogue, "memories")
    fixes = full.places[0] / "a/graph/fixes"
    fixes.rename(fixes.with_name("moved"))

    with full.opened() as library:
        library.sync()

        assert library.notice
        assert "set-aside" in library.notice
        assert library.count("memories") == 60
    assert set_aside(full) == spoilt


def test_damage_to_the_tables_themselves_shows_when_it_is_opened(full: Shelf) -> None:
    spoilt = damage(full.catalogue, "sqlite_master")

    with full.opened() as library:
        assert library.notice
        library.sync()
        assert library.count("memories") == 60
    assert set_aside(full) == spoilt
