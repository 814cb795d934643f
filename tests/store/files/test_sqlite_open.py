"""A database in any state can be read, and its folder stays unchanged."""

import os
import tempfile
from pathlib import Path

import pytest

from store.errors import RefusedError, UnreadableError
from store.files.beneath import Root
from store.files.sqlite import database_stamp, open_database
from tests.store.files.sqlite_files import make, read, seen, writer

TABLE = "CREATE TABLE t (a)"
LOGGED = "PRAGMA journal_mode = wal"


def notice_of(path: Path) -> str | None:
    with Root(path.parent) as root, open_database(root, path.name) as database:
        return database.notice


def test_a_database_is_read_in_place(tmp_path: Path) -> None:
    path = make(tmp_path / "a.db", TABLE, "INSERT INTO t VALUES (1), ('two')")
    before = seen(tmp_path)

    assert read(path) == [(1,), ("two",)]
    assert notice_of(path) is None
    assert seen(tmp_path) == before


def test_a_running_writer_is_neither_disturbed_nor_missed(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with writer(path) as other:
        other.do(LOGGED, TABLE, "INSERT INTO t VALUES ('only in the log')")
        before = seen(tmp_path)
        assert read(path) == [("only in the log",)]
        assert notice_of(path) is None
        assert seen(tmp_path) == before


def test_a_writer_continues_while_rows_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with writer(path) as other:
        other.do(LOGGED, TABLE, "INSERT INTO t VALUES (1)")
        with Root(tmp_path) as root, open_database(root, "a.db") as database:
            rows = database.rows("t", ["a"])
            assert next(rows) == (1,)
            other.do("PRAGMA busy_timeout = 0", "INSERT INTO t VALUES (2)")
            assert other.do("PRAGMA wal_checkpoint(truncate)") == "[(0, 0, 0)]\n"
            assert list(database.rows("t", ["a"])) == [(1,), (2,)]


def test_rows_left_by_a_crashed_writer_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with writer(path) as other:
        other.do(LOGGED, TABLE, "INSERT INTO t VALUES ('only in the log')")
        other.crash()
    before = seen(tmp_path)

    assert read(path) == [("only in the log",)]
    assert seen(tmp_path) == before


def test_a_log_without_its_index_is_read_from_a_copy(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with writer(path) as other:
        other.do(LOGGED, TABLE, "INSERT INTO t VALUES ('only in the log')")
        other.crash()
    (tmp_path / "a.db-shm").unlink()
    before = seen(tmp_path)

    assert read(path) == [("only in the log",)]
    assert "copy of 'a.db'" in str(notice_of(path))
    assert seen(tmp_path) == before


def test_a_merged_log_is_not_created_again(tmp_path: Path) -> None:
    path = make(tmp_path / "a.db", LOGGED, TABLE, "INSERT INTO t VALUES (1)")
    before = seen(tmp_path)

    assert [p.name for p in tmp_path.iterdir()] == ["a.db"]
    assert read(path) == [(1,)]
    assert seen(tmp_path) == before


def test_half_a_transaction_is_rolled_back_in_a_copy(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with writer(path) as other:
        other.do(TABLE, "PRAGMA cache_size = 5", "BEGIN")
        fill = "WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT i + 1 FROM n LIMIT 2000)"
        other.do(f"INSERT INTO t {fill} SELECT 'whole ' || hex(zeroblob(300)) FROM n")
        other.do("COMMIT", "BEGIN", "UPDATE t SET a = 'torn ' || a")
        other.crash()
    before = seen(tmp_path)
    assert (tmp_path / "a.db-journal").stat().st_size

    assert {str(value)[:5] for (value,) in read(path)} == {"whole"}
    assert seen(tmp_path) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="Root may write into every folder.")
def test_a_database_in_a_read_only_folder_is_read(tmp_path: Path) -> None:
    path = make(tmp_path / "a.db", LOGGED, TABLE, "INSERT INTO t VALUES (1)")
    tmp_path.chmod(0o555)
    assert read(path) == [(1,)]
    tmp_path.chmod(0o755)


def test_a_copy_is_private_and_removed_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make(tmp_path / "a.db", LOGGED, TABLE)
    copies = tmp_path / "copies"
    copies.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(copies))
    with Root(path.parent) as root, open_database(root, path.name) as database:
        assert [one.stat().st_mode & 0o777 for one in copies.iterdir()] == [0o700]
        assert list(database.rows("t", ["a"])) == []
    assert list(copies.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["x.db?mode=rwc&y=.db", "ü%41#.db", "a\nb.db", b"\xff"]
)
def test_special_characters_in_a_file_name_work(
    tmp_path: Path, name: str | bytes
) -> None:
    path = tmp_path / (name if isinstance(name, str) else os.fsdecode(name))
    make(tmp_path / "made.db", TABLE, "INSERT INTO t VALUES (1)").rename(path)

    assert read(path) == [(1,)]
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_within_the_store_is_followed_and_one_out_of_it_is_not(
    tmp_path: Path,
) -> None:
    make(tmp_path / "outside.db", TABLE)
    (tmp_path / "store").mkdir()
    make(tmp_path / "store/own.db", TABLE, "INSERT INTO t VALUES (1)")
    (tmp_path / "store/within.db").symlink_to("own.db")
    (tmp_path / "store/out.db").symlink_to("../outside.db")
    (tmp_path / "store/nowhere.db").symlink_to("gone.db")

    assert read(tmp_path / "store/within.db") == [(1,)]
    for name in ("out.db", "nowhere.db"):
        with pytest.raises(RefusedError):
            read(tmp_path / "store" / name)


def test_anything_but_a_database_is_refused_in_one_sentence(tmp_path: Path) -> None:
    good = make(tmp_path / "good.db", TABLE).read_bytes()
    os.mkfifo(tmp_path / "pipe.db")
    (tmp_path / "folder.db").mkdir()
    for name, raw in {
        "empty": b"",
        "text": b"not a database\n" * 100,
        "encrypted": os.urandom(8192),
        "header": good[:100],
        "beginning": good[:60],
        "cut": good[:150],
        "page-size": good[:16] + b"\x00\x01" + good[18:],
        "pages": good[:28] + b"\x80\x00\x00\x00" + good[32:],
    }.items():
        (tmp_path / f"{name}.db").write_bytes(raw)
    before = {path.name for path in tmp_path.iterdir()}

    for name in before - {"good.db"}:
        with pytest.raises(UnreadableError, match=rf"'{name}'.*\.$"):
            read(tmp_path / name)
    assert {path.name for path in tmp_path.iterdir()} == before


def test_the_stamp_changes_with_the_log(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Root(tmp_path) as root, writer(path) as other:
        other.do(TABLE)
        about = path.stat()
        first = database_stamp(root, "a.db")
        assert first == (about.st_size, about.st_mtime_ns, about.st_ino)
        other.do(LOGGED)
        second = database_stamp(root, "a.db")
        other.do("INSERT INTO t VALUES (1)")
        third = database_stamp(root, "a.db")
        assert database_stamp(root, "a.db") == third
        other.do("INSERT INTO t VALUES (2)")
        assert len({first, second, third, database_stamp(root, "a.db")}) == 4


def test_a_missing_file_has_no_stamp(tmp_path: Path) -> None:
    with Root(tmp_path) as root, pytest.raises(UnreadableError):
        database_stamp(root, "gone.db")
