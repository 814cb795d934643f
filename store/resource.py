"""Context managers that close resources, and deadlines."""

import time
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

from msgspec import Struct

# Resources that are held open while they are used.


class Closing(ABC):
    """Leaving the `with` block closes it, even after an exception."""

    @abstractmethod
    def close(self) -> None:
        """Release everything; safe to call twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


# A time limit.

LONG_ENOUGH = 0.25
"""The most seconds to search unread files; the current file is still finished."""


class Deadline(Struct, frozen=True):
    """A time after which nothing more is started."""

    at: float
    """The time on the monotonic clock."""

    @classmethod
    def after(cls, seconds: float) -> Self:
        """A deadline so many seconds from now."""
        return cls(time.monotonic() + seconds)

    @property
    def is_over(self) -> bool:
        """Whether the deadline has passed."""
        return time.monotonic() >= self.at
