"""Open handles of the folders beneath a root, reached step by step."""

import os
from collections import OrderedDict
from contextlib import suppress
from typing import NamedTuple

FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class _Handle(NamedTuple):
    """An open folder, and which one it is."""

    number: int
    device: int
    inode: int


class Folders:
    """The folders in use stay open, so that reading many files opens little else.

    Every step is one `openat` that follows no link. A handle is used again only while
    its name still leads to the same folder. Not for several threads at once.
    """

    CAPACITY = 64

    def __init__(self, top: int) -> None:
        """Take over the root's own handle."""
        self._top = top
        self._handles: OrderedDict[str, _Handle] = OrderedDict()

    def reach(self, folder: str) -> int:
        """The handle of a folder; raises OSError where a step is no folder."""
        handle, walked = self._top, ""
        for part in folder.split("/") if folder else ():
            walked = f"{walked}/{part}" if walked else part
            handle = self._step(handle, part, walked)
        return handle

    def close(self) -> None:
        """Close every handle, the root's too; may be called again."""
        handles = [self._top, *(each.number for each in self._handles.values())]
        self._handles.clear()
        self._top = -1
        for handle in handles:
            with suppress(OSError):
                os.close(handle)

    def _step(self, parent: int, part: str, walked: str) -> int:
        known = self._handles.get(walked)
        if known:
            now = os.stat(part, dir_fd=parent, follow_symlinks=False)
            if now.st_ino == known.inode and now.st_dev == known.device:
                self._handles.move_to_end(walked)
                return known.number
            os.close(self._handles.pop(walked).number)
        number = os.open(part, FOLDER_FLAGS, dir_fd=parent)
        about = os.fstat(number)
        self._handles[walked] = _Handle(number, about.st_dev, about.st_ino)
        if len(self._handles) > self.CAPACITY:
            os.close(self._handles.popitem(last=False)[1].number)
        return number
