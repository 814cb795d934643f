"""A derived file brought up to date, as well as others let it be."""

from contextlib import suppress

from msgspec.structs import replace

from store.edits.doing.hands import Hands
from store.edits.draft import Remake
from store.edits.kept.deeds import FileDeed
from store.errors import RecollectError
from store.files.replacing import ForeignError

ATTEMPTS = 5
"""How often it is made anew because somebody else wrote it meanwhile."""

Pair = tuple[str | None, str | None]
"""The digests of what was there and of what is there now."""


def derive(
    hands: Hands, number: int, deed: FileDeed, remake: Remake | None
) -> Pair | None:
    """Write it; None where that was given up, and it stays as it is."""
    with suppress(OSError, RecollectError):
        for _ in range(ATTEMPTS):
            wanted = _wanted(hands, deed, remake)
            if wanted is None:
                return None
            if wanted.before == wanted.after:
                return wanted.before, wanted.after
            with suppress(ForeignError):
                hands.do(number, wanted)
                return wanted.before, wanted.after
    with suppress(OSError, RecollectError):
        hands.tidy(number, deed)
    return None


def _wanted(hands: Hands, deed: FileDeed, remake: Remake | None) -> FileDeed | None:
    """The deed for what the file is by now; None where nothing can be made of that."""
    seen, _ = hands.now(deed)
    raw = seen.raw if seen else None
    before = hands.keep(raw)
    if before in {deed.before, deed.after}:
        return replace(deed, before=before)
    made = remake(raw) if remake else None
    if made is None:
        return None
    return replace(deed, before=before, after=hands.keep(made))
