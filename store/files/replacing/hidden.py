"""What macOS keeps beside a file's bytes, and only its own call passes on."""

import ctypes
import os
import sys

from store.files.replacing.durable import settle
from store.files.replacing.ground import Spot

_LISTS_AND_ATTRIBUTES = 1 | 4


def pass_on_hidden(spot: Spot, to: Spot) -> None:
    """Give a new file the access lists and attributes of another.

    Elsewhere `attributes` has passed them on already. Raises OSError after the new file
    is gone again.
    """
    if sys.platform != "darwin":
        return
    try:
        _copy(spot, to)  # not run where this was written
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
