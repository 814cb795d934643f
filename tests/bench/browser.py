"""How long the browser takes to start, and from a key to the end of its frame."""

import os
import select
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

from tests.bench.baseline import Measure, best, slow, usual
from tests.tui.terminal.terminal import Terminal, terminal_for
from tui import start

_SMALLEST = """
from textual.app import App
from textual.widgets import Static

class Smallest(App):
    def compose(self):
        yield Static("READY")

Smallest().run()
"""
"""The least that Textual takes to show something."""

_ROWS = "newest first"
"""What is drawn in one frame with the first rows."""

_START = 1.5
"""Target of the first rows, as a multiple of the smallest app."""
_KEY, _VIEW = 0.03, 0.05
"""Targets from a key with a preview, or a letter, and from a view, in seconds."""

_REST = 0.25
"""Seconds without output after which a frame has ended."""

_VIEWS = "3 4 1 2 5 6 7 8 1"
_KEYS = {
    "a key with a preview": ("j" * 20, _KEY),
    "a letter of a query": ("/redis", _KEY),
    "another view, the second time": (_VIEWS.replace(" ", ""), _VIEW),
}
"""What is pressed, one key after another, and the target of each."""


def measure_browser(store: Path, home: Path) -> Iterator[Measure]:
    """The first rows of a synced store, and keys, in a terminal of 80 × 24."""
    ours = (sys.executable, "-P", start.__file__, str(store))
    smallest = best(partial(_appears, (sys.executable, "-c", _SMALLEST), home, "READY"))
    _appears(ours, home, "✓ live")
    yield Measure(
        name="first rows in the browser, 80 × 24",
        value=best(partial(_appears, ours, home, _ROWS)),
        unit="s",
        floor="the first frame of the smallest Textual app",
        floor_value=smallest,
        bound=_START * smallest,
    )
    with _opened(ours, home) as terminal:
        terminal.until(_ROWS)
        _frame(terminal, "")
        for key in _VIEWS.split():
            _frame(terminal, key)
        for name, (keys, bound) in _KEYS.items():
            taken = [_frame(terminal, key) for key in keys]
            for word, figure in (("median", usual(taken)), ("19 of 20", slow(taken))):
                yield Measure(
                    name=f"{name}, to the end of its last frame, {word}",
                    value=figure,
                    unit="s",
                    floor="the first frame of the smallest Textual app",
                    floor_value=smallest,
                    bound=bound,
                )
            _frame(terminal, "\x1b")
            _frame(terminal, "\x1b")


def _appears(command: Sequence[str], home: Path, text: str) -> None:
    """Run a program until a text is on its screen."""
    with _opened(command, home) as terminal:
        terminal.until(text)


def _opened(command: Sequence[str], home: Path) -> AbstractContextManager[Terminal]:
    """A program in a terminal, with its caches in a folder."""
    cache, config = str(home / "cache"), str(home / "config")
    return terminal_for(
        command, home=home, XDG_CACHE_HOME=cache, XDG_CONFIG_HOME=config
    )


def _frame(terminal: Terminal, key: str) -> float:
    """The seconds from a key to the last output that follows it."""
    began = last = time.perf_counter()
    terminal.type(key.encode())
    while select.select([terminal.descriptor], [], [], _REST)[0]:
        os.read(terminal.descriptor, 1 << 16)
        last = time.perf_counter()
    return last - began
