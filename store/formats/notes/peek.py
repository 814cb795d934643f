"""The first bytes of JSON that lies beside a store: cut off, broken, never trusted."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISREG

import orjson

from store.files.beneath.reading import first_bytes

PEEK = 64 * 1024
"""How much of such a file is looked at."""

_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


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


def beginning(path: Path) -> bytes:
    """The first bytes of a file that the user's settings lie in; none if unreadable.

    Not opened beneath a `Root`: these settings belong to no store, and many people keep
    theirs elsewhere and put a link in their place, which is followed wherever it leads.
    What is no plain file is never waited for.
    """
    try:
        handle = os.open(path, _FLAGS)
    except OSError:
        return b""
    try:
        plain = S_ISREG(os.fstat(handle).st_mode)
        return first_bytes(handle, PEEK) if plain else b""
    except OSError:
        return b""
    finally:
        os.close(handle)
