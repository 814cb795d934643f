"""A file in the user's pager, which has the terminal meanwhile."""

import os
import shlex
import stat
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from textual.app import App, SuspendNotSupported

from store.clean import clean
from store.errors import UnreadableError
from tui.manners.leaving import handed_over

_USUAL = "less"

_ONLY_SHOWS = {"LESS": "", "LESSOPEN": "", "LESSSECURE": "1"}
"""No commands and no filters."""

_KNOW_LINES = frozenset({"less", "more", "most"})
"""The pagers that can be told at which line to begin."""

_AT_ONCE = 1 << 16
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


def show_file(app: App[None], store: str, path: str, line: int | None = None) -> str:
    """Show a file of a store, perhaps from a line on; answers what went wrong.

    The pager gets it fit to show, whichever it is: some let controls through.
    """
    try:
        command = shlex.split(os.environ.get("PAGER", "")) or [_USUAL]
    except ValueError:
        return "What PAGER says is no command: a quote is left open."
    if line is not None and Path(command[0]).name in _KNOW_LINES:
        command.append(f"+{line}")
    try:
        with _opened(Path(store), path) as file:
            return _shown(app, command, file)
    except UnreadableError as error:
        return str(error)
    except SuspendNotSupported:
        return str(Path(store) / path)


def _shown(app: App[None], command: list[str], file: BinaryIO) -> str:
    """Hand the terminal over until the pager is left."""
    with handed_over(app):
        try:
            pager = subprocess.Popen(  # noqa: S603  # the pager that the user has chosen
                command, stdin=subprocess.PIPE, env={**os.environ, **_ONLY_SHOWS}
            )
        except OSError as error:
            return f"{command[0]} cannot be run: {error.strerror}."
        with suppress(BrokenPipeError), pager:
            if pager.stdin is not None:
                pager.stdin.writelines(_parts(file))
    return ""


def _opened(store: Path, path: str) -> BinaryIO:
    """A plain file within a store; links do not lead out, and nothing is waited for."""
    real = os.path.realpath(store / path)
    if not Path(real).is_relative_to(os.path.realpath(store)):
        raise UnreadableError(f"{path} leads out of its store.")
    try:
        handle = os.open(real, _FLAGS)
    except OSError as error:
        raise UnreadableError(f"{path} cannot be read: {error.strerror}.") from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise UnreadableError(f"{path} is no plain file.")
    return os.fdopen(handle, "rb")


def _parts(file: BinaryIO) -> Iterator[bytes]:
    """The file line by line, as far as lines are not too long, fit to show."""
    while raw := file.readline(_AT_ONCE):
        yield clean(raw.decode("utf-8", "replace"), multiline=True).encode()
