"""How far a sync is: a bar on a terminal, now and then a line elsewhere."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from store.library import Progress
from tui.cli.terminal import complain, shows_progress

if TYPE_CHECKING:
    from tui.faces.bar import Bar

_PATIENCE = 0.3
"""Seconds before a bar appears: what is done sooner needs none."""


_INTERVAL = 2.0
"""Seconds between two lines, where no bar can be drawn."""


@contextmanager
def progress(*, lines: bool = False) -> Generator[Callable[[Progress], None]]:
    """Whom to tell how far the sync is; with `lines`, off a terminal too."""
    if not shows_progress():
        yield _Lines().report if lines else lambda _progress: None
        return
    bar = _Patient()
    try:
        yield bar.report
    finally:
        bar.close()


class _Lines:
    """A line on stderr from time to time, so that a log shows that something moves."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def report(self, progress: Progress) -> None:
        """Say how far it is, unless that was said just now."""
        now = time.monotonic()
        if now - self._last > _INTERVAL:
            self._last = now
            complain(f"read {progress.done} of {progress.total} files")


class _Patient:
    """A bar, but only when it takes long enough to ask."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._bar: Bar | None = None

    def report(self, progress: Progress) -> None:
        """Show how far it is, unless it will be done before anybody asks."""
        if not self._bar and time.monotonic() - self._began > _PATIENCE:
            from tui.faces.bar import Bar  # noqa: PLC0415  # rich is slow

            self._bar = Bar()
        if self._bar:
            self._bar.show(progress)

    def close(self) -> None:
        """Take the bar down."""
        if self._bar:
            self._bar.close()
