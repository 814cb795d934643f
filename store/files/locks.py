"""Lock files of stores, compatible with the other programs that use them."""

import errno
import fcntl
import os
import random
import stat
import sys
import time
from collections.abc import Container
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from store.errors import RecollectError, RefusedError
from store.files.beneath import quoted
from store.files.writable import Spot, write_all
from store.machine import LARGEST, STALE, is_alive, pid_of
from store.resource import Closing
from store.times import parse

# Why a lock could not be acquired.


class HeldError(RecollectError):
    """Another program holds the lock and did not release it in time."""


# Create a lock file that is never visible empty or unlocked.
#
# It gets its name only once it is locked and names its holder; if the program is killed
# before that, the file never existed. On systems that cannot do this, it is empty at
# first.

_FLAGS = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_UNABLE = frozenset({errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT})


def made(spot: Spot, raw: bytes) -> int:
    """The handle of a new, locked file with these bytes.

    Raises FileExistsError if the file exists, and OSError.
    """
    if sys.platform == "linux":
        with suppress(_UnableError):
            return _at_once(spot, raw)
    return _step_by_step(spot, raw)


class _UnableError(Exception):
    """The file system does not support unnamed files."""


def _at_once(spot: Spot, raw: bytes) -> int:
    try:
        handle = os.open(
            ".", os.O_RDWR | os.O_TMPFILE | os.O_CLOEXEC, 0o600, dir_fd=spot.folder
        )
    except OSError as error:
        if error.errno in _UNABLE:
            raise _UnableError from error
        raise
    try:
        _lock_and_say(handle, raw)
        _name(handle, spot)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _name(handle: int, spot: Spot) -> None:
    try:
        os.link(f"/proc/self/fd/{handle}", spot.name, dst_dir_fd=spot.folder)
    except OSError as error:
        if error.errno in _UNABLE:
            raise _UnableError from error
        raise


def _step_by_step(spot: Spot, raw: bytes) -> int:
    flags = _FLAGS | os.O_CREAT | os.O_EXCL
    handle = os.open(spot.name, flags, 0o600, dir_fd=spot.folder)
    try:
        _lock_and_say(handle, raw)
    except BaseException:
        with suppress(OSError):
            os.unlink(spot.name, dir_fd=spot.folder)
        os.close(handle)
        raise
    return handle


def _lock_and_say(handle: int, raw: bytes) -> None:
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    write_all(handle, raw)


# Who holds a lock file, according to its content, and whether that still counts.


class Holder(Struct, frozen=True):
    """The content of a lock file that no process has locked."""

    raw: bytes
    written: float
    """When it was last written, in seconds since 1970."""
    now: float

    def claim(self, gone: Container[int]) -> str | None:
        """The holder, as the end of a sentence; None if the lock is free.

        `gone` are processes known to have died, whose locks never count. A lock with
        unreadable content counts until it is removed.
        """
        is_old = self.now - self.written > STALE
        if not self.raw.strip():
            return None if is_old else "an unnamed program"
        pid = pid_of(self.raw)
        if pid is None:
            return "an unknown program; if none is running, delete the file"
        if pid != os.getpid() and is_alive(pid):
            return f"process {pid}, since {self._since}"
        if pid in gone or (is_old and not self._is_ahead):
            return None
        return f"process {pid}, which has ended; it expires after {STALE:.0f} seconds"

    @property
    def _since(self) -> str:
        return f"{datetime.fromtimestamp(self.written, UTC):%Y-%m-%dT%H:%M:%SZ}"

    @property
    def _is_ahead(self) -> bool:
        """Whether it names a time in the future."""
        moments = self.raw.decode("ascii", "replace").split(maxsplit=1)[1:]
        micros = parse(moments[0].strip()).micros if moments else None
        return micros is not None and micros > self.now * 1_000_000


# Whether another process waits for a lock held here.
#
# A waiting process already has the file open. If the file were removed now, that
# process would lock a file without a name while the next one creates a new file, and
# both would hold the lock.

_LOCKS = Path("/proc/locks")


