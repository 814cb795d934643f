"""Folders that are known by where they lie; what is in them still decides."""

from pathlib import Path

AGENTS = frozenset({"agent-memory", "agent-memory-local"})
"""Folders with one store for each sub-agent."""

_LOOP = ".memory"


def is_of_a_loop(path: Path) -> bool:
    """Whether an agent loop keeps its memories here; its index may be empty."""
    return path.name == _LOOP


def is_known(path: Path) -> bool:
    """Whether writers of this format keep their memories in a folder like this."""
    above = [parent.name for parent in path.parents[:2]] + ["", ""]
    if path.name == "memory":
        return above[0] == ".claude" or above[1] == "projects"
    return is_of_a_loop(path) or above[0] in AGENTS


def lies_within_known(path: Path) -> bool:
    """Whether a folder is a part of such a folder, and so no store of its own."""
    return any(is_known(parent) for parent in path.parents)
