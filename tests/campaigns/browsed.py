"""The program as users run it, with a browser that reports when it is idle.

It reports in the terminal on the signal ASKED.
"""

import asyncio
import fcntl
import signal
import sys
import termios
from pathlib import Path

from tests.tui.browser.safety.walked import Settling
from tui.browser import app
from tui.cli.main import main

ASKED = signal.SIGUSR1
STUCK = signal.SIGUSR2
"""Has it write down what it is doing."""

STACKS = "stacks.txt"
"""Where, in its home."""


class Browsed(Settling):
    """Answers each signal with a numbered mark."""

    _marks = 0
    _answer: asyncio.Task[None] | None = None

    def on_mount(self) -> None:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(ASKED, self._hear)
        loop.add_signal_handler(STUCK, self._tell)

    def _hear(self) -> None:
        self._answer = asyncio.create_task(self._mark(self._marks))
        self._marks += 1

    def _tell(self) -> None:
        """Write down the running tasks, and where each of them waits."""
        with (Path.home() / STACKS).open("w", encoding="utf-8") as file:
            for task in asyncio.all_tasks():
                if not task.get_name().startswith(("message pump", "set_interval")):
                    task.print_stack(file=file)
            file.write(f"{self.screen} {list(self.workers)}\n")
            if self._answer and self._answer.done():
                file.write(f"{self._answer.exception()!r}\n")
                self._answer.print_stack(file=file)

    async def _mark(self, number: int) -> None:
        await self.settle()
        self.mark(number)


def run(browser: type[Browsed] = Browsed) -> int:
    """Run the program with this browser instead of its own; returns the exit code."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    app.Browser = browser
    return main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(run())
