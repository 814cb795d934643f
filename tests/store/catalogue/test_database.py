"""The catalogue's file: created, private, set aside if unusable."""

import multiprocessing
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from store.catalogue import schema
from store.catalogue.database import is_sealed, open_database, transaction
from store.errors import CatalogueUnusableError, UnreadableError
from store.library import Page
from tests.store.catalogue.stores import Shelf, linked


@pytest.fixture
def open_umask() -> Iterator[None]:
    """A user whose files are open to everybody."""
    before = os.umask(0)
    yield
    os.umask(before)


def set_aside(shelf: Shelf) -> list[Path]:
    return sorted(shelf.catalogue.parent.glob("catalogue.db.set-aside-*"))


def notice(shelf: Shelf) -> str | None:
    with shelf.opened() as library:
        return library.stores.notice


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def filled(shelf: Shelf) -> Shelf:
    """A catalogue with a store in it."""
    linked(shelf.places[0] / "a")
    shelf.sync()
    return shelf


def assert_made_anew(shelf: Shelf, said: str | None) -> None:
    """The damage was reported once, and one sync restores everything."""
    assert said is not None
    assert "rebuilt" in said
    assert shelf.sync().changed == 3
    assert len(shelf.memories()) == 2
    assert notice(shelf) is None


def test_a_missing_catalogue_is_created(shelf: Shelf) -> None:
    assert notice(shelf) is None
    assert shelf.memories() == []
    assert set_aside(shelf) == []


@pytest.mark.usefixtures("open_umask")
def test_the_catalogue_is_private(shelf: Shelf) -> None:
    linked(shelf.places[0] / "a")
    with shelf.opened() as library:
        library.sync()
        files = list(shelf.catalogue.parent.iterdir())

        assert {"catalogue.db", "catalogue.db-wal", "catalogue.db-shm"} <= {
            file.name for file in files
        }
        assert {file.name: mode(file) for file in files} == {
            file.name: 0o600 for file in files
        }
    assert mode(shelf.catalogue.parent) == 0o700


@pytest.mark.parametrize(
    "garbage", [b"x", b"garbage" * 1000, b"SQLite format 3\0" + b"\xff" * 5000]
)
def test_garbage_is_set_aside_and_reported(filled: Shelf, garbage: bytes) -> None:
    filled.catalogue.write_bytes(garbage)

    said = notice(filled)

    (aside,) = set_aside(filled)
    assert aside.read_bytes() == garbage
    assert said is not None
    assert str(aside) in said
    assert_made_anew(filled, said)


def open_all(catalogues: list[Path]) -> None:
    """The work of each of several concurrent processes."""
    for path in catalogues:
        connection, _ = open_database(path)
        connection.close()


@pytest.mark.parametrize("before", [None, b"garbage" * 1000])
def test_processes_that_open_it_at_once_all_open_the_same(
    tmp_path: Path, before: bytes | None
) -> None:
    catalogues = [tmp_path / str(turn) / "catalogue.db" for turn in range(20)]
    for catalogue in catalogues if before else ():
        catalogue.parent.mkdir()
        catalogue.write_bytes(before or b"")
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=open_all, args=(catalogues,)) for _ in "abc"]
    for process in processes:
        process.start()
    for process in processes:
        process.join()

    assert [process.exitcode for process in processes] == [0, 0, 0]
    for catalogue in catalogues:
        aside = list(catalogue.parent.glob("*set-aside*"))
        assert [file.read_bytes() for file in aside] == ([before] if before else [])


