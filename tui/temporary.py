"""Folders that go again, however the program ends."""

import signal
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

_ENDING = (signal.SIGTERM, signal.SIGHUP)
_SIGNALLED = 128


@contextmanager
def temporary_folder() -> Generator[Path]:
    """A folder that is removed at the end, where a signal ends the program as well.

    Elsewhere a signal ends the program at once (see `tui.start`); here it is an
    exception, so that what was made is cleared away.
    """
    before = {number: signal.signal(number, _end) for number in _ENDING}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with tempfile.TemporaryDirectory(prefix="recollect-") as folder:
            yield Path(folder)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(number: int, _frame: object) -> None:
    sys.exit(_SIGNALLED + number)
