"""Outside the program: the clipboard, the user's editor, exported files."""

import base64
import os
import secrets
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Self

from msgspec import Struct

from store.clean import given_away
from store.errors import RecollectError
from store.machine import NotWrittenError, Places, replace_own
from store.text import regex

# Copy to the first clipboard that works, and always to a file as well.
#
# No method is reliable: tmux drops what programs send to the terminal's clipboard
# unless configured otherwise, terminals ignore it or silently truncate it, and
# clipboard programs reach the clipboard of this machine, which may not be the user's.
# So several are tried in order, and the user is shown which one was used.

LIMIT = 74_000
"""The longest sequence, in bytes, that terminals are known to accept."""

_NAME = "recollect-clip"

_ACTING = regex(r"[\0-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters that could act, or end the paste, where the text is pasted."""

_PATIENCE = 2.0
"""Seconds that a clipboard program may take."""


_NOT_PASTED = regex(r"[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Characters that would not arrive in a shell as they are, or would end a line."""


class NotPastableError(RecollectError):
    """A command or path with control characters, which is not copied."""


def pastable(command: str) -> str:
    """A quoted command or path; raises NotPastableError for control characters.

    Without them, it would be about another file.
    """
    if _NOT_PASTED.search(command):
        raise NotPastableError(
            f"Not copied: {command} contains control characters or invalid text."
        )
    return command


class Copied(Struct, frozen=True):
    """The result of copying a text."""

    way: str
    """The clipboard that was used; empty if only the file was written."""
    file: Path | None
    """The file that was written."""

    @property
    def sentence(self) -> str:
        """The message for the user."""
        if self.way and self.file:
            return f"Copied (also saved to {self.file})."
        if self.way:
            return "Copied."
        if self.file:
            return f"Saved to {self.file}; no clipboard available."
        return "Not copied: no clipboard available, and no file could be written."


def copy(
    text: str,
    environment: Mapping[str, str],
    send: Callable[[str], None],
) -> Copied:
    """Copy a text; `send` writes a sequence to the terminal.

    Keeps line ends and tabs, but removes control characters that could act where the
    text is pasted.
    """
    raw = _ACTING.sub("", text).encode("utf-8", "replace")
    way = next((name for name, tried in _ways(raw, environment, send) if tried()), "")
    return Copied(way, _into_file(raw, environment))


class Clipboard(Struct, frozen=True):
    """Copies texts, and says in a sentence what came of it."""

    send: Callable[[str], None]
    """Writes a sequence to the terminal."""

    def copied(self, text: str) -> str:
        """Copy a text; the sentence names a secret that it contains."""
        told = copy(text, os.environ, self.send).sentence
        secret = given_away(text)
        return f"Careful: it contains {secret}. {told}" if secret else told

    def copied_command(self, command: str) -> str:
        """Copy a quoted command or path, unless it has control characters."""
        try:
            return self.copied(pastable(command))
        except NotPastableError as error:
            return str(error)


def sequence(raw: bytes) -> str:
    """The sequence that puts bytes into a terminal's clipboard (OSC 52)."""
    return f"\x1b]52;c;{base64.b64encode(raw).decode()}\x07"


def _ways(
    raw: bytes, environment: Mapping[str, str], send: Callable[[str], None]
) -> Iterator[tuple[str, Callable[[], bool]]]:
    """The methods available on this machine, most reliable first."""
    if "TMUX" in environment:
        yield "tmux", lambda: _by(["tmux", "load-buffer", "-w", "-"], raw, environment)
    if "SSH_CONNECTION" not in environment:
        for command in _programs(environment):
            yield command[0], lambda words=command: _by(words, raw, environment)
    if len(sequence(raw)) <= LIMIT:
        yield "the terminal", lambda: _sent(sequence(raw), send)


def _programs(environment: Mapping[str, str]) -> Iterator[list[str]]:
    """The clipboard programs for this machine's display."""
    if environment.get("WAYLAND_DISPLAY"):
        yield ["wl-copy"]
    if environment.get("DISPLAY"):
        yield ["xclip", "-selection", "clipboard"]
        yield ["xsel", "--clipboard", "--input"]
    yield ["pbcopy"]


def _by(words: list[str], raw: bytes, environment: Mapping[str, str]) -> bool:
    """Pass bytes to a program; return whether it accepted them."""
    program = shutil.which(words[0], path=environment.get("PATH", ""))
    if program is None:
        return False
    try:
        done = subprocess.run(  # noqa: S603  # constant words, no shell
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
    """Write the file; return its path, or None if it cannot be written."""
    runtime = environment.get("XDG_RUNTIME_DIR")
    folders = (Path(runtime) if runtime else None, Places.usual().state)
    for folder in filter(None, folders):
        path = folder / _NAME
        with suppress(NotWrittenError):
            replace_own(path, raw)
            return path
    return None


# The user's own editor, on a private copy of the text.

_USUAL = "vi"
"""If neither $VISUAL nor $EDITOR is set."""

_IN_TERMINALS = frozenset({"vi", "vim", "nvim", "nano", "micro", "hx", "helix"})
"""Editors that run in a terminal, unless an option says otherwise."""

_AT_ONCE = 0.3
"""An editor that exits within this many seconds did not wait for the user."""

_OFTEN = 2.0
"""Seconds between checks for intermediate saves."""

Keep = Callable[[bytes], None]
"""Called with a text that was saved while the editor is still open."""


class EditorError(RecollectError):
    """The editor failed to run or exited with an error; `made` is what it left."""

    made: bytes | None = None
    is_idle = False
    """Whether it exited at once, without changes."""


class _Ending:
    """Passes signals that would end the program on to the editor.

    The program itself goes on, so that it can delete the copy. A signal that is ignored
    stays ignored.
    """

    number = 0
    process: "subprocess.Popen[bytes] | None" = None

    def __enter__(self) -> Self:
        self._before = {
            number: signal.signal(number, self._note)
            for number in (signal.SIGTERM, signal.SIGHUP)
            if signal.getsignal(number) != signal.SIG_IGN
        }
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, _frame: object) -> None:
        self.number = number
        if self.process is not None:
            self.process.send_signal(number)


class Editor(Struct, frozen=True):
    """The command of an editor."""

    words: tuple[str, ...]

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> "Editor":
        """The editor from $VISUAL or $EDITOR; raises EditorError."""
        for variable in ("VISUAL", "EDITOR"):
            try:
                words = shlex.split(environment.get(variable, ""))
            except ValueError as error:
                raise EditorError(f"Invalid ${variable}: {error}.") from error
            if words:
                return cls(tuple(words))
        return cls((_USUAL,))

    @property
    def needs_terminal(self) -> bool:
        """Whether it is known to run in a terminal only; options may change that."""
        return len(self.words) == 1 and Path(self.words[0]).name in _IN_TERMINALS

    def edit(self, raw: bytes, name: str, keep: Keep | None = None) -> bytes:
        """Let the user edit some bytes, in a file with this name.

        Intermediate saves are passed to `keep` while the editor is still open.
        """
        with (
            _Ending() as ending,
            tempfile.TemporaryDirectory(prefix="recollect-") as folder,
        ):
            path = Path(folder) / name
            handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(raw)
            began = time.monotonic()
            code = self._run(path, raw, keep, ending)
            seconds = time.monotonic() - began
            made = self._made(path)
            if ending.number and keep is not None and made != raw:
                keep(made)
        if ending.number or code:
            error = EditorError(self._ended_with(code, ending.number))
            error.made = made
            raise error
        if made == raw and seconds < _AT_ONCE:
            error = EditorError(
                "The editor exited without changes. GUI editors need --wait."
            )
            error.is_idle = True
            raise error
        return made

    def _ended_with(self, code: int, number: int) -> str:
        if number:
            return f"The editor was ended by {signal.Signals(number).name}."
        return f"The editor {self.words[0]!r} failed with exit code {code}."

    def _run(self, path: Path, raw: bytes, keep: Keep | None, ending: _Ending) -> int:
        """Run the editor to its end; interrupts go to the editor only."""
        command = [*self.words, str(path)]
        try:
            process = subprocess.Popen(command)  # noqa: S603  # the user's own editor
        except OSError as error:
            said = f"Can't run the editor {self.words[0]!r}: {error.strerror}."
            raise EditorError(said) from error
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        ending.process = process
        try:
            while not ending.number:
                with suppress(subprocess.TimeoutExpired):
                    return process.wait(_OFTEN)
                raw = raw if keep is None else self._seen(path, raw, keep)
            with suppress(subprocess.TimeoutExpired):
                return process.wait(_OFTEN)
            process.kill()
            return process.wait()
        finally:
            signal.signal(signal.SIGINT, before)

    def _seen(self, path: Path, raw: bytes, keep: Keep) -> bytes:
        """The current content of the file; passed to `keep` if it has changed."""
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
            said = f"Can't read the edited file: {error.strerror}."
            raise EditorError(said) from error


# Write a file for the user, atomically, and without overwriting by accident.


class NotExportedError(RecollectError):
    """A file could not be written; the existing file is unchanged."""


def write_file(path: Path, pieces: Iterable[bytes], *, replaces: bool) -> int:
    """Write a file and return its size; overwrites only with `replaces`."""
    if not replaces and (path.exists() or path.is_symlink()):
        raise NotExportedError(f"{path} already exists.")
    beside = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}")
    try:
        return _write(path, beside, pieces, replaces=replaces)
    except OSError as error:
        raise NotExportedError(f"Can't write {path}: {error.strerror}.") from error
    finally:
        with suppress(OSError):
            beside.unlink()


def _write(path: Path, beside: Path, pieces: Iterable[bytes], *, replaces: bool) -> int:
    """Write a temporary file beside the target, then rename it."""
    with beside.open("xb") as file:
        for piece in pieces:
            file.write(piece)
        size = file.tell()
    if replaces:
        beside.replace(path)
    else:
        try:
            os.link(beside, path)
        except FileExistsError:
            raise NotExportedError(f"{path} already exists.") from None
        except OSError:  # a file system without hard links
            beside.rename(path)
    return size
