"""The layout of a store, and the format's vocabulary: types and relations."""

import os
import re
from enum import StrEnum

# The format's vocabulary: types and their folders, relations, identifiers.

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
"""The folder beneath `graph/` of each type of memory; plurals are irregular."""

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
"""The confidence assumed for a memory that has none."""

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
"""Plain scalars that mean null in YAML."""

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def is_uuid(text: str) -> bool:
    """Whether the text has the form of a UUID."""
    return _UUID.fullmatch(text) is not None


def id_key(identifier: str) -> str:
    """The key by which claims and entries refer to a memory."""
    return "id:" + identifier.casefold()


# The role of a file in a store, judged by its path alone.

GRAPH = "graph"
EDGES = "graph/edges"
VAULT = "vault"
EPISODES = "episodes"
CORE = "CORE.md"
IGNORE = ".gitignore"
CONFIG = "_config.json"

DEPTH = 2
"""The depth of memories beneath `graph/`: the folder of the type and one more."""


REBUILT = frozenset({"index"})
"""What can be rebuilt from the memories, by its word on the command line."""


class Role(StrEnum):
    """The role of a file in its store."""

    MEMORY = "memory"
    EDGE = "edge"
    EPISODE = "episode"
    CORE = "core"
    CORE_LINK = "core-link"
    REFLECTION = "reflection"
    PAGE = "page"
    INDEX = "index"
    STATE = "state"
    EMBEDDINGS = "embeddings"
    CONFIG = "config"
    IGNORE = "ignore"


_AT_THE_ROOT = {
    CORE: Role.CORE,
    "REFLECTION.md": Role.REFLECTION,
    "_index.json": Role.INDEX,
    "_state.json": Role.STATE,
    "_embeddings.json": Role.EMBEDDINGS,
    CONFIG: Role.CONFIG,
    IGNORE: Role.IGNORE,
}

_OF_A_FOLDER = {GRAPH: Role.MEMORY, VAULT: Role.MEMORY, EPISODES: Role.EPISODE}


def is_page(name: str) -> bool:
    """Whether a name is that of a Markdown file."""
    return name[-3:].lower() == ".md"


def role_of(path: str) -> Role | None:
    """The role of the file at a path; None if it does not belong to the format."""
    top, slash, _ = path.partition("/")
    if not slash:
        return _AT_THE_ROOT.get(path) or (Role.PAGE if is_page(path) else None)
    if not is_page(path):
        return None
    return Role.EDGE if path.startswith(EDGES + "/") else _OF_A_FOLDER.get(top)


def is_pinned(path: str) -> bool:
    """Whether the memory at a path is in the vault."""
    return path.startswith(VAULT + "/")


def is_misplaced(path: str, kind: str) -> bool:
    """Whether a memory of a known type is in the folder of another type."""
    return not is_pinned(path) and not path.startswith(f"{GRAPH}/{FOLDERS[kind]}/")


def stem_of(path: str) -> str:
    """A file's name without its suffix, usable as a title."""
    stem = path.rpartition("/")[2][:-3]
    return os.fsencode(stem).decode(errors="replace") or path
