"""The queues of a review: built-in queries for memories worth checking."""

from typing import NamedTuple


class Queue(NamedTuple):
    """Memories that are worth checking for the same reason."""

    name: str
    """Its name on the command line."""
    query: str
    """The query that finds them; empty if a query is not enough."""
    why: str
    """The reason in a few words."""


DOUBLES = "duplicates"
"""The queue of duplicates, which are found by comparing all memories."""

SINCE_LAST = "since:last"
"""The query for what is new since the user's last visit."""

DAMAGED = "damaged"
"""The queue of memories with problems."""

LATELY = "since:7d"
"""The query used instead for a store that the user has never viewed."""

QUEUES = (
    Queue("suspicious", "is:suspicious", "hidden text, or orders to the agent"),
    Queue(DAMAGED, "has:problems", "has problems"),
    Queue("new", SINCE_LAST, "new since your last visit"),
    Queue("fading", "stage:fading importance>=.7", "important but fading"),
    Queue("fading-soon", "fades_in<7", "fades within a week"),
    Queue(DOUBLES, "", "similar to another one"),
    Queue("one-sided", "is:onesided", "one-way link"),
    Queue("orphans", "is:orphan", "no links"),
)
"""All queues, in review order."""

FIRST, NEWEST, MERGE = "first", "newest", "merge"
WAYS = (FIRST, NEWEST, MERGE)
"""How to resolve duplicates: keep the first, keep the newest, or merge all."""
