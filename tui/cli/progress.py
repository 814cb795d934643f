"""How far a sync is: a bar on a terminal, and only when it takes long enough to ask."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from store.catalogue.sync import Progress
from tui.cli.terminal import shows_progress

_PATIENCE = 0.3
"""Seconds before a bar appears: what is done sooner needs none."""


@contextmanager
def progress() -> Generator[Callable[[Progress], None]]:
    """Whom to tell how far the sync is."""
    if not shows_progress():
        yield lambda _progress: None
        return
    bar = _Bar()
    try:
        yield bar.report
    finally:
        bar.close()


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
