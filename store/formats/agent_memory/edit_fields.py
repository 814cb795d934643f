"""Fields of a memory: set, tagged, merged, edited as text, filled in for a new one."""

import re
from collections.abc import Mapping, Sequence
from typing import cast
from uuid import uuid4

from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import Form
from store.errors import InvalidError, NotPossibleError, UnknownFieldError
from store.files import json_edit
from store.findings import Json, Value
from store.formats.agent_memory.edit_files import Held, Work, found_at, instant_like
from store.formats.agent_memory.format import (
    KINDS,
    LEARNING,
    STEM_OF,
    TASK,
    Role,
    kind_of,
    role_of,
)
from store.formats.agent_memory.memories import (
    IMPORTANCES,
    LONGEST_LINE,
    SCHEMA,
    TIMES,
    Thing,
    access_count,
    faults,
    instant,
    over_limits,
    tags_of,
)
from store.records.intents import Create, Merge, Retag, Rewrite, Set
from store.text import joined

# The names of a memory's fields, and their valid values.

NO_TITLE = (
    "Memories here have no title; the start of the text is shown. Edit the text "
    "instead."
)
_SAME_ID = "The `id` can't be changed; other programs refer to it."

METADATA = "task_metadata"
DONE: json_edit.Path = (METADATA, "completed_at")
STATUS: json_edit.Path = (METADATA, "status")
BLOCKERS: json_edit.Path = (METADATA, "blockers")
_OF_TASK = ("status", "completed_at", "blockers", "outcome")

_NAMES: Mapping[str, json_edit.Path] = {
    "body": ("content",),
    "text": ("content",),
    "created": ("created_at",),
    "updated": ("updated_at",),
    "accessed": ("accessed_at",),
    "uses": ("access_count",),
    **{name: (METADATA, name) for name in _OF_TASK},
}
_USUAL: Mapping[json_edit.Path, Json] = {
    ("tags",): [],
    ("importance",): IMPORTANCES[1],
    ("access_count",): 0,
    ("archived",): False,
}
"""The default value of a required field that is removed."""

_NEEDED = frozenset({"id", "type", "content", *TIMES})
_LISTS = frozenset({("tags",), BLOCKERS})
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?", re.ASCII)
_FLAGS: Mapping[str, bool] = {
    **dict.fromkeys(("true", "yes", "1"), True),
    **dict.fromkeys(("false", "no", "0"), False),
}


def path_of(name: str) -> json_edit.Path:
    """The keys that lead to a field, by its own name or the program's for it."""
    if name in {"title", "description"}:
        raise NotPossibleError(NO_TITLE)
    if name == "id":
        raise NotPossibleError(_SAME_ID)
    return _NAMES.get(name) or tuple(name.split("."))


def typed(path: json_edit.Path, value: Value, old: Json) -> Json:
    """A value of the type that its field has, or that it had before."""
    if path in _LISTS:
        given = value.split(",") if isinstance(value, str) else list(value)
        return [str(one).strip() for one in given if str(one).strip()]
    if not isinstance(value, str):
        return cast("Json", value)
    text = value.strip()
    if path == ("archived",) or isinstance(old, bool):
        if text.lower() not in _FLAGS:
            raise InvalidError(f"`{path[-1]}` must be true or false.")
        return _FLAGS[text.lower()]
    if path == ("access_count",):
        if not (text.isascii() and text.isdigit()):
            raise InvalidError("`access_count` must be a number of at least 0.")
        return int(text)
    if isinstance(old, int | float) and _NUMBER.fullmatch(text):
        return float(text) if "." in text else int(text)
    return value


def check(work: Work, held: Held, before: Thing) -> None:
    """Warn about new faults; raises if the format forbids the change."""
    thing, kind = work.thing(held), held.kind if held.kind in KINDS else None
    refuse_over_limits(thing, before)
    old = {"type-mismatch", *(fault.code for fault in faults(before, kind))}
    work.warnings += refuse_bad(thing, kind, old)


def refuse_bad(thing: Thing, kind: str | None, known: set[str]) -> list[str]:
    """The faults of a memory in words; raises for an invalid value."""
    new = [fault for fault in faults(thing, kind) if fault.code not in known]
    for fault in new:
        if fault.code.startswith("bad-"):
            raise InvalidError(fault.message)
    return [fault.message for fault in new]


def refuse_over_limits(thing: Thing, before: Thing) -> None:
    """Raise if a memory becomes larger than the format allows."""
    for sentence in over_limits(thing, before):
        raise NotPossibleError(sentence)


# Fields of memories changed: set, tagged, pinned, recalled.


