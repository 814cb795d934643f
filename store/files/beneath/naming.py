"""Paths beneath a root: which are well formed, and how errors name them."""

import errno
import os
import re

from store.errors import RefusedError, UnreadableError

LONGEST = 4096
"""The longest relative path, in bytes, that other programs can be handed."""

_LONGEST_SHOWN = 200
_ASTRAY = re.compile(r"(?:^|/)\.{0,2}(?:/|\Z)")
_REASONS = {
    errno.ENOENT: "is not there",
    errno.EACCES: "may not be read by this user",
    errno.EPERM: "may not be read by this user",
    errno.ENOTDIR: "is no folder or leads through a file",
    errno.ENAMETOOLONG: "has a name that is too long",
}
_REFUSALS = {
    errno.ELOOP: "leads through a link that cannot be followed",
    errno.ENXIO: "is no plain file",
    errno.ENODEV: "is no plain file",
    errno.EOPNOTSUPP: "is no plain file",
}


def quoted(path: str) -> str:
    """A path as errors name it: on one line, without controls, not endless."""
    if len(path) > _LONGEST_SHOWN:
        path = f"{path[:120]}…{path[-60:]}"
    return repr(path)


def check(path: str) -> None:
    """Raise RefusedError unless every part of the path names something beneath."""
    if _ASTRAY.search(path):
        raise RefusedError(f"{quoted(path)} is no path beneath the store.")
    if len(path) > LONGEST // 4 and len(os.fsencode(path)) > LONGEST:
        raise UnreadableError(f"{quoted(path)} is too long a path.")


def unreadable(path: str, error: OSError | ValueError) -> UnreadableError:
    """The sentence for what the system said when the path was opened."""
    if isinstance(error, ValueError):
        return RefusedError(f"{quoted(path)} is no name that a file can have.")
    code = error.errno or 0
    if code in _REFUSALS:
        return RefusedError(f"{quoted(path)} {_REFUSALS[code]}.")
    reason = _REASONS.get(code) or f"cannot be read: {os.strerror(code)}"
    return UnreadableError(f"{quoted(path)} {reason}.")
