"""Whoever started the program and listens to it: it ends when they do."""

import os
import select
import stat
import sys

_ALL = 65536


class Nobody:
    """Where it does not matter whether anybody listens."""

    def is_set(self) -> bool:
        """Never the end."""
        return False


class Listener:
    """The other end of stdin, where that is a pipe or a socket.

    The system closes it when its holder dies, however that happens. A terminal, a file
    or nothing at all says nothing about who listens.
    """

    def __init__(self) -> None:
        self._descriptor = _pipe()
        self._is_gone = False

    def is_set(self) -> bool:
        """Whether nobody listens any more."""
        while self._descriptor is not None and not self._is_gone:
            readable, _, _ = select.select([self._descriptor], [], [], 0)
            if not readable:
                break
            self._is_gone = not os.read(self._descriptor, _ALL)
        return self._is_gone


def _pipe() -> int | None:
    """The descriptor of stdin, if somebody holds its other end."""
    if sys.stdin is None:
        return None
    try:
        descriptor = sys.stdin.fileno()
        mode = os.fstat(descriptor).st_mode
    except (OSError, ValueError):
        return None
    return descriptor if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) else None
