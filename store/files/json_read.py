"""Read JSON and JSON Lines of any size, tolerantly."""

import json
import math
from collections.abc import Iterator
from typing import Protocol, cast
from zlib import crc32

import orjson
from msgspec import Struct

from store.errors import RecollectError, UnreadableError
from store.files.beneath import Root
from store.findings import Flaw, Json, Severity
from store.text import regex

# The lines of a file with their positions, in bounded memory.

PIECE = 8 * 1024 * 1024
"""Bytes after which a reader should hand on its results so far."""
LONGEST = 16 * 1024 * 1024
"""The longest line that is read; longer ones are skipped."""

_BLOCK = 256 * 1024
_BOM = b"\xef\xbb\xbf"
_CR = 13
_LAST_BLANK = 32
"""No byte above this is blank, so a line that starts with one is not empty."""


class Readable(Protocol):
    """Anything that can be read in pieces: an open file, or bytes in memory."""

    def at(self, offset: int, size: int, /) -> bytes:
        """`size` bytes from `offset`, fewer only at the end."""
        ...


class AtHand:
    """Bytes in memory, with the interface of a file."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    def at(self, offset: int, size: int, /) -> bytes:
        """`size` bytes from `offset`, fewer only at the end."""
        return self._raw[offset : offset + size]


class Line(Struct, frozen=True, gc=False):
    """A non-blank line and its position."""

    number: int
    """Its line number in the file, from 1; blank lines count."""
    offset: int
    """The offset of its first byte."""
    size: int
    """Its length in bytes, newline included; the next line starts right after."""
    raw: bytes | None
    """Its bytes without newline, CR and byte order mark; None if it is too long."""
    ended: bool
    """Whether it ends with a newline; the last line of a file may not."""


def read_lines(
    root: Root, path: str, since: int = 0, number: int = 1
) -> Iterator[Line]:
    """The lines of a file from byte `since` on, where line `number` starts.

    Only a line feed ends a line: other separators occur within JSON strings. Raises
    UnreadableError if the file cannot be opened or read.
    """
    with root.opened(path) as file:
        yield from split_lines(file, since, number)


def split_lines(
    file: Readable, since: int = 0, number: int = 1, *, at_once: int | None = None
) -> Iterator[Line]:
    """The lines of an open source, like `read_lines`.

    To read only a few lines, set `at_once` to the number of bytes to read first.
    """
    offset, rest, size = since, b"", at_once or _BLOCK
    while block := file.at(offset + len(rest), size):
        size = min(2 * size, _BLOCK)
        block = rest + block
        begin, end = 0, block.find(b"\n", len(rest))  # ten times as fast as split
        while end >= 0:
            piece, length = block[begin:end], end + 1 - begin
            if offset and 1 < length < LONGEST and piece[0] > _LAST_BLANK:
                raw = piece[:-1] if piece[-1] == _CR else piece
                yield Line(number, offset, length, raw, True)  # noqa: FBT003 - fast
            else:
                yield from _line(number, offset, piece, length, ended=True)
            offset += length
            number += 1
            begin = end + 1
            end = block.find(b"\n", begin)
        rest = block[begin:]
        if len(rest) > LONGEST:
            length, ended = _length(file, offset, len(rest))
            yield Line(number, offset, length, None, ended)
            offset, number, rest = offset + length, number + 1, b""
    yield from _line(number, offset, rest, len(rest), ended=False)


def _line(
    number: int, offset: int, piece: bytes, size: int, *, ended: bool
) -> Iterator[Line]:
    """The line in these bytes; nothing if it is blank."""
    if len(piece) > LONGEST:
        yield Line(number, offset, size, None, ended)
        return
    if not offset:
        piece = piece.removeprefix(_BOM)
    if piece and not piece.isspace():
        raw = piece[:-1] if piece.endswith(b"\r") else piece
        yield Line(number, offset, size, raw, ended)


def _length(file: Readable, offset: int, known: int) -> tuple[int, bool]:
    """The length of a skipped line, newline included, and whether it has a newline."""
    size = known
    while block := file.at(offset + size, _BLOCK):
        end = block.find(b"\n")
        if end >= 0:
            return size + end + 1, True
        size += len(block)
    return size, False


# Whether a file that grows still begins with what was read of it.

_SAMPLES = 64
_SAMPLE = 16 * 1024
"""A megabyte at most, read in a thousandth of a second: of a file up to that size every
byte is compared, of a larger one that many blocks from its beginning to its end."""


def seal(file: Readable, size: int) -> int:
    """A checksum over the first bytes of a file, or over blocks all over them."""
    if size <= _SAMPLES * _SAMPLE:
        return crc32(file.at(0, size))
    checksum = 0
    for number in range(_SAMPLES):
        offset = (size - _SAMPLE) * number // (_SAMPLES - 1)
        checksum = crc32(file.at(offset, _SAMPLE), checksum)
    return checksum


# The content of one line: usually one JSON value, sometimes several or none.

_BLANK = " \t\r\n\ufeff\0"
"""Characters allowed between values; a crash leaves NULs for lines never written."""
_HUGE = regex(rb"[0-9]{19}")
"""Digits that may be an integer of more than 64 bits."""


class Parsed(Struct, frozen=True, gc=False):
    """The values of a line, and what is wrong with it."""

    values: tuple[Json, ...]
    """All values that could be read, in order."""
    problem: str | None = None
    """What could not be read, or was corrected; None for a valid line."""


def parse(raw: bytes, *, exact: bool = False) -> Parsed:
    """Parse a line; never raises.

    Tolerates what writers get wrong without losing data. Several values without a
    newline in between and lone surrogates are accepted silently; NaN, raw control
    characters and invalid UTF-8 are accepted and reported in `problem`. An integer
    beyond 64 bits becomes the nearest float unless `exact` is set, which is slower.
    """
    if not (exact and _HUGE.search(raw)):
        try:
            return Parsed((orjson.loads(raw),))
        except orjson.JSONDecodeError:
            pass
    return _forgiving(raw)


def _forgiving(raw: bytes) -> Parsed:
    """Parse with the standard library, value by value."""
    mended = _Mended()
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        text = raw.decode(errors="replace")
        mended.note(f"Not valid UTF-8 (byte {error.start + 1}).")
    values: list[Json] = []
    position = mended.next(text, 0)
    while position < len(text):
        try:
            value, position = mended.value(text, position)
        except RecursionError:
            return Parsed(tuple(values), "Nested too deeply to read.")
        except json.JSONDecodeError as error:
            sentence = f"Invalid JSON: {error.msg} (character {error.pos + 1})."
            return Parsed(tuple(values), sentence)
        except ValueError:
            sentence = "A number has too many digits."
            return Parsed(tuple(values), sentence)
        values.append(value)
        position = mended.next(text, position)
    return Parsed(tuple(values), mended.problem)


class _Mended:
    """Reads values, and notes the first violation of JSON."""

    def __init__(self) -> None:
        self.problem: str | None = None
        self._strict, self._loose = (
            json.JSONDecoder(
                strict=strict, parse_constant=self._number, parse_float=self._number
            )
            for strict in (True, False)
        )

    def note(self, problem: str) -> None:
        """Note a problem, unless there is one already."""
        self.problem = self.problem or problem

    def next(self, text: str, position: int) -> int:
        """The start of the next value."""
        start = position
        while position < len(text) and text[position] in _BLANK:
            position += 1
        if "\0" in text[start:position]:
            self.note("Contains NUL bytes, as after a crash.")
        return position

    def value(self, text: str, position: int) -> tuple[Json, int]:
        """The value at `position` and its end; raises what json raises."""
        try:
            found = self._strict.raw_decode(text, position)
        except json.JSONDecodeError as error:
            if not error.msg.startswith("Invalid control character"):
                raise
            found = self._loose.raw_decode(text, position)
            self.note("Contains raw control characters.")
        return cast("tuple[Json, int]", found)

    def _number(self, text: str) -> float:
        number = float(text)
        if not math.isfinite(number):
            self.note(f"Invalid JSON number ({text[:20]}).")
        return number


# Read a whole JSON file tolerantly: its value, or one sentence on why it failed.


class DamagedJsonError(UnreadableError):
    """The bytes are not valid JSON; the message says why."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line

    @property
    def flaw(self) -> Flaw:
        """The flaw for a source with these bytes."""
        return Flaw(
            code="damaged-json",
            message=str(self),
            severity=Severity.ERROR,
            line=self.line,
        )


