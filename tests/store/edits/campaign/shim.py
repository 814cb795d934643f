"""A shim around system calls: the N-th call fails, or is the last."""

import errno
import fcntl
import os
from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import cast

from store.files import replace as renaming

CALLS = (
    "open",
    "read",
    "write",
    "fsync",
    "close",
    "rename",
    "link",
    "unlink",
    "mkdir",
    "rmdir",
    "ftruncate",
    "fchmod",
    "fchown",
    "utime",
    "dup",
    "fstat",
    "lseek",
    "pread",
)

Call = Callable[..., object]


def _quick(_handle: object) -> None:
    """The power never fails here, so nothing needs to be durable."""


class Fault(Enum):
    """The outcome of the call."""

    EIO = errno.EIO
    ENOSPC = errno.ENOSPC
    EACCES = errno.EACCES
    EMFILE = errno.EMFILE
    EINTR = errno.EINTR
    FULL = "full"
    """A write takes half, and from then on there is no space."""
    DEAD = "dead"
    """From then on every call fails."""
    LAST = "last"
    """The program ends there."""


class Ending:
    """Ends the program right before the first call at which a condition holds."""

    def __init__(self, is_so: Callable[[], bool]) -> None:
        self._is_so = is_so
        self._is_looking = False

    def install(self) -> None:
        """Intercept all calls from now on; this cannot be reverted."""
        for name in CALLS:
            setattr(os, name, partial(self._call, cast("Call", getattr(os, name))))

    def _call(self, real: Call, *arguments: object, **named: object) -> object:
        if not self._is_looking:
            self._is_looking = True
            if self._is_so():
                os._exit(9)
            self._is_looking = False
        return real(*arguments, **named)


class Shim:
    """Counts the calls, and fails one of them, for the rest of this process."""

    def __init__(self, at: int | None, fault: Fault) -> None:
        """Without `at` it only counts."""
        self._at, self._fault = at, fault
        self.count = 0

    def install(self) -> None:
        """Intercept all calls from now on; this cannot be reverted."""
        for name in CALLS:
            setattr(
                os, name, partial(self._call, name, cast("Call", getattr(os, name)))
            )
        fcntl.flock = partial(self._call, "flock", fcntl.flock)
        system: Call = partial(self._call, "renameat2", vars(renaming)["_call"]())
        setattr(renaming, "_call", lambda: system)  # noqa: B010  # it is not public

    def _call(
        self, name: str, real: Call, *arguments: object, **named: object
    ) -> object:
        self.count += 1
        real = _quick if name == "fsync" else real
        if self._at is None or self.count < self._at:
            return real(*arguments, **named)
        if self._fault is Fault.FULL:
            return self._filled(name, real, *arguments, **named)
        if self.count > self._at and self._fault is not Fault.DEAD:
            return real(*arguments, **named)
        if self._fault is Fault.LAST:
            os._exit(9)
        if name == "close":
            real(*arguments, **named)
        number = errno.EIO if self._fault is Fault.DEAD else self._fault.value
        raise OSError(number, os.strerror(int(number)))

    def _filled(
        self, name: str, real: Call, *arguments: object, **named: object
    ) -> object:
        """The first write is cut in half, each later one writes nothing."""
        if name != "write":
            return real(*arguments, **named)
        if self.count > cast("int", self._at):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        handle, raw = cast("tuple[int, bytes]", arguments)
        return real(handle, raw[: len(raw) // 2])
