"""Memories as JSON objects: schema, lines, version 1.0 documents, backups."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple, cast

import orjson
from msgspec import Struct, field

from store.files.beneath import Root, Stamp
from store.files.json_read import BrokenJsonError, Line, Scanner, read_lines
from store.files.json_read import parse as parse_json_read
from store.findings import (
    DocumentFound,
    Findings,
    Flaw,
    Flaws,
    Json,
    MemoryFound,
    Severity,
    Value,
)
from store.formats.agent_memory.format import (
    BYTES,
    FILES,
    KINDS,
    TASK,
    backup_of,
    is_archive,
    is_document,
    kind_of,
)
from store.times import Instant, parse

# JSON values as fields of a memory: scalars as text.

FIELDS = 100
"""The most extra fields of a memory; further ones are dropped."""

_DEEPEST = 8
_LONGEST = 2000
"""Characters stored of a value of unexpected type."""


def as_value(value: Json, depth: int = 0) -> Value:
    """A value for findings; very deep nesting becomes text."""
    if isinstance(value, str):
        return value
    if depth < _DEEPEST and isinstance(value, list):
        return [as_value(item, depth + 1) for item in value[:_LONGEST]]
    if depth < _DEEPEST and isinstance(value, dict):
        return {key: as_value(item, depth + 1) for key, item in value.items()}
    return as_text(value)


def as_text(value: Json) -> str:
    """A value on one line, shortened if necessary."""
    if isinstance(value, str):
        return value
    try:
        text = orjson.dumps(value).decode()
    except TypeError:
        return "[…]" if isinstance(value, list) else "{…}"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def rest(thing: Mapping[str, Json], known: frozenset[str]) -> dict[str, Value]:
    """The fields that are not attributes of a memory, unchanged."""
    fields: dict[str, Value] = {}
    for name, value in thing.items():
        if name not in known and len(fields) < FIELDS:
            fields[name] = as_value(value)
    return fields


# The format's requirements for a memory, with a sentence for each violation.

LONGEST_CONTENT = 5000
LONGEST_CATEGORY = 50
MOST_TAGS = 10
LONGEST_TAG = 30
LONGEST_LINE = 10 * 1024

IMPORTANCES = ("high", "medium", "low")
STATUSES = ("completed", "in-progress", "blocked")
TIMES = ("created_at", "updated_at", "accessed_at")
DEFAULTED = ("importance", "tags", "access_count", "archived")
"""Fields that have a default when missing."""

Thing = dict[str, Json]

_UUID = re.compile(
    r"[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}",
    re.IGNORECASE,
)
_ZONED = re.compile(r".*(?:[Zz]|[+-]\d\d:?\d\d)")


class Fault(NamedTuple):
    """A violated requirement."""

    code: str
    message: str
    severity: Severity = Severity.WARNING


def faults(thing: Thing, kind: str | None) -> Iterator[Fault]:
    """Everything wrong with a memory; `kind` is that of its file."""
    yield from _identity(thing, kind)
    yield from _content(thing)
    yield from _tags(thing.get("tags"))
    yield from _times(thing)
    yield from _numbers(thing)
    yield from _task(thing)
    missing = [name for name in (*TIMES, "type", *DEFAULTED) if thing.get(name) is None]
    if missing:
        yield Fault("missing-fields", f"Missing fields: {', '.join(missing)}.")
    if len(thing) > FIELDS:
        yield Fault(
            "many-fields", f"The memory has {len(thing)} fields; not all are shown."
        )


def _identity(thing: Thing, kind: str | None) -> Iterator[Fault]:
    own, told = thing.get("id"), thing.get("type")
    if own is None or own == "":
        yield Fault("missing-id", "Missing `id`.")
    elif not isinstance(own, str) or not _UUID.fullmatch(own):
        yield Fault("bad-id", f"Invalid `id` {as_text(own):.60}: not a version 4 UUID.")
    if told is None:
        return
    if told not in KINDS:
        yield Fault(
            "bad-type",
            f"Unknown `type` {as_text(told):.40} (choose from {', '.join(KINDS)}).",
        )
    elif kind is not None and told != kind:
        yield Fault("type-mismatch", f"A {told} in a file for {kind} memories.")


def _content(thing: Thing) -> Iterator[Fault]:
    content, category = thing.get("content"), thing.get("category")
    if not isinstance(content, str) or not content:
        yield Fault("bad-content", "`content` must be text, and not empty.")
    elif len(content) > LONGEST_CONTENT:
        most = f"the limit is {LONGEST_CONTENT}"
        yield Fault(
            "long-content", f"The memory has {len(content)} characters; {most}."
        )
    if category is None:
        return
    if not isinstance(category, str):
        yield Fault("bad-category", "`category` must be text.")
    elif len(category) > LONGEST_CATEGORY:
        most = f"the limit is {LONGEST_CATEGORY}"
        yield Fault(
            "long-category", f"The category has {len(category)} characters; {most}."
        )


def _tags(tags: Json) -> Iterator[Fault]:
    if tags is None:
        return
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        yield Fault("bad-tags", "`tags` must be a list of texts.")
        return
    if len(tags) > MOST_TAGS:
        yield Fault(
            "many-tags", f"The memory has {len(tags)} tags; the limit is {MOST_TAGS}."
        )
    if any(len(cast("str", tag)) > LONGEST_TAG for tag in tags):
        yield Fault("long-tag", f"A tag has more than {LONGEST_TAG} characters.")


def over_limits(thing: Thing, before: Thing) -> Iterator[str]:
    """A sentence for each limit that a memory exceeds by more than before."""
    for limit, size, was in zip(_LIMITS, _sizes(thing), _sizes(before), strict=True):
        what, most, unit = limit
        if size > max(most, was):
            yield f"{what} can have {most:,} {unit}; this one would have {size:,}."


_LIMITS = (
    ("A memory", LONGEST_CONTENT, "characters"),
    ("A category", LONGEST_CATEGORY, "characters"),
    ("A memory", MOST_TAGS, "tags"),
    ("A tag", LONGEST_TAG, "characters"),
)


def _sizes(thing: Thing) -> tuple[int, ...]:
    """The sizes that are limited, in the order of the limits."""
    told = thing.get("tags")
    tags = told if isinstance(told, list) else []
    longest = max((len(as_text(tag)) for tag in tags), default=0)
    content, category = (as_text(thing.get(name)) for name in ("content", "category"))
    return len(content), len(category), len(tags), longest


def _times(thing: Thing) -> Iterator[Fault]:
    for name in TIMES:
        value = thing.get(name)
        if value is not None:
            yield from _time(name, value)


def _time(name: str, value: Json) -> Iterator[Fault]:
    told = instant(value)
    if told is None or told.micros is None:
        yield Fault("bad-time", f"Invalid time in `{name}`.")
    elif not isinstance(value, str) or not _ZONED.fullmatch(value):
        message = f"`{name}` has no time zone; UTC is assumed."
        yield Fault("time-without-zone", message, Severity.NOTE)


def _numbers(thing: Thing) -> Iterator[Fault]:
    count, importance = thing.get("access_count"), thing.get("importance")
    if count is not None and access_count(count) is None:
        yield Fault(
            "bad-access-count", "`access_count` must be a number of at least 0."
        )
    if importance is not None and importance not in IMPORTANCES:
        yield Fault("bad-importance", "`importance` must be high, medium or low.")
    if not isinstance(thing.get("archived", False), bool | None):
        yield Fault("bad-archived", "`archived` must be true or false.")


def _task(thing: Thing) -> Iterator[Fault]:
    data = thing.get("task_metadata")
    if thing.get("type") != TASK:
        if data is not None:
            yield Fault(
                "stray-task-metadata", "`task_metadata` on a memory that isn't a task."
            )
        return
    if data is None:
        message = "Task has no status."
        yield Fault("missing-task-metadata", message, Severity.NOTE)
    elif not isinstance(data, dict):
        yield Fault("bad-task-metadata", "`task_metadata` must be a map.")
    elif data.get("status") not in STATUSES:
        told = as_text(data.get("status"))
        yield Fault("bad-status", f"Unknown task status {told:.40}.")
    else:
        yield from _of_status(data)


def _of_status(data: Thing) -> Iterator[Fault]:
    """Faults in the fields that depend on the status."""
    status, done, blockers = (data.get(k) for k in ("status", *_OF_STATUS))
    if status == "completed" and done is None:
        yield Fault("missing-completed-at", "Completed task without `completed_at`.")
    elif status != "completed" and done is not None:
        yield Fault(
            "stray-completed-at",
            f"Task has `completed_at`, but its status is {status}.",
        )
    if done is not None:
        yield from _time("completed_at", done)
    if status == "blocked" and not blockers:
        yield Fault("missing-blockers", "Blocked task without `blockers`.")
    elif status != "blocked" and blockers:
        yield Fault(
            "stray-blockers", f"Task has `blockers`, but its status is {status}."
        )
    if blockers is not None and not isinstance(blockers, list):
        yield Fault("bad-blockers", "`blockers` must be a list.")
    if not isinstance(data.get("outcome"), str | None):
        yield Fault("bad-outcome", "`outcome` must be text.")


_parsed = lru_cache(4096, typed=True)(parse)
"""Cached, because memories share few distinct times, and each is parsed twice."""

_OF_STATUS = ("completed_at", "blockers")


def instant(value: Json) -> Instant | None:
    """A value as a time; None if it cannot be one."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return _parsed(value)