def set_fields(work: Work, intent: Set, memories: Sequence[Held]) -> None:
    """Set or remove fields of each memory."""
    paths = {path_of(name): value for name, value in intent.values.items()}
    for held in memories:
        before = work.thing(held)
        is_task = TASK in [before.get("type"), paths.get(("type",))]
        for path, value in paths.items():
            old = found_at(before, path)[0]
            if not intent.adds and path[0] not in SCHEMA and old is None:
                names = ".".join(map(str, path))
                raise UnknownFieldError(
                    names, {*SCHEMA, *_NAMES}, is_removed=value is None
                )
            if path[0] == METADATA and not is_task:
                raise NotPossibleError(f"Only a task has the field {path[-1]}.")
            if value is None:
                _unset(work, held, path)
            else:
                _set(work, held, path, typed(path, value, old))
        check(work, held, before)
        if ("updated_at",) not in paths:
            work.touch_up(held)
        settle_kind(work, held)


def retag(work: Work, intent: Retag, memories: Sequence[Held]) -> None:
    """Add and remove tags; all others stay as they are spelt."""
    for held in memories:
        before = work.thing(held)
        tags = before.get("tags")
        if not isinstance(tags, list):
            tags = list[Json](tags_of(tags))
            work.set(held, ("tags",), tags)
        for at in reversed(range(len(tags))):
            if tags[at] in intent.remove and tags[at] not in intent.add:
                work.unset(held, ("tags", at))
        for tag in dict.fromkeys(intent.add):
            now = work.thing(held)["tags"]
            if isinstance(now, list) and tag not in now:
                work.set(held, ("tags", len(now)), tag)
        check(work, held, before)
        work.touch_up(held)


def pin(work: Work, memories: Sequence[Held], *, pins: bool) -> None:
    """Set the importance to high; the previous one isn't stored anywhere."""
    if not pins:
        work.warnings.append("Importance (`importance`) is left unchanged.")
        return
    for held in memories:
        work.set(held, ("importance",), IMPORTANCES[0])
        work.touch_up(held)


def recall(work: Work, memories: Sequence[Held]) -> None:
    """Note that memories were recalled once more."""
    for held in memories:
        count = access_count(work.thing(held).get("access_count")) or 0
        work.set(held, ("access_count",), count + 1)
        work.note_time(held, "accessed_at")


def settle_kind(work: Work, held: Held) -> None:
    """Move a memory whose type was changed to the file for that type."""
    if work.thing(held).get("type") != held.thing.get("type"):
        rehome(work, held)


def rehome(work: Work, held: Held) -> None:
    """Move a memory to the file for its type, if it is in another."""
    told = work.thing(held).get("type")
    if told == held.kind or told not in KINDS:
        return
    kind, path = str(told), held.path
    raw = work.take(held)
    if held.is_archived:
        path = path.replace(STEM_OF.get(kind_of(path) or "", "\0"), STEM_OF[kind])
    elif not held.is_in_document:
        path = work.live_file(kind)
    work.add(path, kind, raw)


def _unset(work: Work, held: Held, path: json_edit.Path) -> None:
    """Remove a field, or set its default if it is required."""
    if path[0] in _NEEDED:
        raise NotPossibleError(f"A memory needs `{path[0]}`.")
    if path in _USUAL:
        work.set(held, path, _USUAL[path])
    else:
        work.unset(held, path)


def _set(work: Work, held: Held, path: json_edit.Path, value: Json) -> None:
    """Set a field; of a status, set and remove the fields that depend on it."""
    for length in range(1, len(path)):
        if not isinstance(found_at(work.thing(held), path[:length])[0], dict):
            work.set(held, path[:length], {})
    work.set(held, path, value)
    if path != STATUS:
        return
    if value != "completed":
        work.unset(held, DONE)
    elif found_at(work.thing(held), DONE)[0] is None:
        work.set(held, DONE, work.moment(held))
    if value != "blocked":
        work.unset(held, BLOCKERS)


# New memories: every required field, in the order of the format.

_NOT_GIVEN = frozenset({"content", "type", *TIMES})


def create(work: Work, intent: Create) -> None:
    """Put a new memory behind the last of its kind."""
    fields = dict(intent.fields)
    told = fields.pop("type", None)
    kind = told if isinstance(told, str) and told else LEARNING
    if kind not in KINDS:
        raise InvalidError(f"Unknown type; choose from {', '.join(KINDS)}.")
    for name in () if intent.adds else fields:
        if name not in SCHEMA and name not in _OF_TASK:
            raise UnknownFieldError(name, {*SCHEMA, *_OF_TASK})
    path, now = work.live_file(kind), instant_like(None, work.now)
    thing: Thing = {
        "id": str(uuid4()),
        "type": kind,
        "content": _content(intent),
        "category": None,
        **dict.fromkeys(TIMES, now),
        "access_count": 0,
        "tags": [],
        "importance": IMPORTANCES[1],
        "archived": False,
        **_given(fields, kind),
    }
    if not thing["category"]:
        del thing["category"]
    if kind == TASK and role_of(path) is not Role.AGENT:
        thing[METADATA] = _task(fields, now)
    if "id" in fields:
        _refuse_known(work, thing)
    _add(work, path, kind, thing)


