"""A separate machine for the program: called in this process, or in a terminal."""

import fcntl
import json
import os
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Generator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.project import ROOT
from tui.cli.main import main

DEADLINE = 60.0
"""Seconds after which something that ought to appear never will."""

_KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT")
_ROWS = 50


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of one call of the program."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The JSON Lines on stdout."""
        return [json.loads(line) for line in self.out.splitlines()]


@dataclass(frozen=True, slots=True)
class Machine:
    """An empty home, and an isolated environment."""

    home: Path

    @property
    def cache(self) -> Path:
        return self.home / "cache" / "recollect"

    @property
    def state(self) -> Path:
        return self.home / "state" / "recollect"

    def variables(self, **more: str) -> dict[str, str]:
        """The whole environment of the program."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if name in _KEPT or name.startswith("COVERAGE")
        }
        own = {
            "HOME": str(self.home),
            "PYTHONUTF8": "1",
            "XDG_CACHE_HOME": str(self.home / "cache"),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_STATE_HOME": str(self.home / "state"),
        }
        return kept | own | more

    def run(self, *arguments: str | Path, **more: str) -> Answer:
        """Run the program in this process; `more` is added to its environment."""
        out, err = TextIOWrapper(BytesIO(), "utf-8"), TextIOWrapper(BytesIO(), "utf-8")
        with (
            patch.dict(os.environ, self.variables(**more), clear=True),
            chdir(self.home),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            code = main([str(argument) for argument in arguments])
        return Answer(code, _text(out), _text(err))

    def start(
        self, *arguments: str | Path, stdio: int = subprocess.PIPE, **more: str
    ) -> subprocess.Popen[bytes]:
        """Start it as a process in a group of its own, as a shell does."""
        return subprocess.Popen(
            [sys.executable, "-P", ROOT / "tui/start.py", *arguments],
            stdin=subprocess.DEVNULL if stdio == subprocess.PIPE else stdio,
            stdout=stdio,
            stderr=stdio,
            cwd=self.home,
            env=self.variables(PYTHONPATH=str(ROOT), **more),
            start_new_session=True,
        )

    @contextmanager
    def terminal(
        self,
        *arguments: str | Path,
        columns: int = 80,
        term: str = "xterm-256color",
        **more: str,
    ) -> Generator["Terminal"]:
        """Start it in a terminal of some width."""
        ours, its = os.openpty()
        size = struct.pack("HHHH", _ROWS, columns, 0, 0)
        fcntl.ioctl(its, termios.TIOCSWINSZ, size)
        process = self.start(*arguments, stdio=its, TERM=term, **more)
        os.close(its)
        try:
            yield Terminal(ours, process)
        finally:
            os.close(ours)
            process.kill()
            process.wait()

    def in_terminal(
        self, *arguments: str | Path, columns: int = 80, term: str = "xterm-256color"
    ) -> Answer:
        """Run it in a terminal to its end; `out` has the whole output.

        Lists are read before, as a slow machine would show how far that is.
        """
        if arguments[0] in {"list", "search"} and "-s" in arguments:
            self.run("sync", "-s", arguments[arguments.index("-s") + 1])
        with self.terminal(*arguments, columns=columns, term=term) as terminal:
            shown = terminal.rest()
            return Answer(terminal.process.wait(), shown.decode(), "")


@dataclass(frozen=True, slots=True)
class Terminal:
    """The screen's end of a terminal in which the program runs."""

    descriptor: int
    process: subprocess.Popen[bytes]

    def is_quiet(self, seconds: float) -> bool:
        """Whether there is no output for some time."""
        return not select.select([self.descriptor], [], [], seconds)[0]

    def until(self, text: bytes) -> bytes:
        """The output until a text appears."""
        shown = b""
        while text not in shown:
            more = self._more()
            assert more, f"{text!r} was never shown, but {shown!r}"
            shown += more
        return shown

    def type(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self.descriptor, keys)

    def rest(self) -> bytes:
        """All further output."""
        return b"".join(iter(self._more, b""))

    def _more(self) -> bytes:
        assert not self.is_quiet(DEADLINE), "no output, and no end"
        try:
            return os.read(self.descriptor, 65536)
        except OSError:  # how Linux says that the other end is closed
            return b""


def _text(stream: TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()
