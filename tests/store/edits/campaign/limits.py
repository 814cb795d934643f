"""Limits on the size of files during a call."""

import resource
from collections.abc import Callable


def limited(size: int, act: Callable[[], object]) -> None:
    """Do something while files may not exceed a size."""
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        act()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
