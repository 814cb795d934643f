"""Whether lines are Claude Code's, told by their shape."""

from collections.abc import Iterable

from store.files.jsonl import Line, parse
from store.transcript import Record

LOOKED_AT = 100
"""How many lines are looked at before a file is given up."""

_MARKS = ("uuid", "sessionId", "leafUuid", "messageId")
_TYPES = frozenset(
    {
        "progress",
        "file-history-snapshot",
        "system",
        "attachment",
        "queue-operation",
        "last-prompt",
        "summary",
        "custom-title",
        "pr-link",
        "mode",
        "permission-mode",
        "ai-title",
        "agent-name",
        "frame-link",
    }
)


def is_proof(record: Record) -> bool:
    """Whether only Claude Code writes such a line."""
    kind, message = record.get("type"), record.get("message")
    if kind in ("user", "assistant"):
        has_mark = any(isinstance(record.get(mark), str) for mark in _MARKS)
        return has_mark and isinstance(message, dict) and "content" in message
    if kind == "summary":
        return isinstance(record.get("leafUuid"), str)
    if kind == "file-history-snapshot":
        return "snapshot" in record
    return is_hint(record) and "sessionId" in record and kind != "system"


def is_hint(record: Record) -> bool:
    """Whether a line may be Claude Code's, in a place where such lines are kept."""
    kind = record.get("type")
    if kind in ("user", "assistant"):
        message = record.get("message")
        return "message" in record and not (
            isinstance(message, dict) and "parts" in message
        )
    if not isinstance(kind, str) or kind not in _TYPES:
        return False
    return any(isinstance(record.get(mark), str) for mark in _MARKS)


def are_ours(lines: Iterable[Line]) -> bool | None:
    """Whether a file's first lines are Claude Code's; None if more may tell."""
    for count, line in enumerate(lines, 1):
        values = parse(line.raw).values if line.raw else ()
        if any(isinstance(value, dict) and is_hint(value) for value in values):
            return True
        if count >= LOOKED_AT:
            return False
    return None
