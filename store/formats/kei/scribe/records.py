"""Lines of the journals as their writers write them: one map, compact, keys in order.

A task is told as agents are asked to tell it, a claim as the kit's own hook does.
"""

import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from store.edits.refusals import NotPossibleError
from store.findings import Json
from store.formats.kei.values import number, whole

TIERS = ("REAL", "FROM-JOURNAL", "ESTIMATE-HTC")
"""How sure a figure is: measured, read in a journal, estimated."""

LONGEST_VALUE = 60
"""How much of what is claimed the kit's own writer keeps."""

Fields = Mapping[str, Json]
Record = dict[str, Json]

_TASK = ("name", "start_epoch", "end_epoch", "duration_s", "exit", "metric", "source")
_CLAIM = ("value", "evidence_tier", "pointer", "session_id")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def task(fields: Fields, now: int) -> Record:
    """A task that is done: what it is called, and how long it took."""
    told = _known(fields, (*_TASK, "ts"))
    _times(told)
    if not isinstance(told.get("name"), str) or not told["name"]:
        raise NotPossibleError("A task needs a `name`.")
    if number(told.get("duration_s")) is None:
        raise NotPossibleError("A task needs its `duration_s`: how many seconds.")
    if not isinstance(told.get("metric"), dict | None):
        raise NotPossibleError("What was counted, `metric`, ought to be a map.")
    return _record("task", told, _TASK, now)


def claim(fields: Fields, now: int) -> Record:
    """A figure that is claimed, how sure it is, and where that can be seen."""
    told = _known(fields, (*_CLAIM, "ts"))
    tier = told.get("evidence_tier")
    if tier not in TIERS:
        raise NotPossibleError(f"`evidence_tier` is one of {', '.join(TIERS)}.")
    for name in ("value", "pointer", "session_id"):
        if not isinstance(told.get(name, ""), str):
            raise NotPossibleError(f"`{name}` ought to be text.")
    value = str(told.get("value", "")).strip()
    if len(value) > LONGEST_VALUE:
        sentence = f"What is claimed has {len(value)} characters; "
        raise NotPossibleError(f"{sentence}{LONGEST_VALUE} are kept.")
    if not told.get("pointer"):
        raise NotPossibleError("A claim needs a `pointer` to what proves it.")
    return _record("claim", told | {"value": value}, _CLAIM, now)


KINDS: Mapping[str, Callable[[Fields, int], Record]] = {"task": task, "claim": claim}
"""What is added, by the word for it."""


def spelt(record: Record) -> bytes:
    """A record on one line."""
    try:
        text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(record, separators=(",", ":")).encode()


def _record(kind: str, told: Record, order: tuple[str, ...], now: int) -> Record:
    """The record, its keys in the order that its writer has them in."""
    moment = told.get("ts") or _moment(now)
    if not isinstance(moment, str) or not _INSTANT.fullmatch(moment):
        raise NotPossibleError("`ts` ought to be like 2026-01-31T12:00:00Z.")
    kept = {name: told[name] for name in order if told.get(name) is not None}
    if kind == "task":
        return {"kind": kind, **kept, "ts": moment}
    session = kept.pop("session_id", None)
    record: Record = {"kind": kind, **kept, "ts": moment}
    return record if session is None else record | {"session_id": session}


def _known(fields: Fields, names: tuple[str, ...]) -> Record:
    unknown = next((name for name in fields if name not in names), None)
    if unknown is not None:
        known = ", ".join(names)
        raise NotPossibleError(f"There is no field {unknown!r} there, only {known}.")
    return dict(fields)


def _times(told: Record) -> None:
    """Whole seconds; what two of three tell, the third is worked out from."""
    for name in ("start_epoch", "end_epoch", "exit"):
        if told.get(name) is not None and whole(told[name]) is None:
            raise NotPossibleError(f"`{name}` ought to be a whole number.")
    start, end = whole(told.get("start_epoch")), whole(told.get("end_epoch"))
    if told.get("duration_s") is None and start is not None and end is not None:
        told["duration_s"] = end - start
    took = number(told.get("duration_s"))
    if took is not None and took < 0:
        raise NotPossibleError("It ends before it begins.")


def _moment(now: int) -> str:
    return f"{datetime.fromtimestamp(now // 1_000_000, UTC):%Y-%m-%dT%H:%M:%SZ}"
