"""What a mirrored copy holds that its original does not.

A copy is made once and never renewed, so it is mostly the beginning of its original.
"""

from collections.abc import Callable
from hashlib import blake2b

from store.errors import UnreadableError
from store.files.beneath import Root
from store.files.jsonl import Line, read_lines

_DIGEST = 12


def stands_in(root: Root, original: str) -> Callable[[Line], bool]:
    """Says of a line whether it stands in the original as well."""
    try:
        known = {_digest(line.raw) for line in read_lines(root, original)}
    except UnreadableError:
        return lambda _line: False
    return lambda line: _digest(line.raw) in known


def _digest(raw: bytes | None) -> bytes:
    return blake2b(raw or b"", digest_size=_DIGEST).digest()
