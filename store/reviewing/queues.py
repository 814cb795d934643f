"""The queues of a review: queries that find what is worth a look, by name."""

from msgspec import Struct


class Queue(Struct, frozen=True):
    """Memories that are worth a look for one reason."""

    name: str
    """The word for it on the command line."""
    query: str
    """What finds them; empty where it takes more than a query."""
    why: str
    """What there is to decide, in a few words."""


DOUBLES = "duplicates"
"""The queue of what stands more than once; it is found by holding all against all."""

SINCE_LAST = "since:last"
"""What finds what is new since the user looked last."""

LATELY = "since:7d"
"""What takes its place in a store that they never looked at."""

QUEUES = (
    Queue("damaged", "has:problems", "something is wrong with it"),
    Queue("new", SINCE_LAST, "it came since you looked last"),
    Queue("fading", "stage:fading importance>=.7", "it fades, though it matters"),
    Queue(DOUBLES, "", "another one says nearly the same"),
    Queue("one-sided", "is:onesided", "a link of it is written on one side only"),
    Queue("orphans", "is:orphan", "nothing is linked with it"),
)
"""All queues, in the order in which they are gone through."""
