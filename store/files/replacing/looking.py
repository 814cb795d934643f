"""The look at a file before it is touched: is it what was seen, and may it be?"""

import os
import time

from store.files.beneath.reading import open_file
from store.files.replacing.errors import BusyError, ForeignError, ProtectedError
from store.files.replacing.ground import Spot
from store.files.replacing.seen import Seen, seen_at
from store.files.replacing.writers import is_written

PATIENCE = 0.5
"""Seconds to wait for another program that has the file open for writing."""

_POLLED = 0.01


def expected(spot: Spot, raw: bytes) -> Seen:
    """The file, which holds these bytes and may be written.

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
    """See to it that a file of some mode may be written, and that nobody is at it.

    Whether somebody was, and has been waited for. Raises ProtectedError and BusyError.
    """
    if not mode & 0o222 or not _may_write(spot):
        raise ProtectedError(spot.path)
    if not _is_written(spot):
        return False
    _wait(spot)
    return True


def unchanged(spot: Spot, raw: bytes) -> Seen:
    """The file, which holds these bytes; raises ForeignError and OSError."""
    seen = seen_at(spot)
    if seen is None or seen.raw != raw:
        raise ForeignError(spot.path, seen.raw if seen else None)
    return seen


def _wait(spot: Spot) -> None:
    """Until nobody has it open for writing any more; raises BusyError."""
    deadline = time.monotonic() + PATIENCE
    while _is_written(spot):
        if time.monotonic() > deadline:
            raise BusyError(spot.path)
        time.sleep(_POLLED)


def _is_written(spot: Spot) -> bool:
    try:
        handle, _ = open_file(spot.folder, spot.name, spot.path)
    except FileNotFoundError:
        return False
    try:
        return bool(is_written(handle))
    finally:
        os.close(handle)


def _may_write(spot: Spot) -> bool:
    effective = os.access in os.supports_effective_ids
    return os.access(spot.name, os.W_OK, dir_fd=spot.folder, effective_ids=effective)