def _refuse_known(work: Work, thing: Thing) -> None:
    """Raise if the store already has a memory with the same identifier."""
    own = thing.get("id")
    if isinstance(own, str) and own.casefold() in {one.key for one in work.all_held()}:
        raise NotPossibleError(f"A memory with the id {own} already exists.")


def _add(work: Work, path: str, kind: str, thing: Thing) -> None:
    """Put a complete memory into a file; warns about its faults."""
    refuse_over_limits(thing, {})
    known = {"missing-task-metadata"} if role_of(path) is Role.AGENT else set[str]()
    work.warnings += refuse_bad(thing, kind, known)
    raw = json_edit.one_line(thing)
    if len(raw) > LONGEST_LINE:
        work.warnings.append(
            f"The line has {len(raw)} bytes; the limit is {LONGEST_LINE}."
        )
    work.add(path, kind, raw)


def _content(intent: Create) -> str:
    """The body, after the title if it doesn't start with that."""
    title, body = intent.title.strip(), intent.body.strip("\n")
    if not body or not title or body.lstrip().startswith(title):
        return body or title
    return f"{title}\n\n{body}"


def _given(fields: Mapping[str, Value], kind: str) -> Thing:
    """The given fields, apart from those of a task."""
    if kind != TASK and any(name in fields for name in _OF_TASK):
        raise NotPossibleError("Only a task has a status.")
    for name in fields:
        if name in _NOT_GIVEN:
            raise NotPossibleError(f"`{name}` is set automatically for a new memory.")
    return {
        name: typed((name,), value, None)
        for name, value in fields.items()
        if name not in _OF_TASK
    }


def _task(fields: Mapping[str, Value], now: str) -> Json:
    """The given fields of a task, with a status."""
    data: Thing = {"status": "in-progress"}
    for name in _OF_TASK:
        if name in fields:
            data[name] = typed((METADATA, name), fields[name], None)
    if data["status"] == "completed":
        data.setdefault("completed_at", now)
    return data


# Several memories made one: the first stays, with what only the others have.

_OWN = frozenset({"id", "type", "content", "archived", "updated_at"})


def merge(work: Work, intent: Merge, memories: Sequence[Held]) -> None:
    """Merge memories into the first; the others are removed."""
    first, *others = memories
    if not others:
        raise NotPossibleError("Choose two memories to merge.")
    own = work.thing(first)
    unite(work, first, others, intent.body)
    before = work.thing(first)
    for name, value in intent.fields.items():
        path = path_of(name)
        work.set(first, path, typed(path, value, before.get(str(path[0]))))
    refuse_over_limits(work.thing(first), own)
    check(work, first, before)
    work.touch_up(first)


def unite(
    work: Work, first: Held, others: Sequence[Held], body: str | None = None
) -> None:
    """Put into the first what only the others have, and take the others out."""
    things = [work.thing(held) for held in (first, *others)]
    texts = (str(thing.get("content") or "").strip() for thing in things)
    work.set(first, ("content",), joined(texts) if body is None else body)
    if any(thing.get("tags") for thing in things):
        work.set(first, ("tags",), _united_tags(things))
    words = [thing.get("importance") for thing in things]
    greatest = next((word for word in IMPORTANCES if word in words), IMPORTANCES[1])
    work.set(first, ("importance",), greatest)
    counts = [access_count(thing.get("access_count")) or 0 for thing in things]
    work.set(first, ("access_count",), sum(counts))
    for name, latest in (("created_at", False), ("accessed_at", True)):
        told = extreme_time([thing.get(name) for thing in things], latest=latest)
        if told is not None:
            work.set(first, (name,), told)
    for held in others:
        _take_over(work, first, held)
        work.take(held)


def extreme_time(told: Sequence[Json], *, latest: bool) -> Json:
    """The latest or the earliest of some times, as written; None if none is valid."""
    known = [(when, one) for one in told if (when := instant(one)) and when.micros]
    choose = max if latest else min
    return choose(known, key=lambda pair: pair[0])[1] if known else None


