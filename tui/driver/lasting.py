"""What Textual's driver for Linux and macOS lacks: it reads on, and goes in time."""

import signal
from contextlib import suppress

from textual.drivers.linux_driver import LinuxDriver

from tui.manners.keystrokes import TerminalLostError, read_keys

_HUNG_UP = 128 + signal.SIGHUP
"""What shells say of a program whose terminal went away."""


class LastingDriver(LinuxDriver):
    """Reads whatever is typed, and leaves a terminal that is lost."""

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
