"""How far a sync is: a bar on a terminal, now and then a line elsewhere."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from store.catalogue.sync import Progress
from tui.cli.terminal import complain, shows_progress

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
    bar = _Bar()
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


class _Bar:
    """A bar on stderr that goes when the work is done."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._close: Callable[[], None] | None = None
        self._update: Callable[[Progress], None] = self._wait

    def report(self, progress: Progress) -> None:
        """Show how far it is."""
        self._update(progress)

    def close(self) -> None:
        """Leave no trace."""
        if self._close:
            self._close()

    def _wait(self, progress: Progress) -> None:
        """Draw nothing yet, unless there is a while to go."""
        if time.monotonic() - self._began > _PATIENCE:
            self._begin()
            self._update(progress)

    def _begin(self) -> None:
        """Put the bar up; rich is loaded only now, when somebody waits."""
        from rich.console import Console  # noqa: PLC0415  # only for who waits
        from rich.progress import Progress as Bar  # noqa: PLC0415  # the same

        bar = Bar(console=Console(stderr=True), transient=True)
        task = bar.add_task("reading", total=None)
        bar.start()
        self._close = bar.stop
        self._update = lambda progress: bar.update(
            task, completed=progress.done, total=progress.total
        )
