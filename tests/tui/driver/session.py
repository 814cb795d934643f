"""A program in a pseudo-terminal, watched until it shows an expected text."""

import codecs
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable

from tests.project import ROOT
from tests.tui.driver.terminal import Terminal

DEADLINE = 20.0


class Session:
    """Runs a module of the tests as a program."""

    def __init__(self, *arguments: str, columns: int = 80, lines: int = 24) -> None:
        self.screen = Terminal(columns, lines)
        self.received = bytearray()
        self.status: int | None = None
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        size = struct.pack("HHHH", lines, columns, 0, 0)
        pid, descriptor = pty.fork()
        if pid == 0:  # pragma: no cover  # another process
            os.chdir(ROOT)
            fcntl.ioctl(0, termios.TIOCSWINSZ, size)
            environment = os.environ | {
                "TERM": "xterm-256color",
                "COLORTERM": "truecolor",
                "TEXTUAL_SMOOTH_SCROLL": "0",
            }
            for name in ("COLUMNS", "LINES", "NO_COLOR"):
                environment.pop(name, None)
            os.execve(sys.executable, [sys.executable, *arguments], environment)  # noqa: S606  # as a user would
        self.pid, self.descriptor = pid, descriptor
        fcntl.ioctl(descriptor, termios.TIOCSWINSZ, size)

    def press(self, keys: str) -> None:
        os.write(self.descriptor, keys.encode())

    def resize(self, columns: int, lines: int) -> None:
        self.screen.resize(lines, columns)
        size = struct.pack("HHHH", lines, columns, 0, 0)
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, size)

    def read(self, seconds: float = 0.1, most: int = 1 << 16) -> bytes:
        """Read the output within this time, if there is any."""
        ready, _, _ = select.select([self.descriptor], [], [], seconds)
        if not ready:
            return b""
        try:
            data = os.read(self.descriptor, most)
        except OSError:
            return b""
        self.received += data
        if b"\x1b[?2026$p" in data:
            os.write(self.descriptor, b"\x1b[?2026;2$y")
        self.screen.feed(self._decoder.decode(data))
        return data

    def until(self, condition: Callable[[], bool]) -> None:
        """Read until this condition holds."""
        end = time.monotonic() + DEADLINE
        while not condition():
            assert time.monotonic() < end, f"waited in vain:\n{self.screen.text()}"
            self.read()

    def wait(self, condition: Callable[[], bool]) -> None:
        """Wait until this condition holds, without reading."""
        end = time.monotonic() + DEADLINE
        while not condition():
            assert time.monotonic() < end, "waited in vain"
            select.select([], [], [], 0.01)

    def shows(self, text: str) -> bool:
        return text in self.screen.text()

    def has_stopped(self) -> bool:
        return self._waited(os.WUNTRACED | os.WNOHANG, os.WIFSTOPPED)

    def has_ended(self) -> bool:
        return self.status is not None or self._waited(os.WNOHANG, _ended)

    def exit_code(self) -> int:
        self.until(self.has_ended)
        assert self.status is not None
        return os.waitstatus_to_exitcode(self.status)

    def close(self) -> None:
        if not self.has_ended():
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.descriptor)

    def _waited(self, options: int, expected: Callable[[int], bool]) -> bool:
        pid, status = os.waitpid(self.pid, options)
        if not pid or not expected(status):
            return False
        if _ended(status):
            self.status = status
        return True


def _ended(status: int) -> bool:
    return os.WIFEXITED(status) or os.WIFSIGNALED(status)
