"""Whether something may have broken off, told by a glance that costs nearly nothing."""

import os
from pathlib import Path

_NEAR = 4096
"""Bytes at the end of the journal that are looked at."""

_ENDS = tuple(
    b'{"entry":"%b"' % end for end in (b"done", b"aborted", b"unsettled", b"seen")
)
"""How the last entry begins where nothing is open."""


def may_be_open(changes: Path) -> bool:
    """Whether there is anything to settle among the changes that a folder keeps.

    What an earlier start could not settle is left for the next change.
    """
    try:
        with (changes / "journal.jsonl").open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _NEAR))
            tail = file.read()
        last = tail.removesuffix(b"\n").rpartition(b"\n")[2].partition(b" ")[2]
        is_ended = tail.endswith(b"\n") and last.startswith(_ENDS)
        return not is_ended or any((changes / "limbo").iterdir())
    except FileNotFoundError:
        return False
    except OSError:
        return True
