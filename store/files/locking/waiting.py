"""Whether somebody waits for a lock that is held here.

Who waits has the file open already. Were it removed now, he would get the lock of a
file that has no name any more, while the next one makes a new file: two would be in.
"""

import os
from pathlib import Path

_LOCKS = Path("/proc/locks")


def is_awaited(handle: int) -> bool:
    """Whether somebody does; True where the system does not tell."""
    about = os.fstat(handle)
    device = f"{os.major(about.st_dev):02x}:{os.minor(about.st_dev):02x}"
    place = f" {device}:{about.st_ino} "
    try:
        lines = [
            line for line in _LOCKS.read_text("ascii").split("\n") if place in line
        ]
    except OSError:
        return True
    return not lines or any("->" in line for line in lines)
