"""What the kit's own analyzer makes of a line of a trace, its oddities included.

It reads `type` and has no name for the `kind` of older lines. It skips a whole line
where one field has a type that it does not expect. It looks for words in the JSON text
of a message, the arguments of tools included. What its guard refuses, it drops unsaid.
"""

import json
from typing import NamedTuple

import orjson

from store.derive.event_classes import OTHER, Seen, classify
from store.derive.injection_guard import is_refused
from store.findings import Json
from store.formats.kei.growing import Record

LONGEST = 1024 * 1024
"""How much of a message's JSON text is looked at, in characters."""

_TEXTS = (
    "type",
    "timestamp",
    "sessionId",
    "cwd",
    "gitBranch",
    "parentUuid",
    "uuid",
    "subtype",
    "toolUseID",
    "tool",
    "file_path",
    "event_class",
)
_LIMIT = 2**63


class Call(NamedTuple):
    """A tool that a line calls."""

    tool: str
    id: str | None
    file_path: str | None
    input: Record


def blocks(message: Json) -> list[Record]:
    """The blocks of a message whose content is a list."""
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, list):
        return []
    return [block for block in content if isinstance(block, dict)]


def calls(message: Json) -> list[Call]:
    """The tools that a message calls; each is an event of its own."""
    return [
        _call(block, name)
        for block in blocks(message)
        if block.get("type") == "tool_use"
        and isinstance(name := block.get("name"), str)
    ]


def text_or_none(value: Json) -> str | None:
    """A value where it is text."""
    return value if isinstance(value, str) else None


def upstream_classes(record: Record, called: list[Call]) -> list[str | None]:
    """The class of each event of a line; None for one that is not stored."""
    count = len(called) or 1
    if not _is_accepted(record):
        return [None] * count
    message = record.get("message")
    text = _json_text(message)
    if text is not None and (_has_surrogates(text) or is_refused(text)):
        return [None] * count
    event = Seen(
        kind=text_or_none(record.get("type")) or OTHER,
        tool=text_or_none(record.get("tool")),
        is_error=not called and _is_error(record),
        text=text,
        own=text_or_none(record.get("event_class")),
    )
    if not called:
        return [classify(event)]
    return [classify(event._replace(tool=call.tool)) for call in called]


def _call(block: Record, name: str) -> Call:
    given = block.get("input")
    arguments = given if isinstance(given, dict) else {}
    path = text_or_none(arguments.get("file_path"))
    return Call(name, text_or_none(block.get("id")), path, arguments)


def _is_accepted(record: Record) -> bool:
    """Whether every field has the type that is expected, or is null."""
    ts, is_error = record.get("ts"), record.get("is_error")
    if is_error is not None and not isinstance(is_error, bool):
        return False
    if ts is not None and (type(ts) is not int or not -_LIMIT <= ts < _LIMIT):
        return False
    return all(isinstance(record.get(key), str | None) for key in _TEXTS)


def _is_error(record: Record) -> bool:
    for block in blocks(record.get("message")):
        if block.get("type") == "tool_result":
            return block.get("is_error") is True
    return record.get("is_error") is True


def _json_text(message: Json) -> str | None:
    """A message's text; an object's is its JSON, without blanks, its keys in order."""
    if isinstance(message, str):
        return message[:LONGEST]
    if not isinstance(message, dict):
        return None
    try:
        raw = orjson.dumps(message, option=orjson.OPT_SORT_KEYS)
        return raw.decode()[:LONGEST]
    except orjson.JSONEncodeError:  # lone surrogates, say
        text = json.dumps(
            message, ensure_ascii=False, separators=(",", ":"), sort_keys=True
        )
        return text[:LONGEST]


def _has_surrogates(text: str) -> bool:
    """Whether the text is no Unicode: then the line counts as damaged."""
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
