"""The queues of a review: queries that find what is worth a look, by name."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Queue:
    """Memories that are worth a look for one reason."""

    name: str
    """The word for it on the command line."""
    query: str
    """What finds them."""
    why: str
    """What there is to decide, in a few words."""


QUEUES = (
    Queue("damaged", "has:problems", "something is wrong with it"),
    Queue("new", "since:last", "it came since you looked last"),
    Queue("fading", "stage:fading importance>=.7", "it fades, though it matters"),
    Queue("duplicates", "is:duplicate", "another one says nearly the same"),
    Queue("one-sided", "is:onesided", "a link of it is written on one side only"),
    Queue("orphans", "is:orphan", "nothing is linked with it"),
)
"""All queues, in the order in which they are gone through."""
