"""Lines of the journals of figures: sessions, claims and what tools an agent used."""

import re
from typing import NamedTuple

from store.findings import Json, MeasureFound
from store.formats.kei.growing import Record
from store.formats.kei.values import instant, number, text, whole, without

_TIERS = "REAL|FROM-JOURNAL|ESTIMATE-HTC"
_TIER = re.compile(rf"^(?:{_TIERS}):\s*")
_POINTER = re.compile(r"([\w.\-]{1,200}\.jsonl)#(\S[^\n]{0,499})")

UNKNOWN_SESSION = "unknown"
"""What the timer writes where it is told no session."""

_TIMES = ("start_epoch", "end_epoch", "duration_s", "ts")
_SESSION = ("kind", "id", *_TIMES)
_CLAIM = ("kind", "value", "evidence_tier", "pointer", "ts", "session_id")
_COUNTED = ("tool_use_count", "tokens_in", "tokens_out", "cache_read", "cache_write")
_TOOLSTATS = ("agent_id", "ts", *_COUNTED)


class PointsTo(NamedTuple):
    """The record that is said to prove a claim."""

    file: str
    """The name of its journal."""
    id: str
    """What it is called there: an identifier or a name."""


def shape_of(record: Record) -> str | None:
    """What a line of a journal tells of; None where that is unknown."""
    kind = text(record, "kind")
    if kind in {"session", "claim"}:
        return kind
    if kind in {"task", "start", "stop"}:
        return "task"
    if isinstance(record.get("agent_id"), str) and _is_toolstats(record):
        return "toolstats"
    return None


def measure_of(record: Record, line: int) -> MeasureFound | None:
    """The figure that a line tells; tasks are put together from several."""
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
    """The record that a pointer names; None where it names none of a journal."""
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
