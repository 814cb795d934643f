"""Writes to the terminal from a thread of its own: no key waits for a slow link.

What is not of the screen is sent in order, all of it. Of the screen only the newest
frame is: it waits in a slot where a newer one takes its place until the thread comes
for it. Nothing here is locked: a signal that suspends the program may come in between.
"""

import errno
import os
import select
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue

from tui.driver.frame import Frame
from tui.driver.painter import Painter

_PATIENCE = 5.0
"""Seconds that a terminal has to take the last bytes when the program leaves it."""

_BUSY = {errno.EAGAIN, errno.EWOULDBLOCK}


class _Slot:
    """Where the newest frame waits."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.is_taken = False

    def take(self) -> Frame:
        self.is_taken = True
        return self.frame


class Outlet:
    """One terminal; writes as fast as it reads."""

    def __init__(
        self, descriptor: int, painter: Painter, lost: Callable[[], None]
    ) -> None:
        """`lost` is called, from the thread, when the terminal is there no more."""
        self._descriptor = descriptor
        self._painter = painter
        self._lost = lost
        self._queue: SimpleQueue[str | _Slot | None] = SimpleQueue()
        self._open: _Slot | None = None
        self._thread = threading.Thread(
            target=self._run, daemon=True, name="recollect-output"
        )
        self._thread.start()

    def send(self, item: str | Frame) -> None:
        """Have it written as soon as the terminal takes it; never waits."""
        if isinstance(item, str):
            self._open = None
            self._queue.put(item)
            return
        if self._open:
            self._open.frame = item
            if not self._open.is_taken:
                return
        self._open = _Slot(item)
        self._queue.put(self._open)

    def close(self) -> None:
        """Write what waits, and end; not for ever if the terminal does not read."""
        self._queue.put(None)
        self._thread.join(_PATIENCE)

    def _run(self) -> None:
        is_open = True
        while is_open:
            items = self._waiting()
            is_open = None not in items
            try:
                self._write(self._text(items))
            except OSError:
                self._lost()
                return

    def _waiting(self) -> list[str | _Slot | None]:
        """All that waits; at least one thing."""
        items = [self._queue.get()]
        try:
            while True:
                items.append(self._queue.get_nowait())
        except Empty:
            return items

    def _text(self, items: list[str | _Slot | None]) -> str:
        """What goes out: everything in order, but only the newest frame."""
        slots = [item for item in items if isinstance(item, _Slot)]
        frames = [slot.take() for slot in slots]
        parts: list[str] = []
        for item in items:
            if isinstance(item, str):
                parts.append(item)
            elif item is not None and item is slots[-1]:
                parts.append(self._painter.paint(frames[-1]))
        return "".join(parts)

    def _write(self, text: str) -> None:
        data = memoryview(text.encode(errors="replace"))
        while data:
            try:
                data = data[os.write(self._descriptor, data) :]
            except OSError as error:
                if error.errno not in _BUSY:
                    raise
                select.select([], [self._descriptor], [])
