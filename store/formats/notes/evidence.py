"""What a header tells about the folder that it lies in."""

from collections.abc import Mapping

from store.findings import Value

TYPES = frozenset({"user", "feedback", "project", "reference"})
"""The types that the writers of this format know."""

_OTHERS = frozenset(
    {
        "allowed-tools",
        "argument-hint",
        "categories",
        "color",
        "layout",
        "license",
        "model",
        "permalink",
        "sidebar_position",
        "slug",
        "tools",
    }
)
"""Keys of agents, commands, skills and web pages."""


def is_proof(fields: Mapping[str, Value]) -> bool:
    """Whether nothing but a memory has a header like this."""
    metadata = fields.get("metadata")
    if isinstance(metadata, Mapping) and "name" in fields and "type" in metadata:
        return True
    return "name" in fields and (
        "originSessionId" in fields or fields.get("type") in TYPES
    )


def is_hint(fields: Mapping[str, Value], *, title: bool) -> bool:
    """Whether a memory may have such a header; with `title`, a title is a name."""
    named = "name" in fields or (title and "title" in fields)
    told = not fields.keys().isdisjoint({"description", "type", "metadata"})
    return named and told and fields.keys().isdisjoint(_OTHERS)
