"""A regular file held open, so that it can be read in pieces."""

import os
from contextlib import suppress

from store.closing import Closing
from store.files.beneath.entry import Stamp, stamp_of
from store.files.beneath.naming import unreadable
from store.files.beneath.reading import first_bytes, open_file


class OpenFile(Closing):
    """A handle that stays with the file that was opened, whatever its name becomes."""

    stamp: Stamp
    """Taken when it was opened, before any byte was read."""

    def __init__(self, folder: int, name: str, path: str) -> None:
        """Never waits; raises OSError, or RefusedError for what is no regular file."""
        self._path = path
        self._handle, about = open_file(folder, name, path)
        self.stamp = stamp_of(about)

    def at(self, offset: int, size: int) -> bytes:
        """So many bytes from there, fewer only at the end; raises UnreadableError."""
        try:
            os.lseek(self._handle, offset, os.SEEK_SET)
            return first_bytes(self._handle, size)
        except OSError as error:
            raise unreadable(self._path, error) from error

    def close(self) -> None:
        """Let go of the file, which was only read; may be called again."""
        handle, self._handle = self._handle, -1
        if handle >= 0:
            with suppress(OSError):
                os.close(handle)
