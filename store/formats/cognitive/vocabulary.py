"""The words of the format: types and their folders, relations, identifiers."""

import re

FOLDERS = {
    "solution": "solutions",
    "fix": "fixes",
    "decision": "decisions",
    "configuration": "configurations",
    "problem": "problems",
    "workflow": "workflows",
    "code_pattern": "code-patterns",
    "error": "errors",
    "general": "general",
    "procedure": "procedures",
    "insight": "insights",
}
"""The folder beneath `graph/` of each type of memory; the plurals are irregular."""

RELATION_TYPES = frozenset(
    {
        "SOLVES",
        "CAUSES",
        "BUILDS_ON",
        "ALTERNATIVE_TO",
        "REQUIRES",
        "FOLLOWS",
        "RELATED_TO",
    }
)

DEFAULT_CONFIDENCE = 0.8
"""What a memory that tells no confidence is taken to have."""

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
"""Plain scalars by which YAML says that there is nothing."""

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def is_uuid(text: str) -> bool:
    """Whether the text has the form of a UUID."""
    return _UUID.fullmatch(text) is not None


def id_key(identifier: str) -> str:
    """The key by which claims and entries name a memory."""
    return "id:" + identifier.casefold()
