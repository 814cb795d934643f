"""Create, replace or remove one file, completely or not at all."""

import ctypes
import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from functools import cache

from msgspec import Struct

from store.files.writable import (
    Attributes,
    ForeignError,
    Seen,
    Spot,
    all_bytes,
    date,
    expected,
    pass_on,
    seen_at,
    settle,
    unchanged,
    write_all,
)

# Hooks that the caller of a replacement provides.


class Hooks(Struct, frozen=True):
    """Two steps left to the caller, which knows where its own files are."""

    put_away: Callable[[int, str], None]
    """Moves a name out of an open folder.

    The file is checked again later, as another program may still have it open.
    """
    before_overwriting: Callable[[], None]
    """Called before a file is overwritten in place: from now on it may be left torn."""


# Write the new file beside the old one before it takes its place.

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_REFUSALS = frozenset({errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EINVAL})


class NotPassedOnError(OSError):
    """The new file cannot get the attributes of the old one."""


def write_beside(
    spot: Spot,
    raw: bytes,
    wanted: Attributes | None,
    *,
    mode: int = 0o600,
    mtime_ns: int | None = None,
) -> None:
    """Write a new file under an unused name, durably.

    Without `wanted`, its mode is `mode` minus the umask. Raises OSError after removing
    the file again, NotPassedOnError if only its attributes failed.
    """
    handle = os.open(spot.name, _FLAGS, 0o600 if wanted else mode, dir_fd=spot.folder)
    try:
        try:
            write_all(handle, raw)
            if wanted:
                _pass_on(handle, wanted)
            if mtime_ns is not None:
                date(handle, mtime_ns)
            settle(handle)
        finally:
            os.close(handle)
    except BaseException:
        with suppress(OSError):
            os.unlink(spot.name, dir_fd=spot.folder)
        raise


def _pass_on(handle: int, wanted: Attributes) -> None:
    try:
        pass_on(handle, wanted)
    except OSError as error:
        if error.errno in _REFUSALS:
            raise NotPassedOnError(error.errno, error.strerror) from error
        raise


# Metadata that macOS keeps beside a file, which only its own call can copy.

_LISTS_AND_ATTRIBUTES = 1 | 4


def pass_on_hidden(spot: Spot, to: Spot) -> None:
    """Copy the access lists and attributes of a file to a new one.

    On other systems `attributes` has already done this. Raises OSError after removing
    the new file again.
    """
    if sys.platform != "darwin":
        return
    try:
        _copy(spot, to)  # untested: needs macOS
    except OSError:
        os.unlink(to.name, dir_fd=to.folder)
        raise


def _copy(spot: Spot, to: Spot) -> None:
    source = os.open(spot.name, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=spot.folder)
    try:
        target = os.open(to.name, os.O_RDWR | os.O_NOFOLLOW, dir_fd=to.folder)
        try:
            system = ctypes.CDLL(None, use_errno=True)
            if system.fcopyfile(source, target, None, _LISTS_AND_ATTRIBUTES):
                number = ctypes.get_errno()
                raise OSError(number, os.strerror(number))
            settle(target)
        finally:
            os.close(target)
    finally:
        os.close(source)


# Swap two names in one step, and rename without overwriting.
#
# The standard library has neither, and the only library for it is no longer maintained.
# A ctypes call costs as much as `os.rename`.

_UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})
"""Errors of a system or file system that does not support this."""

if sys.platform == "darwin":  # untested: needs macOS
    _CALL, _EXCHANGE, _ANEW = "renameatx_np", 2, 4
else:
    _CALL, _EXCHANGE, _ANEW = "renameat2", 2, 1


def swap_names(folder: int, name: str, other: str) -> None:
    """Swap two names of an open folder in one step; raises OSError.

    If the system cannot, it takes three steps, during which the file named `other` has
    a second name. A write into it meanwhile is detected; a file that another program
    moves to `other` in that moment is lost.
    """
    try:
        _rename(folder, name, other, _EXCHANGE)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
    else:
        return
    aside = aside_of(name)
    os.link(other, aside, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    os.rename(name, other, src_dir_fd=folder, dst_dir_fd=folder)
    os.rename(aside, name, src_dir_fd=folder, dst_dir_fd=folder)


def aside_of(name: str) -> str:
    """The temporary second name of a file during a swap in three steps."""
    return f"{name}.old"


def rename_exclusively(folder: int, name: str, to: str) -> None:
    """Rename within an open folder; raises FileExistsError if the target exists.

    If the system cannot do this in one step, the file briefly has both names.
    """
    try:
        _rename(folder, name, to, _ANEW)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
        os.link(name, to, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        os.unlink(name, dir_fd=folder)


def _rename(folder: int, name: str, to: str, flags: int) -> None:
    failed = _call()(folder, os.fsencode(name), folder, os.fsencode(to), flags)
    if failed:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), name)


