"""Signals and lost terminals: clean exit; keys read as bytes."""

import asyncio
import errno
import os
import selectors
import signal
import sys
import termios
from codecs import getincrementaldecoder
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Event
from typing import TextIO

from textual._xterm_parser import XTermParser
from textual.app import App
from textual.constants import ESCAPE_DELAY
from textual.message import Message

from store.errors import RecollectError
from store.text import regex

# Signals that end the program, which then exits normally and restores the terminal.

_ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)

_SIGNALLED = 128
"""Added by shells to the number of the signal that ended a program."""


def leave_on_signals(app: App[None]) -> None:
    """Make the app exit on signals; call it while the app runs."""
    loop = asyncio.get_running_loop()
    for number in _ENDING:
        loop.add_signal_handler(number, _leave, app, number)


@contextmanager
def uninterrupted(app: App[None]) -> Generator[None]:
    """Leave ^C to another program that uses the terminal meanwhile."""
    asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)
    signal.signal(signal.SIGINT, _nothing)
    try:
        yield
    finally:
        leave_on_signals(app)


@contextmanager
def handed_over(app: App[None]) -> Generator[None]:
    """Hand the terminal to another program, and take it over again in any case.

    Raises SuspendNotSupported if the terminal cannot be handed over. Textual alone
    would not take it over again after an error.
    """
    failure: RecollectError | OSError | None = None
    with app.suspend(), uninterrupted(app):
        try:
            yield
        except (RecollectError, OSError) as error:
            failure = error
    if failure is not None:
        raise failure


def _nothing(_number: int, _frame: object) -> None:
    """Ignore a signal meant for another program."""


def _leave(app: App[None], number: int) -> None:
    app.exit(return_code=_SIGNALLED + number)


def let_go_of_lost_streams() -> None:
    """Discard further output if the terminal is gone.

    Otherwise Python would try to flush it at exit and replace the exit code; so would
    any output written after the screen is closed.
    """
    for stream in (sys.stdout, sys.stderr):
        if _is_lost(stream):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _is_lost(stream: TextIO) -> bool:
    """Whether the other end is gone."""
    try:
        stream.flush()
        termios.tcgetattr(stream)
    except OSError:
        return True
    except termios.error as error:
        return error.args[0] != errno.ENOTTY
    return False


# Read keys from the terminal as bytes, so that invalid text does not end the program.
#
# Textual's own loop decodes strictly, so a stray byte ends the program. Restarting its
# loop would lose whatever came with the byte, which may be the start or end of a paste,
# and pasted text would then act as keys. This is the same loop except for three things:
# decoding, a lost terminal, and the escape key, which took 102 ms whatever `ESCDELAY`
# was and now takes 28 ms, 25 of them `ESCDELAY`.

_AT_ONCE = 4096
"""Bytes read at once."""

_PATIENCE = 0.1
"""Seconds between checks for whether to stop."""

_AFTER_ESCAPE = ESCAPE_DELAY + 0.001
"""Seconds after which an escape is a key of its own, not the start of a sequence."""


_ANSWERS = regex(
    r"\x1b[\]P_^X][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b\[(?:[?>=][\d;]*c|\d*n)"
)
"""Replies of terminals to queries about colours, names or status.

We send no such query, so another program did, and exited before the reply came.
"""


class TerminalLostError(OSError):
    """The terminal is gone."""


def read_keys(
    fileno: int, leaving: Event, send: Callable[[Message], None], early: int = 0
) -> None:
    """Pass on what is typed until `leaving` is set; raises TerminalLostError.

    The first `early` bytes were typed while the terminal still turned Enter into a
    line end.
    """
    decode = getincrementaldecoder("utf-8")(errors="replace").decode
    parser = XTermParser()
    patience = _PATIENCE
    with selectors.SelectSelector() as selector:
        selector.register(fileno, selectors.EVENT_READ)
        while not leaving.is_set():
            is_typed = bool(selector.select(patience))
            typed = _read(fileno) if is_typed else b""
            typed = typed[:early].replace(b"\n", b"\r") + typed[early:]
            early = max(early - len(typed), 0)
            text = without_answers(decode(typed))
            for message in parser.feed(text) if text else ():
                send(message)
            for message in parser.tick():
                send(message)
            patience = _AFTER_ESCAPE if is_typed else _PATIENCE


def without_answers(text: str) -> str:
    """The typed text without replies from the terminal."""
    return _ANSWERS.sub("", text)


def _read(fileno: int) -> bytes:
    """Read at least one byte."""
    try:
        typed = os.read(fileno, _AT_ONCE)
    except OSError as error:
        raise TerminalLostError(*error.args) from error
    if not typed:
        raise TerminalLostError("the terminal is closed")
    return typed
