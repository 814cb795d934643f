"""Lines of a journal of tasks put together: which of them tell of one task.

A stop ends the last start of the same name before it. An agent that works in the
background is told twice by one identifier: when it was sent off, after no time, and
when it was done; the longer time is the true one.
"""

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct

START, STOP, TASK = "start", "stop", "task"

FINISHED = "finished"
RUNNING = "running"
"""A start that nothing ended yet."""
UNFINISHED = "unfinished"
"""A start that nothing ended before another of the same name."""
UNSTARTED = "unstarted"
"""A stop without a start."""


class Note(NamedTuple):
    """What one line says."""

    line: int
    kind: str
    name: str | None = None
    id: str | None = None
    duration: float | None = None
    notified: bool = False
    """Whether the notice about its end tells it, which knows how long it took."""


class Task(Struct):
    """A task, and the lines that tell of it."""

    notes: list[Note]
    """In order of their lines."""
    state: str

    @property
    def best(self) -> Note:
        """The line that tells how long it took."""
        return max(self.notes, key=_weight)


def put_together(notes: Iterable[Note]) -> list[Task]:
    """The tasks, in order of the lines that they begin with."""
    tasks: list[Task] = []
    started: dict[str | None, Task] = {}
    by_id: dict[str, Task] = {}
    for note in notes:
        known = by_id.get(note.id) if note.kind == TASK and note.id else None
        if known:
            known.notes.append(note)
        elif note.kind == STOP:
            _stop(tasks, started.get(note.name), note)
        else:
            task = Task([note], FINISHED)
            tasks.append(task)
            if note.kind == START:
                _start(started, task, note)
            elif note.id:
                by_id[note.id] = task
    return tasks


def _start(started: dict[str | None, Task], task: Task, note: Note) -> None:
    task.state = RUNNING
    before = started.get(note.name)
    if before and before.state == RUNNING:
        before.state = UNFINISHED
    started[note.name] = task


def _stop(tasks: list[Task], running: Task | None, note: Note) -> None:
    """End the task that was started last; a second end of it is told apart."""
    if running is None:
        tasks.append(Task([note], UNSTARTED))
    elif running.state == RUNNING:
        running.notes.append(note)
        running.state = FINISHED
    else:
        tasks.append(Task([running.notes[0], note], FINISHED))


def _weight(note: Note) -> tuple[bool, bool, float]:
    return (note.kind != START, note.notified, note.duration or 0.0)
