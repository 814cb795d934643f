"""The first bytes of JSON that lies beside a store: cut off, broken, never trusted."""

import re
from collections.abc import Iterator
from pathlib import Path

import orjson

PEEK = 64 * 1024
"""How much of such a file is looked at."""


def strings(raw: bytes, key: str) -> Iterator[str]:
    """Every text that stands under a key, in order; a cut-off one does not count."""
    member = rb'"%s"\s*:\s*("(?:[^"\\]|\\.)*+")' % re.escape(key.encode())
    for found in re.finditer(member, raw, re.DOTALL):
        try:
            value: object = orjson.loads(found[1])
        except orjson.JSONDecodeError:
            continue
        if isinstance(value, str) and value:
            yield value


def first_bytes(path: Path) -> bytes:
    """The first bytes of a file that the user's settings lie in; none if unreadable."""
    try:
        if not path.is_file():
            return b""
        with path.open("rb") as file:
            return file.read(PEEK)
    except OSError:
        return b""
