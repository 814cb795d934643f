"""What each entry of a store is, told by its name and where it lies."""

import re
from enum import StrEnum
from pathlib import PurePosixPath

from store.findings import Flaw, Severity
from store.formats.notes.links import is_note

INDEX = "memory.md"
"""The index's name, case folded."""

SESSIONS = "session-memory"
"""The folder with a folder for each session."""

_LOGS = frozenset({"logs", "daily", "daily-logs"})
_DAY = re.compile(r"\d{4}-\d\d-\d\d")

_KNOWN = {
    ".consolidate-lock": (
        "consolidate-lock",
        "Claude Code's mark of when it last consolidated; it works while it is fresh.",
    ),
    ".transcripts": ("loop-transcripts", "Transcripts of an agent loop; no memories."),
    ".task_outputs": ("loop-outputs", "Tool output of an agent loop; no memories."),
    "graph.json": ("derived-file", "A graph derived from the memories."),
    "index.json": ("derived-file", "An index derived from the memories."),
    "thought.json": ("derived-file", "A plugin's state; no memory."),
}


class Role(StrEnum):
    """How a source is read."""

    MEMORY = "memory"
    INDEX = "memory-index"
    SESSION = "session-memory"
    LOG = "daily-log"


def role_of(store: str, path: str) -> Role:
    """The role of a markdown file; the store's own name counts as its first folder."""
    file = PurePosixPath(path)
    folders = (store, *file.parts[:-1])
    if file.name.casefold() == INDEX:
        in_session = len(folders) > 1 and folders[-2] == SESSIONS
        return Role.SESSION if in_session else Role.INDEX
    if _DAY.fullmatch(file.stem) and not _LOGS.isdisjoint(folders[1:]):
        return Role.LOG
    return Role.MEMORY


def is_source(name: str) -> bool:
    """Whether a file of this name is read."""
    return is_note(name) and not name.startswith(".")


def is_entered(name: str) -> bool:
    """Whether a folder of this name is looked into."""
    return not name.startswith(".") and name not in {"node_modules", "__pycache__"}


def foreign(name: str) -> Flaw:
    """Why an entry is not read."""
    code, message = _KNOWN.get(
        name, ("foreign-file", "Not markdown, or hidden; no memory of this store.")
    )
    return Flaw(code=code, message=message, severity=Severity.NOTE)
