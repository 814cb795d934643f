"""A store opened for writing: the state of a file, and whether to replace it."""

import errno
import os
import stat
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IMODE
from typing import NamedTuple

from msgspec import Struct

from store.errors import RecollectError, RefusedError
from store.files.beneath import (
    FOLDER_FLAGS,
    OpenFolder,
    check,
    link_text,
    open_file,
    quoted,
    resolve,
    unreadable,
)

# Why a file was left unchanged.


class ForeignError(RecollectError):
    """A file holds other bytes than expected; they are left alone."""

    def __init__(self, path: str, theirs: bytes | None) -> None:
        super().__init__(f"Another program has changed {quoted(path)}.")
        self.path = path
        self.theirs = theirs
        """The bytes found; None if there is no file."""


class BusyError(RecollectError):
    """Another program has the file open for writing."""

    def __init__(self, path: str) -> None:
        super().__init__(f"Another program is writing {quoted(path)}.")


PROTECTED = "is write-protected."


class ProtectedError(RecollectError):
    """The file is write-protected, which is respected."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{quoted(path)} {PROTECTED}")


# Writes of bytes and names that survive a power loss.


_BLOCK = 1024 * 1024


def write_all(handle: int, raw: bytes) -> None:
    """Write all bytes, however few the system takes at a time; raises OSError.

    A megabyte at a time: 19 MB at once took 4 ms at best, but 30 ms while the system
    had few large pages left, and pieces 4 ms even then.
    """
    left = memoryview(raw)
    while left:
        taken = os.write(handle, left[:_BLOCK])
        if not taken:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        left = left[taken:]


def make_folder(folder: Path) -> None:
    """Create a private folder (0700) and its parents, durably.

    Raises OSError.
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)
        settle_folder(each.parent)
    folder.chmod(0o700)


