"""Folders that go again, however the program ends."""

import signal
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def temporary_folder() -> Generator[Path]:
    """A folder that is removed at the end, where the user interrupts it as well.

    Elsewhere an interruption ends the program at once (see `tui.start`); here it is
    an exception, so that what was made is cleared away.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with tempfile.TemporaryDirectory(prefix="recollect-") as folder:
            yield Path(folder)
    finally:
        signal.signal(signal.SIGINT, before)
