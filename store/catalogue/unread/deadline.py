"""Until when somebody waits."""

import time
from typing import NamedTuple, Self

LONG_ENOUGH = 0.25
"""Seconds that a look takes at most, but for the file that it is at."""


class Deadline(NamedTuple):
    """An instant after which nothing more is begun."""

    at: float
    """On the clock that never goes back."""

    @classmethod
    def after(cls, seconds: float) -> Self:
        """So many seconds from now."""
        return cls(time.monotonic() + seconds)

    @property
    def is_over(self) -> bool:
        """Whether it has come."""
        return time.monotonic() >= self.at
