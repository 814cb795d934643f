"""The views that a server offers: recent, core, learnings, and tasks by their state."""

from collections.abc import Iterator

from store.formats.agent_memory.answers.rows import (
    Row,
    accessed,
    is_within,
    micros,
    ordered,
    row,
    weight,
)
from store.formats.agent_memory.due import completed, due, of_kind
from store.formats.agent_memory.layout import CORE, LEARNING, TASK
from store.formats.agent_memory.taken import Taken

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
    for one in ordered(of_kind(taken, CORE), lambda one: (weight(one), accessed(one))):
        yield row(one)


def learnings(taken: Taken, now: int) -> Iterator[Row]:
    """Learnings that are new, or were recalled not long ago."""
    for one in ordered(of_kind(taken, LEARNING), accessed):
        memory = one.memory
        if is_within(memory.created, DAYS, now) or is_within(
            memory.accessed, DAYS, now
        ):
            yield row(one)


def active_tasks(taken: Taken, _now: int) -> Iterator[Row]:
    """Tasks that are not completed, those that were changed last first."""
    for one in ordered(of_kind(taken, TASK), lambda one: micros(one.memory.updated)):
        if one.status != "completed":
            yield row(one, status=one.status)


def completed_tasks(taken: Taken, now: int) -> Iterator[Row]:
    """Tasks that were completed not long ago."""
    for one in ordered(of_kind(taken, TASK), lambda one: micros(completed(one))):
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
    for one, why in due(taken, now):
        yield row(one, why=why)