def _take_over(work: Work, first: Held, other: Held) -> None:
    """Copy fields that only the other has, as they are spelt there."""
    theirs = work.file(other.path).raw(other)
    pairs = json_edit.exact(theirs)
    known = work.thing(first)
    for name in [key for key, _ in pairs] if isinstance(pairs, json_edit.Pairs) else []:
        text = json_edit.value_at(theirs, (name,))
        if name not in _OWN and known.get(name) is None and text is not None:
            file = work.file(first.path)
            file.put(first, json_edit.with_text(file.raw(first), (name,), text))


def _united_tags(things: Sequence[Thing]) -> list[Json]:
    united: list[Json] = []
    for thing in things:
        tags = thing.get("tags")
        for tag in tags if isinstance(tags, list) else []:
            if tag not in united:
                united.append(tag)
    return united


# Memories edited as text: their JSON with a field on each line, without escapes.
#
# What was not changed in it stays in the file as it is spelt there.

_SUFFIX = ".json"
_READABLE = json_edit.JsonStyle(ended=False)


def form_of(work: Work, held: Held) -> Form:
    """A memory as an editor is given it."""
    value = json_edit.exact(work.file(held.path).raw(held))
    text = json_edit.spaced(json_edit.spelt_exact(value, escaped=False), _READABLE)
    return Form(raw=text + b"\n", suffix=_SUFFIX)


def rewrite(work: Work, intent: Rewrite, held: Held) -> None:
    """Replace a memory by its edited text."""
    _refuse_changed(form_of(work, held).raw, intent.was)
    new = json_edit.exact(intent.raw)
    if not isinstance(new, json_edit.Pairs):
        raise NotPossibleError("A memory is a single JSON object: { … }.")
    before, file = work.thing(held), work.file(held.path)
    raw = file.raw(held)
    old, told = json_edit.exact(raw), dict(reversed(new))
    for name in ("id", "content"):
        if name in before and name not in told:
            raise NotPossibleError(f"A memory needs `{name}`.")
    known = dict(reversed(old)) if isinstance(old, json_edit.Pairs) else {}
    if known.get("id") != told.get("id"):
        raise NotPossibleError(_SAME_ID)
    changed = _merged(raw, (), old, new)
    if changed != raw:
        file.put(held, changed)
    check(work, held, before)
    work.touch_up(held)
    settle_kind(work, held)


def form_of_line(work: Work, path: str, line: int) -> Form:
    """A damaged line, unchanged."""
    return Form(raw=work.lines_file(path).line(line) + b"\n", suffix=_SUFFIX)


def rewrite_line(work: Work, intent: Rewrite, path: str, line: int) -> None:
    """Replace a damaged line by its edited text; an empty text removes it."""
    file = work.lines_file(path)
    _refuse_changed(file.line(line) + b"\n", intent.was)
    file.replace(line, _on_one_line(intent.raw) if intent.raw.strip() else None)


def compact(raw: bytes) -> bytes:
    """A memory on one line without blanks, every token as it is spelt."""
    return json_edit.spaced(raw, json_edit.JsonStyle(indent=None, compact=True))


def _on_one_line(raw: bytes) -> bytes:
    """The edited text as one line; several lines of JSON stay several."""
    try:
        whole = [json_edit.exact(raw)]
    except json_edit.NotSplicedError:
        whole = [json_edit.exact(line) for line in raw.split(b"\n") if line.strip()]
    for value in whole:
        names = (
            {key for key, _ in value}
            if isinstance(value, json_edit.Pairs)
            else set[str]()
        )
        if names.isdisjoint(("id", "content")):
            raise NotPossibleError("A memory is a JSON object with `id` and `content`.")
    return b"\n".join(json_edit.spelt_exact(value, escaped=False) for value in whole)


def _merged(
    raw: bytes, at: json_edit.Path, old: json_edit.Exact, new: json_edit.Pairs
) -> bytes:
    """The text with all that differs; map by map, so that the rest stays as it is."""
    told = {key for key, _ in new}
    if len(told) < len(new):
        raise NotPossibleError("Duplicate key in the text.")
    before = dict(old) if isinstance(old, json_edit.Pairs) else {}
    for key in before:
        if key not in told:
            raw = json_edit.without_value(raw, (*at, key))
    for key, value in new:
        path = (*at, key)
        was = before.get(key)
        if isinstance(value, json_edit.Pairs) and isinstance(was, json_edit.Pairs):
            raw = _merged(raw, path, was, value)
        elif key not in before or was != value:
            style = json_edit.json_style(raw)
            text = json_edit.spelt_exact(value, escaped=style.escaped)
            raw = json_edit.with_text(
                raw, path, json_edit.spaced(text, style, json_edit.prefix_at(raw, path))
            )
    return raw


def _refuse_changed(now: bytes, was: bytes) -> None:
    if now != was:
        sentence = "The memory has changed since you opened it. Reload and try again."
        raise ChangedOnDiskError(sentence)
