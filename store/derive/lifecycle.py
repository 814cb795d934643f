"""Where a conversation stands in its life, as spec 004 tells it."""

from store.derive.segments import Rule

ACTIVE = "active"
READY = "ready"
SKIPPED = "skipped"


def status(silence: int | None, entries: int, rule: Rule, *, is_closed: bool) -> str:
    """A conversation is active until nothing was said in it for longer than the gap.

    `silence` is how long nothing was said, in microseconds. Then it is ready to be made
    a memory of, or skipped for being too short for that.
    """
    if not is_closed and silence is not None and silence <= rule.gap:
        return ACTIVE
    return READY if entries >= rule.minimum else SKIPPED
