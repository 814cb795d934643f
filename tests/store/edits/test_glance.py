"""A quick check of the journal for unfinished changes."""

from pathlib import Path

import pytest

from store.answers.journal import may_be_open
from store.edits.draft import Draft, FileStep
from store.edits.engine import Engine
from store.machine import Places


@pytest.fixture
def changes(tmp_path: Path) -> Path:
    """The journal of a change that was made, and of one that was undone."""
    places = Places(tmp_path / "cache", tmp_path / "state", tmp_path / "config")
    store = tmp_path / "store"
    store.mkdir()
    with Engine(places, lambda: 1) as engine:
        for name in ("one", "two"):
            step = FileStep(path=name, before=None, after=b"text\n")
            engine.apply(store, Draft(action=f"make {name}", steps=(step,)))
        engine.undo()
    folder = places.state / "changes"
    for left in (folder / "limbo").iterdir():
        left.unlink()
    return folder


def test_without_changes_nothing_is_unfinished(tmp_path: Path) -> None:
    assert not may_be_open(tmp_path / "state" / "changes")


def test_after_a_finished_change_nothing_is_unfinished(changes: Path) -> None:
    assert not may_be_open(changes)


def test_a_begun_change_may_be_unfinished_wherever_it_was_cut_off(
    changes: Path,
) -> None:
    journal = changes / "journal.jsonl"
    whole = journal.read_bytes()
    begun = whole.rstrip(b"\n").rpartition(b"\n")[0] + b"\n"

    for end in range(len(begun), len(whole)):
        journal.write_bytes(whole[:end])
        assert may_be_open(changes)


def test_a_file_in_limbo_needs_a_check(changes: Path) -> None:
    (changes / "limbo" / "1a2b3c4d-0-0").write_bytes(b"text\n")

    assert may_be_open(changes)


def test_a_long_last_entry_needs_a_check(changes: Path) -> None:
    with (changes / "journal.jsonl").open("ab") as file:
        file.write(b"0" * 32 + b' {"entry":"done","notes":["' + b"x" * 5000 + b'"]}\n')

    assert may_be_open(changes)
