"""A long page in chunks, so that only what is read is parsed.

A chunk ends at a blank line, outside fenced code, before a line that stands at the
margin; where there is no such place for long, wherever a line ends.
"""

import re
from collections.abc import Iterator

_ENOUGH = 16_000
"""Characters after which a chunk ends at the next occasion."""
_MOST = 2 * _ENOUGH
"""Characters after which it ends anyhow."""

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def chunks(text: str) -> Iterator[str]:
    """The text, piece by piece."""
    pieces: list[str] = []
    size = 0
    fence = ""
    is_blank = False
    for line in _lines(text):
        is_free = not fence and is_blank and not line[0].isspace()
        if size > _MOST or (size > _ENOUGH and is_free):
            yield "".join(pieces)
            pieces, size = [f"{fence}\n"] if fence else [], 0
        pieces.append(line)
        size += len(line)
        fence = _fence_after(line, fence)
        is_blank = line.isspace()
    yield "".join(pieces)


def _lines(text: str) -> Iterator[str]:
    """Its lines, one at a time."""
    at = 0
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        yield text[at:end]
        at = end


def _fence_after(line: str, fence: str) -> str:
    """The fence that is open after a line, given the one that was before it."""
    found = _FENCE.match(line)
    if not found:
        return fence
    if not fence:
        return found[1]
    return "" if found[1].startswith(fence) else fence
