"""The journal of tasks: four writers, four shapes, one list of what was done.

It is read whole whenever it moved, because a line may change what earlier ones mean.
What the lines of a task say is put together; each stays to be seen in `records`.
"""

from collections.abc import Sequence

from store.derive.pairing import START, TASK, Note, Task, put_together
from store.findings import Json, MeasureFound
from store.formats.kei.growing import Record
from store.formats.kei.measures import shape_of
from store.formats.kei.values import instant, number, text, whole, without
from store.times import Instant, parse

NOTIFICATION = "task-notification"
"""The writer that learns of the end of agents in the background."""

_USED = (
    "kind",
    "name",
    "id",
    "start_epoch",
    "end_epoch",
    "duration_s",
    "exit",
    "metric",
    "source",
    "ts",
)


def measures_of_tasks(records: Sequence[tuple[int, Record]]) -> list[MeasureFound]:
    """The tasks that the lines of a journal tell of."""
    told = {line: record for line, record in records if shape_of(record) == "task"}
    notes = (_note(line, record) for line, record in told.items())
    return [_measure(task, told) for task in put_together(notes)]


def _note(line: int, record: Record) -> Note:
    return Note(
        line=line,
        kind=text(record, "kind") or TASK,
        name=text(record, "name"),
        id=text(record, "id"),
        duration=number(record.get("duration_s")),
        notified=record.get("source") == NOTIFICATION,
    )


def _measure(task: Task, told: dict[int, Record]) -> MeasureFound:
    records = [told[note.line] for note in task.notes]
    best = told[task.best.line]
    start = _first(records, "start_epoch")
    end = None if task.best.kind == START else _end(task, best, start)
    return MeasureFound(
        kind="task",
        line=task.best.line,
        name=_word(records, "name") or _word(records, "desc") or _word(records, "id"),
        id=_word(records, "id"),
        start=start,
        end=end,
        duration_s=task.best.duration,
        exit=whole(best.get("exit")),
        metric=_metric(records),
        source=text(best, "source") or _word(records, "source"),
        at=instant(best.get("ts")),
        fields=_fields(task, records),
    )


def _end(task: Task, best: Record, start: Instant | None) -> Instant | None:
    """When it ended: as its line says, or so long after it was started."""
    told = instant(best.get("end_epoch"))
    took = task.best.duration
    if told or start is None or start.micros is None or took is None:
        return told
    return parse(start.micros // 1_000_000 + round(took))


def _metric(records: Sequence[Record]) -> Json:
    """What was counted; of an agent in the background, its tokens."""
    for record in records:
        if record.get("metric") is not None:
            return record["metric"]
    tokens = next(
        (t for r in records if (t := r.get("total_tokens")) is not None), None
    )
    return None if tokens is None else {"total_tokens": tokens}


def _fields(task: Task, records: Sequence[Record]) -> Record:
    fields: Record = {"state": task.state, "shape": task.best.kind}
    for record in reversed(records):
        fields |= without(record, _USED)
    if len(records) > 1:
        fields["lines"] = [note.line for note in task.notes]
        fields["records"] = list[Json](records)
    return fields


def _first(records: Sequence[Record], key: str) -> Instant | None:
    return next((i for r in records if (i := instant(r.get(key)))), None)


def _word(records: Sequence[Record], key: str) -> str | None:
    return next((word for record in records if (word := text(record, key))), None)
