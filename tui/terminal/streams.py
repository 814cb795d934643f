"""Standard streams, error reports, and the environment before Textual is loaded."""

import argparse
import os
import signal
import sys
import tempfile
import termios
import traceback
from collections.abc import Generator, Mapping, MutableMapping
from contextlib import contextmanager
from datetime import UTC, datetime
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, NoReturn, Protocol, cast

from store.clean import clean
from store.machine import Places, make_private
from tui.start import VERSION

# The three standard streams: messages for people, and whether a person is there.


def open_the_closed() -> None:
    """Replace a closed stdin or stderr by the null device.

    Otherwise the next file opened would take its place.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def complain(sentence: str) -> None:
    """Print a message to stderr, cleaned for display."""
    sys.stderr.write(f"recollect: {clean(sentence, multiline=True)}\n")


class Output:
    """The bytes of a stream, with a note whether anything was written."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.is_used = False

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)

    def write(self, raw: bytes) -> int:
        """Write to the stream."""
        self.is_used = True
        return self._stream.write(raw)


@contextmanager
def noted_output() -> Generator[Output]:
    """Note whether anything is written to stdout."""
    text = sys.stdout
    noted = Output(text.buffer)
    sys.stdout = TextIOWrapper(
        cast("BinaryIO", noted),
        text.encoding,
        text.errors,
        line_buffering=bool(text.line_buffering),
        write_through=True,
    )
    try:
        yield noted
    finally:
        used, sys.stdout = sys.stdout, text
        used.detach()


def is_for_a_person() -> bool:
    """Whether stdout is a terminal that can show a table."""
    return sys.stdout.isatty() and os.environ.get("TERM", "") not in {"", "dumb"}


def shows_progress() -> bool:
    """Whether stderr is a terminal that can show a progress bar."""
    return sys.stderr.isatty() and os.environ.get("TERM", "") not in {"", "dumb"}


# The version of the program.


class ShowVersion(argparse.Action):
    """`--version`: print the version and exit."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        *_arguments: object,
    ) -> NoReturn:
        """Print the version; as JSON after `--json`."""
        is_json = getattr(namespace, "json", False)
        shown = f'{{"version":"{VERSION}"}}' if is_json else f"recollect {VERSION}"
        sys.stdout.write(f"{shown}\n")
        parser.exit()


# Report an unexpected error: where it happened, but no user data.


def report_unexpected(error: Exception) -> str:
    """Write a report and return a sentence with its path.

    The report contains types, files of the program and line numbers, but no messages or
    variable values, as those could contain text of a memory.
    """
    lines = [
        f"recollect {VERSION}",
        *(
            f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(error.__traceback__)
        ),
        type(error).__name__,
    ]
    try:
        path = _write("\n".join(lines) + "\n")
    except OSError:
        return f"Internal error ({lines[-2]}, {lines[-1]})."
    return f"Internal error ({lines[-1]}); report saved to {path}."


def _write(text: str) -> Path:
    """Save a report that only its owner can read."""
    folder = Places.usual().state / "reports"
    make_private(folder)
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    path = folder / f"{stamp}.txt"
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    return path


# Whether there is a screen to draw on and a keyboard to read.

_DUMB = frozenset({"", "dumb", "unknown"})
"""Terminals that cannot be drawn on; Textual would try anyway."""


class _Stream(Protocol):
    def isatty(self) -> bool: ...


def has_screen(environment: Mapping[str, str], *streams: _Stream | None) -> bool:
    """Whether the browser can be shown; otherwise its first list is printed.

    Textual reads from stdin and draws on stderr; a user who redirects stdout wants the
    list there.
    """
    if environment.get("TERM", "") in _DUMB:
        return False
    asked = streams or (sys.stdin, sys.stdout, sys.stderr)
    return all(stream is not None and stream.isatty() for stream in asked)


# Prepare the environment for Textual, which reads most of it once, on import.

_USUAL = {
    "TEXTUAL_SMOOTH_SCROLL": "0",
    "TEXTUAL_ANIMATIONS": "none",
    "TEXTUAL_FPS": "250",
}
"""What Textual should not do.

Smooth scrolling requests reports that misplace the mouse after a resize; animations
waste bytes. With 60 frames a second, a change waits up to two of its periods, 33 ms,
before it is drawn. A higher rate costs nothing: only changes are drawn.
"""

_ESCAPE = "ESCDELAY"
_ESCAPE_HERE = "25"
_ESCAPE_FROM_AFAR = "75"
"""Milliseconds after which an escape is a key of its own.

