"""One sync at a time, whoever started it."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from store.errors import CatalogueBusyError, CatalogueUnusableError

_PATIENCE = 600.0
"""Seconds to wait for another process that is reading the stores."""


_BUSY = (
    "Another recollect has been reading the stores for ten minutes; "
    "try again, or use --no-sync."
)


@contextmanager
def only_one(
    path: Path, *, waits: bool = True, patience: float | None = None
) -> Generator[None]:
    """Hold the lock; the system lets go of it when its holder dies.

    Raises CatalogueBusyError where another holds it, at once if nobody `waits`, else
    after so many seconds of `patience`.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415  # as slow to load as a list

    longest = _PATIENCE if patience is None else patience
    lock = FileLock(path, timeout=longest if waits else 0, mode=0o600)
    try:
        lock.acquire()
    except Timeout as error:
        raise CatalogueBusyError(_BUSY) from error
    except OSError as error:
        raise CatalogueUnusableError(
            f"The catalogue's lock, {path}, cannot be taken: {error.strerror}."
        ) from error
    try:
        yield
    finally:
        lock.release()
