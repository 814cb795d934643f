"""Where files lie that were replaced or removed: somebody may still write to them.

They are looked at once more later. What somebody wrote into one is kept, and told. A
store on another file system keeps nothing of ours: there the file loses its name, and
as long as somebody has it open for writing this program keeps it open as well, and
looks at it before it ends.
"""

import errno
import os
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from store.closing import Closing
from store.edits.kept.blobs import Blobs, name_of
from store.files.beneath.reading import open_file
from store.files.replacing.durable import make_folder
from store.files.replacing.seen import all_bytes
from store.files.replacing.writers import is_written

_LINGERING = 3600.0
"""Seconds that a file stays where the system does not tell who has it open."""

Late = Callable[[str, int, bytes], None]
"""Told of bytes that were written too late: the operation, the number of its file."""


class Limbo(Closing):
    """A folder for them."""

    def __init__(self, folder: Path, blobs: Blobs, late: Late) -> None:
        """Nothing is made before something is put away."""
        self._folder, self._blobs, self._late = folder, blobs, late
        self._open: list[tuple[str, int, int]] = []

    def put_away(self, operation: str, number: int, folder: int, name: str) -> None:
        """Take a name out of an open folder; raises OSError."""
        make_folder(self._folder)
        handle, _ = open_file(folder, name, name)
        try:
            self._move(operation, number, folder, name)
        except OSError as error:
            if error.errno != errno.EXDEV:
                os.close(handle)
                raise
            os.unlink(name, dir_fd=folder)
            if is_written(handle):
                self._open.append((operation, number, handle))
                return
            self._look(operation, number, handle)
        os.close(handle)

    def look(self) -> None:
        """Look at all that lies there, and do away with what nobody has open.

        What cannot be looked at now waits for the next time.
        """
        for path in self._paths():
            operation, number, _ = path.name.split("-")
            with suppress(OSError):
                self._settle(path, operation, int(number))

    def close(self) -> None:
        """Look at what was kept open, and let go of it; may be called again."""
        while self._open:
            operation, number, handle = self._open.pop()
            with suppress(OSError):
                self._look(operation, number, handle)
            os.close(handle)

    def _paths(self) -> list[Path]:
        try:
            return sorted(self._folder.glob("*-*-*"))
        except FileNotFoundError:
            return []

    def _move(self, operation: str, number: int, folder: int, name: str) -> None:
        there = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            new = f"{operation}-{number}-{secrets.token_hex(8)}"
            os.rename(name, new, src_dir_fd=folder, dst_dir_fd=there)
        finally:
            os.close(there)

    def _settle(self, path: Path, operation: str, number: int) -> None:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            if not _is_open(handle):
                self._look(operation, number, handle)
                path.unlink()
        finally:
            os.close(handle)

    def _look(self, operation: str, number: int, handle: int) -> None:
        """Keep what is in a file, unless it is kept already."""
        os.lseek(handle, 0, os.SEEK_SET)
        raw = all_bytes(handle)
        name = name_of(raw)
        if not self._blobs.has(name):
            self._blobs.keep_as({name: raw})
            self._late(operation, number, raw)


def _is_open(handle: int) -> bool:
    """Whether somebody may still write to it."""
    known = is_written(handle)
    if known is None:
        return time.time() - os.fstat(handle).st_ctime < _LINGERING
    return known
