"""Where things lie in a store, told by the path alone."""

import re
from enum import StrEnum

MAIN = frozenset({"claudia.db", "anima.db"})
SETTINGS = frozenset({"claudia.json", "anima.json"})
REGISTER = "memory-sections.db"
DATABASE = ".db"
COMPANIONS = ("-wal", "-shm", "-journal")
QUESTIONS = "libby-questions.md"

EPISODES = "episodes"
FOLDERS = frozenset(
    {EPISODES, "milestones", "insights", "relationships", "projects", "core"}
    | {"personas", "docs"}
)
"""The folders whose names are categories; others are told as they are named."""

DEPTH = 4
"""How many folders deep pages may lie beneath one at the top."""

_DATE = r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
DAY = re.compile(rf"episodes/\d{{4}}-\d\d/({_DATE})\.md")
SITTING = re.compile(rf"episodes/\d{{4}}-\d\d/({_DATE})-(\d{{4}})-(\d+|unknown)\.md")
LOG = re.compile(r"(?:memory/)?libby/logs/(\d+)\.md")
TRANSCRIPT = re.compile(r"transcripts/(\d+)\.md")


class Role(StrEnum):
    """What a file is to its store."""

    DATABASE = "database"
    SECTIONS = "sections"
    SETTINGS = "settings"
    DAY = "day"
    SITTING = "sitting"
    LOG = "log"
    TRANSCRIPT = "transcript"
    PAGE = "page"


_PAGES = {
    Role.DAY: DAY,
    Role.SITTING: SITTING,
    Role.LOG: LOG,
    Role.TRANSCRIPT: TRANSCRIPT,
}


def is_page(name: str) -> bool:
    """Whether a name is that of a markdown file."""
    return name[-3:].lower() == ".md"


def is_database(name: str) -> bool:
    """Whether a name is that of a database which may hold conversations."""
    return name.lower().endswith(DATABASE) and name != REGISTER


def role_at_home(path: str) -> Role | None:
    """What a file beside a database is; None for what is no part of the store."""
    if path == REGISTER:
        return Role.SECTIONS
    if path in SETTINGS:
        return Role.SETTINGS
    if "/" not in path and is_database(path):
        return Role.DATABASE
    return Role.LOG if LOG.fullmatch(path) else None


def role_of_page(path: str) -> Role | None:
    """What a file of a tree of pages is; None for what is no page."""
    if not is_page(path):
        return None
    found = (role for role, shape in _PAGES.items() if shape.fullmatch(path))
    return next(found, Role.PAGE)


def conversation_key(number: int | str) -> str:
    """The key that a conversation has wherever it is spoken of."""
    return f"conversation:{number}"
