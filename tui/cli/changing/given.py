"""What a command is given in a file, or on its stdin."""

import sys
from pathlib import Path

from store.errors import UnreadableError

STDIN = "-"
"""What stands for stdin where a file can be named."""


def given(file: str) -> bytes:
    """The bytes of a file, or of stdin; raises UnreadableError."""
    if file == STDIN:
        return sys.stdin.buffer.read()
    try:
        return Path(file).expanduser().read_bytes()
    except (OSError, ValueError) as error:
        raise UnreadableError(f"{file} cannot be read.") from error
