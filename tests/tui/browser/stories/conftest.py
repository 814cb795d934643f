"""Sample stores, read once for all stories and never changed."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.library import Library
from tests.frames.shelf import NOW, Shelf, a_shelf, on_shelf
from tests.tui.browser.stories.workbench import Workbench, a_workbench


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    """The stores, and the catalogue of them."""
    with a_shelf(tmp_path_factory.mktemp("shelf")) as made:
        yield made


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without images, whose clipboard is never used."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("SSH_CONNECTION", "here there")
    monkeypatch.setenv("PAGER", "true")
    for name in ("TMUX", "DISPLAY", "WAYLAND_DISPLAY", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def library(shelf: Shelf) -> Iterator[Library]:
    """The library of the stores, at the time they were created."""
    with on_shelf(shelf, NOW) as opened:
        yield opened


@pytest.fixture
def workbench(tmp_path: Path) -> Iterator[Workbench]:
    """Stores to change, created when they are first used."""
    bench = a_workbench(tmp_path / "workbench")
    yield bench
    bench.close()
