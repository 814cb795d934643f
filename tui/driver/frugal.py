"""A driver that keeps the screen, for fewer bytes to the terminal."""

import signal
from types import FrameType
from typing import Any

from textual.app import App

from tui.driver.abilities import abilities_of_terminal
from tui.driver.frame import Frame
from tui.driver.intake import Intake
from tui.driver.lasting import LastingDriver
from tui.driver.outlet import Outlet
from tui.driver.painter import Painter

_STDERR = 2
"""Where Textual draws."""


class FrugalDriver(LastingDriver):
    """Keeps the screen as Textual writes it; sends what differs from what is shown."""

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
        self._outlet: Outlet | None = None
        self._intake = Intake(self._send, lambda: (app.size.width, app.size.height))

    def write(self, data: str) -> None:
        """Take what is to be on the screen, or what is to be sent beside it."""
        self._intake.write(data)

    def flush(self) -> None:
        """Show the screen as it was written so far."""
        self._intake.flush()

    def redraw(self) -> None:
        """Show everything anew, whatever something else has written over it."""
        self._intake.forget()
        self._intake.flush()

    def start_application_mode(self) -> None:
        """Take the terminal over."""
        if self._outlet is None:
            painter = Painter(abilities_of_terminal())
            self._outlet = Outlet(_STDERR, painter, self.lost)
        super().start_application_mode()
        resize = signal.getsignal(signal.SIGWINCH)

        def resized(number: int, frame: FrameType | None) -> None:
            self._resized()
            if callable(resize):
                resize(number, frame)

        signal.signal(signal.SIGWINCH, resized)

    def close(self) -> None:
        """Give the terminal back."""
        super().close()
        if self._outlet is not None:
            self._outlet.close()
            self._outlet = None

    def _send(self, item: str | Frame) -> None:
        if self._outlet is not None:
            self._outlet.send(item)

    def _resized(self) -> None:
        """A terminal that changed its size may have lost what it shows.

        If it has the size again that the screen is for, Textual will not write it anew.
        """
        self._intake.forget()
        if self._get_terminal_size() == self._intake.size:
            self._intake.flush()
