"""The journals: metrics, tasks, events of agents."""

import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from msgspec import Struct, convert, field
from msgspec.structs import asdict, replace

from store.derive.events import START as EVENTS_START
from store.derive.events import TASK, Note, Task, put_together
from store.errors import UnreadableError
from store.files.beneath import OpenFile, Root
from store.files.json_read import PIECE, Line, Parsed, parse, seal, split_lines
from store.findings import (
    START,
    UNREADABLE,
    EventFound,
    Findings,
    Flaw,
    Json,
    Mark,
    MeasureFound,
    Severity,
)
from store.times import Instant
from store.times import parse as parse_times

# A file of JSON lines that is appended to: read on from where reading ended.
#
# The mark between two readings holds the next line's number, the state of the record
# reader, and a checksum of everything before it: if that changes, the file was
# rewritten, and reading starts over.

Record = dict[str, Json]

MOST_FLAWS = 100
"""The most damaged lines reported per file."""


class Entry(NamedTuple):
    """One record of a file, and its line."""

    record: Record
    line: Line
    sound: bool
    """Whether it is the only value on a line of valid JSON."""
    ordinal: int
    """Its index among the values on the line."""


class RecordReader(Protocol):
    """Processes the records of one file in order."""

    def take(self, entry: Entry) -> bool:
        """Process a record; return False if this requires reading the file again."""
        ...

    def broken(self, line: Line) -> None:
        """Process a line without a record."""
        ...

    def knows(self) -> Json:
        """The state needed to resume."""
        ...

    def found(self) -> Findings:
        """The findings since the reader was created."""
        ...


ReaderOf = Callable[[Json], RecordReader]
"""Creates a reader from the state of an earlier one."""

Leave = Callable[[Line], bool]
"""Whether to skip a line."""


class _Past(Struct):
    """The stored state about everything before the mark."""

    offset: int = 0
    number: int = 1
    until: int = 0
    """The end of everything read, which is after the mark if a line had no newline."""
    done: int = 0
    """The number of values read on that line."""
    flaws: int = 0
    """The number of flaws reported."""
    known: Any = None
    """What the reader knows."""
    seal: int = 0
    """The checksum of everything before `until`."""


class _Piece(Struct):
    """The result of one read."""

    past: _Past
    flaws: list[Flaw] = field(default_factory=list[Flaw])
    tail: Flaw | None = None
    more: bool = False


class _AnewError(Exception):
    """Everything read before has to be read again."""


def read_growing(
    root: Root,
    path: str,
    since: Mark,
    reader_of: ReaderOf,
    leave: Leave | None = None,
) -> Findings:
    """One piece of a file from a mark on; never raises because of content.

    Lines for which `leave` is true are skipped like blank ones.
    """
    try:
        with root.opened(path) as file:
            past = _remembered(file, since)
            if past:
                with suppress(_AnewError):
                    return _read(file, past, reader_of, leave)
            return replace(_read(file, _Past(), reader_of, leave), anew=True)
    except UnreadableError as error:
        flaw = Flaw(code=UNREADABLE, message=str(error), severity=Severity.ERROR)
        return Findings(flaws=(flaw,), mark=since)


def _read(
    file: OpenFile, past: _Past, reader_of: ReaderOf, leave: Leave | None
) -> Findings:
    reader = reader_of(past.known)
    piece = _Piece(replace(past))
    for line in split_lines(file, past.offset, past.number):
        if piece.past.offset - past.offset >= PIECE:
            piece.more = True
            break
        parsed = Parsed((), None) if line.raw is None else parse(line.raw)
        known = past.done if line.offset == past.offset else 0
        if known and (known != len(parsed.values) or parsed.problem):
            raise _AnewError
        if not line.ended and not _is_whole(parsed):
            piece.tail = _tail(line)
            break
        if not known and (leave is None or not leave(line)):
            _take(reader, piece, line, parsed)
        _go_on(piece.past, line, len(parsed.values))
    found = reader.found()
    piece.past.known = reader.knows()
    return replace(
        found,
        flaws=tuple(sorted((*found.flaws, *piece.flaws), key=_line_of)),
        tail=piece.tail,
        mark=_mark(file, piece.past),
        more=piece.more,
    )


