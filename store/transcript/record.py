"""One parsed line, and how its values are asked for: any may be missing or odd."""

from store.findings import Json

Record = dict[str, Json]
"""A line of a transcript as parsed."""

LONGEST_ID = 200
"""The longest text that is taken for an identifier or a name."""


def word(record: Record, key: str) -> str | None:
    """A text that is not empty and no longer than an identifier; None otherwise."""
    value = record.get(key)
    if isinstance(value, str) and 0 < len(value) <= LONGEST_ID:
        return value
    return None


def text(record: Record, key: str) -> str:
    """A text of any length; empty where there is none."""
    value = record.get(key)
    return value if isinstance(value, str) else ""


def inner(record: Record, key: str) -> Record:
    """An object; an empty one where there is none."""
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def content_of(record: Record) -> str | list[Json]:
    """What the message of a line holds: a text, or blocks; empty where it is odd."""
    content = inner(record, "message").get("content")
    return content if isinstance(content, (str, list)) else ""