def load(raw: bytes) -> object:
    """The value of a JSON document; raises only DamagedJsonError.

    Tolerates what writers get wrong without losing data: a byte order mark, lone
    surrogates, NaN and Infinity, single bytes of invalid UTF-8.
    """
    raw = raw.removeprefix(_BOM)
    if not raw.strip():
        raise DamagedJsonError("The file is empty.")
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        return _forgiving_json_document(raw.decode("utf-8", errors="replace"))


def load_map(raw: bytes) -> dict[str, Json]:
    """The map in a JSON document; raises DamagedJsonError if it is anything else."""
    data = load(raw)
    if not isinstance(data, dict):
        raise DamagedJsonError("The file must contain a map.")
    return cast("dict[str, Json]", data)


def _forgiving_json_document(text: str) -> object:
    """Parse with the standard library, which is slower but more tolerant."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        sentence = f"Invalid JSON: {error.msg} (line {error.lineno})."
        raise DamagedJsonError(sentence, error.lineno) from None
    except RecursionError:
        raise DamagedJsonError("Nested too deeply to read.") from None
    except ValueError:
        sentence = "A number has too many digits."
        raise DamagedJsonError(sentence) from None


# A JSON text taken apart piece by piece, so that all before a damage is known.

_SPACE = regex("[ \t\r\n\ufeff]*+")
_CLOSING = {"{": "}", "[": "]"}
_DECODER = json.JSONDecoder(strict=False)


class BrokenJsonError(RecollectError):
    """The text is not JSON from here on."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