@cache
def _call() -> "Callable[[int, bytes, int, bytes, int], int]":
    """The system function, or a stand-in that fails with ENOSYS."""
    found = getattr(ctypes.CDLL(None, use_errno=True), _CALL, None)
    if found is None:
        return _none
    found.argtypes = (
        ctypes.c_int,
        ctypes.c_char_p,
        ctypes.c_int,
        ctypes.c_char_p,
        ctypes.c_uint,
    )
    return found


def _none(_from: int, _name: bytes, _to: int, _other: bytes, _flags: int) -> int:
    ctypes.set_errno(errno.ENOSYS)
    return -1


# Create a file that does not exist yet.


def publish(
    spot: Spot, temp: str, raw: bytes, like: Attributes | None, mode: int
) -> None:
    """Create a whole file durably; raises ForeignError if it exists by now.

    It gets the attributes in `like` as far as this user may set them, time included;
    otherwise `mode` minus the umask. Raises OSError.
    """
    beside = spot.beside(temp)
    time = like.mtime_ns if like else None
    try:
        write_beside(beside, raw, like, mode=mode, mtime_ns=time)
    except NotPassedOnError:
        plain = like.mode & 0o777 if like else mode
        write_beside(beside, raw, None, mode=plain, mtime_ns=time)
    try:
        rename_exclusively(spot.folder, temp, spot.name)
    except OSError as error:
        with suppress(OSError):
            os.unlink(temp, dir_fd=spot.folder)
        if isinstance(error, FileExistsError):
            there = seen_at(spot)
            raise ForeignError(spot.path, there.raw if there else None) from error
        raise
    settle(spot.folder)


# Restore what another program wrote at the last moment.

_ATTEMPTS = 8


def give_back(spot: Spot, temp: str, ours: Seen, hooks: Hooks) -> None:
    """Swap two names back, so that the newest file of another program is in place.

    If that uncovers an even newer one, it is swapped back in turn. The leftover file is
    deleted if it is ours, or set aside if it is an older one of theirs. Raises OSError.
    """
    stood: Seen | None = ours
    for _ in range(_ATTEMPTS):
        theirs = seen_at(spot.beside(temp))
        if theirs is None:
            return
        swap_names(spot.folder, temp, spot.name)
        out = seen_at(spot.beside(temp))
        if out is None or _is(out, stood):
            break
        stood = theirs
    settle_left(spot, temp, ours, hooks)


def settle_left(spot: Spot, temp: str, ours: Seen, hooks: Hooks) -> None:
    """Delete the file under the other name if it is ours, else set it aside."""
    if _is(seen_at(spot.beside(temp)), ours):
        with suppress(FileNotFoundError):
            os.unlink(temp, dir_fd=spot.folder)
    else:
        with suppress(FileNotFoundError):
            hooks.put_away(spot.folder, temp)
    settle(spot.folder)


def _is(seen: Seen | None, other: Seen | None) -> bool:
    """Whether both are the same file with the same content."""
    return (
        seen is not None
        and other is not None
        and seen.is_same_file(other)
        and seen.raw == other.raw
    )


# Overwrite a file in place when it cannot be replaced by another.

_OVERWRITING_FLAGS = (
    os.O_RDWR | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY
)
_SECTOR = 512


def overwrite(spot: Spot, before: bytes, after: bytes, mtime_ns: int | None) -> None:
    """Overwrite the bytes of a file, durably.

    Concurrent readers may see a mix of old and new. Raises OSError, and ForeignError if
    the file held other bytes or another program wrote at the same time.
    """
    expected(spot, before)
    handle = os.open(spot.name, _OVERWRITING_FLAGS, dir_fd=spot.folder)
    try:
        there = all_bytes(handle)
        if there != before:
            raise ForeignError(spot.path, there)
        os.lseek(handle, 0, os.SEEK_SET)
        write_all(handle, after)
        os.ftruncate(handle, len(after))
        if mtime_ns is not None:
            date(handle, mtime_ns)
        settle(handle)
    finally:
        os.close(handle)
    now = seen_at(spot)
    if now is None or now.raw != after:
        raise ForeignError(spot.path, now.raw if now else None)


def is_torn(raw: bytes, before: bytes, after: bytes) -> bool:
    """Whether these bytes are the result of an interrupted overwrite.

    After a kill they start new and end old; after a power loss each sector may be
    either.
    """
    if not min(len(before), len(after)) <= len(raw) <= max(len(before), len(after)):
        return False
    pairs = enumerate(zip(raw, after, strict=False))
    alike = min(len(raw), len(after))
    new = next((at for at, (one, other) in pairs if one != other), alike)
    if raw[new:] == before[new:]:
        return True
    return all(
        raw[at : at + _SECTOR] in (before[at : at + _SECTOR], after[at : at + _SECTOR])
        for at in range(0, len(raw), _SECTOR)
    )


# Replace a file only if it is unchanged: compare and swap.
#
# The new file is written beside the old one, then the two names are swapped in one
# step. Only the file that comes out shows whether another program wrote at the last
# moment; if so, that file is swapped back. Comparing before a plain rename instead
# loses up to 8 % of such writes.

