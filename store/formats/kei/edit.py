"""What each intent appends to the journals."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from store.edits.draft import (
    AppendStep,
    Changeable,
    Draft,
    FileStep,
    Form,
    Known,
    behind,
)
from store.errors import NotPossibleError, UnknownKindError, UnreadableError
from store.files.json_edit import one_line
from store.files.json_read import parse
from store.findings import Json
from store.formats.kei.journals import number, whole
from store.formats.kei.layout import METRICS, Reach, Role
from store.kinds.conversations import Conversation
from store.kinds.journals import Measure
from store.kinds.messages import Message
from store.machine import Machine
from store.records.intents import Append, Intent
from store.resource import Closing

# Journal lines as their writers write them: one compact map, keys in order.
#
# A task has the form that the kit asks agents to use, a claim the form of the kit's own
# hook.

TIERS = ("REAL", "FROM-JOURNAL", "ESTIMATE-HTC")
"""The reliability of a number: measured, from a journal, estimated."""

LONGEST_VALUE = 60
"""Characters of a claimed value that the kit's own writer stores."""

Fields = Mapping[str, Json]
Record = dict[str, Json]

_TASK = ("name", "start_epoch", "end_epoch", "duration_s", "exit", "metric", "source")
_CLAIM = ("value", "evidence_tier", "pointer", "session_id")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def task(fields: Fields, now: int) -> Record:
    """A completed task: its name and duration."""
    told = _known(fields, (*_TASK, "ts"))
    _times(told)
    if not isinstance(told.get("name"), str) or not told["name"]:
        raise NotPossibleError("A task needs a `name`.")
    if number(told.get("duration_s")) is None:
        raise NotPossibleError("A task needs a `duration_s` in seconds.")
    if not isinstance(told.get("metric"), dict | None):
        raise NotPossibleError("`metric` must be a map.")
    return _record("task", told, _TASK, now)


def claim(fields: Fields, now: int) -> Record:
    """A claimed number, its reliability, and where it can be verified."""
    told = _known(fields, (*_CLAIM, "ts"))
    tier = told.get("evidence_tier")
    if tier not in TIERS:
        raise NotPossibleError(
            f"Invalid `evidence_tier`; choose from {', '.join(TIERS)}."
        )
    for name in ("value", "pointer", "session_id"):
        if not isinstance(told.get(name, ""), str):
            raise NotPossibleError(f"`{name}` must be text.")
    value = str(told.get("value", "")).strip()
    if len(value) > LONGEST_VALUE:
        sentence = f"The claim has {len(value)} characters; "
        raise NotPossibleError(f"{sentence}the limit is {LONGEST_VALUE}.")
    if not told.get("pointer"):
        raise NotPossibleError("A claim needs a `pointer` to its evidence.")
    return _record("claim", told | {"value": value}, _CLAIM, now)


KINDS: Mapping[str, Callable[[Fields, int], Record]] = {"task": task, "claim": claim}
"""What can be appended, by its word."""


def _record(kind: str, told: Record, order: tuple[str, ...], now: int) -> Record:
    """The record, with its keys in the writer's order."""
    moment = told.get("ts") or _moment(now)
    if not isinstance(moment, str) or not _INSTANT.fullmatch(moment):
        raise NotPossibleError("Invalid `ts`; write it like 2026-01-31T12:00:00Z.")
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
        raise NotPossibleError(f"Unknown field {unknown!r} (choose from {known}).")
    return dict(fields)


def _times(told: Record) -> None:
    """Whole seconds; of start, end and duration, the third is computed from two."""
    for name in ("start_epoch", "end_epoch", "exit"):
        if told.get(name) is not None and whole(told[name]) is None:
            raise NotPossibleError(f"`{name}` must be a whole number.")
    start, end = whole(told.get("start_epoch")), whole(told.get("end_epoch"))
    if told.get("duration_s") is None and start is not None and end is not None:
        told["duration_s"] = end - start
    took = number(told.get("duration_s"))
    if took is not None and took < 0:
        raise NotPossibleError("The task ends before it starts.")


