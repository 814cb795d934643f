"""Bytes by their digest, each whole on the disk or not there at all."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from store.files.beneath import Root
from store.places import make_private
from store.private import NotWrittenError
from store.vault.copying import Copied, copy, digest_of
from store.vault.kept import Version
from store.vault.manifest import settle

_PREFIX = 2
_TEMPORARY = ".new-"


class Objects:
    """A folder of files that are called by what they hold."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def file(self, digest: str) -> Path:
        """Where an object lies."""
        return self._folder / digest[:_PREFIX] / digest

    def take(self, root: Root, path: str, before: Version | None) -> Copied:
        """Take a file in; durable when this returns, and for its owner alone.

        Raises NotWrittenError, and UnreadableError where it cannot be read.
        """
        import tempfile  # noqa: PLC0415  # loads much that only keeping needs

        try:
            make_private(self._folder)
            handle, name = tempfile.mkstemp(dir=self._folder, prefix=_TEMPORARY)
            try:
                return self._taken(root, path, before, handle, Path(name))
            finally:
                os.close(handle)
                with suppress(FileNotFoundError):
                    Path(name).unlink()
        except OSError as error:
            sentence = f"The vault, {self._folder}, cannot be written"
            raise NotWrittenError(f"{sentence}: {error.strerror}.") from error

    def drop(self, digest: str) -> None:
        """Remove an object that nobody needs any more; raises NotWrittenError."""
        try:
            self.file(digest).unlink(missing_ok=True)
        except OSError as error:
            sentence = f"{self.file(digest)} cannot be removed: {error.strerror}."
            raise NotWrittenError(sentence) from error

    def what_is_wrong(self, version: Version) -> str:
        """Why an object is not what was kept; empty where it is, byte for byte."""
        file = self.file(version.digest)
        try:
            size = file.stat().st_size
            if size != version.size:
                return f"{size} bytes of {version.size} are there."
            return "" if digest_of(file) == version.digest else "Its bytes changed."
        except FileNotFoundError:
            return "Its copy is gone."
        except OSError as error:
            return f"Its copy cannot be read: {error.strerror}."

    def digests(self) -> Iterator[str]:
        """Everything that is there."""
        for folder in self._folder.iterdir() if self._folder.is_dir() else ():
            if len(folder.name) == _PREFIX and folder.is_dir():
                yield from (file.name for file in folder.iterdir())

    def _taken(
        self, root: Root, path: str, before: Version | None, handle: int, name: Path
    ) -> Copied:
        copied = copy(root, path, handle, before)
        os.fchmod(handle, 0o600)
        os.utime(handle, ns=(copied.stamp.mtime_ns, copied.stamp.mtime_ns))
        os.fsync(handle)
        target = self.file(copied.digest)
        make_private(target.parent)
        name.replace(target)
        settle(target.parent)
        settle(self._folder)
        return copied