def settle_folder(folder: Path) -> None:
    """Make the names in a folder durable; raises OSError."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        settle(handle)
    finally:
        os.close(handle)


def settle(handle: int) -> None:
    """Make a file's bytes or a folder's names durable; raises OSError.

    A failure is final: on a second call, the system may report success although it
    dropped what it could not write.
    """
    if sys.platform == "darwin":  # untested: needs macOS
        import fcntl  # noqa: PLC0415  # needed here only

        try:
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
        except OSError as error:
            if error.errno not in {errno.ENOTSUP, errno.EINVAL}:
                raise
        else:
            return
    os.fsync(handle)


# A store opened for writing: a path in it becomes a folder handle and a name.


class Spot(NamedTuple):
    """The place of a file, whether it exists or not."""

    folder: int
    """The handle of its folder, open until the root closes or reaches others."""
    name: str
    path: str
    """Relative to the store, as shown in errors."""

    def beside(self, name: str) -> "Spot":
        """Another name in the same folder."""
        return self._replace(name=name)

    def stat(self) -> os.stat_result:
        """What the system knows of the file, or of the link; raises OSError."""
        return os.stat(self.name, dir_fd=self.folder, follow_symlinks=False)


class WritableRoot(OpenFolder):
    """The folder of a store, opened to write; no link leads out of it."""

    def spot(self, path: str) -> Spot:
        """The spot that a path leads to, following links within the store.

        The link itself stays; its target is written. Raises RefusedError if a link
        leads out or dangles, FileNotFoundError if a folder is missing.
        """
        check(path)
        try:
            return self._spot(path)
        except ValueError as error:
            raise unreadable(path, error) from error

    def entry(self, path: str) -> Spot:
        """The spot of a path whose last part is not followed if it is a link."""
        check(path)
        folder, _, name = path.rpartition("/")
        return Spot(self._reach(folder), name, path)

    def real(self, path: str) -> Path:
        """The absolute path that a path leads to, following links within the store.

        Raises RefusedError and OSError.
        """
        check(path)
        return self.path / resolve(self._folders, self._tops, path)

    def missing(self, path: str) -> tuple[str, ...]:
        """The missing parent folders of a file, outermost first."""
        check(path)
        parts = path.split("/")[:-1]
        for known in range(len(parts), -1, -1):
            try:
                self._reach("/".join(parts[:known]))
            except FileNotFoundError:
                continue
            return tuple(
                "/".join(parts[:depth]) for depth in range(known + 1, len(parts) + 1)
            )
        return ()

    def make(self, folder: str) -> None:
        """Create a folder with the mode of its parent; raises OSError."""
        outer, _, name = folder.rpartition("/")
        handle = self._reach(outer)
        try:
            os.mkdir(name, os.fstat(handle).st_mode & 0o777, dir_fd=handle)
        except FileExistsError:
            return
        settle(handle)

    def unmake(self, folder: str) -> None:
        """Remove a folder if it is empty; raises OSError."""
        outer, _, name = folder.rpartition("/")
        try:
            handle = self._reach(outer)
            os.rmdir(name, dir_fd=handle)
        except FileNotFoundError:
            return
        settle(handle)

    def _spot(self, path: str) -> Spot:
        folder, _, name = path.rpartition("/")
        real = resolve(self._folders, self._tops, folder) if folder else ""
        try:
            is_link = link_text(self._folders, real, name) is not None
        except FileNotFoundError:
            is_link = False
        if is_link:
            whole = f"{real}/{name}" if real else name
            real, _, name = resolve(self._folders, self._tops, whole).rpartition("/")
            if not name:
                raise RefusedError(f"{quoted(path)} is a folder.")
        return Spot(self._folders.reach(real), name, path)

    def _reach(self, folder: str) -> int:
        real = resolve(self._folders, self._tops, folder) if folder else ""
        return self._folders.reach(real)


# The attributes of a file besides its bytes, and how to copy them to the next one.


class Attributes(Struct, frozen=True, array_like=True):
    """What a file keeps when its bytes are replaced; an array in the journal."""

    mode: int
    uid: int
    gid: int
    mtime_ns: int
    extended: tuple[tuple[str, bytes], ...] = ()
    """Extended attributes, such as access lists and labels."""


def attributes(handle: int) -> Attributes:
    """The attributes of an open file; raises OSError."""
    about = os.fstat(handle)
    return Attributes(
        stat.S_IMODE(about.st_mode),
        about.st_uid,
        about.st_gid,
        about.st_mtime_ns,
        _extended(handle),
    )


def pass_on(handle: int, wanted: Attributes) -> None:
    """Set the attributes of an open file; raises OSError if the system refuses some.

    The mode is set last, because changing the owner clears bits of it. The time is not
    set.
    """
    about = os.fstat(handle)
    if (about.st_uid, about.st_gid) != (wanted.uid, wanted.gid):
        os.fchown(handle, wanted.uid, wanted.gid)
    present = dict(_extended(handle))
    if sys.platform == "linux":
        for name, value in wanted.extended:
            if present.get(name) != value:
                os.setxattr(handle, name, value)
    os.fchmod(handle, wanted.mode)


def date(handle: int, mtime_ns: int) -> None:
    """Set the modification time of an open file; raises OSError."""
    os.utime(handle, ns=(mtime_ns, mtime_ns))


def _extended(handle: int) -> tuple[tuple[str, bytes], ...]:
    """Extended attributes; Python can read them on Linux only. Empty if unsupported."""
    if sys.platform != "linux":
        return ()
    try:
        names = os.listxattr(handle)
    except OSError:
        return ()
    return tuple((name, os.getxattr(handle, name)) for name in names)


# A file at this moment: all its bytes and attributes.

_USUAL = 2
"""One read that got everything, and one that found the end."""


class Seen(Struct, frozen=True):
    """The file found under a name."""

    raw: bytes
    attributes: Attributes
    device: int
    inode: int
    links: int

    def is_same_file(self, other: "Seen") -> bool:
        """Whether both are the same file, whatever was written into it since."""
        return (self.device, self.inode) == (other.device, other.inode)


def seen_at(spot: Spot) -> Seen | None:
    """The file at a spot; None if there is no file.

    Raises OSError, and RefusedError if it is not a regular file.
    """
    try:
        handle, about = open_file(spot.folder, spot.name, spot.path)
    except FileNotFoundError:
        return None
    try:
        about_it = attributes(handle)
        raw = all_bytes(handle)
    finally:
        os.close(handle)
    return Seen(raw, about_it, about.st_dev, about.st_ino, about.st_nlink)


def all_bytes(handle: int) -> bytes:
    """The bytes from the current position to the end, even if the end moves."""
    ahead = os.fstat(handle).st_size - os.lseek(handle, 0, os.SEEK_CUR)
    parts = [os.read(handle, max(0, ahead) + 1)]
    while parts[-1]:
        parts.append(os.read(handle, _BLOCK))
    return parts[0] if len(parts) <= _USUAL else b"".join(parts)


# Whether another program has a file open for writing.
#
# After the file is replaced, what that program writes would go into the unlinked old
# file. Linux shows this by granting or refusing a lease; on other systems, and on
# network file systems, it cannot be known.

_FAR = ("nfs", "cifs", "smb", "9p", "afs", "ceph", "fuse")
"""Prefixes of file systems that refuse leases for reasons of their own."""

_MOUNTS = Path("/proc/self/mountinfo")


def is_written(handle: int) -> bool | None:
    """Whether another process could write into an open file right now.

    None if the system does not say. The lease is released at once; if it is broken
    within those microseconds, the signal sent is one that is ignored by default.
    """
    if sys.platform != "linux":
        return None
    import fcntl  # noqa: PLC0415  # has leases on Linux only
    import signal  # noqa: PLC0415  # needed here only

    try:
        fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as error:
        if error.errno != errno.EAGAIN or is_far(handle):
            return None
        return True
    return False


def is_far(handle: int) -> bool:
    """Whether a file is, or may be, on another machine."""
    device = os.fstat(handle).st_dev
    wanted = f"{os.major(device)}:{os.minor(device)}"
    try:
        mounts = _MOUNTS.read_text("utf-8", "surrogateescape").split("\n")
    except OSError:
        return True
    kinds = [
        mount.partition(" - ")[2]
        for mount in mounts
        if mount.split(" ", 3)[2:3] == [wanted]
    ]
    return any(kind.startswith(_FAR) for kind in kinds)


# A file that no other process can open for the time of a few calls.
#
# Linux grants a write lease only if no other process has the file open, and blocks new
# opens until it is released, so nothing can happen between check and write. Other
# systems and network file systems do not have this.

_POLLED = 0.0002


@contextmanager
def alone(handle: int, patience: float = 0) -> Generator[bool | None]:
    """Get exclusive access to a file that is open here for writing.

    Yields True if no other process has it open, in which case none can open it until
    the block ends; False if another process still has it open after `patience` seconds;
    None if the system does not say. Keep the block short, because others wait.
    """
    deadline = time.monotonic() + patience
    while (got := _take(handle)) is False and time.monotonic() < deadline:
        time.sleep(_POLLED)
    try:
        yield got
    finally:
        if got:
            _give_back(handle)


def _take(handle: int) -> bool | None:
    if sys.platform != "linux":
        return None
    import fcntl  # noqa: PLC0415  # has leases on Linux only
    import signal  # noqa: PLC0415  # needed here only

    try:
        # when another process is blocked, we get a signal: choose one that is ignored
        fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    except OSError as error:
        return None if error.errno != errno.EAGAIN or is_far(handle) else False
    return True


def _give_back(handle: int) -> None:
    if sys.platform != "linux":
        return
    import fcntl  # noqa: PLC0415  # has leases on Linux only

    with suppress(OSError):
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)


# Check a file before touching it: is it unchanged, and may it be written?

PATIENCE = 0.5
"""Seconds to wait for another program that has the file open for writing."""

_LOOKING_POLLED = 0.01


def expected(spot: Spot, raw: bytes) -> Seen:
    """The file, if it holds these bytes and may be written.

    Raises ForeignError, ProtectedError, BusyError and OSError.
    """
    seen = unchanged(spot, raw)
    try:
        has_waited = unhindered(spot, seen.attributes.mode)
    except ProtectedError:
        unchanged(spot, raw)
        raise
    return unchanged(spot, raw) if has_waited else seen


def unhindered(spot: Spot, mode: int) -> bool:
    """Ensure that a file with this mode is writable and no program is writing to it.

    Returns whether another program had to be waited for. Raises ProtectedError and
    BusyError.
    """
    if not mode & 0o222 or not _may_write(spot):
        raise ProtectedError(spot.path)
    if not _is_written(spot):
        return False
    _wait(spot)
    return True


def unchanged(spot: Spot, raw: bytes) -> Seen:
    """The file, if it holds these bytes; raises ForeignError and OSError."""
    seen = seen_at(spot)
    if seen is None or seen.raw != raw:
        raise ForeignError(spot.path, seen.raw if seen else None)
    return seen


def _wait(spot: Spot) -> None:
    """Wait until no other program has it open for writing; raises BusyError."""
    deadline = time.monotonic() + PATIENCE
    while _is_written(spot):
        if time.monotonic() > deadline:
            raise BusyError(spot.path)
        time.sleep(_LOOKING_POLLED)


def _is_written(spot: Spot) -> bool:
    try:
        handle, _ = open_file(spot.folder, spot.name, spot.path)
    except FileNotFoundError:
        return False
    try:
        return bool(is_written(handle))
    finally:
        os.close(handle)


def is_protected(path: Path) -> bool:
    """Whether a file is write-protected; asks by its path, for a preview alone."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not mode & 0o222 or not os.access(path, os.W_OK)


