"""The user's own editor, on a private copy of what is to be edited."""

import os
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from store.errors import RecollectError

_USUAL = "vi"
"""Where neither $VISUAL nor $EDITOR says anything."""

_AT_ONCE = 0.3
"""Seconds in which nobody edits anything: such an editor did not wait."""

_OFTEN = 2.0
"""Seconds after which it is looked whether something was saved meanwhile."""

Keep = Callable[[bytes], None]
"""What is done with a text whose editor is still open."""


class EditorError(RecollectError):
    """The editor could not be run, or gave up; `made` is what it left behind."""

    made: bytes | None = None


class Editor(Struct, frozen=True):
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

    def edit(self, raw: bytes, name: str, keep: Keep | None = None) -> bytes:
        """What the user makes of some bytes, in a file that is called so.

        What was saved there is handed to `keep` while the editor is still open.
        """
        with tempfile.TemporaryDirectory(prefix="recollect-") as folder:
            path = Path(folder) / name
            handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(raw)
            began = time.monotonic()
            code = self._run(path, raw, keep)
            seconds = time.monotonic() - began
            made = self._made(path)
        if code:
            error = EditorError(f"The editor {self.words[0]!r} ended with {code}.")
            error.made = made
            raise error
        if made == raw and seconds < _AT_ONCE:
            raise EditorError(
                f"Nothing changed: {self.words[0]!r} came back at once. "
                "An editor with a window of its own has to wait, with `--wait`."
            )
        return made

    def _run(self, path: Path, raw: bytes, keep: Keep | None) -> int:
        """Run it to its end; what interrupts is meant for it alone."""
        command = [*self.words, str(path)]
        try:
            process = subprocess.Popen(command)  # noqa: S603  # the user's own editor
        except OSError as error:
            said = f"The editor {self.words[0]!r} cannot be run: {error.strerror}."
            raise EditorError(said) from error
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            while keep is not None:
                with suppress(subprocess.TimeoutExpired):
                    return process.wait(_OFTEN)
                raw = self._seen(path, raw, keep)
            return process.wait()
        finally:
            signal.signal(signal.SIGINT, before)

    def _seen(self, path: Path, raw: bytes, keep: Keep) -> bytes:
        """What the file says now; it is kept where it says something else."""
        try:
            now = self._made(path)
        except EditorError:
            return raw
        if now != raw:
            keep(now)
        return now

    def _made(self, path: Path) -> bytes:
        try:
            return path.read_bytes()
        except OSError as error:
            said = f"The edited file cannot be read: {error.strerror}."
            raise EditorError(said) from error
