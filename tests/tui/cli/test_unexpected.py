"""Unexpected errors: one sentence, and a report without the user's data."""

import sqlite3
from pathlib import Path

import pytest

from store.catalogue.database import seal
from tests.tui.cli.machine import Machine

MEMORY_TEXT = "the-text-of-a-memory"


@pytest.fixture
def broken(machine: Machine, samples: Path) -> Machine:
    """A machine with an intact index whose content no sync writes."""
    machine.run("sync", "-s", samples)
    path = machine.cache / "catalogue.db"
    catalogue = sqlite3.connect(path)
    catalogue.execute("UPDATE memories SET access_count = ?", [MEMORY_TEXT])
    catalogue.commit()
    catalogue.close()
    seal(path)
    return machine


def test_an_unexpected_error_is_one_sentence_and_a_private_report(
    broken: Machine,
) -> None:
    answer = broken.run("list", "memories", "--json", "--no-sync")

    assert answer.code == 1
    assert answer.err.count("\n") == 1
    assert MEMORY_TEXT not in answer.err
    (report,) = (broken.state / "reports").iterdir()
    assert answer.err.startswith("recollect: ")
    assert answer.err.endswith(f"; report saved to {report}.\n")
    assert report.stat().st_mode & 0o777 == 0o600
    assert report.parent.stat().st_mode & 0o777 == 0o700


def test_a_report_has_places_in_the_program_and_no_text_of_a_memory(
    broken: Machine, samples: Path
) -> None:
    broken.run("list", "memories", "--json", "--no-sync")

    (report,) = (broken.state / "reports").iterdir()
    version, *frames, error = report.read_text(encoding="utf-8").splitlines()
    assert version.startswith("recollect ")
    assert error == "TypeError"
    assert frames[0].startswith("main.py:")
    assert frames[-1].startswith("memories.py:")
    for private in (MEMORY_TEXT, str(samples), str(broken.home), "Traceback", "/"):
        assert private not in report.read_text(encoding="utf-8")


def test_without_a_report_the_sentence_has_everything(
    broken: Machine,
) -> None:
    (broken.home / "state").write_text("a file where a folder should be")

    answer = broken.run("list", "memories", "--json", "--no-sync")

    assert answer.code == 1
    assert answer.err.count("\n") == 1
    assert "TypeError" in answer.err
    assert MEMORY_TEXT not in answer.err


def test_an_unwritable_cache_is_reported_and_not_needed(
    new_machine: Machine, samples: Path
) -> None:
    (new_machine.home / "cache").write_text("a file where a folder should be")

    answer = new_machine.run("stores", "-s", samples)

    assert answer.code == 0
    assert "cognitive-memory" in answer.out
    assert str(new_machine.cache) in answer.err
    assert "temporary index" in answer.err
    assert not new_machine.state.exists()
