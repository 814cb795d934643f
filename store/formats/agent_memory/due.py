"""What may be put away: learnings that nobody recalls, tasks that are long done."""

from typing import NamedTuple

from store.formats.agent_memory.answers.rows import accessed, is_older, micros, ordered
from store.formats.agent_memory.layout import LEARNING, TASK
from store.formats.agent_memory.taken import Kept, Taken
from store.times import Instant, parse


class Due(NamedTuple):
    """A memory that may be put away, and why."""

    kept: Kept
    why: str


def due(taken: Taken, now: int) -> list[Due]:
    """Learnings and tasks that may be put away; core memories never are by rule."""
    limits = taken.limits
    unread, done = limits.auto_archive_learnings_days, limits.auto_archive_tasks_days
    found = [
        Due(one, f"not recalled for more than {unread} days")
        for one in ordered(of_kind(taken, LEARNING), accessed, descending=False)
        if is_older(one.memory.accessed, unread, now)
    ]
    tasks = ordered(
        of_kind(taken, TASK), lambda one: micros(completed(one)), descending=False
    )
    return found + [
        Due(one, f"completed more than {done} days ago")
        for one in tasks
        if one.status == "completed" and is_older(completed(one), done, now)
    ]


def least_used(taken: Taken, kind: str) -> list[Kept]:
    """The live memories of a kind, those that were recalled longest ago first."""
    return ordered(
        of_kind(taken, kind),
        lambda one: (accessed(one), one.memory.access_count),
        descending=False,
    )


def completed(one: Kept) -> Instant | None:
    """When a task was completed; version 1.0 says only when it was last changed."""
    told = one.of_task("completed_at")
    return parse(told) if told else one.memory.updated


def of_kind(taken: Taken, kind: str) -> list[Kept]:
    """The live memories of a kind."""
    return [one for one in taken.live if one.memory.type == kind]
