"""The blocks of a message as text that can be searched."""

from store.findings import Json
from store.transcript.record import Record, text

LONGEST_TEXT = 1_000_000
"""How much of one block's text is kept to be searched."""
LONGEST_RESULT = 2_000
"""How much of a tool's answer is kept to be searched."""
CUT = " […]"
"""What stands where text was left out."""
THOUGHTS = "\n\n\x1e\n\n"
"""What divides what a message says from what its writer thought."""

_DIVIDER, _PICTURE = "\x1e", "␞"


def kept(words: str, longest: int = LONGEST_TEXT) -> str:
    """A text of bounded length that holds no divider."""
    if len(words) > longest:
        words = words[:longest] + CUT
    return words.replace(_DIVIDER, _PICTURE) if _DIVIDER in words else words


def block_text(block: Json) -> str:
    """What a block of a user's message says; pictures and the like by name only."""
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
    """All that the content of a user's message says, block after block."""
    if isinstance(content, str):
        return kept(content)
    return "\n\n".join(filter(None, map(block_text, content)))


def result_text(block: Record) -> str:
    """The beginning of what a tool answered."""
    content = block.get("content")
    if isinstance(content, str):
        return kept(content, LONGEST_RESULT)
    if not isinstance(content, list):
        return ""
    return kept("\n".join(filter(None, map(block_text, content))), LONGEST_RESULT)


def with_thoughts(kind: str, says: str, thinks: str) -> str:
    """What a message says, and behind it what its writer thought.

    A message that is nothing but thoughts has no divider.
    """
    if kind == "thinking" and not says:
        return thinks
    return f"{says}{THOUGHTS}{thinks}" if thinks or kind == "thinking" else says


def without_thoughts(kind: str, words: str) -> tuple[str, str]:
    """What a message says, and what its writer thought: a text taken apart again."""
    says, divider, thinks = words.partition(THOUGHTS)
    return ("", says) if kind == "thinking" and not divider else (says, thinks)
