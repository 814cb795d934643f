"""What the system tells of changes beneath some folders, a burst at a time."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from store.closing import Closing

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

_STEP = 50
"""Milliseconds of silence that end a burst."""

_TURN = 0.25
"""Seconds between two looks at whether it is time to end, where nothing is told."""

_BURST = 200
"""Milliseconds that one burst is gathered for at most."""


class Ending(Protocol):
    """Says when to stop waiting."""

    def is_set(self) -> bool:
        """Whether it is time."""
        ...


class SilentError(Exception):
    """The system tells nothing of these folders, or no more."""


class Silence(Closing):
    """Where nobody tells anything: time passes, and that is all."""

    def wait(self, seconds: float, ending: Ending) -> frozenset[Path]:
        """Wait so long, unless it is time to end before."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not ending.is_set():
            time.sleep(min(left, _TURN))
        return frozenset()

    def close(self) -> None:
        """There is nothing to stop."""


class Notices(Closing):
    """The system's notifications; raises SilentError where there are none."""

    def __init__(self, folders: Sequence[Path]) -> None:
        from watchfiles._rust_notify import RustNotify  # noqa: PLC0415  # for who watches

        def listen(*, forgives: bool) -> "RustNotify":
            return RustNotify(
                [str(folder) for folder in folders],
                debug=False,
                force_polling=False,
                poll_delay_ms=0,
                recursive=True,
                ignore_permission_denied=forgives,
            )

        try:
            try:
                self._told = listen(forgives=False)
            except PermissionError:
                self._told = listen(forgives=True)
        except (OSError, RuntimeError, UnicodeError) as error:
            raise SilentError(str(error)) from error

    def wait(self, seconds: float, ending: Ending) -> frozenset[Path]:
        """The files that the next burst is about; none if none comes in so long."""
        try:
            told = self._told.watch(_BURST, _STEP, max(1, int(seconds * 1000)), ending)
        except RuntimeError as error:
            raise SilentError(str(error)) from error
        if isinstance(told, str):
            return frozenset()
        return frozenset(Path(path) for _, path in told)

    def close(self) -> None:
        """Stop listening."""
        self._told.close()
