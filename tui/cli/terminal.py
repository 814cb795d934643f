"""The three streams: what is told to people, and whether a person is there at all."""

import os
import sys

from store.clean import clean


def open_the_closed() -> None:
    """Read from nothing, and tell nobody, where stdin or stderr is shut.

    Else the next file to be opened would be one of them.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def complain(sentence: str) -> None:
    """Tell the user something that is no answer, on stderr, fit to show."""
    sys.stderr.write(f"recollect: {clean(sentence, multiline=True)}\n")


def is_for_a_person() -> bool:
    """Whether stdout is a terminal that can show a table."""
    return sys.stdout.isatty() and os.environ.get("TERM", "") not in {"", "dumb"}


def shows_progress() -> bool:
    """Whether stderr is a terminal on which a bar may be drawn."""
    return sys.stderr.isatty() and os.environ.get("TERM", "") not in {"", "dumb"}
