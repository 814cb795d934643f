"""How often to look where nobody says when: the dearer a look, the rarer."""

import time
from collections.abc import Generator
from contextlib import contextmanager

_SHARE = 250
"""Looking takes one part of so many of a processor's time: less than half a percent."""

_BREATH = 2
"""Looks that follow one another leave so many times their length free in between."""

_LONGEST_BREATH = 1.0


class Pace:
    """Measures looks, and says how long to wait for the next."""

    def __init__(self) -> None:
        self._took = 0.0
        self._worked = 0.0

    @contextmanager
    def look(self) -> Generator[None]:
        """One look, from its beginning to its end."""
        began, worked = time.monotonic(), time.process_time()
        try:
            yield
        finally:
            self._took = time.monotonic() - began
            self._worked = time.process_time() - worked

    def seconds(self, least: float) -> float:
        """How long to wait where nothing is told, at `least` so many seconds."""
        return max(least, self._worked * _SHARE)

    def breath(self) -> float:
        """How long to rest where things move all the time."""
        return min(self._took * _BREATH, _LONGEST_BREATH)
