"""Textual's own way of drawing, for who does not want the frugal one.

Its thread that writes dies of a terminal that is lost, and who has something to write
then waits for it for ever. So it is given a stream that nothing goes wrong with.
"""

import errno
import io
import os
import select
from collections.abc import Callable
from typing import Any

from textual.app import App

from tui.driver.lasting import LastingDriver

_STDERR = 2
"""Where Textual draws."""

_BUSY = {errno.EAGAIN, errno.EWOULDBLOCK}


class PlainDriver(LastingDriver):
    """Sends all that Textual draws, as it comes."""

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        """As any driver of Textual's is made."""
        super().__init__(  # pyright: ignore[reportUnknownMemberType]  # of any app
            app, debug=debug, mouse=mouse, size=size
        )
        bytes_out = io.BufferedWriter(_Lasting(_STDERR, self.lost))
        self._file = io.TextIOWrapper(
            bytes_out, encoding="utf-8", errors="replace", newline=""
        )


class _Lasting(io.RawIOBase):
    """Writes to a terminal for as long as it is there, and then into nothing."""

    def __init__(self, descriptor: int, lost: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._lost = lost

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def write(self, data: Any, /) -> int:  # noqa: ANN401  # bytes of any kind
        while True:
            try:
                return os.write(self._descriptor, data)
            except OSError as error:
                if error.errno not in _BUSY:
                    self._lost()
                    return len(data)
                select.select([], [self._descriptor], [])
