"""Where a conversation stands in its life, as spec 004 tells it."""

from store.derive.segments import USUAL

ACTIVE = "active"
READY = "ready"
SKIPPED = "skipped"


def status(last: int | None, entries: int, now: int, *, is_closed: bool) -> str:
    """A conversation is active until nothing was said in it for longer than the gap.

    Then it is ready to be made a memory of, or skipped for being too short for that.
    """
    if not is_closed and last is not None and now - last <= USUAL.gap:
        return ACTIVE
    return READY if entries >= USUAL.minimum else SKIPPED
