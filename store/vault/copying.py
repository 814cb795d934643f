"""A file that may still be written, copied as it was at one moment, and only read."""

import os
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from store.errors import UnreadableError
from store.files.beneath import OpenFile, Root, Stamp
from store.files.beneath.naming import quoted
from store.vault.kept import Version

ATTEMPTS = 5
"""How often a file is copied again that was rewritten meanwhile."""

_BLOCK = 1024 * 1024
_DIGEST = 32


class Copied(NamedTuple):
    """What was copied."""

    digest: str
    stamp: Stamp
    grew_from: bool
    """Whether it begins with all of the version before."""


def copy(root: Root, path: str, target: int, before: Version | None) -> Copied:
    """Write into an open, empty file what another one holds.

    What is appended meanwhile is left for the next time. Raises UnreadableError where
    the file is rewritten each time, and OSError where the copy cannot be written.
    """
    for _ in range(ATTEMPTS):
        os.ftruncate(target, 0)
        os.lseek(target, 0, os.SEEK_SET)
        with root.opened(path) as file:
            copied = _copy(file, target, before)
        if copied and _still_begins_so(root, path, copied):
            return copied
    raise UnreadableError(f"{quoted(path)} was rewritten each time it was copied.")


def digest_of(file: Path) -> str:
    """The digest of a file of the vault's own; raises OSError."""
    seal = blake2b(digest_size=_DIGEST)
    with file.open("rb") as opened:
        while block := opened.read(_BLOCK):
            seal.update(block)
    return seal.hexdigest()


def _copy(file: OpenFile, target: int, before: Version | None) -> Copied | None:
    """Copy what there is when it was opened; None where that became less."""
    seal, done, beginning = blake2b(digest_size=_DIGEST), 0, None
    for offset, size in _blocks(file.stamp.size, before.size if before else 0):
        block = file.at(offset, size)
        if len(block) < size:
            return None
        seal.update(block)
        _write(target, block)
        done += size
        if before and done == before.size:
            beginning = seal.hexdigest()
    grew = before is not None and (beginning == before.digest or not before.size)
    return Copied(seal.hexdigest(), file.stamp, grew)


def _blocks(size: int, mark: int) -> Iterator[tuple[int, int]]:
    """Pieces of a file, one of which ends at a mark."""
    offset = 0
    while offset < size:
        end = min(offset + _BLOCK, size)
        if offset < mark < end:
            end = mark
        yield offset, end - offset
        offset = end


def _still_begins_so(root: Root, path: str, copied: Copied) -> bool:
    """Whether the file is what was copied, and perhaps more."""
    with root.opened(path) as file:
        if file.stamp == copied.stamp:
            return True
        if file.stamp.size < copied.stamp.size:
            return False
        seal = blake2b(digest_size=_DIGEST)
        for offset, size in _blocks(copied.stamp.size, 0):
            seal.update(file.at(offset, size))
        return seal.hexdigest() == copied.digest


def _write(handle: int, block: bytes) -> None:
    view = memoryview(block)
    while view:
        view = view[os.write(handle, view) :]
