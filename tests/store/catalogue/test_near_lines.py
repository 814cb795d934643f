"""Only changed lines are read, and the catalogue is the same as a fresh one."""

import json
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from store.catalogue.database import open_database
from store.catalogue.partial_sync import read_near
from store.catalogue.sync import sync
from store.catalogue.words import index_words
from store.derive.texts import exchanged
from store.discover import Found
from store.formats.agent_memory.format import FORMAT
from store.records.intents import Create
from store.resource import Closing
from tests.store.catalogue.stores import silent
from tests.store.catalogue.whole import rows_of
from tests.store.formats.agent_memory_stores import write
from tests.store.formats.changed_stores import Changed

FILE, OTHER = "learnings.jsonl", "core_memories.jsonl"


def line(number: int, content: str = "Some text.", **more: object) -> bytes:
    thing: dict[str, object] = {"id": f"one-{number}", "type": "learning"}
    thing |= {"content": content, "tags": ["redis"], **more}
    return json.dumps(thing).encode()


DATED = {"updated_at": "2026-01-02T10:00:00Z"}
AHEAD = {"updated_at": "2499-01-02T10:00:00Z"}
NUMBERS = st.integers(1, 9)
LINES = st.one_of(
    NUMBERS.map(line),
    NUMBERS.map(lambda number: line(number, "Other.", importance="odd")),
    NUMBERS.map(lambda number: line(number, "Dated.", **DATED)),
    NUMBERS.map(lambda number: line(number, "Ahead.", **AHEAD)),
    NUMBERS.map(lambda number: line(number, "Hid\u202eden.")),
    st.sampled_from([b"", b"{", b"[1]", b'{"content": "nameless"}', line(1) + line(2)]),
)
TEXTS = st.lists(LINES, max_size=7)
ENDS = st.sampled_from([b"\n", b""])
USUAL = [line(number) for number in range(1, 6)]


@given(TEXTS, TEXTS, TEXTS, ENDS)
@example([], USUAL, [line(0), *USUAL], b"\n")
@example([line(9)], USUAL, USUAL[1:], b"\n")
@example([], USUAL, [*USUAL[:2], b"", *USUAL[3:]], b"\n")
@example([], USUAL, [*USUAL[:2], line(3, "Ahead.", **AHEAD), *USUAL[3:]], b"\n")
@example([], [*USUAL, b"{"], [*USUAL[1:], b"{"], b"\n")
@example([], [line(1, "Hid\u202eden."), *USUAL[1:]], USUAL, b"\n")
def test_reading_changed_lines_gives_the_same_as_reading_everything(
    beside: Sequence[bytes], before: Sequence[bytes], after: Sequence[bytes], end: bytes
) -> None:
    with tempfile.TemporaryDirectory() as folder, _Shelf(Path(folder)) as shelf:
        shelf.write(OTHER, b"\n".join(beside) + end)
        was, now = b"\n".join(before) + b"\n", b"\n".join(after) + end
        shelf.write(FILE, was)
        shelf.sync()
        shelf.write(FILE, now)

        shelf.read_near(was, now)

        assert shelf.rows == shelf.anew()


@pytest.mark.parametrize(
    "after",
    [
        [*USUAL, line(6, "Zanzibar.")],
        [*USUAL[:2], line(3, "Zanzibar."), *USUAL[3:]],
        USUAL[1:],
        [*USUAL[:2], line(7), line(8), *USUAL[2:]],
    ],
)
def test_no_other_line_is_read(after: Sequence[bytes], tmp_path: Path) -> None:
    with _Shelf(tmp_path) as shelf:
        was, now = (b"\n".join(one) + b"\n" for one in (USUAL, after))
        shelf.write(FILE, was)
        shelf.sync()
        shelf.write(FILE, now.replace(USUAL[4], line(5, "Sizeable!!")))

        shelf.read_near(was, now)

        assert "Sizeable!!" not in str(shelf.rows)


def test_lines_added_one_after_the_other_are_numbered(tmp_path: Path) -> None:
    file = write(tmp_path / "store", FILE, b"\n".join([*USUAL, b"", b"{", b""]))
    write(tmp_path / "store", OTHER, line(9) + b"\n")
    store = Changed(tmp_path / "store", FORMAT, tmp_path / "own")
    with closing(store):
        for title in ("first", "second"):
            store.do(Create(title=title, fields={"type": "learning"}))
        write(tmp_path / "store", FILE, b"\n" + file.read_bytes())
        for title in ("third", "fourth", "fifth"):
            store.do(Create(title=title, fields={"type": "learning"}))
            store.undo()
            store.do(Create(title=title, fields={"type": "learning"}))

        memories = [one for one in store.memories() if one.path == FILE]
        told = file.read_bytes().split(b"\n")
        for memory in memories:
            assert memory.title in told[(memory.line or 0) - 1].decode()
    assert len(memories) == len(USUAL) + 5


class _Shelf(Closing):
    """A store of lines, and the catalogue of it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        root = folder / "memory"
        root.mkdir(mode=0o700)
        self._found = Found(root, FORMAT)
        self._connection, _ = open_database(folder / "near.db")

    def close(self) -> None:
        self._connection.close()

    def write(self, path: str, raw: bytes) -> None:
        file = self._found.path / path
        file.write_bytes(raw)
        file.chmod(0o600)

    def sync(self) -> None:
        sync(self._connection, [self._found], silent)

    def read_near(self, was: bytes, now: bytes) -> None:
        """Read the changed lines, or everything if that is not possible."""
        told = {FILE: exchanged(was, now)}
        if read_near(self._connection, self._found, [FILE], told):
            index_words(self._connection)
        else:
            self.sync()

    @property
    def rows(self) -> dict[str, list[str]]:
        return rows_of(self._folder / "near.db")

    def anew(self) -> dict[str, list[str]]:
        """The content of a fresh catalogue."""
        path = self._folder / "anew.db"
        fresh, _ = open_database(path)
        with closing(fresh):
            sync(fresh, [self._found], silent)
        return rows_of(path)
