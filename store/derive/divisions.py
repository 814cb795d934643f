"""How later versions of spec 004's program divide a transcript: also by its size."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from store.derive.segments import USUAL

ENTRIES = 200
"""A conversation with so many entries is full."""

CHARACTERS = 80 * 1024
"""So is one that the next entry would make longer than this."""


class Division(Struct):
    """A conversation as those versions make it."""

    first: int
    """When its first entry was written, in microseconds."""
    last: int
    """When its last entry was written."""
    entries: int
    characters: int
    ended_by: str | None = None
    """`gap`, `entries` or `characters`; None for the last one, which is open."""


def divisions(entries: Iterable[tuple[int, int]]) -> Iterator[Division]:
    """Divide entries, each told by its time and its length, in order of time."""
    current: Division | None = None
    for at, length in sorted(entries, key=lambda entry: entry[0]):
        reason = _reason(current, at, length) if current else None
        if current and reason is None:
            current.last = at
            current.entries += 1
            current.characters += length
            continue
        if current:
            current.ended_by = reason
            yield current
        current = Division(at, at, 1, length)
    if current:
        yield current


def _reason(current: Division, at: int, length: int) -> str | None:
    """Why an entry begins another conversation; None where it does not."""
    if at - current.last > USUAL.gap:
        return "gap"
    if current.entries >= ENTRIES:
        return "entries"
    return "characters" if current.characters + length > CHARACTERS else None
