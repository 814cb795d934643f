"""The journals: metrics, tasks, events of agents."""

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import PurePosixPath

from msgspec import Struct, field

from store.derive.events import RUNNING, TASK, Note, Task, put_together
from store.derive.events import START as TASK_START
from store.errors import UnreadableError
from store.files.beneath import Blob, Root
from store.files.json_read import DamagedJsonError, Line, Parsed, load_map
from store.findings import (
    START,
    UNREADABLE,
    AgentFound,
    EventFound,
    Findings,
    Flaw,
    Json,
    Mark,
    MeasureFound,
    Severity,
)
from store.formats.growing import (
    MOST_FLAWS,
    Leave,
    Record,
    Taker,
    TakerOf,
    read_on,
    resumed,
)
from store.formats.kei.format import shape_of, text
from store.text import regex
from store.times import Instant
from store.times import parse as parse_instant

# What is wrong with a line of a journal.


def unreadable(error: UnreadableError) -> Flaw:
    """The flaw of a file that could not be read."""
    return Flaw(code=UNREADABLE, message=str(error), severity=Severity.ERROR)


def oddity(line: Line, parsed: Parsed) -> Flaw | None:
    """What is wrong with a line besides its records."""
    values, problem = parsed.values, parsed.problem
    records = sum(isinstance(value, dict) for value in values)
    code, severity = "broken-line", Severity.WARNING if records else Severity.ERROR
    if line.raw is None:
        message = str(problem)
    elif problem:
        message = f"Damaged line. {problem}"
    elif records < len(values):
        code, severity = "no-record", Severity.WARNING
        message = "Not a record: the line is valid JSON but not an object."
    else:
        return None
    return Flaw(code=code, message=message, severity=severity, line=line.number)


def read_growing(
    root: Root, path: str, since: Mark, taker_of: TakerOf, leave: Leave | None = None
) -> Findings:
    """One piece of a file from a mark on; never raises because of content."""
    try:
        with root.opened(path) as file:
            past, anew = resumed(file, since)
            return read_on(file, past, taker_of, leave, anew=anew)
    except UnreadableError as error:
        return Findings(flaws=(unreadable(error),), mark=since)


# Typed access to the values of records.

_LONGEST_NUMBER = 300
_LARGEST = 2**63


def number(value: Json) -> float | None:
    """A finite number, also if written as text."""
    if isinstance(value, str):
        try:
            value = float(value) if len(value) <= _LONGEST_NUMBER else None
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    finite = abs(value) < _LARGEST and not math.isnan(value)
    return float(value) if finite else None


def whole(value: Json) -> int | None:
    """An integer that fits the catalogue."""
    fits = type(value) is int and abs(value) < _LARGEST
    return value if fits and isinstance(value, int) else None