def _take(reader: RecordReader, piece: _Piece, line: Line, parsed: Parsed) -> None:
    """Process the records of a line, and note anything else on it."""
    values = parsed.values
    sound = parsed.problem is None and len(values) == 1
    records = 0
    for ordinal, value in enumerate(values):
        if isinstance(value, dict):
            records += 1
            if not reader.take(Entry(value, line, sound, ordinal)):
                raise _AnewError
    if not sound:
        reader.broken(line)
    flaw = _flaw(line, parsed, records)
    if flaw:
        piece.past.flaws += 1
        if piece.past.flaws <= MOST_FLAWS:
            piece.flaws.append(flaw)


def _flaw(line: Line, parsed: Parsed, records: int) -> Flaw | None:
    if line.raw is None:
        sentence = "Line too long to read."
        return _broken(line, sentence, Severity.ERROR)
    if parsed.problem:
        lost = Severity.WARNING if records else Severity.ERROR
        return _broken(line, f"Damaged line. {parsed.problem}", lost)
    if records < len(parsed.values):
        return Flaw(
            code="no-record",
            message="Not a record: the line is valid JSON but not an object.",
            line=line.number,
        )
    return None


def _broken(line: Line, sentence: str, severity: Severity) -> Flaw:
    return Flaw(
        code="broken-line", message=sentence, severity=severity, line=line.number
    )


def _is_whole(parsed: Parsed) -> bool:
    """Whether a line without a newline is complete."""
    whole = parsed.values and parsed.problem is None
    return bool(whole) and isinstance(parsed.values[-1], dict)


def _line_of(flaw: Flaw) -> int:
    return flaw.line or 0


def _tail(line: Line) -> Flaw:
    return Flaw(
        code="unfinished-line",
        message="The last line is still being written.",
        severity=Severity.NOTE,
        line=line.number,
    )


def _go_on(past: _Past, line: Line, values: int) -> None:
    """Move the mark past a line; a line without a newline will be read again."""
    past.until = line.offset + line.size
    past.offset = past.until if line.ended else line.offset
    past.number = line.number + 1 if line.ended else line.number
    past.done = 0 if line.ended else values


def _mark(file: OpenFile, past: _Past) -> Mark:
    if not past.until:
        return START
    noted = asdict(replace(past, seal=seal(file, past.until)))
    return Mark(past.offset, json.dumps(noted).encode())


def _remembered(file: OpenFile, since: Mark) -> _Past | None:
    """The stored state; None if the file was replaced since."""
    if not since.memory:
        return _Past()
    try:
        past = convert(json.loads(since.memory), _Past)
    except ValueError:
        return None
    return past if past.seal == seal(file, past.until) else None


# Typed access to the values of records.

_LONGEST_NUMBER = 300
_LARGEST = 2**63


def text(record: Record, *keys: str) -> str | None:
    """The first of these fields with a non-empty text."""
    values = (record.get(key) for key in keys)
    return next((v for v in values if isinstance(v, str) and v), None)


def number(value: Json) -> float | None:
    """A finite number, also if written as text."""
    if isinstance(value, str):
        return _spelt(value)
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
    return parse_times(value) if value != "" else None


def told(record: Record, *keys: str) -> Instant | None:
    """The first of these fields with a valid time."""
    found = (instant(record.get(key)) for key in keys)
    return next((one for one in found if one and one.micros is not None), None)


def without(record: Record, used: Iterable[str]) -> Record:
    """The remaining fields of a record."""
    taken = frozenset(used)
    return {key: value for key, value in record.items() if key not in taken}


def _spelt(value: str) -> float | None:
    if len(value) > _LONGEST_NUMBER:
        return None
    try:
        return number(float(value))
    except ValueError:
        return None


# Lines of the metrics journals: sessions, claims and tool usage of agents.

_TIERS = "REAL|FROM-JOURNAL|ESTIMATE-HTC"
_TIER = re.compile(rf"^(?:{_TIERS}):\s*")
_POINTER = re.compile(r"([\w.\-]{1,200}\.jsonl)#(\S[^\n]{0,499})")

UNKNOWN_SESSION = "unknown"
"""What the timer writes without a session."""

_TIMES = ("start_epoch", "end_epoch", "duration_s", "ts")
_SESSION = ("kind", "id", *_TIMES)
_CLAIM = ("kind", "value", "evidence_tier", "pointer", "ts", "session_id")
_COUNTED = ("tool_use_count", "tokens_in", "tokens_out", "cache_read", "cache_write")
_TOOLSTATS = ("agent_id", "ts", *_COUNTED)


