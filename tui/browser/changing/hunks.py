"""The places in which a text was changed, so that one of them can be taken back."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from msgspec import Struct


class Hunk(Struct, frozen=True):
    """Lines that were put in the place of others."""

    line: int
    """Where it begins in the text as it was, the first line being 1."""
    was: bytes
    now: bytes


def hunks(before: bytes, after: bytes) -> Sequence[Hunk]:
    """All places in which a text is other than it was, in their order."""
    was, now = _lines(before), _lines(after)
    return [
        Hunk(first + 1, b"".join(was[first:last]), b"".join(now[begin:end]))
        for tag, first, last, begin, end in _compared(was, now)
        if tag != "equal"
    ]


def without(before: bytes, after: bytes, hunk: int) -> bytes:
    """The changed text, but in one place as it was."""
    was, now = _lines(before), _lines(after)
    number, parts = -1, list[bytes]()
    for tag, first, last, begin, end in _compared(was, now):
        number += tag != "equal"
        is_back = tag != "equal" and number == hunk
        parts += was[first:last] if is_back else now[begin:end]
    return b"".join(parts)


def _compared(
    was: list[bytes], now: list[bytes]
) -> Sequence[tuple[str, int, int, int, int]]:
    return SequenceMatcher(None, was, now, autojunk=False).get_opcodes()


def _lines(raw: bytes) -> list[bytes]:
    return raw.splitlines(keepends=True)
