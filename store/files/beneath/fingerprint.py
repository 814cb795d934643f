"""Everything beneath some folders in one number: has anything at all moved?"""

import os
import stat
from array import array
from collections.abc import Mapping

from store.files.beneath.folders import Folders


def fingerprint(folders: Folders, depths: Mapping[str, int]) -> bytes:
    """A digest of every name and stamp beneath folders, each to a depth of its own.

    Makes no object for an entry: a store of a hundred thousand files that did not move
    is told by little more than the calls that ask for their stamps. A folder that
    cannot be listed counts as an empty one. Raises nothing.
    """
    from hashlib import blake2b  # noqa: PLC0415  # it takes as long as SQLite

    seal = blake2b()
    pending = list(depths.items())
    while pending:
        folder, depth = pending.pop()
        names, numbers, inner = _listed(folders, folder)
        seal.update("\0".join((folder, *names)).encode("utf-8", "surrogateescape"))
        seal.update(_as_bytes(numbers))
        if depth:
            prefix = f"{folder}/" if folder else ""
            pending.extend((prefix + name, depth - 1) for name in inner)
    return seal.digest()


def _listed(folders: Folders, folder: str) -> tuple[list[str], list[int], list[str]]:
    """The names in a folder, their stamps and modes in a row, and which are folders."""
    names: list[str] = []
    numbers: list[int] = []
    inner: list[str] = []
    try:
        with os.scandir(folders.reach(folder)) as entries:
            for entry in entries:
                about = entry.stat(follow_symlinks=False)
                mode = about.st_mode
                names.append(entry.name)
                numbers += (about.st_size, about.st_mtime_ns, about.st_ino, mode)
                if stat.S_ISDIR(mode):
                    inner.append(entry.name)
    except OSError:
        numbers.append(-1)
    return names, numbers, inner


def _as_bytes(numbers: list[int]) -> bytes:
    """Numbers as bytes; what is beyond 64 bits, as text."""
    try:
        return array("q", numbers).tobytes()
    except OverflowError:
        return repr(numbers).encode()
