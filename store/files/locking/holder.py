"""Who holds a lock file, as far as it says, and whether that still counts."""

import os
from collections.abc import Container
from datetime import UTC, datetime

from msgspec import Struct

from store.files.lock_holder import STALE, is_alive, pid_of
from store.times import parse


class Holder(Struct, frozen=True):
    """What a lock file says while nobody has it locked."""

    raw: bytes
    written: float
    """When it was last written, in seconds since 1970."""
    now: float

    def claim(self, gone: Container[int]) -> str | None:
        """Who holds it all the same, to end a sentence; None where nobody does.

        `gone` are processes known to have died with it: their locks never count. A
        lock that nobody can read counts until somebody removes it.
        """
        is_old = self.now - self.written > STALE
        if not self.raw.strip():
            return None if is_old else "a program that does not say who it is"
        pid = pid_of(self.raw)
        if pid is None:
            return "somebody who cannot be told; if nobody is at work, remove the file"
        if pid != os.getpid() and is_alive(pid):
            return f"process {pid}, since {self._since}"
        if pid in gone or (is_old and not self._is_ahead):
            return None
        return f"process {pid}, which is gone; it counts for {STALE:.0f} seconds"

    @property
    def _since(self) -> str:
        return f"{datetime.fromtimestamp(self.written, UTC):%Y-%m-%dT%H:%M:%SZ}"

    @property
    def _is_ahead(self) -> bool:
        """Whether it names a time that has not come yet."""
        told = self.raw.decode("ascii", "replace").split(maxsplit=1)[1:]
        micros = parse(told[0].strip()).micros if told else None
        return micros is not None and micros > self.now * 1_000_000