class Scanner:
    """Reads values and the items of containers, one after the other."""

    def __init__(self, text: str, at: int = 0) -> None:
        self.text = text
        self.at = at
        """Where reading goes on: at a value, or after one."""
        self.start = at
        """Where the current item starts: at its key, if it has one."""

    def value(self) -> Json:
        """The value here; reading goes on after it."""
        try:
            value, self.at = _DECODER.raw_decode(self.text, self.at)
        except json.JSONDecodeError as error:
            raise BrokenJsonError(f"{error.msg}.", error.pos) from None
        except RecursionError:
            raise BrokenJsonError("Nested too deeply.", self.at) from None
        except ValueError:
            sentence = "A number has too many digits."
            raise BrokenJsonError(sentence, self.at) from None
        return cast("Json", value)

    def items(self, opening: str) -> Iterator[str]:
        """The items of the map or list here, each by its key; empty in a list.

        Reading is then at the value; what is not read of it is skipped.
        """
        self._after(opening)
        closing = _CLOSING[opening]
        while self.text[self.at : self.at + 1] != closing:
            self.start, key = self.at, ""
            if opening == "{":
                key = str(self.value())
                self.skip()
                self._after(":")
            before = self.at
            yield key
            if self.at == before:
                self.value()
            self.skip()
            if self.text[self.at : self.at + 1] != closing:
                self._after(",")
        self.at += 1

    def skip(self) -> None:
        """Go on at the next character that is not blank."""
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def _after(self, mark: str) -> None:
        """Go on after a required mark and blanks."""
        if self.text[self.at : self.at + 1] != mark:
            raise BrokenJsonError(f"{mark!r} is missing.", self.at)
        self.at += 1
        self.skip()
