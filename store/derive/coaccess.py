"""Files that are touched together: in one session, within five minutes."""

from collections import Counter
from typing import NamedTuple

WINDOW = 300 * 1_000_000
"""How far apart two files may be touched, in microseconds."""

RECENT = 10
"""With how many others, the most recent first, a file is paired each time."""

_KEPT = 64


class Pair(NamedTuple):
    """Two files, in order of their names."""

    first: str
    second: str


class Coaccess:
    """Counts pairs, touch by touch, in order of time within each session."""

    def __init__(self) -> None:
        self.counts: Counter[Pair] = Counter()
        self._recent: dict[str, dict[str, int]] = {}

    def touch(self, session: str, path: str, micros: int) -> None:
        """A file was touched: count it with those that were just before."""
        recent = self._recent.setdefault(session, {})
        recent.pop(path, None)
        for other in self._others(recent, micros):
            self.counts[Pair(*sorted((path, other)))] += 1
        recent[path] = micros
        while len(recent) > _KEPT:
            del recent[next(iter(recent))]

    def _others(self, recent: dict[str, int], micros: int) -> list[str]:
        found = [p for p, at in reversed(recent.items()) if at >= micros - WINDOW]
        return found[:RECENT]
