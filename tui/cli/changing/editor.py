"""The user's own editor, on a private copy of what is to be edited."""

import os
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from store.errors import RecollectError

_USUAL = "vi"
"""Where neither $VISUAL nor $EDITOR says anything."""

_AT_ONCE = 0.3
"""Seconds in which nobody edits anything: such an editor did not wait."""


class EditorError(RecollectError):
    """The editor could not be run, or gave up; `made` is what it left behind."""

    made: bytes | None = None


@dataclass(frozen=True, slots=True)
class Editor:
    """The command that edits a file."""

    words: tuple[str, ...]

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> "Editor":
        """What $VISUAL says, or $EDITOR; raises EditorError."""
        for variable in ("VISUAL", "EDITOR"):
            try:
                words = shlex.split(environment.get(variable, ""))
            except ValueError as error:
                raise EditorError(f"${variable} is no command: {error}.") from error
            if words:
                return cls(tuple(words))
        return cls((_USUAL,))

    def edit(self, raw: bytes, name: str) -> bytes:
        """What the user makes of some bytes, in a file that is called so."""
        with tempfile.TemporaryDirectory(prefix="recollect-") as folder:
            path = Path(folder) / name
            handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(raw)
            began = time.monotonic()
            code = self._run(path)
            seconds = time.monotonic() - began
            made = self._made(path)
        if code:
            error = EditorError(f"The editor {self.words[0]!r} ended with {code}.")
            error.made = made
            raise error
        if made == raw and seconds < _AT_ONCE:
            raise EditorError(
                f"The editor {self.words[0]!r} came back at once; if it has a window "
                "of its own, tell it to wait: `--wait` for many."
            )
        return made

    def _run(self, path: Path) -> int:
        """Run it to its end; what interrupts is meant for it alone."""
        command = [*self.words, str(path)]
        try:
            process = subprocess.Popen(command)  # noqa: S603  # the user's own editor
        except OSError as error:
            said = f"The editor {self.words[0]!r} cannot be run: {error.strerror}."
            raise EditorError(said) from error
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            return process.wait()
        finally:
            signal.signal(signal.SIGINT, before)

    def _made(self, path: Path) -> bytes:
        try:
            return path.read_bytes()
        except OSError as error:
            said = f"The edited file cannot be read: {error.strerror}."
            raise EditorError(said) from error
