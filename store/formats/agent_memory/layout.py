"""Where things lie in a store, told by the path alone."""

import re
from enum import StrEnum
from typing import NamedTuple

ARCHIVE = "archive"
BACKUP = ".backup"
INDEX = "index.json"
LOCK = ".lock"
CONFIG = ".memory-config.json"

DEPTHS = {ARCHIVE: 1, BACKUP: 0}
"""The folders that are the store's own, and how deep they go."""

CORE, LEARNING, TASK = "core", "learning", "task"
KINDS = (CORE, LEARNING, TASK)

REBUILT = frozenset({"index"})
"""What can be made anew from the memories, as the command line calls it."""

FILES = {"core_memories": CORE, "learnings": LEARNING, "tasks": TASK}
"""The kind of memory that each file is for, by the stem of its name."""

STEM_OF = {kind: stem for stem, kind in FILES.items()}


class Role(StrEnum):
    """What a file is to its store."""

    LINES = "lines"
    AGENT = "agent"
    INDEX = "index"
    CONFIG = "config"
    BACKUP = "backup"


class Backup(NamedTuple):
    """What the name of a backup says."""

    of: str
    """The name of the file that was saved."""
    when: str | None
    """When, as YYYY-MM-DDTHH:MM:SS, where the name says so."""


_STEM = r"(core_memories|learnings|tasks|learning_memories|task_memories)"
_LINES = re.compile(_STEM + r"\.jsonl?")
_ARCHIVED = re.compile(_STEM + r"(?:_\d{4}(?:_Q[1-4])?)?\.jsonl?", re.IGNORECASE)
_BACKUP = re.compile(r"(.+\.jsonl?)\.backup(?:\.(.+))?")
_STAMP = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)[_T-]?(\d\d):?(\d\d):?(\d\d)Z?")
_SINGULAR = {"learning_memories": "learnings", "task_memories": "tasks"}


def role_of(path: str) -> Role | None:
    """What the file at a path is; None for what does not belong to the format."""
    folder, _, name = path.rpartition("/")
    if not folder:
        return _at_the_root(name)
    if folder == BACKUP:
        return Role.BACKUP if _BACKUP.fullmatch(name) else None
    beneath = folder == ARCHIVE or folder.startswith(f"{ARCHIVE}/")
    return Role.LINES if beneath and _ARCHIVED.fullmatch(name) else None


def _at_the_root(name: str) -> Role | None:
    if _LINES.fullmatch(name):
        return Role.LINES
    if name == INDEX:
        return Role.INDEX
    if name == CONFIG:
        return Role.CONFIG
    if _BACKUP.fullmatch(name):
        return Role.BACKUP
    return Role.AGENT if name.endswith(".json") and name[0] != "." else None


def kind_of(path: str) -> str | None:
    """The kind of memory that a file of lines is for."""
    found = re.match(_STEM, path.rpartition("/")[2], re.IGNORECASE)
    return FILES[_stem(found[1])] if found else None


def _stem(name: str) -> str:
    return _SINGULAR.get(name.lower(), name.lower())


def is_archive(path: str) -> bool:
    """Whether a file holds what was put away."""
    return path.startswith(f"{ARCHIVE}/")


def backup_of(path: str) -> Backup:
    """What a backup is of, and of when, whichever way it is named."""
    found = _BACKUP.fullmatch(path.rpartition("/")[2])
    if not found:
        return Backup(path, None)
    stem, _, ending = found[1].rpartition(".")
    stamp = _STAMP.fullmatch(found[2] or "")
    when = "{}-{}-{}T{}:{}:{}".format(*stamp.groups()) if stamp else None
    return Backup(f"{_SINGULAR.get(stem, stem)}.{ending}", when)
