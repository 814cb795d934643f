"""Who may use a file or a folder, changed where it stands."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from stat import S_IMODE

from store.files.beneath.folders import FOLDER_FLAGS
from store.files.replacing.errors import ForeignError
from store.files.replacing.ground import Ground

_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def mode_at(ground: Ground, path: str) -> int:
    """The mode of what lies there; without a path, of the store's own folder.

    A link is not followed. Raises RefusedError and OSError.
    """
    with _opened(ground, path) as handle:
        return S_IMODE(os.fstat(handle).st_mode)


def change_mode(ground: Ground, path: str, before: int, after: int) -> None:
    """Change it, where it is as it was seen; raises ForeignError and OSError."""
    with _opened(ground, path) as handle:
        found = S_IMODE(os.fstat(handle).st_mode)
        if found not in (before, after):
            raise ForeignError(path or str(ground.path), told_mode(found))
        os.fchmod(handle, after)
        os.fsync(handle)


def told_mode(mode: int) -> bytes:
    """A mode as people read it in a difference."""
    return f"mode {mode:04o}\n".encode()


@contextmanager
def _opened(ground: Ground, path: str) -> Generator[int]:
    if path:
        spot = ground.entry(path)
        handle = os.open(spot.name, _FLAGS, dir_fd=spot.folder)
    else:
        handle = os.open(ground.path, FOLDER_FLAGS)
    try:
        yield handle
    finally:
        os.close(handle)
