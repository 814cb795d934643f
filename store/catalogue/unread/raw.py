"""A file's bytes looked through for words, nothing understood of them."""

import re
from collections.abc import Iterable, Iterator

from store.catalogue.unread.deadline import Deadline
from store.catalogue.unread.sieve import Sieve
from store.files.beneath import OpenFile
from store.search.fold import fold

_BLOCK = 256 * 1024
"""Bytes looked through at a time: they stay in the processor's own memory."""

_ASCII = bytes(range(0x80))

_FORM = re.compile(
    rb"\xc2[\xaa-\xba]|[\xc3-\xcd]|\xe1[\xb8-\xbf]|\xe2[\x81-\x85\x91-\x93]"
    rb"|\xe2\x86[\x80-\x8f]|\xef[\xac\xbc\xbd]|\xf0\x9d"
)
"""How characters begin that may be forms of plain letters, in UTF-8."""

_ESCAPED = re.compile(
    rb"\\u(?:00[a-f]|0[1-3]|1[ef]|20[7-9a-c]|21|24|f[bf]|d835)", re.IGNORECASE
)
"""How such characters begin where JSON escapes them."""

_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")

_LONGEST_FORM = 12
"""Bytes that one letter takes at most: two escapes of JSON."""


def may_hold(
    file: OpenFile, offset: int, path: str, sieve: Sieve, deadline: Deadline
) -> bool | None:
    """Whether a file may be what is looked for; None where time ran out before.

    What its path says counts as said in it. Zeros show that bytes are no plain text (a
    database, for instance), which only its format can look through.
    """
    missing, found = set(sieve.needles), set[bytes]()
    _find(missing, found, path.encode("utf-8", "surrogateescape"))
    if sieve.lets_through(found):
        return True
    for block in _blocks(file, offset, sieve.needles):
        if deadline.is_over:
            return None
        _find(missing, found, block)
        if b"\0" in block or sieve.lets_through(found):
            return True
    return False


def _blocks(file: OpenFile, offset: int, needles: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes from an offset on; no needle lies across two blocks alone."""
    more = _LONGEST_FORM * max(map(len, needles), default=0)
    while True:
        block = file.at(offset, _BLOCK + more)
        yield block
        if len(block) <= _BLOCK:
            return
        offset += _BLOCK


def _find(missing: set[bytes], found: set[bytes], block: bytes) -> None:
    """Move what a block holds from what is missing to what is found."""
    lowered = block.lower()
    here = {needle for needle in missing if needle in lowered}
    if len(here) < len(missing) and _has_forms(block):
        folded = _folded(block)
        here |= {needle for needle in missing if needle in folded}
    missing -= here
    found |= here


def _has_forms(block: bytes) -> bool:
    """Whether letters may stand there in other forms: with accents, or full width."""
    if not block.isascii() and _FORM.search(block.translate(None, _ASCII)):
        return True
    return _ESCAPED.search(block) is not None


def _folded(block: bytes) -> bytes:
    """The block with all letters in their plainest form."""
    text = block.decode("utf-8", "ignore")
    if "\\u" in text:
        halves = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
        text = halves.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return fold(text).encode("utf-8", "ignore")
