"""Tells apart what Textual writes: updates of the screen, and what is beside it.

Modes, mouse, paste, keys, clipboard, title, pointer and bell go on to the terminal as
they are, in order. An update begins by placing the cursor and is never taken for one of
these, whatever the text in it looks like.
"""

import re
from collections.abc import Callable

from tui.driver.frame import Frame
from tui.driver.grid import Grid

_PASSED_ON = re.compile(
    r"(?:\x07"
    r"|\x1b\[[?<>=][\d;]*\$?[A-Za-z]"
    r"|\x1b\](?:0|2|22|52);[^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\))+"
)
_ERASURE = re.compile(r"\x1b\[([012]?)([JK])")
_UNKNOWN = re.compile(r"\x1b\[[\d;]*[ !\"$']?[A-GI-Za-ln-z]")
"""A sequence of another kind, alone: it may change anything on the screen."""

_BEGINS = "\x1b[?2026h"
_ENDS = "\x1b[?2026l"
_ENTERS = "\x1b[?1049h"
_LEAVES = "\x1b[?1049l"


class Intake:
    """Reads what is written, and sends on what the terminal is to get."""

    def __init__(
        self, send: Callable[[str | Frame], None], size: Callable[[], tuple[int, int]]
    ) -> None:
        """`size` tells the width and height that updates are made for."""
        self._send = send
        self._size = size
        self._grid = Grid(*size())
        self._generation = 0
        self._sent: Frame | None = None
        self._is_on = self._is_begun = False
        self._is_synchronized = False

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the screen as it is kept."""
        return self._grid.width, self._grid.height

    def write(self, data: str) -> None:
        """Take what Textual writes in one go."""
        if data in {_BEGINS, _ENDS}:
            self._is_synchronized = True
        elif _PASSED_ON.fullmatch(data):
            self._pass_on(data)
        elif found := _ERASURE.fullmatch(data):
            self._grid.erase(found[2], int(found[1] or 0))
        elif _UNKNOWN.fullmatch(data):
            self._pass_on(data)
            self.forget()
        else:
            if self.size != (size := self._size()):
                self._grid.resize(*size)
                self.forget()
            self._grid.write(data)
            self._is_begun = True

    def flush(self) -> None:
        """An update is complete: send the screen on, if it is on."""
        if not (self._is_on and self._is_begun):
            return
        frame = Frame(
            rows=self._grid.rows(),
            cursor=self._grid.cursor,
            generation=self._generation,
            is_synchronized=self._is_synchronized,
        )
        if frame != self._sent:
            self._sent = frame
            self._send(frame)

    def forget(self) -> None:
        """Do not rely on what the terminal shows: the next update says it all."""
        self._generation += 1

    def _pass_on(self, data: str) -> None:
        """Send what is not of the screen, after the updates before it."""
        if _LEAVES in data:
            self._is_on = False
        self.flush()
        self._send(data)
        if _ENTERS in data:
            self._is_on = True
            self.forget()
