"""`sync --again` reads unchanged files from the start."""

from pathlib import Path

import pytest

from tests.store.formats.transcripts_stores import SESSION, SLUG, healthy
from tests.tui.cli.machine import Machine


@pytest.fixture
def projects(machine: Machine, tmp_path: Path) -> Path:
    """A store of transcripts that was read before."""
    folder = tmp_path / "projects"
    healthy(folder)
    assert machine.run("sync", "-s", folder).code == 0
    return folder


def read(machine: Machine, *arguments: str | Path) -> int:
    (report,) = machine.run("sync", "--json", *arguments).rows
    changed = report["changed"]
    assert isinstance(changed, int)
    return changed


def test_one_file_or_one_folder_or_all(machine: Machine, projects: Path) -> None:
    transcript = projects / SLUG / f"{SESSION}.jsonl"

    assert read(machine, "-s", projects) == 0
    assert read(machine, "-s", projects, "--again", transcript) == 1
    assert read(machine, "-s", projects, "--again", projects / SLUG / SESSION) == 3
    assert read(machine, "-s", projects, "--again") == 4
    assert read(machine, "-s", projects) == 0


def test_a_path_in_no_store_is_reported(machine: Machine, projects: Path) -> None:
    answer = machine.run("sync", "-s", projects, "--again", "/nowhere/at/all")

    assert answer.code == 1
    assert "/nowhere/at/all isn't in any of the stores." in answer.err
