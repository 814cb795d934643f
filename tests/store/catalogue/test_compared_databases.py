"""A database that changed in any way is read as if it were read for the first time."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import msgpack

from store.formats.claudia import pieces
from store.library import Page
from tests.examples import examples
from tests.store.catalogue import whole
from tests.store.catalogue.stores import Shelf, write
from tests.store.formats.claudia_stores import Claudia, database
from tests.store.formats.transcripts_stores import assistant, dumped, says, user

ENTRIES, TALKS = "memory_transcript_entries", "memory_conversations"
FILES = ("-k/a.jsonl", "-k/b.jsonl")


def at(minute: int) -> str:
    return f"2026-02-20T{minute // 60 % 24:02}:{minute % 60:02}:00.000Z"


# Only what changed is read, and only what it concerns is written.


def grown(folder: Path) -> Shelf:
    """A database of some blocks in two files, read."""
    with database(folder / "anima") as made:
        for number in range(4 * pieces.BLOCK):
            file = FILES[number // 2 // pieces.BLOCK]
            made.entry(at(number), f"Cone {number}", source_file=file)
        for first in range(0, 4 * pieces.BLOCK, 64):
            file = FILES[first // 2 // pieces.BLOCK]
            made.conversation(at(first), at(first + 63), source_file=file)
    shelf = Shelf(folder / "cache/catalogue.db", folder / "anima")
    shelf.sync()
    return shelf


def edit(folder: Path, *statements: str) -> None:
    path = folder / "anima/anima.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def add(folder: Path, minute: int) -> None:
    path = folder / "anima/anima.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        Claudia(connection).entry(at(minute), "Cone 10 at last")


def numbers(shelf: Shelf, table: str) -> dict[str, int]:
    """The row number of each record in a table of the index."""
    with closing(sqlite3.connect(shelf.catalogue)) as connection:
        return dict(connection.execute(f"SELECT ref, id FROM {table}"))


def changed(shelf: Shelf, table: str, before: dict[str, int]) -> set[str]:
    """The records that were written, or deleted."""
    return {ref for ref, _ in {*before.items()} ^ {*numbers(shelf, table).items()}}


def test_a_row_that_is_added_is_the_only_one_that_is_written(tmp_path: Path) -> None:
    shelf = grown(tmp_path)
    before = {table: numbers(shelf, table) for table in ("messages", "conversations")}
    add(tmp_path, 4 * pieces.BLOCK + 90)

    report = shelf.sync()

    assert report.records < pieces.BLOCK
    assert len(changed(shelf, "messages", before["messages"])) == 1
    assert len(changed(shelf, "conversations", before["conversations"])) == 1


def test_rows_that_are_added_one_by_one_form_blocks(tmp_path: Path) -> None:
    shelf = grown(tmp_path)
    for minute in range(5):
        add(tmp_path, minute)
        shelf.sync()
    with closing(sqlite3.connect(shelf.catalogue)) as connection:
        (mark,) = connection.execute("SELECT noted FROM sources").fetchone()
    blocks = msgpack.decode(mark, type=pieces.Progress).entries.done

    assert [block.count for block in blocks] == [*4 * [pieces.BLOCK], 5]


def test_only_the_block_of_a_row_that_changed_is_read(tmp_path: Path) -> None:
    shelf = grown(tmp_path)
    before = numbers(shelf, "messages")
    edit(tmp_path, f"UPDATE {ENTRIES} SET content = 'Bone 300' WHERE id = 300")

    report = shelf.sync()

    assert report.records < 2 * pieces.BLOCK
    assert changed(shelf, "messages", before) == set()
    assert "Bone 300" in {message.text for message in shelf.messages()}


def test_the_program_regroups_a_conversation(tmp_path: Path) -> None:
    shelf = grown(tmp_path)
    before = {table: numbers(shelf, table) for table in ("messages", "conversations")}
    last = f"(SELECT max(id) FROM {TALKS})"
    edit(
        tmp_path,
        f"UPDATE {TALKS} SET id = id + 1000 WHERE id = {last}",
        f"UPDATE {TALKS} SET last_message_at = '{at(1100)}' WHERE id = {last}",
    )

    report = shelf.sync()

    assert report.records < 2 * pieces.BLOCK
    assert changed(shelf, "messages", before["messages"]) == set()
    assert len(changed(shelf, "conversations", before["conversations"])) == 2


def test_files_that_are_to_be_read_again_are_read_from_the_start(
    tmp_path: Path,
) -> None:
    shelf = grown(tmp_path)

    report = shelf.sync(again=[tmp_path / "anima"])

    assert report.records > 4 * pieces.BLOCK


# Any changes.

Edit = Callable[[Claudia], object]

minutes = st.integers(0, 400)
files = st.sampled_from(FILES)
_NTH = "id = (SELECT id FROM {} ORDER BY id LIMIT 1 OFFSET {})"


def runs(statement: str) -> Edit:
    return lambda made: made.connection.execute(statement)


def change(table: str, place: int, terms: str) -> Edit:
    where = _NTH.format(table, place)
    return runs(f"UPDATE OR IGNORE {table} SET {terms} WHERE {where}")


def delete(table: str, place: int) -> Edit:
    return runs(f"DELETE FROM {table} WHERE {_NTH.format(table, place)}")


def add_entry(minute: int, file: str) -> Edit:
    return lambda made: made.entry(at(minute), f"At {minute}", source_file=file)


def add_conversation(minute: int, more: int, file: str) -> Edit:
    times = (at(minute), at(minute + more))
    return lambda made: made.conversation(*times, source_file=file, status="active")


of_entries = st.one_of(
    st.sampled_from(
        [
            "content = 'other text'",
            "content = replace(content, 'A', 'B')",
            "content = CAST(content AS BLOB)",
            "timestamp = NULL",
            "timestamp = 'no time'",
            "tool_names = 'Read, Bash'",
            "session_id = 'another'",
            "id = id + 100",
            "id = -id",
        ]
    ),
    minutes.map(lambda minute: f"timestamp = '{at(minute)}'"),
    files.map(lambda file: f"source_file = '{file}'"),
)
of_conversations = st.one_of(
    st.sampled_from(
        [
            "status = 'archived', summary = 'We fired it.'",
            "status = 'odd'",
            "metadata = '{'",
            "id = id + 100",
            "first_message_at = NULL",
            "summary = 'Duplicate conversation'",
        ]
    ),
    minutes.map(lambda minute: f"last_message_at = '{at(minute)}'"),
    minutes.map(lambda minute: f"first_message_at = '{at(minute)}'"),
)
others = st.sampled_from(
    [
        f"ALTER TABLE {TALKS} ADD COLUMN mood TEXT DEFAULT 'calm'",
        f"ALTER TABLE {ENTRIES} RENAME COLUMN cwd TO folder",
        "UPDATE memory_documents SET content = 'Cones are numbers.'",
        "UPDATE memory_file_states SET status = 'ingesting'",
        f"DELETE FROM {ENTRIES}",
        f"DELETE FROM {TALKS}",
        f"DROP TABLE {TALKS}",
    ]
)
places = st.integers(0, 6)
tables = st.sampled_from([ENTRIES, TALKS])
edits: st.SearchStrategy[Edit] = st.one_of(
    st.builds(add_entry, minutes, files),
    st.builds(add_conversation, minutes, minutes, files),
    st.builds(change, st.just(ENTRIES), places, of_entries),
    st.builds(change, st.just(TALKS), places, of_conversations),
    st.builds(delete, tables, places),
    st.builds(runs, others),
)


class Layout(NamedTuple):
    """How a database lies on disk."""

    is_logged: bool
    is_vacuumed: bool
    cut: int
    """The bytes that the end of its log lacks."""


layouts = st.builds(Layout, st.booleans(), st.booleans(), st.sampled_from([0, 1, 5000]))
stops = st.sampled_from([0, 0, 1, 2])
"""After how many transactions reading breaks off; 0 if it does not."""
steps = st.tuples(st.lists(edits, min_size=1, max_size=3), layouts, stops)


class Store:
    """A store with a database, which is changed elsewhere and then copied there."""

    def __init__(self, folder: Path) -> None:
        self.place, self._elsewhere = folder / "anima", folder / "elsewhere"
        self.place.mkdir()
        with database(self._elsewhere) as made:
            made.document("/m/a.md", "insights", "Cones are text.")
            for minute in (10, 11, 12, 200, 201, 390):
                made.entry(at(minute), f"At {minute}", source_file=FILES[minute % 2])
            for first, last in ((10, 12), (200, 201)):
                made.conversation(at(first), at(last), source_file=FILES[0])
                made.conversation(at(first), at(last), source_file=FILES[1])
        self._copy(0)

    def change(self, several: list[Edit], layout: Layout) -> None:
        """Change it, as far as it has the tables and columns."""
        path = self._elsewhere / "anima.db"
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            mode = "wal" if layout.is_logged else "delete"
            connection.execute(f"PRAGMA journal_mode = {mode}")
            connection.execute("PRAGMA wal_autocheckpoint = 0")
            for one in several:
                with suppress(sqlite3.Error):
                    one(Claudia(connection))
            if layout.is_vacuumed:
                connection.execute("VACUUM")
            self._copy(layout.cut)

    def _copy(self, cut: int) -> None:
        for name, missing in (("anima.db", 0), ("anima.db-wal", cut)):
            if (self._elsewhere / name).exists():
                raw = (self._elsewhere / name).read_bytes()
                (self.place / name).write_bytes(raw[: max(0, len(raw) - missing)])
            else:
                (self.place / name).unlink(missing_ok=True)


_MARK = re.compile("'noted': .*, 'more'")


def answers(shelf: Shelf) -> object:
    """Everything that the index says, and the order in which lists have it.

    Where blocks of rows begin and end depends on how often a database was read.
    """
    with shelf.opened() as library:
        lists = [
            list(library.lists.page(kind, Page()))
            for kind in ("conversations", "messages", "documents", "problems")
        ]
    rows = whole.rows_of(shelf.catalogue)
    rows["sources"] = [_MARK.sub("", row) for row in rows["sources"]]
    return lists, rows


def break_off(shelf: Shelf, stop: int) -> None:
    """Read until some transactions are done."""
    left = iter(range(stop - 1))

    def report(_progress: object) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        shelf.sync(report)


@given(
    history=st.lists(steps, min_size=1, max_size=3),
    block=st.sampled_from([1, 2, 3, 256]),
    piece=st.sampled_from([1, 3, 5000]),
    has_transcript=st.booleans(),
)
@examples(10)
def test_any_change_gives_the_same_as_reading_all_of_it(
    tmp_path_factory: pytest.TempPathFactory,
    history: list[tuple[list[Edit], Layout, int]],
    block: int,
    piece: int,
    *,
    has_transcript: bool,
) -> None:
    folder = tmp_path_factory.mktemp("compared")
    store, stores = Store(folder), [folder / "anima"]
    if has_transcript:
        lines = [user("q", "At 10", timestamp=at(10))]
        lines.append(assistant("a", says("At 12"), timestamp=at(12)))
        write(folder, f"projects/{FILES[0]}", dumped(lines))
        stores.append(folder / "projects")
    shelf = Shelf(folder / "cache/catalogue.db", *stores)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "PIECE", piece)
        patch.setattr(pieces, "BLOCK", block)
        patch.setattr("store.catalogue.update._SHOWN_EVERY", -1)
        plain = Layout(is_logged=False, is_vacuumed=False, cut=0)
        last: tuple[list[Edit], Layout, int] = ([], plain, 0)
        for number, (several, layout, stop) in enumerate([*history, last]):
            store.change(several, layout)
            if stop:
                break_off(shelf, stop)
                continue
            shelf.sync()
            fresh = Shelf(folder / f"fresh-{number}.db", *stores)
            fresh.sync()
            assert answers(shelf) == answers(fresh)
