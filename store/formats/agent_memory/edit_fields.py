"""Fields of a memory set, added, merged, rewritten."""

import json
import re
from collections.abc import Sequence
from typing import cast
from uuid import uuid4

from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import Form
from store.errors import NotPossibleError, UnknownFieldError
from store.files.json_edit import (
    Exact,
    JsonStyle,
    NotSplicedError,
    Pairs,
    exact,
    json_style,
    prefix_at,
    spaced,
    spelt_exact,
    value_at,
    with_text,
    without_value,
)
from store.files.json_edit import Path as JsonEditPath
from store.findings import Json, Value
from store.formats.agent_memory.edit_draft import Work, instant_like
from store.formats.agent_memory.edit_lines import Held, LinesFile
from store.formats.agent_memory.layout import (
    KINDS,
    LEARNING,
    STEM_OF,
    TASK,
    Role,
    is_archive,
    kind_of,
    role_of,
)
from store.formats.agent_memory.memories import (
    IMPORTANCES,
    LONGEST_LINE,
    SCHEMA,
    Thing,
    access_count,
    faults,
    instant,
    over_limits,
)
from store.records.intents import Create, Merge, Retag, Rewrite, Set

# The names of a memory's fields, and their valid values.

Path = tuple[str, ...]

_TASK = "task_metadata"
_NAMES: dict[str, Path] = {
    "body": ("content",),
    "text": ("content",),
    "created": ("created_at",),
    "updated": ("updated_at",),
    "accessed": ("accessed_at",),
    "uses": ("access_count",),
    "status": (_TASK, "status"),
    "completed_at": (_TASK, "completed_at"),
    "blockers": (_TASK, "blockers"),
    "outcome": (_TASK, "outcome"),
}
_USUAL: dict[Path, Json] = {
    ("tags",): [],
    ("importance",): IMPORTANCES[1],
    ("access_count",): 0,
    ("archived",): False,
}
"""The default value of a required field that is removed."""

_NEEDED = frozenset(
    {"id", "type", "content", "created_at", "updated_at", "accessed_at"}
)
_LISTS = frozenset({("tags",), (_TASK, "blockers")})
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?", re.ASCII)
_YES, _NO = frozenset({"true", "yes", "1"}), frozenset({"false", "no", "0"})


def path_of(name: str) -> Path:
    """The keys that lead to a field, by its own name or the program's for it."""
    if name in {"title", "description"}:
        raise NotPossibleError(
            "Memories here have no title; the start of the text is shown. Edit "
            "the text instead."
        )
    if name == "id":
        sentence = "The `id` can't be changed; other programs refer to it."
        raise NotPossibleError(sentence)
    return _NAMES.get(name) or tuple(name.split("."))


def without(path: Path) -> Json:
    """The value of a field after its removal; None if it has none."""
    if path[0] in _NEEDED:
        raise NotPossibleError(f"A memory needs `{path[0]}`.")
    return _USUAL.get(path)


def typed(path: Path, value: Value, old: Json) -> Json:
    """A value of the type that its field has, or that stood there before."""
    if path in _LISTS:
        given = value.split(",") if isinstance(value, str) else list(value)
        return [str(one).strip() for one in given if str(one).strip()]
    if not isinstance(value, str):
        return cast("Json", value)
    if path == ("archived",) or isinstance(old, bool):
        return _flag(path, value)
    if path == ("access_count",):
        return _count(value)
    if isinstance(old, int | float):
        return _number(value)
    return value


def check(work: Work, held: Held, before: Thing) -> None:
    """Warn about new faults; raises if the format forbids the change."""
    refuse_over_limits(work.thing(held), before)
    kind = held.kind if held.kind in KINDS else None
    old = {fault.code for fault in faults(before, kind)}
    for fault in faults(work.thing(held), kind):
        if fault.code in old or fault.code == "type-mismatch":
            continue
        if fault.code.startswith("bad-"):
            raise NotPossibleError(fault.message)
        work.warnings.append(fault.message)


def refuse_over_limits(thing: Thing, before: Thing) -> None:
    """Raise where a memory becomes larger than the format lets it be."""
    for sentence in over_limits(thing, before):
        raise NotPossibleError(sentence)


def _refuse_unknown(path: Path, thing: Thing) -> None:
    if path[0] not in SCHEMA and _old(thing, path) is None:
        raise UnknownFieldError(".".join(path), {*SCHEMA, *_NAMES})


def _flag(path: Path, value: str) -> bool:
    word = value.strip().lower()
    if word in _YES | _NO:
        return word in _YES
    raise NotPossibleError(f"`{path[-1]}` must be true or false.")


def _count(value: str) -> Json:
    if value.strip().isascii() and value.strip().isdigit():
        return int(value)
    raise NotPossibleError("`access_count` must be a number of at least 0.")


