"""What programs wrote into a transcript, as text: system lines and attachments."""

from store.findings import Json
from store.transcript.blocks import kept, spoken
from store.transcript.record import Record, inner, text

LONGEST_NOTICE = 2_000
"""How much of what a program wrote is kept to be searched."""

_NAMES = ("displayPath", "filename", "path", "hookName")
_WORDS = ("content", "snippet", "banner", "stderr", "stdout")


def attachment_text(attachment: Record) -> str:
    """What an attachment says: typed words whole, an aside's kind and beginning."""
    if attachment.get("type") == "queued_command":
        prompt = attachment.get("prompt")
        return spoken(prompt) if isinstance(prompt, (str, list)) else ""
    kind = text(attachment, "type")[:40] or "attachment"
    name = next(filter(None, (text(attachment, key) for key in _NAMES)), "")
    words = next(filter(None, (_flat(attachment.get(key)) for key in _WORDS)), "")
    return kept(
        "\n".join(filter(None, (f"[{kind}] {name}".rstrip(), words))), LONGEST_NOTICE
    )


def system_text(record: Record) -> str:
    """What a system line says."""
    kind = record.get("type")
    if kind == "pr-link":
        return kept(f"[pr-link] {_first(record, 'prUrl', 'prRepository')}".rstrip())
    if kind == "frame-link":
        words = f"[frame-link] {text(record, 'title')} {text(record, 'frameUrl')}"
        return kept(words.rstrip())
    words = text(record, "content") or _error(inner(record, "error"))
    return kept(
        words or f"[{text(record, 'subtype')[:40] or 'system'}]", LONGEST_NOTICE
    )


def other_text(record: Record) -> str:
    """A neutral line for a type that nobody knows."""
    return kept(
        f"[{text(record, 'type')[:40]}] {text(record, 'content')}".rstrip(),
        LONGEST_NOTICE,
    )


def _flat(value: Json) -> str:
    """The text of an attachment's content, in any of the forms that it comes in."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(item for item in value if isinstance(item, str))
    if isinstance(value, dict):
        return text(value, "content") or text(inner(value, "file"), "content")
    return ""


def _error(error: Record) -> str:
    """The message of an API error, however deep it lies."""
    words = _first(error, "formatted", "message")
    for _ in range(3):
        if words:
            return f"API error: {words}"
        error = inner(error, "error")
        words = _first(error, "formatted", "message")
    return ""


def _first(record: Record, *keys: str) -> str:
    return next(filter(None, (text(record, key) for key in keys)), "")
