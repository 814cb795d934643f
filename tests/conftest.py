"""Shared by all tests: the program as its user runs it, and settings of Hypothesis."""

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.examples import EXAMPLES, IS_EXPLORING
from tests.garbage import collect_rarely
from tests.project import ROOT

settings.register_profile(
    "recollect",
    deadline=None,
    derandomize=not IS_EXPLORING,
    suppress_health_check=[HealthCheck.too_slow],
    max_examples=EXAMPLES,
)
settings.load_profile("recollect")

_WORKERS_PER_PROCESSOR = 2
"""Much of what is tested runs in a process beside the test, which waits for it."""

Recollect = Callable[..., subprocess.CompletedProcess[str]]

gc.disable()  # until all tests are collected: two fifths of that time

for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
    # Ignored by tests that run in the background, and so by what they start.
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)


def pytest_xdist_auto_num_workers() -> int:
    """How many workers `--numprocesses auto` means."""
    return _WORKERS_PER_PROCESSOR * (os.cpu_count() or 1)


def pytest_collection_finish() -> None:
    """All that the tests need is loaded."""
    collect_rarely()


@pytest.fixture
def recollect(tmp_path: Path) -> Recollect:
    """The program, run on a machine of its own: empty home, empty environment."""
    home = tmp_path / "machine"
    home.mkdir()
    machine = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "PYTHONUTF8": "1",
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_STATE_HOME": str(home / "state"),
        **{key: os.environ[key] for key in os.environ if key.startswith("COVERAGE")},
    }

    def run(
        *arguments: str, ahead: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run it; packages in the folder `ahead` are found before all others."""
        path = os.pathsep.join(str(folder) for folder in (ahead, ROOT) if folder)
        return subprocess.run(
            [sys.executable, "-P", ROOT / "tui/start.py", *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=home,
            env=machine | {"PYTHONPATH": path},
        )

    return run
