"""A file overwritten where it is, because another could not take its place."""

import os

from store.files.replacing.attributes import date
from store.files.replacing.durable import settle, write_all
from store.files.replacing.errors import ForeignError
from store.files.replacing.ground import Spot
from store.files.replacing.looking import expected
from store.files.replacing.seen import all_bytes, seen_at

_FLAGS = os.O_RDWR | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY
_SECTOR = 512


def overwrite(spot: Spot, before: bytes, after: bytes, mtime_ns: int | None) -> None:
    """Write the bytes over those that are there, durably.

    Whoever reads meanwhile may see some of both. Raises OSError, and ForeignError where
    the file held other bytes, or where another program wrote at the same time.
    """
    expected(spot, before)
    handle = os.open(spot.name, _FLAGS, dir_fd=spot.folder)
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
    """Whether these bytes are what is left of overwriting the one with the other.

    After a kill the first are new and the rest old; after a loss of power each sector
    may be either.
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