def _moment(now: int) -> str:
    return f"{datetime.fromtimestamp(now // 1_000_000, UTC):%Y-%m-%dT%H:%M:%SZ}"


# Work out what a change would write into a store of the kit.
#
# The kit's hooks only append, its programs rely on that, and none of them takes a lock.
# So only appending a line to the journals that people write to is possible.

APPEND_ONLY = "KeiSeiKit journals are append-only; existing lines can't be changed."
TRACES_STAY = "Session traces are read-only copies; KeiSeiKit doesn't allow changes."

_JOURNALS = {
    "task": f"{METRICS}/tasks.jsonl",
    "claim": f"{METRICS}/numeric-claims.jsonl",
}
_WORDS = ("set", "edit", "delete", "archive")


class KeiScribe(Closing):
    """Reads the journals of one store, and writes nothing."""

    def __init__(self, path: Path) -> None:
        self._reach = Reach(path, Machine.this())

    def possible(self, record: Changeable | None) -> Mapping[str, str]:
        """A line can be appended to a journal; existing lines stay."""
        if record is None:
            return {"append": ""}
        if isinstance(record, Conversation | Message):
            return dict.fromkeys(_WORDS, TRACES_STAY)
        is_figure = isinstance(record, Measure)
        return dict.fromkeys(_WORDS, APPEND_ONLY) if is_figure else {}

    def form(self, record: Changeable) -> Form:
        """Always raises, as nothing here can be edited."""
        reason = next(iter(self.possible(record).values()), APPEND_ONLY)
        raise NotPossibleError(reason)

    def draft(
        self, intent: Intent, records: Sequence[Changeable], known: Known, now: int
    ) -> Draft:
        """The line to append, with its journal."""
        del known
        if not isinstance(intent, Append) or intent.kind not in KINDS:
            first = records[0] if records else None
            reason = self.possible(first).get(intent.word) if first else None
            if reason:
                raise NotPossibleError(reason)
            raise UnknownKindError(APPEND_ONLY)
        record = KINDS[intent.kind](intent.fields, now)
        step = self._step(intent.kind, record)
        what = record.get("name") or record.get("value") or record.get("pointer")
        action = f"{intent.word} the {intent.kind} “{what}”"
        if intent.kind == "claim" and _stands_last(step, record):
            told = "This claim is already the last line; it won't be added again."
            return Draft(action=action, steps=(), warnings=(told,))
        return Draft(action=action, steps=(step,))

    def close(self) -> None:
        """Close the store."""
        self._reach.close()

    def _step(self, kind: str, record: Record) -> AppendStep | FileStep:
        """The step that appends a line, or creates a journal with it."""
        place, path, folder = self._journal(kind)
        if not self._is_there(path):
            after = one_line(record) + b"\n"
            return FileStep(path=place, before=None, after=after, root=folder)
        step = behind(*self._reach.of(path), [one_line(record)])
        if step is None:
            raise NotPossibleError(f"Too long for one line of {path}.")
        return replace(step, root=folder)

    def _journal(self, kind: str) -> tuple[str, str, Path | None]:
        """The journal's path in its folder and in the store, and an outside folder."""
        path = _JOURNALS[kind]
        for one, _ in self._reach.elsewhere():
            if kind == "task" and one.role is Role.TASKS:
                return one.file.name, one.path, one.file.parent
        return path, path, None

    def _is_there(self, path: str) -> bool:
        """Whether the journal exists yet."""
        root, name = self._reach.of(path)
        folder, _, last = name.rpartition("/")
        try:
            return any(entry.name == last for entry in root.entries(folder))
        except UnreadableError:
            return False


def _stands_last(step: AppendStep | FileStep, record: Record) -> bool:
    """Whether the last line has the same value and time, which the kit checks too."""
    before = step.end.tail if isinstance(step, AppendStep) else b""
    line = before.rstrip().rpartition(b"\n")[2]
    return any(
        isinstance(value, dict)
        and value.get("value") == record.get("value")
        and value.get("ts") == record["ts"]
        for value in parse(line).values
    )
