"""The door: a folder opened once, and everything beneath it by handle."""

import errno
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from store.closing import Closing
from store.errors import UnreadableError
from store.files.beneath.entry import Blob, Entry, Kind
from store.files.beneath.fingerprint import fingerprint
from store.files.beneath.folders import FOLDER_FLAGS, Folders
from store.files.beneath.links import link_text, resolve
from store.files.beneath.listing import listing
from store.files.beneath.naming import check, quoted, unreadable
from store.files.beneath.opened import OpenFile
from store.files.beneath.reading import read_file

NOTE_LIMIT = 8 * 1024 * 1024
"""The largest note that is read whole."""

_MAYBE_LINK = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})

Answer = TypeVar("Answer")


class Root(Closing):
    """A folder opened once; everything beneath it is reached by handle.

    Used by one thread at a time, and closed by leaving its `with` block.
    """

    path: Path
    """Absolute, links resolved."""

    def __init__(self, path: Path) -> None:
        """Raises UnreadableError when it is no folder or cannot be opened."""
        try:
            real = os.path.realpath(path, strict=True)
            top = os.open(real, FOLDER_FLAGS)
        except (OSError, ValueError) as error:
            raise unreadable(str(path), error) from error
        self.path = Path(real)
        self._folders = Folders(top)
        self._tops = (real, str(Path(path).absolute()))

    def entries(self, folder: str = "") -> list[Entry]:
        """The entries of one folder, in order of their names' bytes.

        Raises UnreadableError, or RefusedError where a link leads out.
        """
        if folder:
            check(folder)
        return self._follow(
            folder, lambda real: listing(self._folders.reach(real), folder)
        )

    def walk(
        self, folder: str = "", *, depth: int
    ) -> Iterator[Entry | tuple[str, UnreadableError]]:
        """Every entry beneath, folders before what is in them, links not followed.

        A folder that cannot be entered (unreadable, more than `depth` folders beneath
        where the walk began, its path too long) comes as its path and the error.
        """
        pending = [(folder, 0)]
        while pending:
            current, level = pending.pop()
            try:
                found = self._listing_within(current, level, depth)
            except UnreadableError as error:
                yield current, error
                continue
            yield from found
            inner = [entry.path for entry in found if entry.kind is Kind.FOLDER]
            pending.extend((path, level + 1) for path in reversed(inner))

    def fingerprint(self, depths: Mapping[str, int]) -> bytes:
        """A digest of all that lies beneath some folders, each to a depth of its own.

        It is the same as long as nothing there moved.
        """
        return fingerprint(self._folders, depths)

    def read(self, path: str, *, limit: int = NOTE_LIMIT) -> Blob:
        """The bytes of a regular file beneath the root.

        Links that stay beneath it are followed (at most 8), all others refused.
        """
        check(path)
        return self._follow(path, lambda real: self._read(real, limit, path))

    def opened(self, path: str) -> OpenFile:
        """A regular file beneath the root held open, links followed as for `read`.

        To be closed by leaving its `with` block. Raises UnreadableError.
        """
        check(path)
        return self._follow(path, lambda real: self._open(real, path))

    def target(self, path: str) -> str | None:
        """Where a link leads, relative to the root, without opening it.

        None when it leads out, dangles or loops.
        """
        try:
            return resolve(self._folders, self._tops, path)
        except (OSError, ValueError, UnreadableError):
            return None

    def link_text(self, path: str) -> str | None:
        """The text of a symbolic link as it stands; None when there is no such link."""
        check(path)
        folder, _, name = path.rpartition("/")
        try:
            return self._follow(
                folder, lambda real: link_text(self._folders, real, name)
            )
        except UnreadableError:
            return None

    def close(self) -> None:
        """Close every handle; may be called again."""
        self._folders.close()

    def _follow(self, path: str, act: Callable[[str], Answer]) -> Answer:
        """Do something with a path, once more without its links if it has some."""
        try:
            try:
                return act(path)
            except OSError as error:
                if error.errno not in _MAYBE_LINK:
                    raise
                return act(resolve(self._folders, self._tops, path))
        except (OSError, ValueError) as error:
            raise unreadable(path or str(self.path), error) from error

    def _read(self, real: str, limit: int, path: str) -> Blob:
        folder, _, name = real.rpartition("/")
        return read_file(self._folders.reach(folder), name or ".", limit, path)

    def _open(self, real: str, path: str) -> OpenFile:
        folder, _, name = real.rpartition("/")
        return OpenFile(self._folders.reach(folder), name or ".", path)

    def _listing_within(self, folder: str, level: int, depth: int) -> list[Entry]:
        """What is in a folder that a walk came to; raises UnreadableError."""
        if level > depth:
            raise UnreadableError(f"{quoted(folder)} lies too deep to be looked into.")
        if level == 0:
            return self.entries(folder)
        check(folder)
        try:
            return listing(self._folders.reach(folder), folder)
        except OSError as error:
            raise unreadable(folder, error) from error