def access_count(value: Json) -> int | None:
    """A count of accesses; None if it is invalid or absurdly large."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value < 2**53 and value == int(value) else None


# The findings gathered while a file is read.


class Gathered(Struct):
    """The findings so far."""

    memories: list[MemoryFound] = field(default_factory=list[MemoryFound])
    flaws: Flaws = field(default_factory=Flaws)

    def findings(self) -> Findings:
        """All findings."""
        return Findings(memories=tuple(self.memories), flaws=tuple(self.flaws))


# Turn a JSON object into a memory, however far it departs from the format.

TITLE = 80
"""The longest title, in characters."""

_KNOWN = frozenset(
    {
        *("id", "type", "content", "created_at", "updated_at", "accessed_at"),
        *("access_count", "tags", "importance", "archived"),
    }
)
"""The fields that become attributes of a memory; all others stay fields."""

SCHEMA = _KNOWN | {"category", "task_metadata"}
"""Every field of the format."""

_SENTENCE = re.compile(r"\S+(?:.*?[.!?](?=\s)|.*)")
"""More than a word, such as the `println!` that a sentence begins with."""
_NO = frozenset({"false", "no", "0", ""})


def is_memory(value: Json) -> bool:
    """Whether a value is a memory at all."""
    return isinstance(value, dict) and ("id" in value or "content" in value)


def memory_of(
    thing: Thing, *, kind: str | None, line: int | None, archived: bool
) -> MemoryFound:
    """The memory in an object; `kind` is that of its file."""
    body = _body(thing.get("content"))
    own = identifier(thing.get("id"))
    told = thing.get("type")
    return MemoryFound(
        title=title_of(body) or own or "(no text)",
        id=own,
        type=as_text(told) if told is not None else kind,
        tags=tags_of(thing.get("tags")),
        importance=_importance(thing.get("importance")),
        created=_instant(thing.get("created_at")),
        updated=_instant(thing.get("updated_at")),
        accessed=_instant(thing.get("accessed_at")),
        access_count=access_count(thing.get("access_count")) or 0,
        archived=archived or _archived(thing.get("archived")),
        line=line,
        body=body,
        fields=_fields(thing),
    )


def flaws_of(
    thing: Thing, *, kind: str | None, line: int | None, size: int = 0
) -> Iterator[Flaw]:
    """What is wrong with it, with the line; `size` is the size of the line."""
    for code, message, severity in faults(thing, kind):
        yield Flaw(code=code, message=message, severity=severity, line=line)
    if size > LONGEST_LINE:
        message = f"The line has {size} bytes; the limit is {LONGEST_LINE}."
        yield Flaw(code="long-line", message=message, line=line)


def title_of(body: str) -> str:
    """The first sentence of the first line, shortened if necessary."""
    first = body.lstrip().partition("\n")[0].strip()
    if len(first) <= TITLE:
        return first
    found = _SENTENCE.match(first)
    sentence = found[0] if found else first
    if len(sentence) <= TITLE:
        return sentence
    return f"{first[: TITLE - 1].rpartition(' ')[0] or first[: TITLE - 1]}…"


def _body(content: Json) -> str:
    return "" if content is None else as_text(content)


def identifier(value: Json) -> str | None:
    """An identifier; a number becomes its digits."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return str(value) or None


