"""The journal: what was written is read back, whatever else is in the file."""

from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.edits.kept.journal import Entry, Journal, decode, encode
from store.errors import UnreadableError

texts = st.text(st.characters() | st.characters(categories=["Cs"]), max_size=20)
entries = st.dictionaries(texts, texts | st.integers() | st.none() | st.booleans())


@given(entries)
def test_an_entry_is_read_as_it_was_written(entry: dict[str, object]) -> None:
    line = encode(cast("Entry", entry))

    assert line.count(b"\n") == 1
    assert decode(line[:-1]) == entry


@given(st.lists(entries, max_size=5), st.data())
def test_a_journal_that_was_cut_off_goes_on(
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
def test_what_others_wrote_is_passed_over(
    tmp_path_factory: pytest.TempPathFactory, garbage: bytes
) -> None:
    path = tmp_path_factory.mktemp("journal") / "journal.jsonl"
    path.write_bytes(encode({"first": 1}) + garbage)
    journal = Journal(path)

    journal.append({"second": 2})

    assert journal.entries() == [{"first": 1}, {"second": 2}]


def test_what_another_process_adds_is_read_without_reading_all_again(
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


def test_a_journal_written_anew_is_read_anew(tmp_path: Path) -> None:
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


def test_it_is_for_its_owner_alone(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "deep/er/journal.jsonl")

    journal.append({})

    assert journal.path.stat().st_mode & 0o777 == 0o600
    assert journal.path.parent.stat().st_mode & 0o777 == 0o700


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").mkdir()

    with pytest.raises(UnreadableError, match="cannot be read"):
        Journal(tmp_path / "journal.jsonl").entries()
