"""A store opened to be written: a path in it becomes a folder's handle and a name."""

import os
from pathlib import Path
from typing import NamedTuple

from store.closing import Closing
from store.errors import RefusedError
from store.files.beneath.folders import FOLDER_FLAGS, Folders
from store.files.beneath.links import link_text, resolve
from store.files.beneath.naming import check, quoted, unreadable
from store.files.replacing.durable import settle


class Spot(NamedTuple):
    """Where a file is or would be."""

    folder: int
    """The handle of its folder, open until the ground is left or reaches elsewhere."""
    name: str
    path: str
    """Relative to the store, as errors name it."""

    def beside(self, name: str) -> "Spot":
        """Another name in the same folder."""
        return self._replace(name=name)


class Ground(Closing):
    """The folder of a store, held open; no link leads out of it."""

    path: Path
    """Absolute, links resolved."""

    def __init__(self, root: Path) -> None:
        """Raises UnreadableError when it is no folder or cannot be opened."""
        try:
            real = os.path.realpath(root, strict=True)
            top = os.open(real, FOLDER_FLAGS)
        except (OSError, ValueError) as error:
            raise unreadable(str(root), error) from error
        self.path = Path(real)
        self._folders = Folders(top)
        self._tops = (real, str(root.absolute()))

    def spot(self, path: str) -> Spot:
        """Where a path leads, links within the store followed.

        The link stays, and what it leads to is written. Raises RefusedError where a
        link leads out or to nothing, FileNotFoundError where a folder is missing.
        """
        check(path)
        try:
            return self._spot(path)
        except ValueError as error:
            raise unreadable(path, error) from error

    def entry(self, path: str) -> Spot:
        """The same for a path whose last part is not followed: it is what it is."""
        check(path)
        folder, _, name = path.rpartition("/")
        return Spot(self._reach(folder), name, path)

    def real(self, path: str) -> Path:
        """The absolute path that a path leads to, links within the store followed.

        Raises RefusedError and OSError.
        """
        check(path)
        return self.path / resolve(self._folders, self._tops, path)

    def missing(self, path: str) -> tuple[str, ...]:
        """The folders that a file lacks, the outermost first."""
        check(path)
        parts = path.split("/")[:-1]
        for known in range(len(parts), -1, -1):
            try:
                self._reach("/".join(parts[:known]))
            except FileNotFoundError:
                continue
            return tuple(
                "/".join(parts[:depth]) for depth in range(known + 1, len(parts) + 1)
            )
        return ()

    def make(self, folder: str) -> None:
        """Make a folder, as open as the one that it lies in; raises OSError."""
        outer, _, name = folder.rpartition("/")
        handle = self._reach(outer)
        try:
            os.mkdir(name, os.fstat(handle).st_mode & 0o777, dir_fd=handle)
        except FileExistsError:
            return
        settle(handle)

    def unmake(self, folder: str) -> None:
        """Remove a folder unless something is in it; raises OSError."""
        outer, _, name = folder.rpartition("/")
        try:
            handle = self._reach(outer)
            os.rmdir(name, dir_fd=handle)
        except FileNotFoundError:
            return
        settle(handle)

    def close(self) -> None:
        """Close every handle; may be called again."""
        self._folders.close()

    def _spot(self, path: str) -> Spot:
        folder, _, name = path.rpartition("/")
        real = resolve(self._folders, self._tops, folder) if folder else ""
        try:
            is_link = link_text(self._folders, real, name) is not None
        except FileNotFoundError:
            is_link = False
        if is_link:
            whole = f"{real}/{name}" if real else name
            real, _, name = resolve(self._folders, self._tops, whole).rpartition("/")
            if not name:
                raise RefusedError(f"{quoted(path)} is a folder.")
        return Spot(self._folders.reach(real), name, path)

    def _reach(self, folder: str) -> int:
        real = resolve(self._folders, self._tops, folder) if folder else ""
        return self._folders.reach(real)
