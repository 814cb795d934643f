"""A file made where there is none."""

import os
from contextlib import suppress

from store.files.replacing.attributes import Attributes
from store.files.replacing.drafting import NotPassedOnError, write_beside
from store.files.replacing.durable import settle
from store.files.replacing.errors import ForeignError
from store.files.replacing.ground import Spot
from store.files.replacing.renaming import rename_anew
from store.files.replacing.seen import seen_at


def publish(
    spot: Spot, temp: str, raw: bytes, like: Attributes | None, mode: int
) -> None:
    """Put a whole file there, durably; raises ForeignError where one is by now.

    It becomes what `like` says as far as this user may make it so, its time included;
    else it has the `mode`, less what the umask takes. Raises OSError.
    """
    beside = spot.beside(temp)
    time = like.mtime_ns if like else None
    try:
        write_beside(beside, raw, like, mode=mode, mtime_ns=time)
    except NotPassedOnError:
        plain = like.mode & 0o777 if like else mode
        write_beside(beside, raw, None, mode=plain, mtime_ns=time)
    try:
        rename_anew(spot.folder, temp, spot.name)
    except OSError as error:
        with suppress(OSError):
            os.unlink(temp, dir_fd=spot.folder)
        if isinstance(error, FileExistsError):
            there = seen_at(spot)
            raise ForeignError(spot.path, there.raw if there else None) from error
        raise
    settle(spot.folder)
