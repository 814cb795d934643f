"""Whether there is a screen to draw on and a keyboard to be read."""

import sys
from collections.abc import Mapping
from typing import Protocol

_DUMB = frozenset({"", "dumb", "unknown"})
"""Terminals on which nothing can be drawn; Textual would try all the same."""


class _Stream(Protocol):
    def isatty(self) -> bool: ...


def has_screen(environment: Mapping[str, str], *streams: _Stream | None) -> bool:
    """Whether the browser can be shown; else its first list is printed.

    Textual reads from stdin and draws on stderr; and whoever sends stdout somewhere
    else wants the list there.
    """
    if environment.get("TERM", "") in _DUMB:
        return False
    asked = streams or (sys.stdin, sys.stdout, sys.stderr)
    return all(stream is not None and stream.isatty() for stream in asked)
