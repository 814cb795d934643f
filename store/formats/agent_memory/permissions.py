"""Who else may read a store: its folder ought to be 0700, and its files 0600."""

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from store.findings import Flaw, Severity

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
OWNERS = stat.S_IRWXU
"""What of a mode is left where nobody but the owner may use a thing."""

_NAMED = 3


def open_to_others(root: Path, paths: Iterable[str]) -> list[tuple[str, int]]:
    """Those of the paths that others than their owner may use, with their modes."""
    found: list[tuple[str, int]] = []
    for path in paths:
        try:
            mode = (root / path).lstat().st_mode
        except (OSError, ValueError):
            continue
        if mode & _OTHERS and not stat.S_ISLNK(mode):
            found.append((path, stat.S_IMODE(mode)))
    return found


def flaw_of(found: list[tuple[str, int]]) -> Flaw | None:
    """The note on what others may use; None where there is nothing."""
    if not found:
        return None
    told = [f"{_shown(path)} is {mode:04o}" for path, mode in found[:_NAMED]]
    more = len(found) - _NAMED
    if more > 0:
        told.append(f"{more} more")
    message = (
        "Others may use what ought to be its owner's alone (0700 for folders, 0600 "
        f"for files): {', '.join(told)}."
    )
    return Flaw(code="open-permissions", message=message, severity=Severity.NOTE)


def _shown(path: str) -> str:
    return os.fsencode(path).decode(errors="replace") or "the folder"
