"""How large files may become while something is done."""

import resource
from collections.abc import Callable


def limited(size: int, act: Callable[[], object]) -> None:
    """Do something while no file may become larger than that."""
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        act()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
