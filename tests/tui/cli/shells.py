"""Real shells with the completion installed, and simulated typing."""

import os
import pty
import select
import signal
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.project import ROOT
from tests.tui.cli.machine import Machine

PROMPT = "ready> "

_PATIENCE = 30
"""Seconds of silence after which nothing more is expected."""


@dataclass(frozen=True, slots=True)
class Shell:
    """The user's end of a terminal."""

    descriptor: int

    def type(self, text: str, until: str) -> str:
        """Type a text; returns the output until another text appears."""
        os.write(self.descriptor, text.encode())
        shown = b""
        while until.encode() not in shown:
            more = b""
            is_there, *_ = select.select([self.descriptor], [], [], _PATIENCE)
            assert is_there, f"{until!r} was not shown, only {shown!r}"
            with suppress(OSError):  # how Linux says that the other end is closed
                more = os.read(self.descriptor, 65536)
            assert more, f"{until!r} was never shown, but {shown!r}"
            shown += more
        return shown.decode()


def install(machine: Machine, shell: str) -> dict[str, str]:
    """Put the program and its completion on a machine; returns the environment."""
    program = machine.home / "bin/recollect"
    program.parent.mkdir(exist_ok=True)
    program.write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -P "{ROOT}/tui/start.py" "$@"\n',
        encoding="utf-8",
    )
    program.chmod(0o755)
    assert machine.run("--install-completion", SHELL=shell).code == 0
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    return machine.variables(
        PATH=path, PYTHONPATH=str(ROOT), PS1=PROMPT, TERM="xterm", SHELL=shell
    )


@contextmanager
def interactive(
    command: Sequence[str], environment: dict[str, str], home: Path
) -> Generator[Shell]:
    """Start a shell in a terminal; it ends with the block."""
    child, descriptor = pty.fork()
    if not child:
        os.chdir(home)
        os.execvpe(command[0], list(command), environment)  # noqa: S606  # a shell is wanted
    try:
        yield Shell(descriptor)
    finally:
        os.close(descriptor)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
