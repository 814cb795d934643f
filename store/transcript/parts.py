"""A message as its lines hold it, whole but for what is no text."""

from collections.abc import Iterable

from store.findings import Json
from store.transcript.record import Record, content_of, inner

_FOLDED = frozenset({"signature"})
"""What means nothing to a reader: shown as its length."""

_MESSAGE_KEYS = ("model", "id", "stop_reason", "usage")
_DEEPEST = 100


def parts_of(records: Iterable[Record]) -> tuple[dict[str, Json], ...]:
    """The blocks of a message in order, pictures and signatures told by their size."""
    parts: list[dict[str, Json]] = []
    for record in records:
        content = content_of(record)
        for block in [content] if isinstance(content, str) else content:
            part = _part(block)
            if part:
                parts.append(part)
        if "toolUseResult" in record:
            value = folded(record["toolUseResult"])
            parts.append({"type": "toolUseResult", "value": value})
    return tuple(parts)


def fields_of(records: list[Record]) -> dict[str, Json]:
    """What the first line says beside its message, and the last one of the message."""
    if not records:
        return {}
    fields = {
        key: folded(value)
        for key, value in records[0].items()
        if key not in {"message", "toolUseResult"}
    }
    message = inner(records[-1], "message")
    return fields | {key: message[key] for key in _MESSAGE_KEYS if key in message}


def folded(value: Json, depth: int = 0) -> Json:
    """A value with pictures and signatures told by their size."""
    if depth > _DEEPEST:
        return "…"
    if isinstance(value, list):
        return [folded(item, depth + 1) for item in value]
    if not isinstance(value, dict):
        return value
    picture = _picture(value)
    if picture:
        return picture
    return {
        key: _size(item) if key in _FOLDED else folded(item, depth + 1)
        for key, item in value.items()
    }


def _part(block: Json) -> dict[str, Json] | None:
    if isinstance(block, str):
        return {"type": "text", "text": block} if block else None
    part = folded(block)
    return part if isinstance(part, dict) else {"type": "other", "value": part}


def _picture(value: Record) -> Record | None:
    """A picture without its bytes, in either of the forms that they come in."""
    source = inner(value, "source")
    data = source.get("data") if value.get("type") == "image" else value.get("base64")
    if not isinstance(data, str):
        return None
    media = source.get("media_type") or value.get("type")
    return {"type": "image", "media_type": media, "bytes": len(data) * 3 // 4}


def _size(value: Json) -> Json:
    return f"({len(value)} characters)" if isinstance(value, str) else folded(value)
