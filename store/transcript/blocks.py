"""The blocks of a transcript line: text, tool calls, notices."""

from collections.abc import Iterable, Mapping
from typing import TypeGuard

from msgspec import Struct

from store.findings import Json

# Access to the values of a parsed line, any of which may be missing or of a wrong type.

Record = dict[str, Json]
"""A parsed line of a transcript."""

LONGEST_ID = 200
"""The longest text accepted as an identifier or a name."""


def word(record: Record, key: str) -> str | None:
    """A non-empty text no longer than an identifier, else None."""
    value = record.get(key)
    if isinstance(value, str) and 0 < len(value) <= LONGEST_ID:
        return value
    return None


def text(record: Mapping[str, Json], key: str) -> str:
    """A text of any length; empty if missing."""
    value = record.get(key)
    return value if isinstance(value, str) else ""


def inner(record: Mapping[str, Json], key: str) -> Record:
    """An object; empty if missing."""
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def content_of(record: Record) -> str | list[Json]:
    """The content of a line's message: a text or blocks; empty if invalid."""
    content = inner(record, "message").get("content")
    return content if isinstance(content, (str, list)) else ""


# The blocks of a message as searchable text.

LONGEST_TEXT = 1_000_000
"""Characters of a block's text that are stored for search."""
LONGEST_RESULT = 2_000
"""Characters of a tool's answer that are stored for search."""
CUT = " […]"
"""Marks omitted text."""
_DIVIDER, _PICTURE = "\x1e", "␞"


def kept(words: str, longest: int = LONGEST_TEXT) -> str:
    """A text of limited length without any divider."""
    if len(words) > longest:
        words = words[:longest] + CUT
    return words.replace(_DIVIDER, _PICTURE) if _DIVIDER in words else words


def block_text(block: Json) -> str:
    """The text of a block of a user message; images and the like by type only."""
    if isinstance(block, str):
        return kept(block)
    if not isinstance(block, dict):
        return ""
    kind = block.get("type")
    if kind == "text":
        return kept(text(block, "text"))
    if kind == "tool_result":
        return result_text(block)
    return f"[{kind[:40]}]" if isinstance(kind, str) else ""


def spoken(content: str | list[Json]) -> str:
    """The text of a user message, block after block."""
    if isinstance(content, str):
        return kept(content)
    return "\n\n".join(filter(None, map(block_text, content)))


def result_text(block: Record) -> str:
    """The beginning of a tool's answer."""
    content = block.get("content")
    if isinstance(content, str):
        return kept(content, LONGEST_RESULT)
    if not isinstance(content, list):
        return ""
    return kept("\n".join(filter(None, map(block_text, content))), LONGEST_RESULT)


# Text that programs put before the words a person typed.

_OPENINGS = ("<system-reminder>", "<ide_")


def without_asides(text: str) -> str:
    """The text without the reminders and editor notes at its start."""
    rest = text.lstrip()
    while rest.startswith(_OPENINGS):
        name = rest[1 : rest.find(">")]
        closing = f"</{name}>"
        end = (
            rest.find(closing)
            if name.replace("_", "").replace("-", "").isalnum()
            else -1
        )
        if end < 0:
            break
        rest = rest[end + len(closing) :].lstrip()
    return rest


# Tool calls: as one line of text, and the files that they write.

LONGEST_CALL = 500
"""Characters of a call's main input that are stored for search."""

WRITERS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})
"""The tools that write files."""

_MAIN = (
    *("command", "file_path", "notebook_path", "pattern", "query", "url", "prompt"),
    *("skill", "description", "subject", "path", "text"),
)
"""The inputs that describe a call, most informative first."""


def tool_name(block: Record) -> str | None:
    """The name of the tool that a block calls; None if there is no name."""
    name = block.get("name")
    return name if isinstance(name, str) and name else None


def call_line(name: str, block: Record) -> str:
    """A call on one line: the tool and its main input."""
    main = _main_input(inner(block, "input"))
    words = f"{name}: {main}" if main else name
    if not words.isprintable():
        words = " ".join(words.split())
    return kept(words.strip(), LONGEST_CALL) or "tool_use"


def written(name: str, block: Record) -> str | None:
    """The file that a call writes, as named in the call."""
    if name not in WRITERS:
        return None
    given = inner(block, "input")
    return text(given, "file_path") or text(given, "notebook_path") or None


def _main_input(given: dict[str, Json]) -> str:
    for key in _MAIN:
        value = given.get(key)
        if isinstance(value, str) and value:
            return value[: LONGEST_CALL * 2]
    for value in given.values():
        if isinstance(value, str) and value:
            return value[: LONGEST_CALL * 2]
    return ""


# What programs wrote into a transcript, as text: system lines and attachments.

LONGEST_NOTICE = 2_000
"""Characters of a program's text that are stored for search."""

_NAMES = ("displayPath", "filename", "path", "hookName")
_WORDS = ("content", "snippet", "banner", "stderr", "stdout")


def attachment_text(attachment: Record) -> str:
    """The text of an attachment: typed words in full, else its type and beginning."""
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
    """The text of a system line."""
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
    """A generic text for an unknown type of line."""
    return kept(
        f"[{text(record, 'type')[:40]}] {text(record, 'content')}".rstrip(),
        LONGEST_NOTICE,
    )


