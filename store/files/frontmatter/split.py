"""Where the header of a text stands: between two fences, the first on line 1."""

import re
from typing import NamedTuple

_OPEN = re.compile(r"\ufeff?---[ \t]*(\r?\n|\r)")
_CLOSE = re.compile(r"\n(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)")
_CLOSE_LONE_CR = re.compile(r"\r(?:---|\.\.\.)[ \t]*(?:\r|\Z)")


class Split(NamedTuple):
    """The header's place, as offsets into the text."""

    start: int
    """Where the first line of the header starts, after the opening fence."""
    end: int
    """Where the closing fence starts."""
    body: int
    """Where the text after the closing fence starts."""
    newline: str
    """What ends the opening fence's line: `\\n`, `\\r\\n` or a lone `\\r`."""


def opens(text: str) -> bool:
    """Whether the first line is a fence, so that a header ought to follow."""
    return _opening(text) is not None


def split(text: str) -> Split | None:
    """Find the header; none without both fences."""
    opening = _opening(text)
    if opening is None:
        return None
    newline = opening[1]
    closing = (_CLOSE_LONE_CR if newline == "\r" else _CLOSE).search(
        text, opening.end() - 1
    )
    if closing is None:
        return None
    return Split(opening.end(), closing.start() + 1, closing.end(), newline)


def _opening(text: str) -> re.Match[str] | None:
    opening = _OPEN.match(text)
    if opening is not None and opening[1] == "\r" and "\n" in text:
        return None
    return opening
