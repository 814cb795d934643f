"""The folders that one store is made of: the watched one, its backup, what is beside.

A key is a path relative to the folder that a file was found in, so that a transcript in
the backup and the same one in the watched folder are one; the live file is the one that
is read.
"""

from pathlib import Path

from store.closing import Closing
from store.errors import UnreadableError
from store.files.beneath import OpenFile, Root

BACKUP = "-backup"
"""What the name of a folder's backup has more than its own."""

HISTORY = "../history.jsonl"
"""The prompts of all sessions, in a file beside the watched folder."""

_WATCHED = "projects"
"""What the folder is called that has such a file beside it."""


def live_of(path: Path) -> Path | None:
    """The folder that another one would be the backup of."""
    name = path.name.removesuffix(BACKUP)
    return path.with_name(name) if name and name != path.name else None


class Bases(Closing):
    """Opens what a store is made of; a folder that is not there is left out."""

    def __init__(self, path: Path) -> None:
        """Raises UnreadableError where the watched folder cannot be opened."""
        self.live = Root(path)
        place = self.live.path
        self.backup = _opened(place.with_name(place.name + BACKUP))
        self.beside = _opened(place.parent) if place.name == _WATCHED else None

    @property
    def folders(self) -> list[Root]:
        """The folders that transcripts lie in, the one that counts first."""
        return [self.live, self.backup] if self.backup else [self.live]

    def opened(self, path: str) -> OpenFile:
        """A file of the store, by its key; raises UnreadableError."""
        root, name = self._found(path)
        return root.opened(name)

    def read(self, path: str, limit: int) -> bytes:
        """The first bytes of a file, by its key; raises UnreadableError."""
        root, name = self._found(path)
        return root.read(name, limit=limit).raw

    def close(self) -> None:
        """Let go of all folders; may be called again."""
        for root in (self.live, self.backup, self.beside):
            if root:
                root.close()

    def _found(self, path: str) -> tuple[Root, str]:
        if path == HISTORY and self.beside:
            return self.beside, path.removeprefix("../")
        if self.backup and not has(self.live, path) and has(self.backup, path):
            return self.backup, path
        return self.live, path


def has(root: Root, path: str) -> bool:
    """Whether a file can be opened beneath a folder."""
    try:
        root.opened(path).close()
    except UnreadableError:
        return False
    return True


def _opened(path: Path) -> Root | None:
    try:
        return Root(path)
    except UnreadableError:
        return None