def _number(value: str) -> Json:
    """A number where it is one, else the text."""
    text = value.strip()
    if not _NUMBER.fullmatch(text):
        return value
    return float(text) if "." in text else int(text)


# One field of a memory changed: set, tagged, pinned, recalled.

_TASK_FIELD = "task_metadata"
_UPDATED = ("updated_at",)


def set_field(work: Work, intent: Set, memories: Sequence[Held]) -> None:
    """Give fields of each memory other values, or take them away."""
    paths = {path_of(name): value for name, value in intent.values.items()}
    for held in memories:
        before = work.thing(held)
        is_task = TASK in [before.get("type"), paths.get(("type",))]
        for path, value in paths.items():
            if not intent.adds:
                _refuse_unknown(path, before)
            if path[0] == _TASK_FIELD and not is_task:
                raise NotPossibleError(f"Only a task has the field {path[-1]}.")
            if value is None:
                _take_away(work, held, path)
            else:
                _set(work, held, path, typed(path, value, _old(before, path)))
        check(work, held, before)
        if _UPDATED not in paths:
            work.touch_up(held)
        settle_kind(work, held)


def retag(work: Work, intent: Retag, memories: Sequence[Held]) -> None:
    """Add tags and take tags away; all others stay as they are spelt."""
    for held in memories:
        before = work.thing(held)
        tags = before.get("tags")
        if not isinstance(tags, list):
            work.set(held, ("tags",), list[Json](_told(tags)))
            tags = _told(tags)
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
    """Move a memory whose type is another now to the file for that type."""
    if work.thing(held).get("type") != held.thing.get("type"):
        rehome(work, held)


def rehome(work: Work, held: Held) -> None:
    """Move a memory to the file for its type, if it lies in another."""
    told = work.thing(held).get("type")
    if told == held.kind or told not in KINDS:
        return
    kind = str(told)
    raw = work.file(held.path).take(held)
    work.add(_sibling(work, held.path, kind), kind, raw)


def _sibling(work: Work, path: str, kind: str) -> str:
    """The file beside another that is for a kind of memory."""
    if role_of(path) is Role.AGENT:
        return path
    if not is_archive(path):
        return work.live_file(kind)
    return path.replace(STEM_OF.get(kind_of(path) or "", "\0"), STEM_OF[kind])


def _set(work: Work, held: Held, path: tuple[str, ...], value: Json) -> None:
    for length in range(1, len(path)):
        if not isinstance(_old(work.thing(held), path[:length]), dict):
            work.set(held, path[:length], {})
    work.set(held, path, value)
    if path == (_TASK_FIELD, "status"):
        _settle_status(work, held, value)


def _settle_status(work: Work, held: Held, status: Json) -> None:
    """What goes with a status comes with it, and goes with it."""
    done = (_TASK_FIELD, "completed_at")
    if status != "completed":
        work.unset(held, done)
    elif _old(work.thing(held), done) is None:
        work.set(held, done, work.moment(held))
    if status != "blocked":
        work.unset(held, (_TASK_FIELD, "blockers"))


def _take_away(work: Work, held: Held, path: tuple[str, ...]) -> None:
    usual = without(path)
    if usual is None:
        work.unset(held, path)
    else:
        work.set(held, path, usual)


def _old(thing: Json, path: tuple[str, ...]) -> Json:
    for step in path:
        thing = thing.get(step) if isinstance(thing, dict) else None
    return thing


def _told(tags: Json) -> list[Json]:
    """Tags in one text, split as when reading."""
    if isinstance(tags, str):
        return [tag.strip() for tag in tags.split(",") if tag.strip()]
    return []


# New memories: every field that the format asks for, in the order that it shows.

_TASK_FIELDS = ("status", "completed_at", "blockers", "outcome")
_NOT_GIVEN = frozenset({"content", "created_at", "updated_at", "accessed_at", "type"})


def create(work: Work, intent: Create) -> None:
    """Put a new memory behind the last of its kind."""
    fields = dict(intent.fields)
    kind = _text(fields.pop("type", None)) or LEARNING
    if kind not in KINDS:
        known = ", ".join(KINDS)
        raise NotPossibleError(f"Unknown type; choose from {known}.")
    path = work.live_file(kind)
    thing = _thing(kind, _content(intent), instant_like(None, work.now))
    for name in () if intent.adds else fields:
        if name not in SCHEMA and name not in _TASK_FIELDS:
            raise UnknownFieldError(name, {*SCHEMA, *_TASK_FIELDS})
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
        raise NotPossibleError(f"A memory with the id {own} already exists.")


