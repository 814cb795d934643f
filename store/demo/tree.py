"""Files that are put together first and written in one go, the same on any machine."""

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path, PurePosixPath

from store.demo.days import micros
from store.errors import RecollectError

FILE_MODE = 0o644
FOLDER_MODE = 0o755


class Tree:
    """A folder's files by path, each with the instant that it was last changed."""

    def __init__(self) -> None:
        self._files: dict[PurePosixPath, tuple[bytes, int]] = {}

    def put(self, path: str, text: str, changed: datetime) -> None:
        """Add a file of text."""
        self.put_bytes(path, text.encode(), changed)

    def put_bytes(self, path: str, raw: bytes, changed: datetime) -> None:
        """Add a file of any kind."""
        self._files[PurePosixPath(path)] = (raw, micros(changed) * 1000)

    def write(self, folder: Path) -> None:
        """Write everything below a folder that is new or empty.

        Raises:
            RecollectError: the folder holds something, or cannot be written.
        """
        try:
            _claim(folder)
            for path, _ in reversed(list(self._folders())):
                if path.name:
                    _make(folder / path)
            for path, (content, changed) in self._files.items():
                _write(folder / path, content, changed)
            for path, changed in self._folders():
                os.utime(folder / path, ns=(changed, changed))
        except OSError as error:
            reason = f"{error.strerror}: {error.filename}"
            raise RecollectError(
                f"The sample stores could not be written: {reason}."
            ) from error

    def _folders(self) -> Iterator[tuple[PurePosixPath, int]]:
        """Every folder, the deepest first, as old as the newest file beneath it."""
        newest: dict[PurePosixPath, int] = {}
        for path, (_, changed) in self._files.items():
            for parent in path.parents:
                newest[parent] = max(changed, newest.get(parent, changed))
        yield from sorted(newest.items(), key=lambda item: (-len(item[0].parts), item))


def _claim(folder: Path) -> None:
    """Make sure that nothing of anybody's is in the way."""
    if folder.exists() and not folder.is_dir():
        raise RecollectError(f"{folder} is a file; a demo needs a folder of its own.")
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        _make(folder)
    if any(folder.iterdir()):
        raise RecollectError(
            f"{folder} is not empty; a demo is only made in a new or empty folder."
        )


def _make(folder: Path) -> None:
    """Make a folder, whatever the umask."""
    folder.mkdir()
    folder.chmod(FOLDER_MODE)


def _write(path: Path, content: bytes, changed: int) -> None:
    path.write_bytes(content)
    path.chmod(FILE_MODE)
    os.utime(path, ns=(changed, changed))
