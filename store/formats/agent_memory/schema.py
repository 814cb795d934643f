"""What the format demands of a memory, and a sentence for each demand not met."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, cast

from store.findings import Json, Severity
from store.formats.agent_memory.layout import KINDS, TASK
from store.formats.agent_memory.values import FIELDS, as_text
from store.times import Instant, parse

LONGEST_CONTENT = 5000
LONGEST_CATEGORY = 50
MOST_TAGS = 10
LONGEST_TAG = 30
LONGEST_LINE = 10 * 1024

IMPORTANCES = ("high", "medium", "low")
STATUSES = ("completed", "in-progress", "blocked")
TIMES = ("created_at", "updated_at", "accessed_at")
DEFAULTED = ("importance", "tags", "access_count", "archived")
"""Fields that are read as if they stood there with the usual value."""

Thing = dict[str, Json]

_UUID = re.compile(
    r"[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}",
    re.IGNORECASE,
)
_ZONED = re.compile(r".*(?:[Zz]|[+-]\d\d:?\d\d)")


class Fault(NamedTuple):
    """One demand that is not met."""

    code: str
    message: str
    severity: Severity = Severity.WARNING


def faults(thing: Thing, kind: str | None) -> Iterator[Fault]:
    """Everything in a memory that is not as it ought to be; `kind` is its file's."""
    yield from _identity(thing, kind)
    yield from _content(thing)
    yield from _tags(thing.get("tags"))
    yield from _times(thing)
    yield from _numbers(thing)
    yield from _task(thing)
    missing = [name for name in (*TIMES, "type", *DEFAULTED) if thing.get(name) is None]
    if missing:
        yield Fault("missing-fields", f"It does not say its {', '.join(missing)}.")
    if len(thing) > FIELDS:
        yield Fault("many-fields", f"It has {len(thing)} fields; not all are shown.")


def _identity(thing: Thing, kind: str | None) -> Iterator[Fault]:
    own, told = thing.get("id"), thing.get("type")
    if own is None or own == "":
        yield Fault("missing-id", "It has no `id`.")
    elif not isinstance(own, str) or not _UUID.fullmatch(own):
        yield Fault("bad-id", f"Its `id`, {as_text(own):.60}, is no UUID of version 4.")
    if told is None:
        return
    if told not in KINDS:
        yield Fault("bad-type", f"Its `type`, {as_text(told):.40}, is none of {KINDS}.")
    elif kind is not None and told != kind:
        yield Fault("type-mismatch", f"It is a {told} in a file for {kind} memories.")


def _content(thing: Thing) -> Iterator[Fault]:
    content, category = thing.get("content"), thing.get("category")
    if not isinstance(content, str) or not content:
        yield Fault("bad-content", "Its `content` ought to be text, and not empty.")
    elif len(content) > LONGEST_CONTENT:
        most = f"{LONGEST_CONTENT} are allowed"
        yield Fault("long-content", f"It has {len(content)} characters; {most}.")
    if category is None:
        return
    if not isinstance(category, str):
        yield Fault("bad-category", "Its `category` ought to be text.")
    elif len(category) > LONGEST_CATEGORY:
        most = f"{LONGEST_CATEGORY} are allowed"
        yield Fault("long-category", f"Its category has {len(category)}; {most}.")


def _tags(tags: Json) -> Iterator[Fault]:
    if tags is None:
        return
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        yield Fault("bad-tags", "Its `tags` ought to be a list of texts.")
        return
    if len(tags) > MOST_TAGS:
        yield Fault("many-tags", f"It has {len(tags)} tags; {MOST_TAGS} are allowed.")
    if any(len(cast("str", tag)) > LONGEST_TAG for tag in tags):
        yield Fault("long-tag", f"A tag has more than {LONGEST_TAG} characters.")


def _times(thing: Thing) -> Iterator[Fault]:
    for name in TIMES:
        value = thing.get(name)
        if value is not None:
            yield from _time(name, value)


def _time(name: str, value: Json) -> Iterator[Fault]:
    told = instant(value)
    if told is None or told.micros is None:
        yield Fault("bad-time", f"`{name}` tells no time that can be read.")
    elif not isinstance(value, str) or not _ZONED.fullmatch(value):
        message = f"`{name}` names no zone; it is taken for UTC."
        yield Fault("time-without-zone", message, Severity.NOTE)


def _numbers(thing: Thing) -> Iterator[Fault]:
    count, importance = thing.get("access_count"), thing.get("importance")
    if count is not None and access_count(count) is None:
        yield Fault("bad-access-count", "`access_count` ought to be a number from 0.")
    if importance is not None and importance not in IMPORTANCES:
        yield Fault("bad-importance", "`importance` is neither high, medium nor low.")
    if not isinstance(thing.get("archived", False), bool | None):
        yield Fault("bad-archived", "`archived` ought to be true or false.")


def _task(thing: Thing) -> Iterator[Fault]:
    data = thing.get("task_metadata")
    if thing.get("type") != TASK:
        if data is not None:
            yield Fault("stray-task-metadata", "Only a task has `task_metadata`.")
        return
    if data is None:
        message = "The task says nothing of its status."
        yield Fault("missing-task-metadata", message, Severity.NOTE)
    elif not isinstance(data, dict):
        yield Fault("bad-task-metadata", "`task_metadata` ought to be a map.")
    elif data.get("status") not in STATUSES:
        told = as_text(data.get("status"))
        yield Fault("bad-status", f"The task's status is {told:.40}, which is unknown.")
    else:
        yield from _of_status(data)


def _of_status(data: Thing) -> Iterator[Fault]:
    """What goes with a status, and what does not."""
    status, done, blockers = (data.get(k) for k in ("status", *_OF_STATUS))
    if status == "completed" and done is None:
        yield Fault("missing-completed-at", "A completed task ought to say when.")
    elif status != "completed" and done is not None:
        yield Fault("stray-completed-at", f"A task that is {status} says when it was.")
    if done is not None:
        yield from _time("completed_at", done)
    if status == "blocked" and not blockers:
        yield Fault("missing-blockers", "A blocked task ought to say by what.")
    elif status != "blocked" and blockers:
        yield Fault("stray-blockers", f"A task that is {status} names blockers.")
    if blockers is not None and not isinstance(blockers, list):
        yield Fault("bad-blockers", "`blockers` ought to be a list.")
    if not isinstance(data.get("outcome"), str | None):
        yield Fault("bad-outcome", "`outcome` ought to be text.")


_parsed = lru_cache(4096, typed=True)(parse)
"""The same few times stand in many memories, and each is looked at twice."""

_OF_STATUS = ("completed_at", "blockers")


def instant(value: Json) -> Instant | None:
    """A value as an instant; None for what cannot be one."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return _parsed(value)


def access_count(value: Json) -> int | None:
    """A count of accesses; None for what is none, or beyond all sense."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value < 2**53 and value == int(value) else None
