"""How long a conversation stays: when it is removed, and what the vault has of it."""

from store.records.spans import NEVER, Keeping, Spans
from widgets.lines.pieces import Piece
from widgets.timeline.days import DAY

_SOON = 7
"""Days before a removal from which on it stands out."""

_KEPT: Piece = ("kept", "vault")


def staying(leaves: int, keeping: Keeping, now: int) -> Piece | None:
    """What becomes of it; None where nobody removes it and nobody keeps it."""
    if keeping is Keeping.ONLY:
        return "only in the vault", "vault"
    if keeping is Keeping.WHOLE:
        return _KEPT
    days = days_left(leaves, now)
    if keeping is Keeping.EARLIER and days is None:
        return "kept, grew since", "vault"
    if days is None:
        return None
    words = f"removed in {days} d" if days > 0 else "removed any time"
    before = "grew since kept · " if keeping else ""
    return before + words, "fading" if days <= _SOON else "faint"


def staying_in_brief(leaves: int, keeping: Keeping, now: int) -> Piece | None:
    """The same in few cells: that it is kept, or that it is removed soon."""
    days = days_left(leaves, now)
    if days is not None and days <= _SOON and keeping is not Keeping.WHOLE:
        return f"-{max(days, 0)}d", "fading"
    return _KEPT if keeping else None


def days_left(leaves: int, now: int) -> int | None:
    """So many days it is still there, the one that has begun included."""
    return None if leaves == NEVER else -((now - leaves) // DAY)


def is_endangered(spans: Spans, position: int) -> bool:
    """Whether something is removed one day that is not kept as it is."""
    return spans.leaves[position] != NEVER and spans.kept[position] != Keeping.WHOLE


def leaving_soon(spans: Spans, now: int) -> int:
    """How many are removed within a week and not kept as they are."""
    soon = now + _SOON * DAY
    return sum(
        spans.leaves[position] <= soon and is_endangered(spans, position)
        for position in range(len(spans))
    )
