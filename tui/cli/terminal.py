"""The three streams: what is told to people, and whether a person is there at all."""

import os
import sys

from store.clean import clean


def complain(sentence: str) -> None:
    """Tell the user something that is no answer, on stderr, fit to show."""
    sys.stderr.write(f"recollect: {clean(sentence, multiline=True)}\n")


def is_for_a_person() -> bool:
    """Whether stdout is a terminal that can show a table."""
    return sys.stdout.isatty() and os.environ.get("TERM", "") not in {"", "dumb"}


def shows_progress() -> bool:
    """Whether stderr is a terminal on which a bar may be drawn."""
    return sys.stderr.isatty() and os.environ.get("TERM", "") not in {"", "dumb"}
