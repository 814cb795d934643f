"""What stands on one line: usually one JSON value, at times several, at times none."""

import json
import math
import re
from typing import NamedTuple, cast

import orjson

from store.findings import Json

_BLANK = " \t\r\n\ufeff\0"
"""What may lie between values; NULs are what a crash leaves of lines never written."""
_HUGE = re.compile(rb"[0-9]{19}")
"""What may be an integer that does not fit 64 bits."""


class Parsed(NamedTuple):
    """The values of a line, and what is wrong with it."""

    values: tuple[Json, ...]
    """All that could be read, in order."""
    problem: str | None = None
    """A sentence on what could not be read, or was mended; None for a sound line."""


def parse(raw: bytes, *, exact: bool = False) -> Parsed:
    """Read a line; never raises.

    What writers get wrong without losing anything is forgiven: several values without a
    newline between them and lone surrogates without a word; NaN, raw control characters
    and bytes that are not UTF-8 with a problem beside the value. An integer beyond 64
    bits becomes the nearest float unless `exact`, which takes longer, is asked for.
    """
    if not (exact and _HUGE.search(raw)):
        try:
            return Parsed((orjson.loads(raw),))
        except orjson.JSONDecodeError:
            pass
    return _forgiving(raw)


def _forgiving(raw: bytes) -> Parsed:
    """What the standard library makes of it, value by value."""
    mended = _Mended()
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        text = raw.decode(errors="replace")
        mended.note(f"It is not valid UTF-8 (byte {error.start + 1}).")
    values: list[Json] = []
    position = mended.next(text, 0)
    while position < len(text):
        try:
            value, position = mended.value(text, position)
        except RecursionError:
            return Parsed(tuple(values), "It is nested too deeply to be read.")
        except json.JSONDecodeError as error:
            sentence = f"It is no valid JSON: {error.msg} (character {error.pos + 1})."
            return Parsed(tuple(values), sentence)
        except ValueError:
            sentence = "It holds a number with too many digits to be read."
            return Parsed(tuple(values), sentence)
        values.append(value)
        position = mended.next(text, position)
    return Parsed(tuple(values), mended.problem)


class _Mended:
    """Reads values, and notes the first thing that JSON does not allow."""

    def __init__(self) -> None:
        self.problem: str | None = None
        self._strict, self._loose = (
            json.JSONDecoder(
                strict=strict, parse_constant=self._number, parse_float=self._number
            )
            for strict in (True, False)
        )

    def note(self, problem: str) -> None:
        """Remember what is wrong, unless something was before."""
        self.problem = self.problem or problem

    def next(self, text: str, position: int) -> int:
        """Where the next value begins."""
        start = position
        while position < len(text) and text[position] in _BLANK:
            position += 1
        if "\0" in text[start:position]:
            self.note("It holds NUL bytes, as a crash leaves them.")
        return position

    def value(self, text: str, position: int) -> tuple[Json, int]:
        """The value that begins there, and where it ends; raises what json raises."""
        try:
            found = self._strict.raw_decode(text, position)
        except json.JSONDecodeError as error:
            if not error.msg.startswith("Invalid control character"):
                raise
            found = self._loose.raw_decode(text, position)
            self.note("It holds raw control characters.")
        return cast("tuple[Json, int]", found)

    def _number(self, text: str) -> float:
        number = float(text)
        if not math.isfinite(number):
            self.note(f"It holds a number that JSON does not have ({text[:20]}).")
        return number
