"""A real terminal for a program, read until an expected text appears."""

import fcntl
import os
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from store.machine import Places
from store.state import count_start
from tests.project import ROOT

DEADLINE = 30.0
"""Seconds after which something that ought to appear never will."""


@dataclass
class Terminal:
    """The screen's end of a terminal with the program."""

    descriptor: int
    program: subprocess.Popen[bytes]
    name: str
    """Where the program's end can be opened once more."""
    at_first: list[object]
    """The terminal's attributes before the program began."""
    _output: bytearray = field(default_factory=bytearray, repr=False)
    _read_to: int = field(default=0, repr=False)

    def until(self, text: str) -> bytes:
        """The output since the last call until a text appears."""
        wanted, deadline = text.encode(), time.monotonic() + DEADLINE
        begin = sought_to = self._read_to
        while (at := self._output.find(wanted, sought_to)) < 0:
            sought_to = max(begin, len(self._output) - len(wanted))
            left = deadline - time.monotonic()
            assert left > 0, f"{text!r} was never shown, but {self.shown[-2000:]!r}"
            is_open = self._read(left)
            assert is_open, f"the end came before {text!r}: {self.shown[-2000:]!r}"
        self._read_to = at + len(wanted)
        return bytes(self._output[begin : self._read_to])

    @property
    def shown(self) -> bytes:
        """The output until now."""
        return bytes(self._output)

    def type(self, keys: bytes) -> None:
        os.write(self.descriptor, keys)

    def end(self) -> int:
        """The program's exit code; `shown` has its whole output."""
        deadline = time.monotonic() + DEADLINE
        while self._read(DEADLINE):
            assert time.monotonic() < deadline, f"no end after {self.shown[-2000:]!r}"
        return self.program.wait(DEADLINE)

    def until_stopped(self) -> None:
        """Wait until the program is suspended, as after ^z."""
        _, status = os.waitpid(self.program.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)

    @property
    def attributes(self) -> list[object]:
        return termios.tcgetattr(self.descriptor)

    def hang_up(self) -> int:
        """Close the terminal; returns the program's exit code."""
        os.close(self.descriptor)
        self.descriptor = -1
        return self.program.wait(DEADLINE)

    def _read(self, patience: float) -> bool:
        if not select.select([self.descriptor], [], [], patience)[0]:
            return True
        try:
            more = os.read(self.descriptor, 65536)
        except OSError:  # how Linux says that nobody is left at the other end
            more = b""
        self._output += more
        return bool(more)


@contextmanager
def terminal(
    module: str,
    *arguments: str,
    home: Path,
    size: tuple[int, int] = (80, 24),
    **more: str,
) -> Generator[Terminal]:
    """Run one of our modules in a terminal of some size."""
    more = {"PYTHONPATH": str(ROOT), **more}
    command = (sys.executable, "-m", module, *arguments)
    with terminal_for(command, home=home, size=size, cwd=ROOT, **more) as opened:
        yield opened


@contextmanager
def terminal_for(
    command: Sequence[str | Path],
    *,
    home: Path,
    size: tuple[int, int] = (80, 24),
    cwd: Path | None = None,
    **more: str,
) -> Generator[Terminal]:
    """Run a command in a terminal of its own, for a user who has run it before."""
    count_start(Places(*[home / "state" / "recollect"] * 3))
    ours, its = os.openpty()
    columns, lines = size
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    name = os.ttyname(its)
    at_first = termios.tcgetattr(its)
    kept = {
        name: value
        for name, value in os.environ.items()
        if name == "PATH" or name.startswith("COVERAGE")
    }
    own = {"HOME": str(home), "XDG_STATE_HOME": str(home / "state")}
    more = {"TERM": "xterm-256color"} | more
    program = subprocess.Popen(
        command,
        stdin=its,
        stdout=its,
        stderr=its,
        env=kept | own | more,
        cwd=cwd or home,
        start_new_session=True,
    )
    os.close(its)
    open_terminal = Terminal(ours, program, name, at_first)
    try:
        yield open_terminal
    finally:
        if open_terminal.descriptor >= 0:
            os.close(open_terminal.descriptor)
        if program.poll() is None:
            program.send_signal(signal.SIGKILL)
        program.wait()
