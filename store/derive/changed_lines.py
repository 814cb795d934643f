"""Find the lines of a file that were replaced, without parsing them."""

from typing import NamedTuple

_BLOCK = 1 << 16
_FINER = 1 << 5


class Exchange(NamedTuple):
    """A range of lines that was replaced by others; everything else is unchanged."""

    first: int
    """The number of the first replaced line."""
    offset: int
    """The offset of its first byte."""
    gone: int
    """The number of old lines."""
    came: int
    """The number of new lines."""
    size: int
    """The size of the file now."""

    @property
    def behind(self) -> int:
        """The old number of the next unchanged line."""
        return self.first + self.gone

    @property
    def shift(self) -> int:
        """The change in line number of all lines after the range."""
        return self.came - self.gone


def exchanged(before: bytes, after: bytes) -> Exchange:
    """The difference between two versions of a file, in whole lines."""
    offset = before.rfind(b"\n", 0, _same_at_start(before, after, _BLOCK)) + 1
    least = min(len(before), len(after)) - offset
    kept = min(_same_at_end(before, after, _BLOCK), least)
    old, new = len(before) - kept, len(after) - kept
    if not (_begins(before, old, offset) and _begins(after, new, offset)):
        end = after.find(b"\n", new) + 1 or len(after)
        old, new = old + end - new, end
    return Exchange(
        before.count(b"\n", 0, offset) + 1,
        offset,
        count_lines(before[offset:old]),
        count_lines(after[offset:new]),
        len(after),
    )


def count_lines(raw: bytes) -> int:
    """The number of lines; the last one may lack its newline."""
    return raw.count(b"\n") + (raw != b"" and not raw.endswith(b"\n"))


def _begins(raw: bytes, at: int, offset: int) -> bool:
    """Whether a line starts at this position."""
    return at == offset or raw[at - 1 : at] == b"\n"


def _same_at_start(one: bytes, other: bytes, block: int) -> int:
    """The number of bytes that both have in common at the start."""
    least = min(len(one), len(other))
    for start in range(0, least, block):
        end = min(start + block, least)
        pieces = one[start:end], other[start:end]
        if pieces[0] != pieces[1]:
            finer = block // _FINER
            return start + (_same_at_start(*pieces, finer) if finer else 0)
    return least


def _same_at_end(one: bytes, other: bytes, block: int) -> int:
    """The number of bytes that both have in common at the end."""
    least = min(len(one), len(other))
    for start in range(0, least, block):
        end = min(start + block, least)
        pieces = (
            one[len(one) - end : len(one) - start],
            other[len(other) - end : len(other) - start],
        )
        if pieces[0] != pieces[1]:
            finer = block // _FINER
            return start + (_same_at_end(*pieces, finer) if finer else 0)
    return least
