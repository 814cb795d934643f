"""What another program wrote at the last moment goes back where it was."""

import os
from contextlib import suppress

from store.files.replacing.care import Care
from store.files.replacing.durable import settle
from store.files.replacing.ground import Spot
from store.files.replacing.renaming import swap_names
from store.files.replacing.seen import Seen, seen_at

_ATTEMPTS = 8


def give_back(spot: Spot, temp: str, ours: Seen, care: Care) -> None:
    """Swap two names back, so that the newest file of others stands there.

    Should a still newer one come out by that, it goes back in its turn. What is left
    over is ours, and goes, or an older one of theirs, and is put away. Raises OSError.
    """
    stood: Seen | None = ours
    for _ in range(_ATTEMPTS):
        theirs = seen_at(spot.beside(temp))
        if theirs is None:
            return
        swap_names(spot.folder, temp, spot.name)
        out = seen_at(spot.beside(temp))
        if out is None or _is(out, stood):
            break
        stood = theirs
    settle_left(spot, temp, ours, care)


def settle_left(spot: Spot, temp: str, ours: Seen, care: Care) -> None:
    """Do away with what the other name stands for by now."""
    if _is(seen_at(spot.beside(temp)), ours):
        with suppress(FileNotFoundError):
            os.unlink(temp, dir_fd=spot.folder)
    else:
        with suppress(FileNotFoundError):
            care.put_away(spot.folder, temp)
    settle(spot.folder)


def _is(seen: Seen | None, other: Seen | None) -> bool:
    """Whether it is that file, and nobody wrote into it."""
    return (
        seen is not None
        and other is not None
        and seen.is_same_file(other)
        and seen.raw == other.raw
    )
