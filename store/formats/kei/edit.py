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
from store.errors import InvalidError, NotPossibleError, UnknownKindError
from store.files.json_edit import one_line
from store.files.json_read import parse
from store.findings import Json
from store.formats.kei.format import METRICS, Reach, Role
from store.formats.kei.journals import number, whole
from store.formats.port import entries_of
from store.kinds.conversations import Conversation
from store.kinds.journals import Measure
from store.kinds.messages import Message
from store.machine import Machine
from store.records.intents import Append, Intent
from store.resource import Closing
from store.text import guess

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
_NEEDED = ("evidence_tier", "pointer")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def task(fields: Fields, now: int) -> Record:
    """A completed task: its name and duration."""
    given = _known(fields, _TASK)
    _check_times(given)
    is_named = isinstance(given.get("name"), str) and bool(given["name"])
    if not is_named or number(given.get("duration_s")) is None:
        raise InvalidError("A task needs a `name` and a `duration_s` in seconds.")
    if not isinstance(given.get("metric"), dict | None):
        raise InvalidError("`metric` must be a map.")
    return _record("task", given, (*_TASK, "ts"), now)


def claim(fields: Fields, now: int) -> Record:
    """A claimed number, its reliability, and where it can be verified."""
    given = _known(fields, _CLAIM)
    missing = [f"`{name}`" for name in _NEEDED if given.get(name) is None]
    if len(missing) > 1:
        raise InvalidError(
            f"A claim needs {', '.join(missing)}; for `evidence_tier` choose from "
            f"{', '.join(TIERS)}."
        )
    if given.get("evidence_tier") not in TIERS:
        raise InvalidError(f"Invalid `evidence_tier`; choose from {', '.join(TIERS)}.")
    for name in ("value", "pointer", "session_id"):
        if not isinstance(given.get(name, ""), str):
            raise InvalidError(f"`{name}` must be text.")
    value = given["value"] = str(given.get("value", "")).strip()
    if len(value) > LONGEST_VALUE:
        sentence = f"The claim has {len(value)} characters; "
        raise NotPossibleError(f"{sentence}the limit is {LONGEST_VALUE}.")
    if not given.get("pointer"):
        raise InvalidError("A claim needs a `pointer` to its evidence.")
    return _record("claim", given, (*_CLAIM[:-1], "ts", "session_id"), now)


KINDS: Mapping[str, Callable[[Fields, int], Record]] = {"task": task, "claim": claim}
"""What can be appended, by its word."""


def _known(fields: Fields, names: tuple[str, ...]) -> Record:
    names = (*names, "ts")
    unknown = next((name for name in fields if name not in names), None)
    if unknown is not None:
        known = ", ".join(names)
        meant = guess(unknown, names)
        raise InvalidError(f"Unknown field {unknown!r}{meant} (choose from {known}).")
    return dict(fields)


def _check_times(given: Record) -> None:
    """Whole seconds; of start, end and duration, the third is computed from two."""
    for name in ("start_epoch", "end_epoch", "exit"):
        if given.get(name) is not None and whole(given[name]) is None:
            raise InvalidError(f"`{name}` must be a whole number.")
    start, end = whole(given.get("start_epoch")), whole(given.get("end_epoch"))
    if given.get("duration_s") is None and start is not None and end is not None:
        given["duration_s"] = end - start
    took = number(given.get("duration_s"))
    if took is not None and took < 0:
        raise NotPossibleError("The task ends before it starts.")


def _record(kind: str, given: Record, order: tuple[str, ...], now: int) -> Record:
    """The record, with its keys in the writer's order."""
    moment = datetime.fromtimestamp(now // 1_000_000, UTC)
    ts = given["ts"] = given.get("ts") or f"{moment:%Y-%m-%dT%H:%M:%SZ}"
    if not isinstance(ts, str) or not _INSTANT.fullmatch(ts):
        raise InvalidError("Invalid `ts`; write it like 2026-01-31T12:00:00Z.")
    kept = {name: given[name] for name in order if given.get(name) is not None}
    return {"kind": kind, **kept}


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
        match record:
            case None:
                return {"append": ""}
            case Conversation() | Message():
                return dict.fromkeys(_WORDS, TRACES_STAY)
            case Measure():
                return dict.fromkeys(_WORDS, APPEND_ONLY)
            case _:
                return {}

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
            reason = self.possible(records[0]).get(intent.word) if records else None
            if reason:
                raise NotPossibleError(reason)
            raise UnknownKindError(APPEND_ONLY)
        record = KINDS[intent.kind](intent.fields, now)
        step = self._step(intent.kind, record)
        what = record.get("name") or record.get("value") or record.get("pointer")
        action = f"{intent.word} the {intent.kind} “{what}”"
        if intent.kind == "claim" and _is_last(step, record):
            message = "This claim is already the last line; it won't be added again."
            return Draft(action=action, steps=(), warnings=(message,))
        return Draft(action=action, steps=(step,))

    def close(self) -> None:
        """Close the store."""
        self._reach.close()

    def _step(self, kind: str, record: Record) -> AppendStep | FileStep:
        """The step that appends a line, or creates a journal with it."""
        path = name = _JOURNALS[kind]
        folder: Path | None = None
        for outside, _ in self._reach.elsewhere():
            if kind == "task" and outside.role is Role.TASKS:
                path, name = outside.path, outside.file.name
                folder = outside.file.parent
        if not self._exists(path):
            after = one_line(record) + b"\n"
            return FileStep(path=name, before=None, after=after, root=folder)
        step = behind(*self._reach.of(path), [one_line(record)])
        if step is None:
            raise NotPossibleError(f"Too long for one line of {path}.")
        return replace(step, root=folder)

    def _exists(self, path: str) -> bool:
        """Whether the journal exists yet."""
        root, name = self._reach.of(path)
        folder, _, last = name.rpartition("/")
        return any(entry.name == last for entry in entries_of(root, folder))


def _is_last(step: AppendStep | FileStep, record: Record) -> bool:
    """Whether the last line has the same value and time, which the kit checks too."""
    before = step.end.tail if isinstance(step, AppendStep) else b""
    line = before.rstrip().rpartition(b"\n")[2]
    return any(
        isinstance(value, dict)
        and value.get("value") == record.get("value")
        and value.get("ts") == record["ts"]
        for value in parse(line).values
    )
