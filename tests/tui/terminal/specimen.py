"""A small program to run in a terminal and mistreat."""

import asyncio
import fcntl
import os
import sys
import termios

from tui.terminal.streams import prepare

prepare(os.environ)

from textual import events  # noqa: E402  # what it reads is prepared first
from textual.app import ComposeResult  # noqa: E402  # the same
from textual.binding import Binding  # noqa: E402  # the same
from textual.drivers.linux_driver import LinuxDriver  # noqa: E402  # the same
from textual.widgets import Static  # noqa: E402  # the same

from store.errors import NothingFoundError  # noqa: E402  # the same
from tui.browser.layout import TEXTUAL_THEMES, Reporting  # noqa: E402  # the same
from tui.terminal.signals import (  # noqa: E402  # the same
    TerminalLostError,
    leave_on_signals,
    let_go_of_lost_streams,
    read_keys,
)
from tui.themes import Options, choose  # noqa: E402  # the same

SECRET = "the-text-of-a-memory"  # noqa: S105  # what a trace would give away


class Driver(LinuxDriver):
    """Textual's own, except for reading."""

    def run_input_thread(self) -> None:
        try:
            read_keys(self.fileno, self.exit_event, self.process_message)
        except TerminalLostError:
            self._app.call_later(self._app.exit, return_code=129)


class Specimen(Reporting):
    """Reports every key and every paste, and fails on request."""

    BINDINGS = [  # noqa: RUF012  # as Textual has it
        Binding("ctrl+z", "suspend_process", "suspend"),
        Binding("q", "quit", "quit"),
    ]

    def __init__(self) -> None:
        chosen = choose(os.environ, None, Options())
        super().__init__(driver_class=Driver, ansi_color=chosen.has_own_colours or None)
        self.register_theme(TEXTUAL_THEMES[chosen.theme])
        self.theme = chosen.theme
        self.told = 0

    CSS = "Static { background: $panel; color: $primary; border: solid $accent; }"

    def compose(self) -> ComposeResult:
        yield Static("READY", markup=False)

    def on_mount(self) -> None:
        leave_on_signals(self)

    def on_key(self, event: events.Key) -> None:
        self.tell(f"key {event.key}")
        secret = SECRET
        match event.key:
            case "x":
                raise ValueError(secret)
            case "n":
                raise NothingFoundError("There is no such thing.")
            case "w":
                self.run_worker(self.go_wrong())
            case "s":
                asyncio.get_running_loop().call_soon(self.go_wrong_by_itself)
            case "t":
                self.set_timer(0.001, self.go_wrong)
            case _:
                pass

    def on_paste(self, event: events.Paste) -> None:
        self.tell(f"paste {event.text!r}")

    def tell(self, what: str) -> None:
        self.told += 1
        self.query_one(Static).update(f"[{self.told}] {what} END")

    def go_wrong_by_itself(self) -> None:
        secret = SECRET
        raise ValueError(secret)

    async def go_wrong(self) -> None:
        secret = SECRET
        raise ValueError(secret)


if __name__ == "__main__":
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    specimen = Specimen()
    specimen.run()
    let_go_of_lost_streams()
    if specimen.failure:
        sys.stderr.write(f"specimen: {specimen.failure}\n")
    sys.exit(specimen.return_code or 0)
