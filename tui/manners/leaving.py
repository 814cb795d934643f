"""Signals that end the program: it leaves as it would by itself, terminal and all."""

import asyncio
import os
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager

from textual.app import App

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


def _nothing(_number: int, _frame: object) -> None:
    """Who is not meant does nothing."""


def _leave(app: App[None], number: int) -> None:
    app.exit(return_code=_SIGNALLED + number)


def let_go_of_lost_streams() -> None:
    """Write what is still unwritten into nothing where the terminal went away.

    Python would try again at its end, and turn every exit code into one of its own.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
