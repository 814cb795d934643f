"""The locks of others in whose presence nothing is written."""

import os
import time

from store.edits.doing.hands import Hands
from store.edits.kept.operation import Operation
from store.edits.refusals import LockedError
from store.files.beneath.naming import quoted
from store.files.replacing import Ground


def shun(operation: Operation, hands: Hands) -> None:
    """Raise LockedError where one of them is there and young enough to count."""
    roots = {operation.root, *(deed.root for deed in operation.deeds)}
    for root in sorted(roots):
        for name, counts in operation.shuns:
            age = _age(hands.ground(root), name)
            if age is not None and age < counts:
                path = quoted(name)
                sentence = f"{path} says that another program is at work there"
                raise LockedError(f"{sentence}; nothing was written.")


def _age(ground: Ground, path: str) -> float | None:
    """How many seconds ago a file was written; None where there is none."""
    try:
        spot = ground.entry(path)
        about = os.stat(spot.name, dir_fd=spot.folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    return time.time() - about.st_mtime
