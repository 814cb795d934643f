"""A bar that fills while stores are read."""

from rich.console import Console
from rich.progress import Progress as Drawn

from store.library import Progress


class _Steady(Console):
    """A console that leaves the cursor alone.

    Rich hides it while a bar moves; an interruption ends the program at once, and
    nobody would be there to show it again.
    """

    def show_cursor(self, show: bool = True) -> bool:  # noqa: ARG002, FBT001, FBT002  # as rich has it
        """Change nothing."""
        return False


class Bar:
    """A bar on stderr that goes when the work is done."""

    def __init__(self) -> None:
        """Put the bar up."""
        self._drawn = Drawn(console=_Steady(stderr=True), transient=True)
        self._task = self._drawn.add_task("reading", total=None)
        self._drawn.start()

    def show(self, progress: Progress) -> None:
        """Show how far it is."""
        self._drawn.update(self._task, completed=progress.done, total=progress.total)

    def close(self) -> None:
        """Leave no trace."""
        self._drawn.stop()
