"""Where in a cognitive store each memory goes, and when what happened to it."""

import re
from datetime import datetime

from msgspec import Struct

from store.demo.days import Days, evening
from store.demo.identity import identify
from store.demo.model import Graph, Memory

FOLDERS = {
    "code_pattern": "code-patterns",
    "configuration": "configurations",
    "decision": "decisions",
    "error": "errors",
    "fix": "fixes",
    "general": "general",
    "insight": "insights",
    "problem": "problems",
    "procedure": "procedures",
    "solution": "solutions",
    "workflow": "workflows",
}
"""The folder of each type; its plural is not always regular."""

SLUG_LENGTH = 60


class Placed(Struct, frozen=True, kw_only=True):
    """A memory with its identifier, its file and its instants."""

    memory: Memory
    id: str
    name: str
    """What its file and links call it."""
    home: str
    """The file that it was made in, by type."""
    path: str
    """The file that it lies in now: the vault's, once it was pinned."""
    created: datetime
    updated: datetime
    accessed: datetime | None


def place(graph: Graph, days: Days) -> dict[str, Placed]:
    """Every memory of a graph by slug, in the order that they were made."""
    placed = [_place(memory, days) for memory in graph.memories]
    placed.sort(key=lambda one: (one.created, one.id))
    return {one.memory.slug: one for one in placed}


def slugify(title: str, otherwise: str) -> str:
    """A title as file names spell it; what has no such letters goes by another name."""
    plain = re.sub(r"[^a-z0-9]+", "-", title.lower().replace("'", ""))
    return plain.strip("-")[:SLUG_LENGTH].rstrip("-") or otherwise


def _place(memory: Memory, days: Days) -> Placed:
    identifier = identify("memory", memory.slug)
    name = slugify(memory.title, memory.slug)
    file = f"{name}-{identifier[:6]}.md"
    home = f"graph/{FOLDERS[memory.type]}/{file}"
    created = days.ago(memory.ago, memory.at)
    changed = days.ago(memory.changed, evening(f"{memory.slug} changed"))
    return Placed(
        memory=memory,
        id=identifier,
        name=name,
        home=home,
        path=f"vault/{file}" if memory.pinned else home,
        created=created,
        updated=created if memory.changed == memory.ago else changed,
        accessed=_accessed(memory, created, days),
    )


def _accessed(memory: Memory, created: datetime, days: Days) -> datetime | None:
    if memory.used is None:
        return None
    return max(created, days.ago(memory.used, evening(f"{memory.slug} used")))