_SHUT = frozenset({errno.EACCES, errno.EPERM})


class Method(Enum):
    """How a file was replaced."""

    AT_ONCE = "at once"
    IN_PLACE = "in place"
    """Its bytes were overwritten; concurrent readers may see a mix of old and new."""


class Replacement(Struct, frozen=True):
    """One file and its new content."""

    spot: Spot
    temp: str
    """The name of the new file before it replaces the old one."""
    before: bytes
    after: bytes
    mtime_ns: int | None = None
    """The modification time to set, if not now."""


def swap(wanted: Replacement, hooks: Hooks) -> Method:
    """Replace the bytes of a file durably, keeping its other attributes.

    It is overwritten in place if it has several names, if a new file could not get the
    same attributes, or if the folder is not writable. Raises ForeignError,
    ProtectedError, BusyError and OSError.
    """
    seen = expected(wanted.spot, wanted.before)
    if seen.links <= 1 and _written(wanted, seen):
        _replace(wanted, hooks)
        return Method.AT_ONCE
    unchanged(wanted.spot, wanted.before)
    hooks.before_overwriting()
    overwrite(wanted.spot, wanted.before, wanted.after, wanted.mtime_ns)
    return Method.IN_PLACE


def _written(wanted: Replacement, seen: Seen) -> bool:
    """Whether the new file could be written beside the old one with its attributes."""
    beside = wanted.spot.beside(wanted.temp)
    try:
        write_beside(beside, wanted.after, seen.attributes, mtime_ns=wanted.mtime_ns)
        pass_on_hidden(wanted.spot, beside)
    except NotPassedOnError:
        return False
    except OSError as error:
        if error.errno in _SHUT:
            return False
        raise
    return True


def _replace(wanted: Replacement, hooks: Hooks) -> None:
    spot, temp = wanted.spot, wanted.temp
    try:
        unchanged(spot, wanted.before)
        ours = unchanged(spot.beside(temp), wanted.after)
        swap_names(spot.folder, temp, spot.name)
    except (OSError, ForeignError) as error:
        with suppress(OSError):
            os.unlink(temp, dir_fd=spot.folder)
        if isinstance(error, FileNotFoundError):
            raise ForeignError(spot.path, None) from error
        raise
    out = seen_at(spot.beside(temp))
    if out is None or out.raw != wanted.before:
        give_back(spot, temp, ours, hooks)
        raise ForeignError(spot.path, out.raw if out else None)
    hooks.put_away(spot.folder, temp)
    settle(spot.folder)


# Clean up after an interrupted replacement.


def tidy(
    spot: Spot, temp: str, before: bytes | None, after: bytes | None, hooks: Hooks
) -> None:
    """Remove leftovers of ours, but never what another program wrote.

    If our file took the name of theirs, theirs is swapped back; if a newer one has the
    name, theirs is set aside. Raises OSError.
    """
    for name in (temp, aside_of(temp)):
        left = seen_at(spot.beside(name))
        if left:
            _settle(spot.beside(name), spot, left, (before, after), hooks)


def _settle(
    beside: Spot,
    spot: Spot,
    left: Seen,
    known: tuple[bytes | None, bytes | None],
    hooks: Hooks,
) -> None:
    after, there = known[1], seen_at(spot)
    if left.raw not in known and (there.raw if there else None) == after:
        if there:
            swap_names(spot.folder, beside.name, spot.name)
        else:
            rename_exclusively(spot.folder, beside.name, spot.name)
    now = seen_at(beside)
    if now and (now.raw in known or (after or b"").startswith(now.raw)):
        os.unlink(beside.name, dir_fd=beside.folder)
    elif now:
        hooks.put_away(beside.folder, beside.name)
    settle(spot.folder)


# Remove a file only if it is unchanged.


def withdraw(spot: Spot, temp: str, raw: bytes, hooks: Hooks) -> None:
    """Remove a file durably; raises ForeignError if it holds other bytes.

    It is compared once more after its name is gone, and what another program wrote in
    between is put back. Also raises ProtectedError, BusyError and OSError.
    """
    expected(spot, raw)
    try:
        rename_exclusively(spot.folder, spot.name, temp)
    except FileNotFoundError as error:
        raise ForeignError(spot.path, None) from error
    gone = seen_at(spot.beside(temp))
    if gone is None or gone.raw != raw:
        _put_back(spot, temp, hooks)
        raise ForeignError(spot.path, gone.raw if gone else None)
    hooks.put_away(spot.folder, temp)
    settle(spot.folder)


def _put_back(spot: Spot, temp: str, hooks: Hooks) -> None:
    """Undo the first step, unless there is a newer file by now: then that one stays."""
    try:
        rename_exclusively(spot.folder, temp, spot.name)
    except FileExistsError:
        hooks.put_away(spot.folder, temp)