class PointsTo(NamedTuple):
    """The record that should prove a claim."""

    file: str
    """The name of its journal."""
    id: str
    """Its identifier or name there."""


def shape_of(record: Record) -> str | None:
    """The type of a journal line; None if unknown."""
    kind = text(record, "kind")
    if kind in {"session", "claim"}:
        return kind
    if kind in {"task", "start", "stop"}:
        return "task"
    if isinstance(record.get("agent_id"), str) and _is_toolstats(record):
        return "toolstats"
    return None


def measure_of(record: Record, line: int) -> MeasureFound | None:
    """The metric in a line; tasks are assembled from several lines."""
    match shape_of(record):
        case "session":
            return _session(record, line)
        case "claim":
            return _claim(record, line)
        case "toolstats":
            return _toolstats(record, line)
        case _:
            return None


def points_to(pointer: str) -> PointsTo | None:
    """The record that a pointer refers to; None if it does not refer to a journal."""
    found = _POINTER.search(_TIER.sub("", pointer))
    return PointsTo(found[1], found[2].strip()) if found else None


def _is_toolstats(record: Record) -> bool:
    return "outcome" in record or "tool_stats" in record


def _session(record: Record, line: int) -> MeasureFound:
    own = text(record, "id")
    return MeasureFound(
        kind="session",
        line=line,
        id=own,
        session=None if own == UNKNOWN_SESSION else own,
        start=instant(record.get("start_epoch")),
        end=instant(record.get("end_epoch")),
        duration_s=number(record.get("duration_s")),
        at=instant(record.get("ts")),
        fields=without(record, _SESSION),
    )


def _claim(record: Record, line: int) -> MeasureFound:
    pointer = text(record, "pointer")
    proof = points_to(pointer) if pointer else None
    fields = without(record, _CLAIM)
    if proof:
        fields["points_to"] = {"file": proof.file, "id": proof.id}
    return MeasureFound(
        kind="claim",
        line=line,
        session=text(record, "session_id"),
        metric=record.get("value"),
        source=text(record, "evidence_tier"),
        at=instant(record.get("ts")),
        pointer=pointer,
        fields=fields,
    )


def _toolstats(record: Record, line: int) -> MeasureFound:
    took = number(record.get("duration_ms"))
    counted: Record = {
        key: value for key in _COUNTED if (value := whole(record.get(key))) is not None
    }
    metric: Json = counted or None
    return MeasureFound(
        kind="toolstats",
        line=line,
        id=text(record, "agent_id"),
        duration_s=None if took is None else took / 1000,
        metric=metric,
        at=instant(record.get("ts")),
        fields=without(record, _TOOLSTATS),
    )


# The journal of agents: launches, completions, tools and skills used.

_MS = 1000


def event_of(record: Record, line: int) -> EventFound | None:
    """The event in a line; None if there is no event."""
    kind = text(record, "event")
    if kind is None:
        return None
    tool = text(record, "tool")
    return EventFound(
        kind=kind,
        line=line,
        session=text(record, "session_id", "sessionId"),
        at=told(record, "ts"),
        tool=tool,
        is_error=record.get("success") is False or record.get("outcome") == "fail",
        event_class=f"{kind}:{tool}" if tool else kind,
        message=_words(kind, record) or None,
    )


def _words(kind: str, record: Record) -> str:
    """A one-line description of it."""
    match kind:
        case "agent_spawn":
            kinds = ("subagent_type", "model", "branch")
            about = " · ".join(filter(None, (text(record, key) for key in kinds)))
            return ": ".join(filter(None, (about, text(record, "prompt_preview"))))
        case "agent_done":
            return " · ".join(_done(record))
        case "skill_use":
            return text(record, "skill") or ""
        case _:
            return text(record, "agent_id") or ""


def _done(record: Record) -> list[str]:
    parts = [text(record, "outcome") or ""]
    took = number(record.get("duration_ms"))
    if took is not None:
        parts.append(f"{took / _MS:g} s")
    uses = number(record.get("tool_use_count"))
    if uses is not None:
        parts.append(f"{uses:g} tool uses")
    cost = number(record.get("cost_usd"))
    if cost is not None:
        parts.append(f"${cost:g}")
    return [part for part in parts if part]


