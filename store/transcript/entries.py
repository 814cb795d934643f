"""Which lines spec 004's ingestion keeps, and as what."""

from typing import NamedTuple, TypeGuard

from store.findings import Json
from store.transcript.kinds import brings_results
from store.transcript.record import Record, content_of, inner
from store.transcript.tools import tool_name


class Entry(NamedTuple):
    """A line as the ingestion writes it down."""

    role: str
    """`user` or `assistant`."""
    text: str
    """Its text blocks; of an assistant, with the tools that were called behind them."""
    tools: tuple[str, ...]
    """The names of those tools."""


def entry_text(record: Record) -> Entry | None:
    """The entry that a line makes; None for the lines that make none."""
    role = record.get("type")
    if role not in ("user", "assistant") or record.get("isSidechain"):
        return None
    if inner(record, "message").get("role") != role:
        return None
    content = content_of(record)
    words = _words(content)
    if role == "assistant":
        return _assistant(words, content)
    has_results = not isinstance(content, str) and brings_results(content)
    if record.get("isMeta") or has_results or not words.strip():
        return None
    return Entry("user", words, ())


def _assistant(words: str, content: str | list[Json]) -> Entry | None:
    tools: tuple[str, ...] = ()
    if not isinstance(content, str):
        names = (tool_name(block) for block in content if _is(block, "tool_use"))
        tools = tuple(filter(None, names))
    parts = [words] if words.strip() else []
    if tools:
        parts.append(f"[Used tools: {', '.join(tools)}]")
    return Entry("assistant", "\n\n".join(parts), tools) if parts else None


def _words(content: str | list[Json]) -> str:
    if isinstance(content, str):
        return content
    texts = (block.get("text") for block in content if _is(block, "text"))
    return "\n\n".join(text for text in texts if isinstance(text, str) and text)


def _is(block: Json, kind: str) -> TypeGuard[Record]:
    return isinstance(block, dict) and block.get("type") == kind
