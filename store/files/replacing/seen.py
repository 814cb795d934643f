"""A file as it is this moment: all its bytes, and what it is besides."""

import os
from typing import NamedTuple

from store.files.beneath.reading import open_file
from store.files.replacing.attributes import Attributes, attributes
from store.files.replacing.ground import Spot

_BLOCK = 1024 * 1024
_USUAL = 2
"""All that there is at once, and nothing behind it."""


class Seen(NamedTuple):
    """What a name led to."""

    raw: bytes
    attributes: Attributes
    device: int
    inode: int
    links: int

    def is_same_file(self, other: "Seen") -> bool:
        """Whether both are one file, whatever was written into it since."""
        return (self.device, self.inode) == (other.device, other.inode)


def seen_at(spot: Spot) -> Seen | None:
    """What is there; None where there is nothing.

    Raises OSError, and RefusedError for what is no regular file.
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
    """From where an open file stands to its end, even where that moves meanwhile."""
    ahead = os.fstat(handle).st_size - os.lseek(handle, 0, os.SEEK_CUR)
    parts = [os.read(handle, max(0, ahead) + 1)]
    while parts[-1]:
        parts.append(os.read(handle, _BLOCK))
    return parts[0] if len(parts) <= _USUAL else b"".join(parts)