def _may_write(spot: Spot) -> bool:
    effective = os.access in os.supports_effective_ids
    return os.access(spot.name, os.W_OK, dir_fd=spot.folder, effective_ids=effective)


# Change the permissions of a file or folder in place.

_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def mode_at(writable: WritableRoot, path: str) -> int:
    """The mode of an entry; of the store's own folder if the path is empty.

    Does not follow a link. Raises RefusedError and OSError.
    """
    with _opened(writable, path) as handle:
        return S_IMODE(os.fstat(handle).st_mode)


def change_mode(writable: WritableRoot, path: str, before: int, after: int) -> None:
    """Change the mode if it is as expected; raises ForeignError and OSError."""
    with _opened(writable, path) as handle:
        found = S_IMODE(os.fstat(handle).st_mode)
        if found not in (before, after):
            raise ForeignError(path or str(writable.path), shown_mode(found))
        os.fchmod(handle, after)
        os.fsync(handle)


def shown_mode(mode: int) -> bytes:
    """A mode as shown in a diff."""
    return f"mode {mode:04o}\n".encode()


@contextmanager
def _opened(writable: WritableRoot, path: str) -> Generator[int]:
    if path:
        spot = writable.entry(path)
        handle = os.open(spot.name, _FLAGS, dir_fd=spot.folder)
    else:
        handle = os.open(writable.path, FOLDER_FLAGS)
    try:
        yield handle
    finally:
        os.close(handle)
