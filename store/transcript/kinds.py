"""What a line is to a reader: the first rule that holds decides."""

from store.findings import Json
from store.transcript.record import Record, content_of, inner

COUNTED = frozenset(
    {
        "progress",
        "file-history-snapshot",
        "queue-operation",
        "summary",
        "custom-title",
        "ai-title",
        "agent-name",
        "last-prompt",
        "mode",
        "permission-mode",
        "worktree-state",
        "relocated",
        "bridge-session",
        "atis-latch",
    }
)
"""Types of lines that say something about the session and are no message of it."""

_COUNTED_SYSTEM = frozenset({"stop_hook_summary", "turn_duration"})
_SYSTEM = frozenset({"system", "pr-link", "frame-link"})
_COMMANDS = ("<command-name>", "<command-message>", "<bash-input>")
_OUTPUTS = ("<local-command-", "<bash-")
_INTERRUPT = "[Request interrupted"
NOTIFICATIONS = ("<task-notification>", "<agent-notification>")
"""How the program's own notices begin; the second was the first one's name before."""


def kind_of(record: Record) -> str | None:
    """The kind of message that a line makes, or a part of; None where it makes none."""
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
    """The kind of a line of type `user`: few are what somebody typed."""
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
    """The kind of a user's words, told by how they begin."""
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
    """The kind of an attachment: words typed while the agent worked, or an aside."""
    if attachment.get("type") != "queued_command":
        return "meta"
    if attachment.get("commandMode") == "task-notification" or _not_human(attachment):
        return "notification"
    return "prompt"


def system_kind(record: Record) -> str | None:
    """The kind of a line of type `system`, or of one that is as good as one."""
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
    """Whether a line says that nobody typed it."""
    origin = record.get("origin")
    return isinstance(origin, dict) and origin.get("kind") not in (None, "human")


def brings_results(content: list[Json]) -> bool:
    """Whether any block is the answer of a tool."""
    for block in content:
        if isinstance(block, dict) and block.get("type") == "tool_result":
            return True
    return False


def _beginning(content: str | list[Json]) -> str:
    """The first words of a user's message."""
    if isinstance(content, str):
        return content.lstrip()
    for block in content:
        words = block.get("text") if isinstance(block, dict) else block
        if isinstance(words, str) and words:
            return words.lstrip()
    return ""
