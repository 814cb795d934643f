"""Hostile databases, each with its expected outcome.

A tool beside the project generates them and states the outcomes; one folder has them
all, which is one store. Without the tool the tests are skipped.
"""

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from store.files.beneath import Root
from store.findings import Findings, Severity
from store.formats.claudia.format import FORMAT
from tests.store.formats.claudia_stores import ask, read, refused
from tests.store.formats.hostile import GENERATOR, make_hostile


@dataclass(frozen=True)
class Hostile:
    """The databases, and their findings."""

    folder: Path
    owed: Mapping[str, str]
    found: Mapping[str, Findings]
    refused: Mapping[str, str]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Hostile:
    folder = tmp_path_factory.mktemp("hostile")
    owed = {
        case["path"].removeprefix("sqlite/"): case["expect"]
        for case in make_hostile(folder, "sqlite")
        if case["path"].startswith("sqlite/")
    }
    store = folder / "sqlite"
    return Hostile(folder, owed, read(store), refused(store))


def errors(found: Findings) -> list[str]:
    return [f.message for f in found.flaws if f.severity is not Severity.NOTE]


def test_hostile_databases_are_a_store(hostile: Hostile) -> None:
    with Root(hostile.folder / "sqlite") as root:
        assert FORMAT.sniff(root)


def test_every_database_gets_the_expected_outcome(hostile: Hostile) -> None:
    unmet: dict[str, str] = {}
    for name, owed in hostile.owed.items():
        found = hostile.found.get(name) or hostile.found.get(f"{name}.db", Findings())
        met = {
            "ok": bool(found.messages) and not errors(found),
            "conflict": bool(found.messages) and not errors(found),
            "degrade": bool(found.messages) and not errors(found),
            "row-error": any(flaw.message for flaw in found.flaws),
            "refuse": name in hostile.refused or bool(found.flaws),
        }
        if not met[owed] and name != "orphan.db-wal":
            unmet[name] = f"{owed}: {found.flaws}"

    assert len(hostile.owed) > 25
    assert unmet == {}


def test_half_a_transaction_is_never_shown(hostile: Hostile) -> None:
    found = hostile.found["hot-journal.db"]

    assert "read-from-copy" in {flaw.code for flaw in found.flaws}
    assert not [message for message in found.messages if "TORN" in message.text]


def test_rows_that_are_only_in_the_log_are_shown(hostile: Hostile) -> None:
    for name in ("wal-uncheckpointed.db", "wal-no-shm.db"):
        texts = {message.text for message in hostile.found[name].messages}
        assert "ONLY-IN-WAL" in texts


def test_all_of_many_rows_are_read(hostile: Hostile) -> None:
    assert len(hostile.found["rows-200k.db"].messages) == 200_001


def test_nothing_from_outside_is_shown(hostile: Hostile) -> None:
    assert "OUTSIDE" not in repr(hostile.found)


def test_reports_use_the_intact_databases(hostile: Hostile) -> None:
    good = hostile.folder / "good"
    good.mkdir()
    (good / "claudia.db").write_bytes((hostile.folder / "sqlite/good.db").read_bytes())

    assert [row["entries"] for row in ask(good, "health")] == [1]
    (good / "claudia.db").unlink()
    good.rmdir()


def test_reading_changed_nothing_and_ran_nothing(hostile: Hostile) -> None:
    command = [sys.executable, GENERATOR, "verify", hostile.folder]
    verified = subprocess.run(command, check=False, capture_output=True, text=True)

    assert verified.stdout.endswith(", 0 problems\n"), verified.stdout
