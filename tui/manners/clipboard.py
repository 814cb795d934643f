"""Copying: into whichever clipboard can be reached, always into a file as well.

No way is certain: tmux drops what programs send to the terminal's clipboard unless it
is told otherwise, terminals ignore it or cut it off without a word, and programs for
the clipboard reach that of this machine, not of the one somebody sits at. So several
are tried in order, and the user is told which one was used.
"""

import base64
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from store.places import Places
from store.private import NotWrittenError, replace_own

LIMIT = 74_000
"""The longest sequence, in bytes, that terminals are known to take."""

_NAME = "recollect-clip"

_ACTING = re.compile(r"[\0-\x08\x0b-\x1f\x7f-\x9f]")
"""What would act where the text is pasted, and end a paste before its end."""

_PATIENCE = 2.0
"""Seconds that a program for the clipboard may take."""


class Copied(Struct, frozen=True):
    """What became of a text."""

    way: str
    """The clipboard that has it, in a few words; nothing where only the file has."""
    file: Path | None
    """The file that has it."""

    @property
    def sentence(self) -> str:
        """What the user is told."""
        if self.way and self.file:
            return f"Copied by {self.way}, and into {self.file}."
        if self.way:
            return f"Copied by {self.way}."
        if self.file:
            return f"Copied into {self.file}; no clipboard can be reached."
        return "Nothing could be copied: no clipboard can be reached, no file written."


def copy(
    text: str,
    environment: Mapping[str, str],
    send: Callable[[str], None],
) -> Copied:
    """Copy a text; `send` writes a sequence to the terminal.

    Line ends and tabs are copied, but no control that acts on whoever is pasted into.
    """
    raw = _ACTING.sub("", text).encode("utf-8", "replace")
    way = next((name for name, tried in _ways(raw, environment, send) if tried()), "")
    return Copied(way, _into_file(raw, environment))


def sequence(raw: bytes) -> str:
    """What has a terminal put bytes into its clipboard (OSC 52)."""
    return f"\x1b]52;c;{base64.b64encode(raw).decode()}\x07"


def _ways(
    raw: bytes, environment: Mapping[str, str], send: Callable[[str], None]
) -> Iterator[tuple[str, Callable[[], bool]]]:
    """The ways that there are on this machine, the surest first."""
    if "TMUX" in environment:
        yield "tmux", lambda: _by(["tmux", "load-buffer", "-w", "-"], raw, environment)
    if "SSH_CONNECTION" not in environment:
        for command in _programs(environment):
            yield command[0], lambda words=command: _by(words, raw, environment)
    if len(sequence(raw)) <= LIMIT:
        yield "the terminal", lambda: _sent(sequence(raw), send)


def _programs(environment: Mapping[str, str]) -> Iterator[list[str]]:
    """The programs for the clipboard of the screen that this machine has."""
    if environment.get("WAYLAND_DISPLAY"):
        yield ["wl-copy"]
    if environment.get("DISPLAY"):
        yield ["xclip", "-selection", "clipboard"]
        yield ["xsel", "--clipboard", "--input"]
    yield ["pbcopy"]


def _by(words: list[str], raw: bytes, environment: Mapping[str, str]) -> bool:
    """Hand bytes to a program; whether it took them."""
    program = shutil.which(words[0], path=environment.get("PATH", ""))
    if program is None:
        return False
    try:
        done = subprocess.run(  # noqa: S603  # words of our own, and no shell
            [program, *words[1:]],
            input=raw,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _sent(text: str, send: Callable[[str], None]) -> bool:
    send(text)
    return True


def _into_file(raw: bytes, environment: Mapping[str, str]) -> Path | None:
    """Write the file; where it lies, or None where it cannot be written."""
    runtime = environment.get("XDG_RUNTIME_DIR")
    folders = (Path(runtime) if runtime else None, Places.usual().state)
    for folder in filter(None, folders):
        path = folder / _NAME
        with suppress(NotWrittenError):
            replace_own(path, raw)
            return path
    return None