Over a network, the parts of an arrow key may arrive separately.
"""

_NEVER = (
    "TEXTUAL_DEBUG",
    "TEXTUAL_DRIVER",
    "TEXTUAL_LOG",
    "TEXTUAL_PRESS",
    "TEXTUAL_SCREENSHOT",
    "TEXTUAL_SCREENSHOT_FILENAME",
    "TEXTUAL_SCREENSHOT_LOCATION",
    "TEXTUAL_SHOW_RETURN",
    "TEXTUAL_THEME",
    "TEXTUAL",
)
"""Variables that would write memories into files, press keys, or load foreign code."""

_SIZE = ("COLUMNS", "LINES")
"""The window size, as some shells export it once.

Textual would use that size forever.
"""

_KITTY = "TEXTUAL_DISABLE_KITTY_KEY"
_DROPS_LETTERS = "iTerm.app"  # codespell:ignore
"""A terminal that drops composed letters when asked to report all keys."""

_NO_COLOUR = "NO_COLOR"

_COLOURS = "TEXTUAL_COLOR_SYSTEM"
_KNOWN_COLOURS = frozenset({"auto", "standard", "256", "truecolor"})
"""The values Textual accepts; anything else would crash it."""


def prepare(environment: MutableMapping[str, str]) -> None:
    """Prepare the environment; call it before importing Textual.

    The user's own settings stay, unless they would leak memories.
    """
    for name in _NEVER:
        environment.pop(name, None)
    for name in _SIZE if _tells_its_size() else ():
        environment.pop(name, None)
    if environment.get(_NO_COLOUR) == "":
        del environment[_NO_COLOUR]
    if environment.get(_COLOURS) not in _KNOWN_COLOURS:
        environment.pop(_COLOURS, None)
    for name, value in _wanted(environment).items():
        environment.setdefault(name, value)


def _tells_its_size() -> bool:
    """Whether the terminal reports its size; some serial ones do not."""
    try:
        return min(os.get_terminal_size()) > 0
    except OSError:
        return False


def _wanted(environment: Mapping[str, str]) -> dict[str, str]:
    is_far = "SSH_CONNECTION" in environment
    wanted = _USUAL | {_ESCAPE: _ESCAPE_FROM_AFAR if is_far else _ESCAPE_HERE}
    if environment.get("TERM_PROGRAM") == _DROPS_LETTERS and "TMUX" not in environment:
        wanted[_KITTY] = "1"
    return wanted


# Reset a terminal that a program left without cleaning up.

RESET = "".join(
    (
        "\x1b[<u",  # the keyboard protocol of kitty
        *(f"\x1b[?{mode}l" for mode in (1000, 1002, 1003, 1006, 1015, 1016)),  # mouse
        "\x1b[?1004l",  # focus reports
        "\x1b[?2004l",  # bracketed paste
        "\x1b[?2026l\x1b[?2048l",  # synchronized updates, size reports
        "\x1b[r",  # scrolling region
        "\x1b[?1049l",  # the alternate screen
        "\x1b[0m\x1b(B",  # colours, line-drawing characters
        "\x1b[?7h\x1b[?25h",  # line wrapping, visible cursor
    )
)
"""Undoes everything that Textual switches on."""

_SENTENCE = "The terminal was restored; if it looks wrong, run `reset`.\n"


def reset_terminal() -> None:
    """Reset the terminal's display and input."""
    sys.stderr.write(RESET)
    sys.stderr.write(_SENTENCE)
    sys.stderr.flush()
    if sys.stdin.isatty():
        _make_sane(sys.stdin.fileno())


def _make_sane(descriptor: int) -> None:
    """Do what `stty sane` does, as far as Textual changes it."""
    attributes = termios.tcgetattr(descriptor)
    attributes[0] |= termios.ICRNL | termios.IXON
    attributes[1] |= termios.OPOST | termios.ONLCR
    attributes[3] |= termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG
    attributes[6][termios.VMIN] = 1
    attributes[6][termios.VTIME] = 0
    termios.tcsetattr(descriptor, termios.TCSANOW, attributes)


# Temporary folders that are removed however the program ends.

_ENDING = (signal.SIGTERM, signal.SIGHUP)
_SIGNALLED = 128


@contextmanager
def temporary_folder() -> Generator[Path]:
    """A temporary folder that is removed at the end, even after a signal.

    Elsewhere a signal ends the program at once (see `tui.start`); here it raises an
    exception, so that cleanup runs.
    """
    before = {number: signal.signal(number, _end) for number in _ENDING}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with tempfile.TemporaryDirectory(prefix="recollect-") as folder:
            yield Path(folder)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(number: int, _frame: object) -> None:
    sys.exit(_SIGNALLED + number)
