"""Entries of the journal are read back, whatever else is in the file."""

import json
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.edits.journal import Entry, Journal, Operation, add, begun, decode, encode
from store.errors import UnreadableError

texts = st.text(st.characters() | st.characters(categories=["Cs"]), max_size=20)
entries = st.dictionaries(texts, texts | st.integers() | st.none() | st.booleans())


@given(entries)
def test_an_entry_is_read_as_it_was_written(entry: dict[str, object]) -> None:
    line = encode(cast("Entry", entry))

    assert line.count(b"\n") == 1
    assert decode(line[:-1]) == entry


@given(st.lists(entries, max_size=5), st.data())
def test_a_truncated_journal_can_be_continued(
    tmp_path_factory: pytest.TempPathFactory,
    before: list[Entry],
    data: st.DataObject,
) -> None:
    path = tmp_path_factory.mktemp("journal") / "journal.jsonl"
    whole = b"".join(map(encode, before))
    cut = data.draw(st.integers(0, len(whole)))
    path.write_bytes(whole[:cut])
    journal = Journal(path)
    left = journal.entries()[:]

    journal.append({"new": 1})

    assert left == before[: len(left)]
    *kept, newest = journal.entries()
    assert newest == {"new": 1}
    assert kept == before[: len(kept)]
    assert len(kept) >= len(left)
    assert Journal(path).entries() == journal.entries()


@given(st.binary(max_size=80))
def test_foreign_lines_are_skipped(
    tmp_path_factory: pytest.TempPathFactory, garbage: bytes
) -> None:
    path = tmp_path_factory.mktemp("journal") / "journal.jsonl"
    path.write_bytes(encode({"first": 1}) + garbage)
    journal = Journal(path)

    journal.append({"second": 2})

    assert journal.entries() == [{"first": 1}, {"second": 2}]


def test_lines_of_another_process_are_read_without_reading_everything(
    tmp_path: Path,
) -> None:
    one, other = (
        Journal(tmp_path / "journal.jsonl"),
        Journal(tmp_path / "journal.jsonl"),
    )
    one.append({"by": "one"})
    first = one.entries()

    other.append({"by": "other"})

    assert one.entries() is first
    assert first == [{"by": "one"}, {"by": "other"}]


def test_a_rewritten_journal_is_read_again(tmp_path: Path) -> None:
    one, other = (
        Journal(tmp_path / "journal.jsonl"),
        Journal(tmp_path / "journal.jsonl"),
    )
    for number in range(3):
        one.append({"number": number})
    assert len(other.entries()) == 3

    one.rewrite(one.entries()[-1:])

    assert other.entries() == [{"number": 2}]
    assert [path.name for path in tmp_path.iterdir()] == ["journal.jsonl"]


def test_the_journal_is_private(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "deep/er/journal.jsonl")

    journal.append({})

    assert journal.path.stat().st_mode & 0o777 == 0o600
    assert journal.path.parent.stat().st_mode & 0o777 == 0o700


def test_an_unreadable_journal_is_reported(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").mkdir()

    with pytest.raises(UnreadableError, match="Can't read"):
        Journal(tmp_path / "journal.jsonl").entries()


_HEAD = (
    '{"entry":"begun","id":"2f8a01c3","time":1800000000000000,"kind":"undo",'
    r'"change":"7b10aa52","action":"pin \u201cR\u00e9seau\u201d","refs":["a1"],'
    '"root":"/store","locks":[["/store",".lock"]],"shuns":[["busy",60],["x",0.5]],'
    '"marks":[{"path":"a.md","id":null,"name":"pinned","is_set":true,"root":null}],'
    '"pid":42,"deeds":'
)

_DEEDS = {
    "file": (
        r'{"file":"a\udcff.md","root":"/store","before":"ab","after":null,'
        '"temp":".t","derived":true,"folders":["new","new/er"],'
        '"about":[420,1,2,3,[["user.x","/w=="]]],"restores":null,"mode":416}'
    ),
    "lines": (
        '{"appended":"log.jsonl","root":"/other","size":5,"tail":"bGluZQo=",'
        '"lines":"e30K","mtime_ns":7,"takes":true}'
    ),
    "rows": (
        '{"database":"c.db","root":"/store","rows":[{"table":"t","key":{"id":1},'
        '"before":null,"after":"cd","triggers":["CREATE"]}]}'
    ),
    "mode": '{"mode_of":"","root":"/store","before":493,"after":448}',
}


@pytest.mark.parametrize("kind", _DEEDS)
def test_entries_of_an_earlier_version_are_read_and_written_the_same(kind: str) -> None:
    written = f"{_HEAD}[{_DEEDS[kind]}]}}"
    operations: dict[str, Operation] = {}

    add(operations, [cast("Entry", json.loads(written))])
    entry = begun(operations["2f8a01c3"])

    assert encode(entry).partition(b" ")[2] == f"{written}\n".encode()
    (deed,) = operations["2f8a01c3"].deeds
    assert deed.reversed().target == deed.target
