"""A conversation's life, and the turns in it that its own program makes.

```
active ──► ready ──► queued ──► processing ──► archived   skipped   review
   └────────────────►  │                           │         │        │
                       └──► skipped                 └────► queued ◄────┘
```

The program's librarian takes what is queued, works at it, and says what came of it:
that is nobody else's. A person queues what is ready, or what they want to be worked at
again, skips what waits, and accepts what is in review.
"""

from collections.abc import Mapping

from msgspec import Struct

ACTIVE, READY, QUEUED, PROCESSING = "active", "ready", "queued", "processing"
ARCHIVED, SKIPPED, REVIEW = "archived", "skipped", "review"

_AGAIN = "The librarian makes memories of it once more, and sums it up anew."
_ORPHANS = "What is still said in it belongs to no conversation."


class Turn(Struct, frozen=True):
    """One step in the life of a conversation."""

    is_the_end: bool = False
    """Whether it is done with then: the program notes when that was."""
    warning: str = ""
    """What the program does, or does not do, because of it."""


TURNS: Mapping[str, Mapping[str, Turn]] = {
    ACTIVE: {QUEUED: Turn(warning=_ORPHANS)},
    READY: {QUEUED: Turn()},
    QUEUED: {SKIPPED: Turn(is_the_end=True)},
    PROCESSING: {},
    REVIEW: {ARCHIVED: Turn(is_the_end=True), QUEUED: Turn(warning=_AGAIN)},
    ARCHIVED: {QUEUED: Turn(warning=_AGAIN)},
    SKIPPED: {QUEUED: Turn(warning=_AGAIN)},
}
"""Where each status may lead to."""


def why_not(status: str, wanted: str) -> str:
    """Why a conversation cannot go to a status; empty where it can."""
    if status not in TURNS:
        return f"Its status, {status}, is none that is known."
    if wanted in TURNS[status]:
        return ""
    if wanted == status:
        return f"It is {status} already."
    if status == PROCESSING:
        return "The librarian is at work at it."
    known = " or ".join(TURNS[status])
    return f"From {status} it goes to {known}, not to {wanted}."
