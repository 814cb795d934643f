"""What an interrupted replacement left beside a file."""

import os

from store.files.replacing.care import Care
from store.files.replacing.durable import settle
from store.files.replacing.ground import Spot
from store.files.replacing.renaming import aside_of, rename_anew, swap_names
from store.files.replacing.seen import Seen, seen_at


def tidy(
    spot: Spot, temp: str, before: bytes | None, after: bytes | None, care: Care
) -> None:
    """Do away with it; what another program wrote is never done away with.

    That goes back to its name where ours took it, and is put away where a newer one
    stands there. Raises OSError.
    """
    for name in (temp, aside_of(temp)):
        left = seen_at(spot.beside(name))
        if left:
            _settle(spot.beside(name), spot, left, (before, after), care)


def _settle(
    beside: Spot,
    spot: Spot,
    left: Seen,
    known: tuple[bytes | None, bytes | None],
    care: Care,
) -> None:
    after, there = known[1], seen_at(spot)
    if left.raw not in known and (there.raw if there else None) == after:
        if there:
            swap_names(spot.folder, beside.name, spot.name)
        else:
            rename_anew(spot.folder, beside.name, spot.name)
    now = seen_at(beside)
    if now and (now.raw in known or (after or b"").startswith(now.raw)):
        os.unlink(beside.name, dir_fd=beside.folder)
    elif now:
        care.put_away(beside.folder, beside.name)
    settle(spot.folder)
