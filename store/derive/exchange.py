"""Which lines of a file others were put in the place of, found without reading them."""

from typing import NamedTuple

_BLOCK = 1 << 16
_FINER = 1 << 5


class Exchange(NamedTuple):
    """Some lines of a file that went, and those that came for them; all else stays."""

    first: int
    """The number of the first of them."""
    offset: int
    """The byte at which that begins."""
    gone: int
    """How many there were."""
    came: int
    """How many there are now."""
    size: int
    """How large the file is now."""

    @property
    def behind(self) -> int:
        """The number that the next line had before."""
        return self.first + self.gone

    @property
    def shift(self) -> int:
        """By how much the numbers of all lines behind are other than before."""
        return self.came - self.gone


def exchanged(before: bytes, after: bytes) -> Exchange:
    """What tells two versions of a file apart, in whole lines."""
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
    """How many lines there are; the last may lack its newline."""
    return raw.count(b"\n") + (raw != b"" and not raw.endswith(b"\n"))


def _begins(raw: bytes, at: int, offset: int) -> bool:
    """Whether a line begins there."""
    return at == offset or raw[at - 1 : at] == b"\n"


def _same_at_start(one: bytes, other: bytes, block: int) -> int:
    """How many bytes both begin with."""
    least = min(len(one), len(other))
    for start in range(0, least, block):
        end = min(start + block, least)
        pieces = one[start:end], other[start:end]
        if pieces[0] != pieces[1]:
            finer = block // _FINER
            return start + (_same_at_start(*pieces, finer) if finer else 0)
    return least


def _same_at_end(one: bytes, other: bytes, block: int) -> int:
    """How many bytes both end with."""
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
