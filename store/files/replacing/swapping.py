"""A file replaced, provided that it is still what it was: compare and swap.

The new file is written beside the old one, and then the two names are swapped in one
step. Only what came out of that tells whether another program wrote at the last moment;
if one did, its file goes back where it was. Comparing alone, before a rename, loses up
to eight of a hundred such writes.
"""

import errno
import os
from contextlib import suppress
from enum import Enum

from msgspec import Struct

from store.files.replacing.care import Care
from store.files.replacing.drafting import NotPassedOnError, write_beside
from store.files.replacing.durable import settle
from store.files.replacing.errors import ForeignError
from store.files.replacing.ground import Spot
from store.files.replacing.hidden import pass_on_hidden
from store.files.replacing.looking import expected, unchanged
from store.files.replacing.overwriting import overwrite
from store.files.replacing.renaming import swap_names
from store.files.replacing.returning import give_back
from store.files.replacing.seen import Seen, seen_at

_SHUT = frozenset({errno.EACCES, errno.EPERM})


class Manner(Enum):
    """How a file was replaced."""

    AT_ONCE = "at once"
    IN_PLACE = "in place"
    """Its bytes were overwritten: who reads it meanwhile may see some of both."""


class Replacement(Struct, frozen=True):
    """One file and what shall become of it."""

    spot: Spot
    temp: str
    """What the new file is called before it takes the place of the old one."""
    before: bytes
    after: bytes
    mtime_ns: int | None = None
    """When it was changed, if not now."""


def swap(wanted: Replacement, care: Care) -> Manner:
    """Replace the bytes of a file, durably; it stays what it is besides.

    Where it goes by several names, or a new file could not be made what it is, or the
    folder takes none, it is overwritten in place. Raises ForeignError, ProtectedError,
    BusyError and OSError.
    """
    seen = expected(wanted.spot, wanted.before)
    if seen.links <= 1 and _written(wanted, seen):
        _replace(wanted, care)
        return Manner.AT_ONCE
    unchanged(wanted.spot, wanted.before)
    care.before_overwriting()
    overwrite(wanted.spot, wanted.before, wanted.after, wanted.mtime_ns)
    return Manner.IN_PLACE


def _written(wanted: Replacement, seen: Seen) -> bool:
    """Whether the new file could be written, beside the old one and just like it."""
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


def _replace(wanted: Replacement, care: Care) -> None:
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
        give_back(spot, temp, ours, care)
        raise ForeignError(spot.path, out.raw if out else None)
    care.put_away(spot.folder, temp)
    settle(spot.folder)
