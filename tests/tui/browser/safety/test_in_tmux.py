"""In a terminal that answers, names windows and has a clipboard, nothing happens."""

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.project import ROOT
from tests.tui.browser.safety.walking import Stores
from tui.browser.bars import VIEWS

DEADLINE = 60.0
"""Seconds after which something that ought to appear never will."""

TMUX = shutil.which("tmux") or ""

pytestmark = pytest.mark.skipif(not TMUX, reason="tmux is not installed")

SIZE = ("-x", "120", "-y", "36")

GENEROUS = (
    "set -g set-clipboard on",
    "set -g set-titles on",
    "set -g allow-rename on",
    "set -g automatic-rename off",
    "set -g allow-passthrough on",
    "set -g remain-on-exit on",
)
"""All that a program can be allowed."""

STATE = [
    "alternate_on",
    "cursor_flag",
    "insert_flag",
    "keypad_cursor_flag",
    "keypad_flag",
    "mouse_any_flag",
    "mouse_sgr_flag",
    "origin_flag",
    "wrap_flag",
    "pane_title",
    "window_name",
]


@dataclass(frozen=True, slots=True)
class Tmux:
    """A separate server with one window."""

    socket: Path

    def __call__(self, *words: str) -> str:
        command = [TMUX, "-S", str(self.socket), "-f", os.devnull, *words]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        return answer.stdout

    @property
    def screen(self) -> str:
        return self("capture-pane", "-p")

    @property
    def state(self) -> str:
        return self("display", "-p", " ".join(f"#{{{name}}}" for name in STATE))

    def until(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + DEADLINE
        while not condition():
            assert time.monotonic() < end, f"waited in vain:\n{self.screen}"

    def press(self, keys: str, shows: str) -> None:
        """Press a key, and wait for its effect."""
        self("send-keys", keys)
        self.until(lambda: shows in self.screen)


OF_READERS = ("follow", "unfold")
"""What hints tell where a record is read, or a conversation."""


@pytest.fixture
def tmux(tmp_path: Path) -> Generator[Tmux]:
    server = Tmux(tmp_path / "tmux")
    yield server
    server("kill-server")


@pytest.mark.parametrize("how", [[], ["--no-frugal"]], ids=["frugal", "plain"])
def test_looking_changes_nothing(tmux: Tmux, at_home: Stores, how: list[str]) -> None:
    shell = f"echo BEFORE; read x; {command(at_home, *how)}; echo $?LEFT; read x"
    tmux("new-session", "-d", "-n", "named", *SIZE, shell)
    for option in GENEROUS:
        tmux(*option.split())
    tmux.until(lambda: "BEFORE" in tmux.screen)
    before = tmux.state

    tmux.press("Enter", "search")
    for view in VIEWS:
        tab = "Journals" if view.within else view.short or view.label
        tmux.press(view.key, tab)
        tmux("send-keys", "Enter")
        tmux.until(lambda: any(word in tmux.screen for word in OF_READERS))
        tmux("send-keys", "NPage", "NPage", "q")
    tmux.press("g", "s store")
    tmux.press("s", "PWNED")
    tmux.press("C-q", "LEFT")

    assert "0LEFT" in tmux.screen
    assert tmux.state == before
    assert tmux("list-buffers") == ""


def command(stores: Stores, *how: str) -> str:
    """The command line of the program, with a home of its own."""
    variables = {
        "HOME": stores.home,
        "PYTHONPATH": ROOT,
        "XDG_CACHE_HOME": stores.catalogue.parents[1],
        "XDG_CONFIG_HOME": stores.home / "config",
        "XDG_STATE_HOME": stores.home / "state",
    }
    words = [f"{name}={value}" for name, value in variables.items()]
    words += [sys.executable, "-m", "tui.start", "--no-sync", str(stores.folder), *how]
    return shlex.join(["env", *words])
