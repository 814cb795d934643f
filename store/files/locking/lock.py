"""A lock file got, kept and let go.

Others lock such a file by `flock` on what they open, write or do not write who they
are, and remove it when they are done, often after they let go. So a file that was got
may be one that has no name any more, and one that nobody has locked may be held by who
only made it. Held for as long as it takes to write, never while a person thinks.
"""

import fcntl
import os
import random
import stat
import time
from collections.abc import Container
from contextlib import suppress
from datetime import UTC, datetime

from store.closing import Closing
from store.errors import RefusedError
from store.files.beneath.naming import quoted
from store.files.lock_holder import LARGEST, pid_of
from store.files.locking.creating import made
from store.files.locking.errors import HeldError
from store.files.locking.holder import Holder
from store.files.locking.waiting import is_awaited
from store.files.replacing.durable import write_all
from store.files.replacing.ground import Spot

PATIENCE = 5.0
"""Seconds to wait for another program."""

SETTLING = 0.003
"""Seconds in which others remove a file that they just let go of."""

REFRESHED = 10.0
"""After how many seconds a lock that is kept says so again."""

_FLAGS = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_SHORTEST, _LONGEST = 0.005, 0.1


class Lock(Closing):
    """Held from when it was made until it is closed."""

    taken_over: str | None = None
    """The sentence that says whose lock was taken over, if one was."""

    _said = 0.0

    def __init__(self, spot: Spot, gone: Container[int] = ()) -> None:
        """Wait for it; raises HeldError, RefusedError for no plain file, OSError.

        Locks of the processes `gone` count no more, however fresh they are.
        """
        self._spot, self._gone = spot._replace(folder=os.dup(spot.folder)), gone
        self._claim = "another program"
        self._handle = -1
        try:
            self._wait()
        except BaseException:
            os.close(self._spot.folder)
            raise

    def refresh(self) -> None:
        """Say that it is still held, if it was long ago that it was said."""
        if time.monotonic() - self._said > REFRESHED:
            self._say()

    def close(self) -> None:
        """Let go, and remove the file unless somebody waits for it.

        Raises nothing: what it was held for is done.
        """
        if self._handle < 0:
            return
        with suppress(OSError):
            if self._is_there(self._handle):
                self._leave()
        for handle in (self._handle, self._spot.folder):
            with suppress(OSError):
                os.close(handle)
        self._handle = -1

    def _wait(self) -> None:
        deadline = time.monotonic() + PATIENCE
        pause = _SHORTEST
        while not self._try():
            if time.monotonic() > deadline:
                path = quoted(self._spot.path)
                raise HeldError(f"{path} is held by {self._claim}.")
            time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311  # no secret
            pause = min(pause * 2, _LONGEST)

    def _try(self) -> bool:
        handle, is_new = self._opened()
        try:
            if self._is_got(handle, is_new=is_new):
                self._handle = handle
                self._said = time.monotonic()
                if not is_new:
                    self._say()
        except BaseException:
            self._handle = -1
            self._drop(handle, is_new=is_new)
            raise
        if self._handle < 0:
            os.close(handle)
        return self._handle >= 0

    def _drop(self, handle: int, *, is_new: bool) -> None:
        """Give up a file that something went wrong with; none of ours stays."""
        with suppress(OSError):
            if is_new and self._is_there(handle):
                os.unlink(self._spot.name, dir_fd=self._spot.folder)
        os.close(handle)

    def _opened(self) -> tuple[int, bool]:
        """The file, and whether it was made by this; never cut, for it may be held."""
        name, folder = self._spot.name, self._spot.folder
        with suppress(FileExistsError):
            return made(self._spot, self._signature()), True
        try:
            handle = os.open(name, _FLAGS, dir_fd=folder)
        except FileNotFoundError:
            return self._opened()
        except OSError as error:
            raise self._refusal() from error
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise self._refusal()
        return handle, False

    def _refusal(self) -> RefusedError:
        return RefusedError(f"{quoted(self._spot.path)} is no lock that can be taken.")

    def _is_got(self, handle: int, *, is_new: bool) -> bool:
        if is_new:
            return self._is_there(handle)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._claim = self._told(handle)
            return False
        if not self._is_there(handle):
            return False
        time.sleep(SETTLING)
        return self._is_there(handle) and self._is_free(handle)

    def _is_free(self, handle: int) -> bool:
        """Whether what the file says holds nobody back."""
        raw = os.pread(handle, LARGEST + 1, 0)
        written = os.fstat(handle).st_mtime
        if len(raw) > LARGEST:
            raw = b"?"
        claim = Holder(raw, written, time.time()).claim(self._gone)
        if claim is None:
            pid = pid_of(raw)
            if pid:
                self.taken_over = (
                    f"The lock of process {pid}, which is gone, was taken."
                )
            return True
        self._claim = claim
        return False

    def _told(self, handle: int) -> str:
        pid = pid_of(os.pread(handle, LARGEST, 0))
        return f"process {pid}" if pid else "another program"

    def _is_there(self, handle: int) -> bool:
        """Whether the file still has its name."""
        try:
            there = os.stat(
                self._spot.name, dir_fd=self._spot.folder, follow_symlinks=False
            )
        except FileNotFoundError:
            return False
        return os.path.samestat(there, os.fstat(handle))

    def _say(self) -> None:
        os.ftruncate(self._handle, 0)
        os.lseek(self._handle, 0, os.SEEK_SET)
        write_all(self._handle, self._signature())
        self._said = time.monotonic()

    def _signature(self) -> bytes:
        return f"{os.getpid()}\n{datetime.now(UTC).isoformat()}\n".encode()

    def _leave(self) -> None:
        """Remove it, or leave it so empty and old that nobody takes it for held."""
        if is_awaited(self._handle):
            os.ftruncate(self._handle, 0)
            os.utime(self._handle, (0, 0))
        else:
            os.unlink(self._spot.name, dir_fd=self._spot.folder)
