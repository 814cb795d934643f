"""A write-protected MEMORY.md refuses each change that would have to update it."""

from pathlib import Path

import pytest

from tests.tui.cli.changes.stores import NOTES, Desk, desk
from tests.tui.cli.machine import Machine

REFUSED = "'MEMORY.md' is write-protected. Nothing was written."
NEW = ("new", "--title", "T1", "--type", "feedback", "--body", "x")


@pytest.fixture
def notes(machine: Machine, samples: Path) -> Desk:
    """Notes with an unlisted one, and an index that nobody may write."""
    found = desk(machine, samples, NOTES)
    (found.store / "stray.md").write_text("---\nname: stray\n---\nUnlisted.\n")
    (found.store / "MEMORY.md").chmod(0o444)
    return found


@pytest.mark.parametrize(
    "words",
    [
        ("health", "--fix", "unlisted-memory"),
        ("health", "--fix", "unlisted-memory", "--dry-run"),
        NEW,
        (*NEW, "--dry-run"),
        ("rename", "stray", "Another name"),
    ],
    ids=" ".join,
)
def test_nothing_is_written(notes: Desk, words: tuple[str, ...]) -> None:
    (notes.store / "MEMORY.md").chmod(0o644)
    if words[0] == "rename":
        index = notes.store / "MEMORY.md"
        index.write_text(f"{index.read_text()}- [stray](stray.md)\n")
    (notes.store / "MEMORY.md").chmod(0o444)
    before = notes.contents()

    answer = notes.run(*words)

    assert (answer.code, answer.out) == (4, "")
    assert REFUSED in answer.err
    assert notes.contents() == before
    assert notes.rows("history") == []
