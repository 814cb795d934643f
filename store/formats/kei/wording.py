"""What a line of a trace says, as plain text, in any of the forms that it comes in."""

from collections.abc import Iterator

from store.findings import Json
from store.formats.kei.growing import Record
from store.formats.kei.values import text

LONGEST = 64 * 1024
"""How much of what a line says is put together, in characters."""

_MAIN = ("command", "file_path", "notebook_path", "pattern", "query", "url", "prompt")
"""The arguments that tell what a call is about, the most telling first."""

_ELSEWHERE = ("content", "summary", "customTitle", "aiTitle", "agentName", "lastPrompt")
"""Where lines that hold no message say something."""


def words_of(record: Record) -> str | None:
    """What a line says; None for one that says nothing."""
    message = record.get("message")
    said = message.get("content") if isinstance(message, dict) else message
    if said is None:
        said = text(record, *_ELSEWHERE)
    return plain(said) or None


def call_words(arguments: Record) -> str:
    """What the call of a tool is about."""
    main = text(arguments, *_MAIN)
    if main is not None:
        return main
    others = (value for value in arguments.values() if isinstance(value, str))
    return next(filter(None, others), "")


def plain(content: Json) -> str:
    """The text of a content that is text itself, or of its blocks."""
    if isinstance(content, str):
        return content[:LONGEST]
    if not isinstance(content, list):
        return ""
    parts: list[str] = []
    left = LONGEST
    for part in _parts(content):
        parts.append(part[:left])
        left -= len(part)
        if left <= 0:
            break
    return "\n".join(parts)


def _parts(content: list[Json]) -> Iterator[str]:
    """The texts of blocks; what a tool answered is blocks again."""
    for block in content:
        if isinstance(block, str):
            yield block
        if not isinstance(block, dict):
            continue
        found = text(block, "text", "thinking")
        inner = block.get("content")
        if found is None and isinstance(inner, str | list):
            found = inner if isinstance(inner, str) else _flat(inner)
        if found:
            yield found


def _flat(content: list[Json]) -> str:
    texts = (text(b, "text") for b in content if isinstance(b, dict))
    return "\n".join(filter(None, texts))
