"""Sample stores, and a machine to browse them from."""

from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree

import pytest

from store import demo
from tests.tui.cli.machine import Machine

NOW = "2026-03-01T12:00:00Z"


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the sample stores; no test writes to it."""
    folder = tmp_path_factory.mktemp("samples")
    demo.write(folder, datetime(2026, 3, 1, tzinfo=UTC))
    return folder


@pytest.fixture(scope="session")
def cache(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache folder of a machine that has read the sample stores."""
    machine = Machine(tmp_path_factory.mktemp("reader"))
    assert machine.run("sync", "-s", samples).code == 0
    return machine.home / "cache"


@pytest.fixture
def new_machine(tmp_path: Path) -> Machine:
    """A machine on which the program never ran."""
    home = tmp_path / "home"
    home.mkdir()
    return Machine(home)


@pytest.fixture
def machine(new_machine: Machine, request: pytest.FixtureRequest) -> Machine:
    """A machine that has read the sample stores, if the test uses them."""
    if "samples" in request.fixturenames:
        copytree(request.getfixturevalue("cache"), new_machine.home / "cache")
    return new_machine
