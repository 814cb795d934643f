"""What is noted at the mark where reading stopped, so that it can go on from there."""

from array import array
from bisect import bisect_left
from collections.abc import Collection
from hashlib import blake2b
from typing import Any

import orjson
from msgspec import Struct, field

_UUID_LENGTH, _UUID_BYTES = 36, 16


class Numbers:
    """Numbers in order, eight bytes each: a set of them would take ten times that."""

    def __init__(self, raw: bytes = b"") -> None:
        """What `as_bytes` gave before."""
        self._sorted = array("Q", raw)

    def __contains__(self, number: int) -> bool:
        place = bisect_left(self._sorted, number)
        return place < len(self._sorted) and self._sorted[place] == number

    def __len__(self) -> int:
        return len(self._sorted)

    def add(self, numbers: set[int]) -> None:
        """Take in some more."""
        joined = [*self._sorted, *sorted(numbers)]
        joined.sort()  # two runs that are in order: that is but a merge
        self._sorted = array("Q", joined)

    def as_bytes(self) -> bytes:
        """For a mark."""
        return self._sorted.tobytes()


class Memory(Struct, kw_only=True):
    """What came before the mark, as far as it matters for what follows."""

    number: int = 1
    """The number of the line that begins at the mark."""
    done: int = 0
    """How many values of that line were read already: it had no newline yet."""
    until: int = 0
    """The byte after the last value that was read."""
    head: str = ""
    """A digest of the beginning of what was read …"""
    tail: str = ""
    """… and of its end: both are the same if only appending happened."""
    session: str | None = None
    """The session that the first lines named."""
    flaws: int = 0
    """How many flaws were told."""
    titles: dict[str, str] = field(default_factory=dict[str, str])
    """The last title of each rank."""
    leaves: dict[str, list[Any]] = field(default_factory=dict[str, list[Any]])
    """Summaries whose leaf was not met so far, by the leaf, with their lines."""
    queue: list[list[Any]] = field(default_factory=list[list[Any]])
    """What waits to be sent: texts with their places and times."""
    seen: Numbers = field(default_factory=Numbers)
    """The identifiers that were met, as numbers."""

    def as_bytes(self) -> bytes:
        """For a mark."""
        plain = {name: getattr(self, name) for name in _PLAIN}
        return orjson.dumps(plain, default=str) + b"\n" + self.seen.as_bytes()

    @classmethod
    def of(cls, raw: bytes) -> "Memory":
        """From a mark; a new one from what is none."""
        plain, _, seen = raw.partition(b"\n")
        try:
            return cls(**orjson.loads(plain), seen=Numbers(seen))
        except (ValueError, TypeError):
            return cls()


_PLAIN = (
    "number",
    "done",
    "until",
    "head",
    "tail",
    "session",
    "flaws",
    "titles",
    "leaves",
    "queue",
)


def numbered(identifiers: Collection[str]) -> set[int]:
    """Identifiers as numbers of 64 bits; all at once is ten times as fast."""
    regular = [one for one in identifiers if len(one) == _UUID_LENGTH]
    try:
        raw = bytes.fromhex("".join(regular).replace("-", ""))
    except ValueError:
        return {number_of(one) for one in identifiers}
    if len(regular) < len(identifiers) or len(raw) != _UUID_BYTES * len(regular):
        return {number_of(one) for one in identifiers}
    halves = array("Q", raw)
    return {one ^ other for one, other in zip(halves[::2], halves[1::2], strict=True)}


def number_of(identifier: str) -> int:
    """A number of 64 bits that no other identifier has.

    Both halves of a UUID go into it: those that tell the time share one on a machine.
    """
    if len(identifier) == _UUID_LENGTH:
        try:
            raw = bytes.fromhex(identifier.replace("-", ""))
        except ValueError:
            raw = b""
        if len(raw) == _UUID_BYTES:
            one, other = array("Q", raw)
            return one ^ other
    text = identifier.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest())
