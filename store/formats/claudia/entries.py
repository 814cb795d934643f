"""A row of `memory_transcript_entries` as a message."""

from store.findings import Json, MessageFound
from store.formats.claudia.cells import instant, json_value, text, whole
from store.formats.claudia.ranges import Belonging, Ranges
from store.formats.claudia.tables import NUMBER, Record
from store.formats.port import Passage

_KINDS = {"user": "prompt", "assistant": "reply"}
_COLUMNS_TOLD = frozenset({NUMBER, "content"})


def read_entry(row: Record, ranges: Ranges) -> tuple[MessageFound, Belonging]:
    """The message, and where among the conversations it belongs."""
    number, role = whole(row[NUMBER]), text(row.get("role"))
    at = instant(row.get("timestamp"))
    belonging = ranges.at(text(row.get("source_file")) or "", at)
    message = MessageFound(
        key=entry_key(number),
        kind=_KINDS.get(role or "", "other"),
        line=number,
        text=text(row.get("content")) or "",
        role=role,
        at=at,
        session=text(row.get("session_id")),
        cwd=text(row.get("cwd")),
        tools=tools_of(row),
        entries=1,
        conversation=belonging.conversation,
    )
    return message, belonging


def entry_key(number: int) -> str:
    """What tells an entry from every other of its database."""
    return f"entry:{number}"


def tools_of(row: Record) -> tuple[str, ...]:
    """The tools that an entry used: the names are joined by a comma, with a blank."""
    names = (text(row.get("tool_names")) or "").split(",")
    return tuple(name.strip() for name in names if name.strip())


def whole_entry(row: Record) -> Passage:
    """An entry as it is stored."""
    words: dict[str, Json] = {"type": "text", "text": text(row.get("content")) or ""}
    kept = row.keys() - _COLUMNS_TOLD
    return Passage(
        parts=(words,), fields={key: json_value(row[key]) for key in sorted(kept)}
    )