def _flat(value: Json) -> str:
    """The text of an attachment's content, in any of its formats."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(item for item in value if isinstance(item, str))
    if isinstance(value, dict):
        return text(value, "content") or text(inner(value, "file"), "content")
    return ""


def _error(error: Record) -> str:
    """The message of an API error, however deeply nested."""
    words = _first(error, "formatted", "message")
    for _ in range(3):
        if words:
            return f"API error: {words}"
        error = inner(error, "error")
        words = _first(error, "formatted", "message")
    return ""


def _first(record: Record, *keys: str) -> str:
    return next(filter(None, (text(record, key) for key in keys)), "")


# A message as its lines have it, complete except for binary data.

_FOLDED = frozenset({"signature"})
"""Meaningless to a reader; only its length is shown."""

_MESSAGE_KEYS = ("model", "id", "stop_reason", "usage")
_DEEPEST = 100


def parts_of(records: Iterable[Record]) -> tuple[dict[str, Json], ...]:
    """The blocks of a message in order; images and signatures by size only."""
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
    """The other fields of the first line, and those of the last line's message."""
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
    """A value with images and signatures replaced by their size."""
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
    """An image without its bytes, in either of the two formats."""
    source = inner(value, "source")
    data = source.get("data") if value.get("type") == "image" else value.get("base64")
    if not isinstance(data, str):
        return None
    media = source.get("media_type") or value.get("type")
    return {"type": "image", "media_type": media, "bytes": len(data) * 3 // 4}


def _size(value: Json) -> Json:
    return f"({len(value)} characters)" if isinstance(value, str) else folded(value)


# The kind of message that a line is; the first rule that applies decides.

COUNTED = frozenset(
    {
        *("progress", "file-history-snapshot", "queue-operation", "summary"),
        *("custom-title", "ai-title", "agent-name", "last-prompt", "mode"),
        *("permission-mode", "worktree-state", "relocated", "bridge-session"),
        "atis-latch",
    }
)
"""Types of lines that are statistics about the session, not messages."""

_COUNTED_SYSTEM = frozenset({"stop_hook_summary", "turn_duration"})
_SYSTEM = frozenset({"system", "pr-link", "frame-link"})
_COMMANDS = ("<command-name>", "<command-message>", "<bash-input>")
_OUTPUTS = ("<local-command-", "<bash-")
_INTERRUPT = "[Request interrupted"
NOTIFICATIONS = ("<task-notification>", "<agent-notification>")
"""Prefixes of the program's own notices; the second is the older name of the first."""


def kind_of(record: Record) -> str | None:
    """The kind of the message that a line belongs to; None if it belongs to none."""
    kind = record.get("type")
    if kind == "assistant":
        return _assistant_kind(content_of(record))
    if kind == "user":
        return user_kind(record, content_of(record))
    if kind == "attachment":
        return attachment_kind(inner(record, "attachment"))
    if not isinstance(kind, str) or kind in COUNTED:
        return None
    return system_kind(record) if kind in _SYSTEM else "other"


def user_kind(record: Record, content: str | list[Json]) -> str:
    """The kind of a `user` line; few of them were typed by a person."""
    if not isinstance(content, str) and brings_results(content):
        return "tool_result"
    if record.get("isCompactSummary") is True:
        return "summary"
    if record.get("isMeta") is True:
        return "meta"
    if _not_human(record):
        return "notification"
    return words_kind(_beginning(content))


def words_kind(words: str) -> str:
    """The kind of a user's words, judged by how they start."""
    if words.startswith("<"):
        if words.startswith(_COMMANDS):
            return "command"
        if words.startswith(_OUTPUTS):
            return "output"
        if words.startswith(NOTIFICATIONS):
            return "notification"
    elif words.startswith(_INTERRUPT):
        return "interrupt"
    return "prompt"


def attachment_kind(attachment: Record) -> str:
    """The kind of an attachment: words typed while the agent worked, or other data."""
    if attachment.get("type") != "queued_command":
        return "meta"
    if attachment.get("commandMode") == "task-notification" or _not_human(attachment):
        return "notification"
    return "prompt"


def system_kind(record: Record) -> str | None:
    """The kind of a `system` line, or of an equivalent one."""
    subtype = record.get("subtype")
    if isinstance(subtype, str) and subtype in _COUNTED_SYSTEM:
        return None
    if subtype == "local_command":
        content = record.get("content")
        kind = words_kind(content.lstrip()) if isinstance(content, str) else ""
        return kind if kind in {"command", "output"} else "system"
    return "system"


def _assistant_kind(content: str | list[Json]) -> str:
    if isinstance(content, str):
        return "reply" if content else "other"
    kinds = [block.get("type") for block in content if isinstance(block, dict)]
    for block, kind in _BY_BLOCK:
        if block in kinds:
            return kind
    return "other"


_BY_BLOCK = (
    ("text", "reply"),
    ("tool_use", "tool_use"),
    ("thinking", "thinking"),
    ("redacted_thinking", "thinking"),
)


def _not_human(record: Record) -> bool:
    """Whether a line says that no person typed it."""
    origin = record.get("origin")
    return isinstance(origin, dict) and origin.get("kind") not in (None, "human")


def brings_results(content: list[Json]) -> bool:
    """Whether any block is the answer of a tool."""
    for block in content:
        if isinstance(block, dict) and block.get("type") == "tool_result":
            return True
    return False


def _beginning(content: str | list[Json]) -> str:
    """The text at the start of a user message."""
    if isinstance(content, str):
        return content.lstrip()
    for block in content:
        words = block.get("text") if isinstance(block, dict) else block
        if isinstance(words, str) and words:
            return words.lstrip()
    return ""


# The lines that the ingestion of spec 004 saves, and in which form.


class Entry(Struct, frozen=True):
    """A line in the form that the ingestion saves."""

    role: str
    """`user` or `assistant`."""
    text: str
    """Its text blocks; for an assistant, followed by the tools called."""
    tools: tuple[str, ...]
    """The names of those tools."""


def entry_text(record: Record) -> Entry | None:
    """The entry for a line; None if the line has no entry."""
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
