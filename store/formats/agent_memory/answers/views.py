"""The views that a server offers: recent, core, learnings, and tasks by their state."""

from collections.abc import Iterator

from store.formats.agent_memory.answers.rows import (
    Row,
    accessed,
    is_older,
    is_within,
    micros,
    ordered,
    row,
    weight,
)
from store.formats.agent_memory.layout import CORE, LEARNING, TASK
from store.formats.agent_memory.taken import Kept, Taken
from store.times import Instant, parse

RECENT = 20
"""How many memories are recent."""

DAYS = 30
"""How long a learning or a completed task is shown, in days."""


def recent(taken: Taken, _now: int) -> Iterator[Row]:
    """Those that were recalled last."""
    for one in ordered(taken.live, accessed)[:RECENT]:
        yield row(one)


def core(taken: Taken, _now: int) -> Iterator[Row]:
    """Core memories, those that matter most first."""
    for one in ordered(_live(taken, CORE), lambda one: (weight(one), accessed(one))):
        yield row(one)


def learnings(taken: Taken, now: int) -> Iterator[Row]:
    """Learnings that are new, or were recalled not long ago."""
    for one in ordered(_live(taken, LEARNING), accessed):
        memory = one.memory
        if is_within(memory.created, DAYS, now) or is_within(
            memory.accessed, DAYS, now
        ):
            yield row(one)


def active_tasks(taken: Taken, _now: int) -> Iterator[Row]:
    """Tasks that are not completed, those that were changed last first."""
    for one in ordered(_live(taken, TASK), lambda one: micros(one.memory.updated)):
        if one.status != "completed":
            yield row(one, status=one.status)


def completed_tasks(taken: Taken, now: int) -> Iterator[Row]:
    """Tasks that were completed not long ago."""
    for one in ordered(_live(taken, TASK), lambda one: micros(completed(one))):
        if one.status == "completed" and is_within(completed(one), DAYS, now):
            done = completed(one)
            yield row(
                one,
                status=one.status,
                completed_at=done.iso if done else None,
                outcome=one.of_task("outcome"),
            )


def archive_candidates(taken: Taken, now: int) -> Iterator[Row]:
    """Learnings and tasks that may be put away; core memories never are by rule."""
    limits = taken.limits
    unread, done = limits.auto_archive_learnings_days, limits.auto_archive_tasks_days
    for one in ordered(_live(taken, LEARNING), accessed, descending=False):
        if is_older(one.memory.accessed, unread, now):
            yield row(one, why=f"not recalled for more than {unread} days")
    for one in ordered(
        _live(taken, TASK), lambda one: micros(completed(one)), descending=False
    ):
        if one.status == "completed" and is_older(completed(one), done, now):
            yield row(one, why=f"completed more than {done} days ago")


def completed(one: Kept) -> Instant | None:
    """When a task was completed; version 1.0 says only when it was last changed."""
    told = one.of_task("completed_at")
    return parse(told) if told else one.memory.updated


def _live(taken: Taken, kind: str) -> list[Kept]:
    return [one for one in taken.live if one.memory.type == kind]
