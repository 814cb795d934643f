"""Damaged files restored from an intact backup, or from the archive."""

import json
from pathlib import Path

import pytest

from store.edits.draft import Draft
from store.records.intents import Fix
from tests.store.formats.agent_memory_changes import (
    LEARNINGS,
    changed,
    index_agrees,
    problems,
    rows,
)
from tests.store.formats.agent_memory_stores import (
    DOCUMENT,
    make_small_store,
    thing,
    write,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "memories"
    root.mkdir()
    make_small_store(root)
    return root


def restored(root: Path, code: str) -> Draft:
    """Fix every problem of a code; afterwards there is none."""
    draft = changed(root, Fix(), problems(root, code))
    assert problems(root, code) == []
    return draft


def test_a_damaged_document_is_restored_from_its_backup(root: Path) -> None:
    write(root, "zoe.json.backup", json.dumps(DOCUMENT))
    write(root, "zoe.json", json.dumps(DOCUMENT)[:-300])

    restored(root, "damaged-json")

    assert json.loads((root / "zoe.json").read_bytes()) == DOCUMENT


def test_a_file_without_a_backup_is_restored_from_the_archive(root: Path) -> None:
    write(root, LEARNINGS, b"\0\0\0 garbage \xff\n{\n")
    damaged = (root / LEARNINGS).read_bytes()

    draft = restored(root, "damaged-line")

    assert rows(root, LEARNINGS) == [thing(5, "learning", archived=False)]
    assert rows(root, "archive/2025/learnings_2025_Q4.jsonl") == []
    (kept,) = (root / ".backup").glob("learnings.jsonl.backup.*")
    assert kept.read_bytes() == damaged
    assert draft.is_grave
    assert "restored from the archive: 1 memory" in " ".join(draft.warnings)


def test_a_damaged_backup_is_skipped(root: Path) -> None:
    write(root, "zoe.json.backup", json.dumps(DOCUMENT))
    write(root, ".backup/zoe.json.backup.20260228_100000", "{")
    write(root, "zoe.json", json.dumps(DOCUMENT)[:-300])

    restored(root, "damaged-json")

    assert json.loads((root / "zoe.json").read_bytes()) == DOCUMENT


def test_several_damaged_files_are_restored_in_one_change(root: Path) -> None:
    for name in ("zoe", "yan"):
        write(root, f"{name}.json.backup", json.dumps(DOCUMENT))
        write(root, f"{name}.json", json.dumps(DOCUMENT)[:-300])
    write(root, "index.json", "{")

    restored(root, "damaged-json")

    for name in ("zoe", "yan"):
        assert json.loads((root / f"{name}.json").read_bytes()) == DOCUMENT
    assert index_agrees(root)
