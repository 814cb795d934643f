"""Which lines of a text are code, where a heading or link is only quoted."""

import re
from collections.abc import Sequence

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def fenced(lines: Sequence[str]) -> set[int]:
    """The numbers, from 0, of the lines of closed code fences.

    A fence that is never closed is none: one slip must not hide the rest of a file.
    """
    inside: set[int] = set()
    opened: tuple[int, str] | None = None
    for number, line in enumerate(lines):
        mark = _FENCE.match(line)
        if mark is None:
            continue
        if opened is None:
            opened = (number, mark[1])
        elif mark[1].startswith(opened[1]) and not line[mark.end() :].strip():
            inside.update(range(opened[0], number + 1))
            opened = None
    return inside