def _add(work: Work, path: str, kind: str, thing: Thing) -> None:
    """Put a memory that has all of its fields into a file; says what is odd in it."""
    refuse_over_limits(thing, {})
    untold = {"missing-task-metadata"} if role_of(path) is Role.AGENT else set[str]()
    for fault in faults(thing, kind):
        if fault.code.startswith("bad-"):
            raise NotPossibleError(fault.message)
        if fault.code not in untold:
            work.warnings.append(fault.message)
    raw = spelt_thing(thing)
    if len(raw) > LONGEST_LINE:
        work.warnings.append(
            f"The line has {len(raw)} bytes; the limit is {LONGEST_LINE}."
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
            raise NotPossibleError(f"`{name}` is set automatically for a new memory.")
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


# One memory made of several: the first stays, what the others add goes into it.

_OWN = frozenset({"id", "type", "content", "archived", "updated_at"})


def merge(work: Work, intent: Merge, memories: Sequence[Held]) -> None:
    """Unite memories in the first of them; the others go."""
    first, *others = memories
    if not others:
        raise NotPossibleError("Choose two memories to merge.")
    own = work.thing(first)
    unite(work, first, others, intent.body)
    before = work.thing(first)
    for name, value in intent.fields.items():
        path = path_of(name)
        work.set(first, path, typed(path, value, before.get(path[0])))
    refuse_over_limits(work.thing(first), own)
    check(work, first, before)
    work.touch_up(first)


def unite(
    work: Work, first: Held, others: Sequence[Held], body: str | None = None
) -> None:
    """Put into the first what only the others have, and take the others out."""
    things = [work.thing(held) for held in (first, *others)]
    work.set(first, ("content",), _joined(things) if body is None else body)
    if any(thing.get("tags") for thing in things):
        work.set(first, ("tags",), _tags(things))
    work.set(first, ("importance",), _importance(things))
    counts = [access_count(thing.get("access_count")) or 0 for thing in things]
    work.set(first, ("access_count",), sum(counts))
    for name, latest in (("created_at", False), ("accessed_at", True)):
        told = _time(things, name, latest=latest)
        if told is not None:
            work.set(first, (name,), told)
    for held in others:
        _take_over(work, first, held)
        work.file(held.path).take(held)


def _take_over(work: Work, first: Held, other: Held) -> None:
    """Fields that only the other has, as they are spelt there."""
    theirs = work.file(other.path).raw(other)
    pairs = exact(theirs)
    known = work.thing(first)
    for name in [key for key, _ in pairs] if isinstance(pairs, Pairs) else []:
        text = value_at(theirs, (name,))
        if name not in _OWN and known.get(name) is None and text is not None:
            file = work.file(first.path)
            file.put(first, with_text(file.raw(first), (name,), text))


def _joined(things: Sequence[Thing]) -> str:
    """The texts one after another; one that another one holds already is left out."""
    texts = [str(thing.get("content") or "").strip() for thing in things]
    kept: list[str] = []
    for text in texts:
        if text and not any(text in one for one in kept):
            kept.append(text)
    return "\n\n".join(kept)


def _tags(things: Sequence[Thing]) -> list[Json]:
    united: list[Json] = []
    for thing in things:
        tags = thing.get("tags")
        for tag in tags if isinstance(tags, list) else []:
            if tag not in united:
                united.append(tag)
    return united


def _importance(things: Sequence[Thing]) -> Json:
    """The greatest that any of them has."""
    told = [thing.get("importance") for thing in things]
    known = [word for word in IMPORTANCES if word in told]
    return known[0] if known else IMPORTANCES[1]


def _time(things: Sequence[Thing], name: str, *, latest: bool) -> Json:
    """The latest or the earliest of their times."""
    told = [thing.get(name) for thing in things]
    known = [(when, one) for one in told if (when := instant(one)) and when.micros]
    if not known:
        return None
    choose = max if latest else min
    return choose(known, key=lambda pair: pair[0])[1]


# Memories that share an identifier: the first stays, or the newest, or one of all.

FIRST, NEWEST, MERGE = "first", "newest", "merge"
WAYS = (FIRST, NEWEST, MERGE)
"""What to do about copies; by default the newest stays."""


def make_one(work: Work, own: str, way: str) -> None:
    """Leave one memory of all that have an identifier."""
    group = [
        held
        for held in work.all_held()
        if str(held.thing.get("id")).casefold() == own.casefold()
    ]
    if way not in WAYS:
        raise NotPossibleError(f"Keep which copy? Choose from {', '.join(WAYS)}.")
    if len(group) > 1:
        _leave(work, group, way)


def _leave(work: Work, group: Sequence[Held], way: str) -> None:
    stays = _newest(group) if way == NEWEST else group[0]
    others = [held for held in group if held is not stays]
    if way == MERGE:
        unite(work, stays, others)
        work.touch_up(stays)
        return
    for held in others:
        work.file(held.path).take(held)


def _newest(group: Sequence[Held]) -> Held:
    """The one that was updated last; among equals an active one, and the last line."""
    return max(
        reversed(group),
        key=lambda held: (_updated(held), not is_archive(held.path), held.line),
    )


def _updated(held: Held) -> tuple[int, int, str]:
    told = instant(held.thing.get("updated_at"))
    return told.order if told else (0, 0, "")


# Memories edited as text: what an editor is given, what is made of its answer.
#
# The form is the memory's JSON, readable: a field on each line, no escapes but where
# nothing else will do. What was not touched in it stays in the file as it is spelt
# there.

SUFFIX = ".json"

_READABLE = JsonStyle(ended=False)
_REWRITING_NEEDED = ("id", "content")


def form_of(work: Work, held: Held) -> Form:
    """A memory as an editor is given it."""
    value = exact(work.file(held.path).raw(held))
    text = spaced(spelt_exact(value, escaped=False), _READABLE)
    return Form(raw=text + b"\n", suffix=SUFFIX)


def rewrite(work: Work, intent: Rewrite, held: Held) -> None:
    """Put what an editor gave back in place of what it was given."""
    _still_says(form_of(work, held).raw, intent.was)
    new = exact(intent.raw)
    if not isinstance(new, Pairs):
        raise NotPossibleError("A memory is a single JSON object: { … }.")
    before, file = work.thing(held), work.file(held.path)
    raw = file.raw(held)
    old = exact(raw)
    for name in _REWRITING_NEEDED:
        if name in before and all(key != name for key, _ in new):
            raise NotPossibleError(f"A memory needs `{name}`.")
    if _of(old, "id") != _of(new, "id"):
        sentence = "The `id` can't be changed; other programs refer to it."
        raise NotPossibleError(sentence)
    changed = _merged(raw, (), old, new)
    if changed != raw:
        file.put(held, changed)
    check(work, held, before)
    work.touch_up(held)
    settle_kind(work, held)


def form_of_line(work: Work, path: str, line: int) -> Form:
    """A damaged line as it stands."""
    return Form(raw=_sheet(work, path).sheet.line(line) + b"\n", suffix=SUFFIX)


def rewrite_line(work: Work, intent: Rewrite, path: str, line: int) -> None:
    """Put right by hand a line that could not be read; an empty text removes it."""
    file = _sheet(work, path)
    _still_says(file.sheet.line(line) + b"\n", intent.was)
    if not intent.raw.strip():
        file.sheet.remove(line)
    else:
        file.sheet.replace(line, _on_one_line(intent.raw))
    file.is_rewritten = True


def compact(raw: bytes) -> bytes:
    """A memory on one line without blanks, every token as it is spelt."""
    return spaced(raw, JsonStyle(indent=None, compact=True))


def _on_one_line(raw: bytes) -> bytes:
    """What was edited, as one line; several lines of JSON stay several."""
    try:
        whole = [exact(raw)]
    except NotSplicedError:
        whole = [exact(line) for line in raw.split(b"\n") if line.strip()]
    for value in whole:
        names = {key for key, _ in value} if isinstance(value, Pairs) else set[str]()
        if names.isdisjoint(("id", "content")):
            raise NotPossibleError("A memory is a JSON object with `id` and `content`.")
    return b"\n".join(spelt_exact(value, escaped=False) for value in whole)


def _merged(raw: bytes, at: JsonEditPath, old: Exact, new: Pairs) -> bytes:
    """The text with all that differs; map by map, so that the rest stays as it is."""
    told = {key for key, _ in new}
    if len(told) < len(new):
        raise NotPossibleError("Duplicate key in the text.")
    before = dict(old) if isinstance(old, Pairs) else {}
    for key in before:
        if key not in told:
            raw = without_value(raw, (*at, key))
    for key, value in new:
        path = (*at, key)
        was = before.get(key)
        if isinstance(value, Pairs) and isinstance(was, Pairs):
            raw = _merged(raw, path, was, value)
        elif key not in before or was != value:
            raw = with_text(raw, path, _spelt(raw, path, value))
    return raw


def _spelt(raw: bytes, path: JsonEditPath, value: Exact) -> bytes:
    """A value in the style of the text that it is put into."""
    style = json_style(raw)
    compact = spelt_exact(value, escaped=style.escaped)
    return spaced(compact, style, prefix_at(raw, path))


def _still_says(now: bytes, was: bytes) -> None:
    if now != was:
        sentence = "The memory has changed since you opened it. Reload and try again."
        raise ChangedOnDiskError(sentence)


def _of(value: Exact, name: str) -> Exact:
    if not isinstance(value, Pairs):
        return None
    return next((one for key, one in value if key == name), None)


def _sheet(work: Work, path: str) -> LinesFile:
    file = work.file(path)
    if not isinstance(file, LinesFile):
        raise NotPossibleError(f"{path} isn't a JSON Lines file.")
    return file