def is_awaited(handle: int) -> bool:
    """Whether another process is waiting; True if the system does not say."""
    about = os.fstat(handle)
    device = f"{os.major(about.st_dev):02x}:{os.minor(about.st_dev):02x}"
    place = f" {device}:{about.st_ino} "
    try:
        lines = [
            line for line in _LOCKS.read_text("ascii").split("\n") if place in line
        ]
    except OSError:
        return True
    return not lines or any("->" in line for line in lines)


# Acquire, hold and release a lock file.
#
# Other programs `flock` such a file, may or may not write who they are, and remove it
# when done, often after releasing it. So an acquired file may no longer have a name,
# and an unlocked one may be held by a program that only created it. Hold the lock only
# for the time of a write, never while the user thinks.

PATIENCE = 5.0
"""Seconds to wait for another program."""

SETTLING = 0.003
"""Seconds within which others remove a file that they have just released."""

REFRESHED = 10.0
"""Seconds after which a held lock writes its time again."""

_LOCK_FLAGS = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_SHORTEST, _LONGEST = 0.005, 0.1


class Lock(Closing):
    """Held from construction until it is closed."""

    taken_over: str | None = None
    """A sentence that says whose lock was taken over, if any."""

    _said = 0.0

    def __init__(self, spot: Spot, gone: Container[int] = ()) -> None:
        """Wait for the lock; raises HeldError, RefusedError and OSError.

        Locks held by the processes in `gone` are ignored, however recent. RefusedError
        means that the lock is not a regular file.
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
        """Update the time in the lock file if it was written long ago."""
        if time.monotonic() - self._said > REFRESHED:
            self._say()

    def close(self) -> None:
        """Release the lock, and remove the file unless another process waits for it.

        Raises nothing: the work it protected is done.
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
                raise HeldError(f"{path} is locked by {self._claim}.")
            time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311  # not for security
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
        """Close a file after an error, and remove it if this process created it."""
        with suppress(OSError):
            if is_new and self._is_there(handle):
                os.unlink(self._spot.name, dir_fd=self._spot.folder)
        os.close(handle)

    def _opened(self) -> tuple[int, bool]:
        """The file, and whether it was just created; never truncates it.

        Another program may hold it.
        """
        name, folder = self._spot.name, self._spot.folder
        with suppress(FileExistsError):
            return made(self._spot, self._signature()), True
        try:
            handle = os.open(name, _LOCK_FLAGS, dir_fd=folder)
        except FileNotFoundError:
            return self._opened()
        except OSError as error:
            raise self._refusal() from error
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise self._refusal()
        return handle, False

    def _refusal(self) -> RefusedError:
        return RefusedError(f"Can't acquire lock {quoted(self._spot.path)}.")

    def _is_got(self, handle: int, *, is_new: bool) -> bool:
        if is_new:
            return self._is_there(handle)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._claim = self._holder_name(handle)
            return False
        if not self._is_there(handle):
            return False
        time.sleep(SETTLING)
        return self._is_there(handle) and self._is_free(handle)

    def _is_free(self, handle: int) -> bool:
        """Whether the content of the file allows taking the lock."""
        raw = os.pread(handle, LARGEST + 1, 0)
        written = os.fstat(handle).st_mtime
        if len(raw) > LARGEST:
            raw = b"?"
        claim = Holder(raw, written, time.time()).claim(self._gone)
        if claim is None:
            pid = pid_of(raw)
            if pid:
                self.taken_over = (
                    f"Took over the lock of process {pid}, which has ended."
                )
            return True
        self._claim = claim
        return False

    def _holder_name(self, handle: int) -> str:
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
        signature = self._signature()
        os.lseek(self._handle, 0, os.SEEK_SET)
        write_all(self._handle, signature)
        os.ftruncate(self._handle, len(signature))  # never empty, even if killed here
        self._said = time.monotonic()

    def _signature(self) -> bytes:
        return f"{os.getpid()}\n{datetime.now(UTC).isoformat()}\n".encode()

    def _leave(self) -> None:
        """Remove the file, or leave it empty and old so that it counts as free."""
        if is_awaited(self._handle):
            os.ftruncate(self._handle, 0)
            os.utime(self._handle, (0, 0))
        else:
            os.unlink(self._spot.name, dir_fd=self._spot.folder)
