"""What lies in a folder, and what was read from it."""

import os
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct


class Stamp(NamedTuple):
    """What tells whether a file moved."""

    size: int
    mtime_ns: int
    inode: int


_LARGEST = 2**63 - 1


def stamp_of(about: os.stat_result) -> Stamp:
    """A file's stamp; numbers beyond what SQLite can hold are cut to fit."""
    time, inode = about.st_mtime_ns, about.st_ino
    if time > _LARGEST or inode > _LARGEST:
        time, inode = min(time, _LARGEST), inode & _LARGEST
    return Stamp(about.st_size, time, inode)


class Kind(StrEnum):
    """What a directory entry is."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    SPECIAL = "special"


class Entry(Struct, frozen=True):
    """One entry of a folder, not opened yet."""

    path: str
    """Relative to the root, joined by `/`; undecodable bytes as surrogates."""
    name: str
    """The last part of the path."""
    kind: Kind
    """What it is."""
    stamp: Stamp
    """That of the entry itself: a link's own for a link."""


class Blob(Struct, frozen=True):
    """The bytes of a file and what it was when they were read."""

    raw: bytes
    """The bytes."""
    stamp: Stamp
    """Taken before the bytes, so that a write while they were read shows later."""
    whole: bool
    """Whether these are all its bytes, or only the first that the limit allows."""

    @property
    def digest(self) -> str:
        """blake2b of the bytes, hex; handed back to prove that nothing moved."""
        from hashlib import blake2b  # noqa: PLC0415  # it takes as long as SQLite

        return blake2b(self.raw).hexdigest()