def instant(value: Json) -> Instant | None:
    """A time in any of the writers' formats."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return parse_instant(value) if value != "" else None


def valid_instant(record: Record, *keys: str) -> Instant | None:
    """The first of these fields with a valid time."""
    found = (instant(record.get(key)) for key in keys)
    return next((one for one in found if one and one.micros is not None), None)


def without(record: Record, used: Iterable[str]) -> Record:
    """The remaining fields of a record."""
    taken = frozenset(used)
    return {key: value for key, value in record.items() if key not in taken}


# Lines of the metrics journals: sessions, claims and tool usage of agents.

_TIER = regex(r"^(?:REAL|FROM-JOURNAL|ESTIMATE-HTC):\s*")
_POINTER = regex(r"([\w.\-]{1,200}\.jsonl)#(\S[^\n]{0,499})")

UNKNOWN_SESSION = "unknown"
"""What the timer writes without a session."""

_SESSION = ("kind", "id", "start_epoch", "end_epoch", "duration_s", "ts")
_CLAIM = ("kind", "value", "evidence_tier", "pointer", "ts", "session_id")
_COUNTED = ("tool_use_count", "tokens_in", "tokens_out", "cache_read", "cache_write")
_MS = 1000


def points_to(pointer: str) -> tuple[str, str] | None:
    """The journal and the identifier or name there of the record that proves a claim.

    None if the pointer does not refer to a journal.
    """
    found = _POINTER.search(_TIER.sub("", pointer))
    return (found[1], found[2].strip()) if found else None


def measure_of(record: Record, line: int) -> MeasureFound | None:
    """The metric in a line; tasks are assembled from several lines."""
    at = instant(record.get("ts"))
    match shape_of(record):
        case "session":
            own = text(record, "id")
            return MeasureFound(
                kind="session",
                line=line,
                id=own,
                session=None if own == UNKNOWN_SESSION else own,
                start=instant(record.get("start_epoch")),
                end=instant(record.get("end_epoch")),
                duration_s=number(record.get("duration_s")),
                at=at,
                fields=without(record, _SESSION),
            )
        case "claim":
            pointer, fields = text(record, "pointer"), without(record, _CLAIM)
            proof = points_to(pointer) if pointer else None
            if proof:
                fields["points_to"] = {"file": proof[0], "id": proof[1]}
            return MeasureFound(
                kind="claim",
                line=line,
                session=text(record, "session_id"),
                metric=record.get("value"),
                source=text(record, "evidence_tier"),
                at=at,
                pointer=pointer,
                fields=fields,
            )
        case "toolstats":
            took = number(record.get("duration_ms"))
            counts = {key: whole(record.get(key)) for key in _COUNTED}
            metric: Record = {key: n for key, n in counts.items() if n is not None}
            return MeasureFound(
                kind="toolstats",
                line=line,
                id=text(record, "agent_id"),
                duration_s=None if took is None else took / _MS,
                metric=metric or None,
                at=at,
                fields=without(record, ("agent_id", "ts", *_COUNTED)),
            )
        case _:
            return None


# The journal of agents: launches, completions, tools and skills used.


def agent_events(record: Record, line: int) -> Sequence[EventFound] | None:
    """The event in a line; None if there is no event."""
    kind = text(record, "event")
    if kind is None:
        return None
    tool = text(record, "tool")
    event = EventFound(
        kind=kind,
        line=line,
        session=text(record, "session_id", "sessionId"),
        at=valid_instant(record, "ts"),
        tool=tool,
        is_error=record.get("success") is False or record.get("outcome") == "fail",
        event_class=f"{kind}:{tool}" if tool else kind,
        message=_words(kind, record) or None,
    )
    return [event]


def _words(kind: str, record: Record) -> str | None:
    """A one-line description of it."""
    match kind:
        case "agent_spawn":
            keys = ("subagent_type", "model", "branch")
            about = " · ".join(filter(None, (text(record, key) for key in keys)))
            return ": ".join(filter(None, (about, text(record, "prompt_preview"))))
        case "agent_done":
            took = number(record.get("duration_ms"))
            uses = number(record.get("tool_use_count"))
            cost = number(record.get("cost_usd"))
            parts = (
                text(record, "outcome"),
                None if took is None else f"{took / _MS:g} s",
                None if uses is None else f"{uses:g} tool uses",
                None if cost is None else f"${cost:g}",
            )
            return " · ".join(filter(None, parts))
        case "skill_use":
            return text(record, "skill")
        case _:
            return text(record, "agent_id")


# The journal of tasks: four writers, four forms, one list of tasks.
#
# It is read in full on every change, because a line can change the meaning of earlier
# ones. The lines of a task are combined; each is still available in `records`.

_NOTIFICATION = "task-notification"
"""The writer that learns when background agents finish."""

_TASK = (
    *("kind", "name", "id", "start_epoch", "end_epoch", "duration_s", "exit"),
    *("metric", "source", "ts"),
)


def measures_of_tasks(lines: Iterable[tuple[int, Record]]) -> list[MeasureFound]:
    """The tasks in the lines of a journal."""
    records = {line: record for line, record in lines if shape_of(record) == "task"}
    notes = (
        Note(
            line=line,
            kind=text(record, "kind") or TASK,
            name=text(record, "name"),
            id=text(record, "id"),
            duration=number(record.get("duration_s")),
            notified=record.get("source") == _NOTIFICATION,
        )
        for line, record in records.items()
    )
    return [_task(task, records) for task in put_together(notes)]


def _task(task: Task, by_line: dict[int, Record]) -> MeasureFound:
    records = [by_line[note.line] for note in task.notes]
    best = by_line[task.best.line]
    starts = (instant(record.get("start_epoch")) for record in records)
    start = next(filter(None, starts), None)
    fields: Record = {"state": task.state, "shape": task.best.kind}
    for record in reversed(records):
        fields |= without(record, _TASK)
    if len(records) > 1:
        fields["lines"] = [note.line for note in task.notes]
        fields["records"] = list[Json](records)

    def word(key: str) -> str | None:
        return next(filter(None, (text(record, key) for record in records)), None)

    def value(key: str) -> Json:
        values = (record.get(key) for record in records)
        return next((value for value in values if value is not None), None)

    tokens = value("total_tokens")
    counted: Json = None if tokens is None else {"total_tokens": tokens}
    metric = value("metric")
    return MeasureFound(
        kind="task",
        line=task.best.line,
        name=word("name") or word("desc") or word("id"),
        id=word("id"),
        start=start,
        end=None if task.best.kind == TASK_START else _end(task, best, start),
        duration_s=task.best.duration,
        exit=whole(best.get("exit")),
        metric=counted if metric is None else metric,
        source=text(best, "source") or word("source"),
        at=instant(best.get("ts")),
        fields=fields,
    )


def _end(task: Task, best: Record, start: Instant | None) -> Instant | None:
    """When it ended: the end in its line, or its start plus its duration."""
    end, took = instant(best.get("end_epoch")), task.best.duration
    if end or start is None or start.micros is None or took is None:
        return end
    return parse_instant(start.micros // 1_000_000 + round(took))


# The journals in `time-metrics`, and that of agents, line by line.

Found = EventFound | MeasureFound | AgentFound
Reading = Callable[[Record, int], Sequence[Found] | None]
"""What is in a line; None if it is of an unknown form."""


class JournalReader(Struct):
    """Reads a journal whose lines are independent of each other."""

    reading: Reading
    parts: list[Found] = field(default_factory=list[Found])
    flaws: list[Flaw] = field(default_factory=list[Flaw])

    def take(self, record: Record, line: Line, ordinal: int, *, sound: bool) -> bool:
        """Read one line."""
        del ordinal, sound
        found = self.reading(record, line.number)
        if found is None:
            self.flaws.append(_unknown(line.number))
        else:
            self.parts += found
        return True

    def odd(self, line: Line, parsed: Parsed) -> Flaw | None:
        """What is wrong with a line."""
        return oddity(line, parsed)

    def state(self) -> tuple[Json, bytes]:
        """Only that there was an earlier piece, as each line is independent."""
        return True, b""

    def found(self) -> Findings:
        """All findings."""
        return Findings(
            events=tuple(one for one in self.parts if isinstance(one, EventFound)),
            measures=tuple(one for one in self.parts if isinstance(one, MeasureFound)),
            agents=tuple(one for one in self.parts if isinstance(one, AgentFound)),
            flaws=tuple(self.flaws),
        )


def figures(record: Record, line: int) -> Sequence[MeasureFound] | None:
    """A line of a metrics journal."""
    if shape_of(record) == "task":
        return measures_of_tasks([(line, record)])
    measure = measure_of(record, line)
    return [measure] if measure else None


def read_tasks(root: Root, path: str, leave: Leave | None) -> Findings:
    """Read a whole journal of tasks, as a line can change the meaning of earlier ones.

    Lines with other metrics are read as well.
    """
    lines: list[tuple[int, Record]] = []

    def gather(record: Record, line: int) -> Sequence[Found]:
        lines.append((line, record))
        return ()

    def taker_of(known: Json, _raw: bytes) -> Taker:
        if known is None:  # from the beginning
            lines.clear()
        return JournalReader(gather)

    piece = read_growing(root, path, START, taker_of, leave)
    flaws = list(piece.flaws)
    while piece.more:
        piece = read_growing(root, path, piece.mark, taker_of, leave)
        flaws += piece.flaws
    others = (measure_of(record, number) for number, record in lines)
    found = [measure for measure in others if measure] + measures_of_tasks(lines)
    unknown = [_unknown(n) for n, record in lines if shape_of(record) is None]
    return Findings(
        measures=tuple(sorted(found, key=lambda measure: measure.line)),
        flaws=(*flaws, *unknown[:MOST_FLAWS]),
        tail=piece.tail,
    )


def _unknown(line: int) -> Flaw:
    """The flaw of a line of unknown form."""
    return Flaw(code="unknown-record", message="Unknown kind of record.", line=line)


# Markers that a timer leaves while something runs; they may be left over.

_LONGEST_EPOCH = 18


def read_marker(path: str, blob: Blob) -> Findings:
    """The running session or task, as far as its marker shows."""
    file = PurePosixPath(path).name
    name = file.removesuffix(".start")
    session = name.removeprefix(".session-") if name.startswith(".session-") else None
    record = _marked(blob.raw)
    start = instant(record.get("start_epoch"))
    measure = MeasureFound(
        kind="task" if session is None else "session",
        line=1,
        name=text(record, "desc"),
        id=text(record, "id") or name.removeprefix(".session-").removeprefix(".task-"),
        session=session,
        start=start,
        source=file,
        fields={"state": RUNNING, **without(record, ("id", "desc", "start_epoch"))},
    )
    flaw = Flaw(code="no-start", message="The marker has no start time.")
    has_start = start is not None and start.micros is not None
    return Findings(measures=(measure,), flaws=() if has_start else (flaw,))


def _marked(raw: bytes) -> Record:
    """The content of a marker: seconds since 1970, or an object that contains them."""
    words = raw.decode("utf-8", errors="replace").strip()
    if words.isascii() and words.isdigit() and len(words) <= _LONGEST_EPOCH:
        return {"start_epoch": int(words)}
    with suppress(DamagedJsonError):
        return load_map(raw)
    return {}
