"""Two names swapped in one step, and a rename that overwrites nothing.

The standard library has neither, and the one library for it is no longer kept. A call
by ctypes costs as much as `os.rename` does.
"""

import ctypes
import errno
import os
import sys
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})
"""What a system or file system answers that cannot do it."""

if sys.platform == "darwin":  # not run where this was written
    _CALL, _EXCHANGE, _ANEW = "renameatx_np", 2, 4
else:
    _CALL, _EXCHANGE, _ANEW = "renameat2", 2, 1


def swap_names(folder: int, name: str, other: str) -> None:
    """Swap two names of an open folder in one step; raises OSError.

    Where the system cannot, it takes three, in which the file of the other name has a
    second one. What is written into that meanwhile is found; a file that another
    program gives its name to in that instant is lost.
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
    """The second name that a file has for that instant."""
    return f"{name}.old"


def rename_anew(folder: int, name: str, to: str) -> None:
    """Rename within an open folder; raises FileExistsError where something is.

    Where the system cannot, the file goes by both names for a moment.
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
    """The system's own function; one that says so where there is none."""
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