# The journal of tasks: four writers, four forms, one list of tasks.
#
# It is read in full on every change, because a line can change the meaning of earlier
# ones. The lines of a task are combined; each is still available in `records`.

NOTIFICATION = "task-notification"
"""The writer that learns when background agents finish."""

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
    """The tasks in the lines of a journal."""
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
    end = None if task.best.kind == EVENTS_START else _end(task, best, start)
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
    """When it ended: the end in its line, or its start plus its duration."""
    told = instant(best.get("end_epoch"))
    took = task.best.duration
    if told or start is None or start.micros is None or took is None:
        return told
    return parse_times(start.micros // 1_000_000 + round(took))


def _metric(records: Sequence[Record]) -> Json:
    """What was counted; for a background agent, its tokens."""
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


# The journals in `time-metrics`, and that of agents, line by line.

Reading = Callable[[Record, int], Findings | None]
"""Turns a line into findings; None if it is unknown."""


class JournalReader(Struct):
    """Reads a journal whose lines are independent of each other."""

    reading: Reading
    parts: list[Findings] = field(default_factory=list[Findings])
    flaws: list[Flaw] = field(default_factory=list[Flaw])

    def take(self, entry: Entry) -> bool:
        """Read one line."""
        found = self.reading(entry.record, entry.line.number)
        if found is None:
            self.flaws.append(unknown(entry.line.number))
        else:
            self.parts.append(found)
        return True

    def broken(self, line: Line) -> None:
        """Ignore lines without records."""

    def knows(self) -> Json:
        """None, as each line is independent."""
        return None

    def found(self) -> Findings:
        """All findings."""
        return Findings(
            events=tuple(e for part in self.parts for e in part.events),
            measures=tuple(m for part in self.parts for m in part.measures),
            agents=tuple(a for part in self.parts for a in part.agents),
            flaws=tuple(self.flaws),
        )


def figures(record: Record, line: int) -> Findings | None:
    """A line of a metrics journal."""
    measure = measure_of(record, line)
    if measure is None and shape_of(record) == "task":
        return Findings(measures=tuple(measures_of_tasks([(line, record)])))
    return Findings(measures=(measure,)) if measure else None


def agent_events(record: Record, line: int) -> Findings | None:
    """A line of the journal of agents."""
    event = event_of(record, line)
    return Findings(events=(event,)) if event else None


def read_tasks(root: Root, path: str, leave: Leave | None) -> Findings:
    """Read a whole journal of tasks, as a line can change the meaning of earlier ones.

    Lines with other metrics are read as well.
    """
    gathered = _Gathered()
    flaws: list[Flaw] = []
    piece = read_growing(root, path, START, gathered.anew, leave)
    while piece.more:
        flaws += piece.flaws
        piece = read_growing(root, path, piece.mark, gathered.anew, leave)
    lines = gathered.lines
    others = (measure_of(record, number) for number, record in lines)
    found = [measure for measure in others if measure] + measures_of_tasks(lines)
    strange = [unknown(n) for n, record in lines if shape_of(record) is None]
    return Findings(
        measures=tuple(sorted(found, key=lambda measure: measure.line)),
        flaws=(*flaws, *piece.flaws, *strange[:MOST_FLAWS]),
        tail=piece.tail,
    )


class _Gathered(Struct):
    """Collects the records of a journal with their line numbers."""

    lines: list[tuple[int, Record]] = field(default_factory=list[tuple[int, Record]])

    def anew(self, known: Json) -> "_Gathered":
        """The reader for the next piece, or for the first."""
        if known is None:
            self.lines.clear()
        return self

    def take(self, entry: Entry) -> bool:
        """Store one record."""
        self.lines.append((entry.line.number, entry.record))
        return True

    def broken(self, line: Line) -> None:
        """Ignore lines without records."""

    def knows(self) -> Json:
        """True, to show that there was an earlier piece."""
        return True

    def found(self) -> Findings:
        """Empty until everything has been read."""
        return Findings()


def unknown(line: int) -> Flaw:
    """The flaw of a line of unknown form."""
    return Flaw(
        code="unknown-record",
        message="Unknown kind of record.",
        line=line,
    )
