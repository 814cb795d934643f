"""One sync at a time, whoever started it."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from store.errors import CatalogueBusyError

_PATIENCE = 600.0
"""Seconds to wait for another process that is reading the stores."""


@contextmanager
def only_one(path: Path) -> Generator[None]:
    """Hold the lock; the system lets go of it when its holder dies."""
    from filelock import FileLock, Timeout  # noqa: PLC0415  # as slow to load as a list

    try:
        with FileLock(path, timeout=_PATIENCE, mode=0o600):
            yield
    except Timeout as error:
        raise CatalogueBusyError(
            "Another recollect has been reading the stores for ten minutes; "
            "try again, or use --no-sync."
        ) from error
