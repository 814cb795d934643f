"""Where things lie in a store, told by the path alone."""

import os
from enum import StrEnum

from store.formats.cognitive.vocabulary import FOLDERS

GRAPH = "graph"
EDGES = "graph/edges"
VAULT = "vault"
EPISODES = "episodes"
CORE = "CORE.md"
IGNORE = ".gitignore"
CONFIG = "_config.json"

DEPTH = 2
"""How many folders deep memories may lie beneath `graph/`: the type's and one more."""


REBUILT = frozenset({"index"})
"""What can be made anew from the memories, as the command line calls it."""


class Role(StrEnum):
    """What a file is to its store."""

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
    """Whether a name is that of a markdown file."""
    return name[-3:].lower() == ".md"


def role_of(path: str) -> Role | None:
    """What the file at a path is; None for what does not belong to the format."""
    top, slash, _ = path.partition("/")
    if not slash:
        return _AT_THE_ROOT.get(path) or (Role.PAGE if is_page(path) else None)
    if not is_page(path):
        return None
    return Role.EDGE if path.startswith(EDGES + "/") else _OF_A_FOLDER.get(top)


def is_pinned(path: str) -> bool:
    """Whether the memory at a path lies in the vault."""
    return path.startswith(VAULT + "/")


def is_misplaced(path: str, kind: str) -> bool:
    """Whether a memory of a known type lies in a folder of another type."""
    return not is_pinned(path) and not path.startswith(f"{GRAPH}/{FOLDERS[kind]}/")


def stem_of(path: str) -> str:
    """A file's name without its ending, fit to be a title."""
    stem = path.rpartition("/")[2][:-3]
    return os.fsencode(stem).decode(errors="replace") or path