def _importance(value: Json) -> str:
    """The importance; the default if missing."""
    return as_text(value) if value is not None else IMPORTANCES[1]


def tags_of(value: Json) -> tuple[str, ...]:
    """The tags in a value; a single text is split at commas."""
    if isinstance(value, str):
        return tuple(tag.strip() for tag in value.split(",") if tag.strip())
    if not isinstance(value, list):
        return ()
    return tuple(as_text(tag) for tag in value if tag is not None and tag != "")


def _archived(value: Json) -> bool:
    return value.strip().lower() not in _NO if isinstance(value, str) else bool(value)


def _instant(value: Json) -> Instant | None:
    return None if value is None else instant(value)


def _fields(thing: Thing) -> dict[str, Value]:
    fields = rest(thing, _KNOWN)
    if thing.get("category") is None:
        fields.pop("category", None)
    return fields


# A file of lines: every readable memory, and every flaw.

_LARGEST = 256 * 1024 * 1024
"""Bytes of a file of lines that are read."""

_NO_OBJECT = "Not a JSON object; skipped."
_NO_MEMORY = "Neither `id` nor `content`; skipped."


def memories_in(
    path: str, lines: Iterable[Line], *, is_checked: bool = True
) -> Gathered:
    """The memories on the lines of a file; a damaged line affects only itself.

    With `is_checked=False`, requirements are not checked, which takes half of the time.
    """
    kind, archived = kind_of(path), is_archive(path)
    gathered = Gathered()
    for line in lines:
        if line.offset + line.size > _LARGEST:
            message = f"Only the first {_LARGEST} bytes are read."
            gathered.flaws.note("too-large", message, Severity.ERROR, line.number)
            break
        things = _take(line, gathered, kind, archived=archived)
        if is_checked:
            size = len(line.raw or b"")
            for thing in things:
                found = flaws_of(thing, kind=kind, line=line.number, size=size)
                gathered.flaws += found
    return gathered