def test_a_truncated_catalogue_is_set_aside_and_reported(filled: Shelf) -> None:
    whole = filled.catalogue.read_bytes()
    filled.catalogue.write_bytes(whole[: len(whole) // 2])

    assert_made_anew(filled, notice(filled))
    assert len(set_aside(filled)) == 1


def test_an_empty_file_becomes_a_catalogue(filled: Shelf) -> None:
    filled.catalogue.write_bytes(b"")

    assert notice(filled) is None
    assert set_aside(filled) == []
    assert filled.sync().changed == 3


def test_the_database_of_another_program_is_not_lost(shelf: Shelf) -> None:
    shelf.catalogue.parent.mkdir()
    with closing(sqlite3.connect(shelf.catalogue)) as foreign, foreign:
        foreign.execute("PRAGMA journal_mode = WAL")
        foreign.execute("CREATE TABLE bookmarks (page TEXT)")
        foreign.execute("INSERT INTO bookmarks VALUES ('one')")
    linked(shelf.places[0] / "a")

    said = notice(shelf)

    (aside,) = (path for path in set_aside(shelf) if path.suffix != ".lock")
    with closing(sqlite3.connect(aside)) as foreign:
        assert foreign.execute("SELECT page FROM bookmarks").fetchall() == [("one",)]
    assert_made_anew(shelf, said)


def test_a_catalogue_of_another_version_is_replaced(
    filled: Shelf,
) -> None:
    with closing(sqlite3.connect(filled.catalogue)) as older, older:
        older.execute("DROP TABLE memories")
        older.execute("CREATE TABLE memories (something_else TEXT)")
        older.execute("CREATE TABLE of_old (name TEXT)")
        older.execute(f"PRAGMA user_version = {schema.VERSION - 1}")

    assert filled.sync().changed == 3
    assert len(filled.memories()) == 2
    assert set_aside(filled) == []
    with closing(sqlite3.connect(filled.catalogue)) as now:
        names = {name for (name,) in now.execute("SELECT name FROM sqlite_master")}
    assert "of_old" not in names


def test_a_folder_that_cannot_be_created_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")

    with pytest.raises(UnreadableError, match=r"Can.t create .* Not a directory"):
        open_database(tmp_path / "file/cache/catalogue.db")


def test_a_file_that_cannot_be_created_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=r"Can.t create .* File name too long"):
        open_database(tmp_path / ("c" * 300))


def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "catalogue.db").mkdir()

    with pytest.raises(CatalogueUnusableError, match=r"Can.t open the index"):
        open_database(tmp_path / "catalogue.db")


def test_a_failed_transaction_leaves_no_trace(tmp_path: Path) -> None:
    connection, _ = open_database(tmp_path / "catalogue.db")
    insert = (
        "INSERT INTO stores (path, format, title, writable, given) "
        "VALUES (?, '', '', 0, 0)"
    )
    with closing(connection):
        with pytest.raises(sqlite3.IntegrityError), transaction(connection):
            connection.executemany(insert, [(b"/one",), (b"/one",)])
        with transaction(connection):
            connection.execute(insert, (b"/two",))

        rows = connection.execute("SELECT path FROM stores").fetchall()

    assert rows == [(b"/two",)]


def test_every_table_and_index_exists_once(tmp_path: Path) -> None:
    connection, _ = open_database(tmp_path / "catalogue.db")
    with closing(connection):
        names = [n for (n,) in connection.execute("SELECT name FROM sqlite_master")]
        found = connection.execute("PRAGMA integrity_check").fetchall()

    assert set(schema.OF_STORE) < set(names)
    assert found == [("ok",)]


_WRITE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
try:
    connection.execute("BEGIN IMMEDIATE")
except sqlite3.OperationalError as error:
    print(error)
"""


def test_a_look_at_the_seal_does_not_let_others_write(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.db"
    connection, _ = open_database(path)
    with closing(connection), transaction(connection):
        is_sealed(path)

        command = (sys.executable, "-c", _WRITE, path)
        other = subprocess.run(command, capture_output=True, text=True, check=True)

    assert other.stdout == "database is locked\n"


def test_a_list_that_is_not_read_to_its_end_leaves_the_index_intact(
    shelf: Shelf,
) -> None:
    linked(shelf.places[0] / "graph")
    library = shelf.opened()
    library.sync()
    rows = iter(library.lists.page("memories", Page()))
    assert next(rows)
    library.close()
    del rows

    with shelf.opened() as again:
        assert len(list(again.lists.page("memories", Page()))) > 1
        assert again.stores.notice is None
