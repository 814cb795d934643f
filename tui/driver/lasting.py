"""What Textual's driver for Linux and macOS lacks: it lasts.

It reads on whatever is typed, goes in time with its terminal, and comes back to it
whoever has stopped it.
"""

import signal
import termios
from contextlib import suppress
from typing import Any

from textual.drivers.linux_driver import LinuxDriver

from tui.manners.keystrokes import TerminalLostError, read_keys

_HUNG_UP = 128 + signal.SIGHUP
"""What shells say of a program whose terminal went away."""

_OURS = "\x1b[?1049h\x1b[?25l\x1b[?1004h\x1b[?2004h\x1b[?7l"
"""The other screen, no cursor, focus and pastes told, lines that do not wrap."""


class LastingDriver(LinuxDriver):
    """Reads on, leaves a terminal that is lost, and comes back to its own."""

    _taken: list[Any] | None = None
    """How the terminal is set while it is taken over; None while it is not."""

    def start_application_mode(self) -> None:
        """Take the terminal over."""
        super().start_application_mode()
        with suppress(termios.error):
            self._taken = termios.tcgetattr(self.fileno)

    def stop_application_mode(self) -> None:
        """Give it back."""
        self._taken = None
        super().stop_application_mode()

    def run_input_thread(self) -> None:
        """Read keys, and leave a terminal that is lost."""
        try:
            read_keys(self.fileno, self.exit_event, self.process_message)
        except TerminalLostError:
            self.lost()

    def lost(self) -> None:
        """The terminal went away: so does the program, unless it is going already."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(
                lambda: self._app.exit(return_code=_HUNG_UP)
            )

    def _sigcont_application(self, *_: object) -> None:
        """Go on, with everything drawn anew: a shell has written on it meanwhile.

        Who was stopped without a word never gave the terminal back. Textual would take
        it a second time then: two threads that read its keys, and in the end the
        settings of the first time left behind.
        """
        if self._taken is None:
            super()._sigcont_application()  # pyright: ignore[reportUnknownMemberType]  # untyped there
        else:
            with suppress(termios.error):
                termios.tcsetattr(self.fileno, termios.TCSANOW, self._taken)
            self.write(_OURS)
            self._enable_mouse_support()
        if self._taken is not None:
            self._loop.call_soon_threadsafe(lambda: self._app.refresh(layout=True))
