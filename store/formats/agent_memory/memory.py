"""One JSON object as a memory, whatever of the format it does not keep to."""

import re
from collections.abc import Iterator

from store.findings import Flaw, Json, MemoryFound, Value
from store.formats.agent_memory.schema import (
    IMPORTANCES,
    LONGEST_LINE,
    Thing,
    access_count,
    faults,
    instant,
)
from store.formats.agent_memory.values import as_text, rest
from store.times import Instant

TITLE = 80
"""How long a title may get, in characters."""

_KNOWN = frozenset(
    {
        *("id", "type", "content", "created_at", "updated_at", "accessed_at"),
        *("access_count", "tags", "importance", "archived"),
    }
)
"""What the attributes of a memory carry; all else stays among its fields."""

_SENTENCE = re.compile(r"\s*(.*?(?:[.!?](?=\s)|$))", re.MULTILINE)
_NO = frozenset({"false", "no", "0", ""})


def is_memory(value: Json) -> bool:
    """Whether a value is a memory at all, and not something else in its place."""
    return isinstance(value, dict) and ("id" in value or "content" in value)


def memory_of(
    thing: Thing, *, kind: str | None, line: int | None, archived: bool
) -> MemoryFound:
    """The memory that an object tells of; `kind` is what its file is for."""
    body = _body(thing.get("content"))
    own = identifier(thing.get("id"))
    told = thing.get("type")
    return MemoryFound(
        title=title_of(body) or own or "(no text)",
        id=own,
        type=as_text(told) if told is not None else kind,
        tags=_tags(thing.get("tags")),
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
    """What is wrong with it, each with its line; `size` is that of the line."""
    for code, message, severity in faults(thing, kind):
        yield Flaw(code=code, message=message, severity=severity, line=line)
    if size > LONGEST_LINE:
        message = f"The line has {size} bytes; {LONGEST_LINE} are allowed."
        yield Flaw(code="long-line", message=message, line=line)


def title_of(body: str) -> str:
    """The first sentence of the first line, or as much of it as is short enough."""
    first = body.lstrip().partition("\n")[0].strip()
    if len(first) <= TITLE:
        return first
    found = _SENTENCE.match(first)
    sentence = found[1] if found else first
    if len(sentence) <= TITLE:
        return sentence
    return f"{first[: TITLE - 1].rpartition(' ')[0] or first[: TITLE - 1]}…"


def _body(content: Json) -> str:
    return "" if content is None else as_text(content)


def identifier(value: Json) -> str | None:
    """An identifier; a number is taken as its digits."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return str(value) or None


def _importance(value: Json) -> str:
    """The word; the usual one where there is none."""
    return as_text(value) if value is not None else IMPORTANCES[1]


def _tags(value: Json) -> tuple[str, ...]:
    """The tags; one text is divided at its commas."""
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
