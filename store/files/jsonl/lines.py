"""A file's lines with the place of each, in memory that no line can exhaust."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from store.files.beneath import Root

PIECE = 8 * 1024 * 1024
"""After how many bytes a reader ought to hand on what it found."""
LONGEST = 16 * 1024 * 1024
"""The longest line that is read; longer ones are passed over."""

_BLOCK = 256 * 1024
_BOM = b"\xef\xbb\xbf"
_CR = 13
_LAST_BLANK = 32
"""No byte above it is blank, so a line that begins with one holds something."""


class Readable(Protocol):
    """What can be read in pieces: an open file, or bytes that are at hand."""

    def at(self, offset: int, size: int, /) -> bytes:
        """So many bytes from there, fewer only at the end."""
        ...


class AtHand:
    """Bytes that need no file any more."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    def at(self, offset: int, size: int, /) -> bytes:
        """So many bytes from there, fewer only at the end."""
        return self._raw[offset : offset + size]


class Line(NamedTuple):
    """One line that is not blank, and where it lies."""

    number: int
    """Its number in the file, from 1; blank lines count."""
    offset: int
    """The byte that it begins at."""
    size: int
    """How many bytes it takes, its newline included: the next line begins there."""
    raw: bytes | None
    """Its bytes without newline, CR and byte order mark; None where it is too long."""
    ended: bool
    """Whether it had its newline; the last line of a file may not."""


def read_lines(
    root: Root, path: str, since: int = 0, number: int = 1
) -> Iterator[Line]:
    """The lines of a file from a byte on, which is where line `number` begins.

    Only a line feed ends a line: other separators occur within JSON strings. Raises
    UnreadableError where the file cannot be opened or read.
    """
    with root.opened(path) as file:
        yield from split_lines(file, since, number)


def split_lines(
    file: Readable, since: int = 0, number: int = 1, *, at_once: int | None = None
) -> Iterator[Line]:
    """The lines of what is open, as `read_lines` tells them.

    Who wants only a few says how many bytes to read `at_once` to begin with.
    """
    offset, rest, size = since, b"", at_once or _BLOCK
    while block := file.at(offset + len(rest), size):
        size = min(2 * size, _BLOCK)
        pieces = (rest + block).split(b"\n")
        rest = pieces.pop()
        for piece in pieces:
            length = len(piece) + 1
            if offset and 1 < length < LONGEST and piece[0] > _LAST_BLANK:
                raw = piece[:-1] if piece[-1] == _CR else piece
                yield Line(number, offset, length, raw, True)  # noqa: FBT003 - fast
            else:
                yield from _line(number, offset, piece, length, ended=True)
            offset += length
            number += 1
        if len(rest) > LONGEST:
            length, ended = _length(file, offset, len(rest))
            yield Line(number, offset, length, None, ended)
            offset, number, rest = offset + length, number + 1, b""
    yield from _line(number, offset, rest, len(rest), ended=False)


def _line(
    number: int, offset: int, piece: bytes, size: int, *, ended: bool
) -> Iterator[Line]:
    """The line of these bytes; nothing where they are blank."""
    if len(piece) > LONGEST:
        yield Line(number, offset, size, None, ended)
        return
    if not offset:
        piece = piece.removeprefix(_BOM)
    if piece and not piece.isspace():
        raw = piece[:-1] if piece.endswith(b"\r") else piece
        yield Line(number, offset, size, raw, ended)


def _length(file: Readable, offset: int, known: int) -> tuple[int, bool]:
    """How long a line is that is not kept, its newline included; whether it has one."""
    size = known
    while block := file.at(offset + size, _BLOCK):
        end = block.find(b"\n")
        if end >= 0:
            return size + end + 1, True
        size += len(block)
    return size, False
