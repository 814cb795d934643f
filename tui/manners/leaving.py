"""Signals that end the program: it leaves as it would by itself, terminal and all."""

import asyncio
import errno
import os
import signal
import sys
import termios
from collections.abc import Generator
from contextlib import contextmanager
from typing import TextIO

from textual.app import App

from store.errors import RecollectError

_ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)

_SIGNALLED = 128
"""What shells add to the number of the signal that ended a program."""


def leave_on_signals(app: App[None]) -> None:
    """Have the app leave where a signal asks for it; to be called while it runs."""
    loop = asyncio.get_running_loop()
    for number in _ENDING:
        loop.add_signal_handler(number, _leave, app, number)


@contextmanager
def uninterrupted(app: App[None]) -> Generator[None]:
    """Let ^C be for another program that has the terminal meanwhile."""
    asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)
    signal.signal(signal.SIGINT, _nothing)
    try:
        yield
    finally:
        leave_on_signals(app)


@contextmanager
def handed_over(app: App[None]) -> Generator[None]:
    """Let another program have the terminal; it comes back whatever goes wrong.

    Raises SuspendNotSupported where the terminal cannot be handed over. Textual alone
    would not take it back after an error.
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
    """Who is not meant does nothing."""


def _leave(app: App[None], number: int) -> None:
    app.exit(return_code=_SIGNALLED + number)


def let_go_of_lost_streams() -> None:
    """Let what is still written go into nothing where the terminal went away.

    Python would try at its end, and turn every exit code into one of its own; so would
    the last words of whatever is taken down after the screen.
    """
    for stream in (sys.stdout, sys.stderr):
        if _is_lost(stream):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _is_lost(stream: TextIO) -> bool:
    """Whether nobody is left at the other end."""
    try:
        stream.flush()
        termios.tcgetattr(stream)
    except OSError:
        return True
    except termios.error as error:
        return error.args[0] != errno.ENOTTY
    return False
