"""A folder with a file in it, and the replaced files kept aside."""

import os
from pathlib import Path

from store.files.replace import Hooks, Method, Replacement, swap
from store.files.writable import WritableRoot

TEMP = ".new"


class Away:
    """Stores the replaced files, so that tests can check them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.was_overwritten = False

    @property
    def hooks(self) -> Hooks:
        return Hooks(self._put_away, self._overwriting)

    @property
    def raws(self) -> list[bytes]:
        return [path.read_bytes() for path in self.folder.iterdir()]

    def _put_away(self, folder: int, name: str) -> None:
        there = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        count = len(list(self.folder.iterdir()))
        os.rename(name, str(count), src_dir_fd=folder, dst_dir_fd=there)
        os.close(there)

    def _overwriting(self) -> None:
        self.was_overwritten = True


def swapped(root: Path, path: str, before: bytes, after: bytes, away: Away) -> Method:
    with WritableRoot(root) as writable:
        wanted = Replacement(writable.spot(path), TEMP, before, after)
        return swap(wanted, away.hooks)
