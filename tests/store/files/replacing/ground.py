"""A folder with a file in it, and what is put away from it."""

import os
from pathlib import Path

from store.files.replacing import Care, Ground, Manner, Replacement, swap

TEMP = ".new"


class Away:
    """Keeps what was put away, so that it can be looked at."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.was_overwritten = False

    @property
    def care(self) -> Care:
        return Care(self._put_away, self._overwriting)

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


def swapped(root: Path, path: str, before: bytes, after: bytes, away: Away) -> Manner:
    with Ground(root) as ground:
        wanted = Replacement(ground.spot(path), TEMP, before, after)
        return swap(wanted, away.care)