def _take(
    line: Line, gathered: Gathered, kind: str | None, *, archived: bool
) -> list[Thing]:
    """Gather the content of a line; returns its memories."""
    number = line.number
    if line.raw is None:
        message = f"Line too long to read: {line.size} bytes."
        gathered.flaws.note("long-line", message, Severity.ERROR, number)
        return []
    parsed = parse_json_read(line.raw)
    values, problem = parsed.values, parsed.problem
    if problem:
        _damaged(gathered, problem, number, shown=any(map(is_memory, values)))
    if len(values) > 1:
        message = f"{len(values)} objects on one line; all were read."
        gathered.flaws.note("glued-lines", message, Severity.WARNING, number)
    things: list[Thing] = []
    for value in values:
        if not is_memory(value):
            what = _NO_MEMORY if isinstance(value, dict) else _NO_OBJECT
            gathered.flaws.note("not-a-memory", what, Severity.ERROR, number)
            continue
        thing = cast("Thing", value)
        things.append(thing)
        gathered.memories.append(
            memory_of(thing, kind=kind, line=number, archived=archived)
        )
    return things


def _damaged(gathered: Gathered, problem: str, line: int, *, shown: bool) -> None:
    severity = Severity.WARNING if shown else Severity.ERROR
    gathered.flaws.note("damaged-line", problem, severity, line)


