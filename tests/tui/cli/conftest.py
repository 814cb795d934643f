"""Sample stores, and a machine to browse them from."""

from datetime import UTC, datetime
from pathlib import Path

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


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine on which the program never ran."""
    home = tmp_path / "home"
    home.mkdir()
    return Machine(home)
