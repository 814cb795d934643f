"""The calls of tools: what they are in one line, and which files they write."""

from store.findings import Json
from store.transcript.blocks import kept
from store.transcript.record import Record, inner, text

LONGEST_CALL = 500
"""How much of a call's main input is kept to be searched."""

WRITERS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})
"""The tools that write files."""

_MAIN = (
    "command",
    "file_path",
    "notebook_path",
    "pattern",
    "query",
    "url",
    "prompt",
    "skill",
    "description",
    "subject",
    "path",
    "text",
)
"""The inputs that say what a call is about, the most telling first."""


def tool_name(block: Record) -> str | None:
    """The name of the tool that a block calls; None where there is none."""
    name = block.get("name")
    return name if isinstance(name, str) and name else None


def call_line(name: str, block: Record) -> str:
    """A call in one line: the tool, and its main input."""
    main = _main_input(inner(block, "input"))
    words = f"{name}: {main}" if main else name
    if not words.isprintable():
        words = " ".join(words.split())
    return kept(words.strip(), LONGEST_CALL) or "tool_use"


def written(name: str, block: Record) -> str | None:
    """The file that a call writes, as it names it."""
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
