"""New memories: every field that the format asks for, in the order that it shows."""

import json
from uuid import uuid4

from store.edits.refusals import NotPossibleError
from store.findings import Json, Value
from store.formats.agent_memory.layout import KINDS, LEARNING, TASK, Role, role_of
from store.formats.agent_memory.schema import (
    IMPORTANCES,
    LONGEST_LINE,
    Thing,
    faults,
)
from store.formats.agent_memory.scribe.fields import typed
from store.formats.agent_memory.scribe.stamps import instant_like
from store.formats.agent_memory.scribe.work import Work
from store.records.intents import Create

_TASK_FIELDS = ("status", "completed_at", "blockers", "outcome")
_NOT_GIVEN = frozenset({"content", "created_at", "updated_at", "accessed_at", "type"})


def create(work: Work, intent: Create) -> None:
    """Put a new memory behind the last of its kind."""
    fields = dict(intent.fields)
    kind = _text(fields.pop("type", None)) or LEARNING
    if kind not in KINDS:
        known = ", ".join(KINDS)
        raise NotPossibleError(f"There are memories of the types {known} alone.")
    path = work.live_file(kind)
    thing = _thing(kind, _content(intent), instant_like(None, work.now))
    thing |= _given(fields, kind)
    if not thing["category"]:
        del thing["category"]
    if kind == TASK and role_of(path) is not Role.AGENT:
        thing["task_metadata"] = _task(fields, work.now)
    if "id" in fields:
        _refuse_known(work, thing.get("id"))
    _add(work, path, kind, thing)


def _refuse_known(work: Work, own: Json) -> None:
    """Raise NotPossibleError where a memory has an identifier already."""
    if isinstance(own, str) and any(
        str(held.thing.get("id")).casefold() == own.casefold()
        for held in work.all_held()
    ):
        raise NotPossibleError(f"There is a memory with the identifier {own} already.")


def _add(work: Work, path: str, kind: str, thing: Thing) -> None:
    """Put a memory that has all of its fields into a file; says what is odd in it."""
    untold = {"missing-task-metadata"} if role_of(path) is Role.AGENT else set[str]()
    for fault in faults(thing, kind):
        if fault.code.startswith("bad-"):
            raise NotPossibleError(fault.message)
        if fault.code not in untold:
            work.warnings.append(fault.message)
    raw = spelt_thing(thing)
    if len(raw) > LONGEST_LINE:
        work.warnings.append(
            f"The line has {len(raw)} bytes; {LONGEST_LINE} are allowed."
        )
    work.add(path, kind, raw)


def spelt_thing(thing: Thing) -> bytes:
    """A memory on one line, without blanks."""
    try:
        text = json.dumps(thing, ensure_ascii=False, separators=(",", ":"))
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(thing, separators=(",", ":")).encode()


def _thing(kind: str, content: str, now: str) -> Thing:
    return {
        "id": str(uuid4()),
        "type": kind,
        "content": content,
        "category": None,
        "created_at": now,
        "updated_at": now,
        "accessed_at": now,
        "access_count": 0,
        "tags": [],
        "importance": IMPORTANCES[1],
        "archived": False,
    }


def _content(intent: Create) -> str:
    """The text: the body, and the title before it where that says something else."""
    title, body = intent.title.strip(), intent.body.strip("\n")
    if not body or not title or body.lstrip().startswith(title):
        return body or title
    return f"{title}\n\n{body}"


def _given(fields: dict[str, Value], kind: str) -> Thing:
    """What the user said of it, each value of the type that its field has."""
    if kind != TASK and any(name in fields for name in _TASK_FIELDS):
        raise NotPossibleError("Only a task has a status.")
    given: Thing = {}
    for name, value in fields.items():
        if name in _NOT_GIVEN:
            raise NotPossibleError(f"A new memory gets its own `{name}`.")
        if name not in _TASK_FIELDS:
            given[name] = typed((name,), value, None)
    return given


def _task(fields: dict[str, Value], now: int) -> Json:
    """How a task stands."""
    told = {name: fields[name] for name in _TASK_FIELDS if name in fields}
    data: Thing = {"status": "in-progress"}
    data |= {k: typed(("task_metadata", k), value, None) for k, value in told.items()}
    if data["status"] == "completed":
        data.setdefault("completed_at", instant_like(None, now))
    return data


def _text(value: Value | None) -> str | None:
    return value if isinstance(value, str) else None
