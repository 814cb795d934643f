"""Words of the command line, understood one by one; what cannot be is said why."""

import argparse
import math

from store.reviewing.queues import QUEUES
from store.search.nearest import near
from tui.words import DERIVED, KINDS

_MICROSECONDS = 60_000_000
"""How many a minute has."""

_LONGEST = 10_000_000_000
"""Minutes beyond which more make no difference."""


def count(text: str) -> int:
    """A number of rows: none or more."""
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number") from None
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is less than nothing")
    return number


def minutes(text: str) -> int:
    """A time that is longer than none, given in minutes, as microseconds."""
    try:
        given = float(text)
    except ValueError:
        given = math.nan
    if not given > 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no positive number of minutes")
    return max(1, round(min(given, _LONGEST) * _MICROSECONDS))


def kind(text: str) -> str:
    """A kind of record; one that is not there is named with the nearest one."""
    return _one_of(KINDS, text)


def derived(text: str) -> str:
    """A derived file; one that is not there is named with the nearest one."""
    return _one_of(DERIVED, text)


def queue(text: str) -> str:
    """A queue of a review, likewise."""
    return _one_of(tuple(one.name for one in QUEUES), text)


def _one_of(words: tuple[str, ...], text: str) -> str:
    if text in words:
        return text
    meant = near(text, words)
    guess = f"; did you mean {meant!r}?" if meant else "."
    raise argparse.ArgumentTypeError(
        f"{text!r} is none{guess} There are: {', '.join(words)}"
    )
