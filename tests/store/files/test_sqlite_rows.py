"""Rows of real tables, in pages, with their stored values."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from store.errors import UnreadableError
from store.files.beneath import Root
from store.files.sqlite import Scalar, open_database
from tests.store.files.sqlite_files import make, read, seen

values = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.binary(),
)


@given(st.lists(values, max_size=30))
@example([float("inf"), -0.0, "", b"", "a\0b"])
def test_values_keep_their_stored_types(
    tmp_path_factory: pytest.TempPathFactory, stored: list[Scalar]
) -> None:
    path = tmp_path_factory.mktemp("values") / "a.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE t (a)")
        connection.executemany("INSERT INTO t VALUES (?)", [(v,) for v in stored])

    assert read(path) == [(value,) for value in stored]


@given(
    st.sets(st.integers(-(2**63), 2**63 - 1), max_size=40),
    st.integers(1, 7),
    st.integers(0, 50) | st.none(),
)
@example({-(2**63), 2**63 - 1}, 1, None)
def test_pages_add_up_to_all_rows(
    tmp_path_factory: pytest.TempPathFactory,
    numbers: set[int],
    size: int,
    limit: int | None,
) -> None:
    path = tmp_path_factory.mktemp("pages") / "a.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY)")
        connection.executemany("INSERT INTO t VALUES (?)", [(n,) for n in numbers])
    with (
        pytest.MonkeyPatch.context() as patch,
        Root(path.parent) as root,
        open_database(root, path.name) as database,
    ):
        patch.setattr("store.files.sqlite.PAGE", size)
        wanted = [(number,) for number in sorted(numbers)][:limit]
        assert list(database.rows("t", ["a"], limit=limit)) == wanted
        falling = list(database.rows("t", ["a"], order="a DESC", limit=limit))
        assert falling == [(n,) for n in sorted(numbers, reverse=True)][:limit]
        positive = [(number,) for number in sorted(numbers) if number > 0][:limit]
        few = database.rows("t", ["a"], where="a > ?", values=[0], limit=limit)
        assert list(few) == positive
        assert list(database.rows("t", ["a"], after=0, limit=limit)) == positive


def test_the_row_number_is_known_whatever_its_column_is_called(tmp_path: Path) -> None:
    path = make(
        tmp_path / "a.db",
        "CREATE TABLE t (a, _rowid_)",
        "CREATE TABLE odd (rowid, _rowid_, oid)",
        "CREATE TABLE bare (a PRIMARY KEY) WITHOUT ROWID",
        "INSERT INTO t VALUES ('x', 5), ('y', 6)",
        "INSERT INTO odd VALUES (1, 2, 3)",
        "INSERT INTO bare VALUES ('b'), ('a')",
    )

    assert read(path, "t", ("rowid", "a")) == [(1, "x"), (2, "y")]
    assert read(path, "odd", ("rowid", "oid")) == [(1, 3)]
    assert read(path, "bare") == [("a",), ("b",)]
    with pytest.raises(UnreadableError, match="no column 'rowid'"):
        read(path, "bare", ("rowid",))


def test_invalid_utf8_is_replaced(tmp_path: Path) -> None:
    path = make(
        tmp_path / "a.db",
        "CREATE TABLE t (a)",
        "INSERT INTO t VALUES (CAST(x'ff41fe' AS TEXT))",
    )

    assert read(path) == [("\ufffdA\ufffd",)]


def test_only_real_tables_are_listed(tmp_path: Path) -> None:
    path = make(
        tmp_path / "a.db",
        "CREATE TABLE t (a, b AS (a + 1))",
        "CREATE VIEW v AS SELECT a FROM t",
        "CREATE VIRTUAL TABLE f USING fts5(a)",
        "INSERT INTO f VALUES ('kept by the module')",
        "CREATE TRIGGER g AFTER UPDATE ON t BEGIN DELETE FROM t; END",
    )
    with Root(tmp_path) as root, open_database(root, "a.db") as database:
        assert database.tables["t"] == ("a", "b")
        assert {"v", "f", "g"}.isdisjoint(database.tables)
        kept = list(database.rows("f_content", ["c0"]))
        assert kept == [("kept by the module",)]
    for table in ("v", "f", "sqlite_master", 't"; DROP TABLE t; --'):
        with pytest.raises(UnreadableError, match="has no table"):
            read(path, table)
    with pytest.raises(
        UnreadableError, match=r"'a\.db': 't' does not store the computed column 'b'\."
    ):
        read(path, "t", ("b",))


def test_special_characters_in_names_work(tmp_path: Path) -> None:
    names = ["x]; drop table y;--", "\x1b[2J", 'a"b', "select", "sqlite\u202e"]
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    path = make(tmp_path / "a.db", *(f"CREATE TABLE {q} ({q})" for q in quoted))

    for name in names:
        assert read(path, name, (name,)) == []


def test_a_row_that_is_too_long_is_skipped_alone(tmp_path: Path) -> None:
    make(
        tmp_path / "a.db",
        "CREATE TABLE t (a)",
        "INSERT INTO t VALUES ('one'), (zeroblob(17000000)), ('three')",
    )
    with Root(tmp_path) as root, open_database(root, "a.db") as database:
        assert list(database.rows("t", ["a"])) == [("one",), ("three",)]
        assert database.lost == ["Can't read row 2 of t: string or blob too big."]
        assert list(database.rows("t", ["a"], order="rowid DESC")) == [
            ("three",),
            ("one",),
        ]


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n)"


def test_statements_that_do_more_than_read_are_refused(tmp_path: Path) -> None:
    path = make(tmp_path / "a.db", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
    before = seen(tmp_path)
    with Root(tmp_path) as root, open_database(root, path.name) as database:
        for where in (
            "a IN (SELECT 1 FROM sqlite_temp_master)",
            f"a IN ({ENDLESS} SELECT i FROM n)",
            "load_extension('x')",
            "randomblob(1000000000)",
        ):
            with pytest.raises(UnreadableError):
                list(database.rows("t", ["a"], where=where))
    assert seen(tmp_path) == before


def test_a_statement_that_takes_too_long_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill = "WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT i + 1 FROM n LIMIT 9000)"
    path = make(
        tmp_path / "a.db", "CREATE TABLE t (a)", f"INSERT INTO t {fill} SELECT i FROM n"
    )
    monkeypatch.setattr("store.files.sqlite.PATIENCE", -1)
    with Root(tmp_path) as root, open_database(root, path.name) as database:
        slow = database.rows("t", ["a"], where="a < (SELECT count(*) FROM t AS u)")
        with pytest.raises(UnreadableError, match="it took too long"):
            list(slow)


SOUND = (
    "CREATE TABLE t (a, b TEXT)",
    "CREATE INDEX i ON t (b)",
    "INSERT INTO t VALUES (1, 'x'), (x'00ff', 'a longer text than fits '), (2.5, NULL)",
)


@given(st.lists(st.tuples(st.integers(0, 12287), st.integers(0, 7)), max_size=8))
def test_flipped_bits_give_rows_or_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, flips: list[tuple[int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("flipped")
    path = make(folder / "a.db", *SOUND)
    raw = bytearray(path.read_bytes())
    for place, bit in flips:
        raw[place % len(raw)] ^= 1 << bit
    path.write_bytes(raw)
    before = seen(folder)
    with (
        suppress(UnreadableError),
        Root(folder) as root,
        open_database(root, "a.db") as database,
    ):
        for table, columns in database.tables.items():
            assert len(list(database.rows(table, columns))) < 1000
    assert seen(folder) == before