# The file of version 1.0: one JSON document per agent, with a list for each kind.

_UNTOLD = frozenset({"missing-task-metadata"})
"""Faults that all memories of version 1.0 have."""


class Item(NamedTuple):
    """An item of one of the lists."""

    kind: str
    value: Json
    line: int


def read_document(raw: bytes) -> Gathered:
    """The memories of a document, as far as it can be read."""
    gathered = Gathered()
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        text = raw.decode(errors="replace")
        message = f"Not valid UTF-8 (byte {error.start + 1})."
        gathered.flaws.note("damaged-json", message, Severity.WARNING)
    try:
        for item in items(text):
            _take_document(item, gathered)
    except BrokenJsonError as damage:
        line = text.count("\n", 0, damage.position) + 1
        message = f"Invalid JSON: {damage} Everything before it was read."
        gathered.flaws.note("damaged-json", message, Severity.ERROR, line)
    return gathered


def _take_document(item: Item, gathered: Gathered) -> None:
    kind, value, line = item
    if not is_memory(value):
        message = "Not a memory; skipped."
        gathered.flaws.note("not-a-memory", message, Severity.ERROR, line)
        return
    thing = cast("Thing", value)
    memory = memory_of(thing, kind=kind, line=line, archived=False)
    gathered.memories.append(memory)
    flaws: Iterator[Flaw] = flaws_of(thing, kind=kind, line=line)
    gathered.flaws += (flaw for flaw in flaws if flaw.code not in _UNTOLD)


def items(text: str) -> Iterator[Item]:
    """The items of the lists, each with the line on which it starts."""
    scanner, line, counted = Scanner(text), 1, 0
    scanner.skip()
    for name in scanner.items("{"):
        kind = FILES.get(name)
        if kind and text[scanner.at : scanner.at + 1] == "[":
            for _ in scanner.items("["):
                line += text.count("\n", counted, scanner.at)
                counted = scanner.at
                yield Item(kind, scanner.value(), line)


# A backup: its file, its time and its size; its content is not listed.

BACKUP_LARGEST = 4 * max(BYTES.values())
"""Bytes that are read of the backup of a document."""


def read_backup(root: Root, path: str, stamp: Stamp) -> Findings:
    """The backup as a document with facts about it, but without its text."""
    told = backup_of(path)
    facts: dict[str, Value] = {
        "of": told.of,
        "when": told.when or _time_backup(stamp),
        "bytes": str(stamp.size),
        **_content_backup(root, path),
    }
    document = DocumentFound(
        title=f"{told.of} of {facts['when']}",
        role="document",
        text="",
        category="backup",
        facts=facts,
    )
    return Findings(documents=(document,))


def _content_backup(root: Root, path: str) -> dict[str, Value]:
    """The number of lines, or of memories in a document."""
    if kind_of(path) is None:
        blob = root.read(path, limit=BACKUP_LARGEST)
        if blob.whole and is_document(blob.raw):
            return {"memories": str(len(read_document(blob.raw).memories))}
    return {"lines": str(sum(1 for _ in read_lines(root, path)))}


def _time_backup(stamp: Stamp) -> str:
    """When the file was written."""
    moment = datetime.fromtimestamp(stamp.mtime_ns // 1_000_000_000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
