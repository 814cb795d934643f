"""The layout of a store, inside and outside its folder."""

import os
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root, Stamp
from store.files.sqlite import database_stamp
from store.machine import Machine
from store.resource import Closing

# The layout of a store, and the role of each file.

MIRROR = "sync-repo"
"""The folder that is mirrored elsewhere, with older copies of files beside it."""

TRACES, METRICS, LEDGER_LINES = "traces", "time-metrics", "ledger"
DATABASE = "kei-memory.sqlite"

DEPTHS = {
    TRACES: 4,
    METRICS: 0,
    "affect": 0,
    "chatlogs": 2,
    "reports": 1,
    LEDGER_LINES: 0,
}
"""The folders of a store, and their depth."""

OWN = frozenset({*DEPTHS, MIRROR})

_ENDINGS = (".md", ".txt", ".log", ".json", ".jsonl")
_BESIDE_DATABASES = ("-wal", "-shm", "-journal")
_JSONL = ".jsonl"
_MARKERS = (".session-", ".task-")


class Role(StrEnum):
    """The role of a file in its store."""

    TRACE = "trace"
    FIGURES = "figures"
    TASKS = "tasks"
    AGENT_EVENTS = "agent-events"
    MARKER = "marker"
    DATABASE = "database"
    LEDGER = "ledger"
    AGENT_LINES = "agent-lines"
    SKILL_LINES = "skill-lines"
    BACKLOG = "backlog"
    PAGE = "page"
    COVERED = "covered"
    """Another source has its content, so it is not read."""


COPY = "-copy"
"""A suffix for the role of a mirrored file whose original exists."""

GROWING = frozenset({Role.TRACE, Role.FIGURES, Role.AGENT_EVENTS})
"""Files that are append-only."""

MIRRORED = GROWING | {Role.TASKS}
"""Roles that are read only once if there is an original and a copy."""


def role_of(path: str) -> Role | None:
    """The role of the file at a path; None if it is not part of a store."""
    inside = original(path)
    folder, _, name = inside.rpartition("/")
    if not folder:
        return _at_the_top(name, mirrored=inside != path)
    top = folder.partition("/")[0]
    match top:
        case "traces":
            return _trace(folder, name)
        case "time-metrics":
            return _journal(name)
        case "ledger":
            return _ledger_lines(name) if inside != path else None
        case _:
            is_page = top in DEPTHS and name.endswith(_ENDINGS)
            return Role.PAGE if is_page else None


def original(path: str) -> str:
    """The path of a mirrored file's original; any other path unchanged."""
    return path.removeprefix(f"{MIRROR}/")


def goes_without_saying(path: str) -> bool:
    """Whether a file that is not read need not be reported."""
    name = path.rpartition("/")[2]
    hidden = name.startswith(".")
    return (
        hidden
        or name.endswith((".bg.log", ".meta.json"))
        or name.endswith(_BESIDE_DATABASES)
        or "/tool-results/" in path
    )


def _at_the_top(name: str, *, mirrored: bool) -> Role | None:
    if name == "agent-events.jsonl":
        return Role.AGENT_EVENTS
    if name == DATABASE and not mirrored:
        return Role.DATABASE
    if name in {"backlog.md", "audit-backlog.md"}:
        return Role.BACKLOG
    is_page = name.endswith(_ENDINGS) and not name.startswith(".")
    return Role.PAGE if is_page else None


def _trace(folder: str, name: str) -> Role | None:
    """Traces are at the top of their folder, those of agents in a session's folder."""
    is_one = folder == TRACES or "/subagents" in folder
    return Role.TRACE if is_one and name.endswith(_JSONL) else None


def _journal(name: str) -> Role | None:
    if name.startswith(_MARKERS) and name.endswith(".start"):
        return Role.MARKER
    if name == "tasks.jsonl":
        return Role.TASKS
    return Role.FIGURES if name.endswith(_JSONL) else None


def _ledger_lines(name: str) -> Role | None:
    lines = {
        "agents.jsonl": Role.AGENT_LINES,
        "skill_invocations.jsonl": Role.SKILL_LINES,
    }
    return lines.get(name)


# Files of a store outside its folder: the ledger, and those moved by settings.
#
# Each is an exactly named file; nothing else in its folder is listed or opened.

MEMORY_DB = "KEI_MEMORY_DB"
LEDGER_DB = "KEI_LEDGER_DB"
TLOG_JOURNAL = "KEI_TLOG_JOURNAL"
"""The settings for a database, a ledger and a journal of tasks."""


class Outside(NamedTuple):
    """A file outside the store's folder."""

    path: str
    """The path relative to the store."""
    file: Path
    """Its actual path."""
    role: Role
    """Its role in the store."""


def home_of(machine: Machine) -> Path:
    """The folder of the kit's store, which no setting changes."""
    return machine.home / ".claude" / "memory"


def outside(store: Path, machine: Machine) -> Iterator[Outside]:
    """Possible outside files; settings apply only to the machine's own store."""
    is_home = os.path.realpath(home_of(machine)) == str(store)
    ledger = machine.folder(LEDGER_DB) if is_home else None
    if ledger is None and store.name == "memory":
        ledger = store.parent / "agents" / "ledger.sqlite"
    if ledger:
        yield _outside(store, ledger, Role.LEDGER)
    if not is_home:
        return
    moved = ((MEMORY_DB, Role.DATABASE), (TLOG_JOURNAL, Role.TASKS))
    for variable, role in moved:
        file = machine.folder(variable)
        if file:
            yield _outside(store, file, role)


def _outside(store: Path, file: Path, role: Role) -> Outside:
    return Outside(Path(os.path.relpath(file, store)).as_posix(), file, role)


# The files of a store in all folders, each reached through a folder handle.


class Reach(Closing):
    """Knows the folder and the name under which each source is opened."""

    def __init__(self, path: Path, machine: Machine) -> None:
        self.root = Root(path)
        found = outside(self.root.path, machine)
        self._outside = {one.path: one for one in found}
        self._folders: dict[Path, Root] = {}

    def of(self, path: str) -> tuple[Root, str]:
        """The folder and name of a source; raises UnreadableError."""
        one = self._outside.get(path)
        if one is None:
            return self.root, path
        folder = self._folders.get(one.file.parent)
        if folder is None:
            folder = self._folders[one.file.parent] = Root(one.file.parent)
        return folder, one.file.name

    def elsewhere(self) -> list[tuple[Outside, Stamp]]:
        """The outside files that exist."""
        return [(one, s) for one in self._outside.values() if (s := self._stamp(one))]

    def close(self) -> None:
        """Close every folder; safe to call twice."""
        self.root.close()
        for folder in self._folders.values():
            folder.close()
        self._folders.clear()

    def _stamp(self, one: Outside) -> Stamp | None:
        try:
            folder, name = self.of(one.path)
            entries = folder.entries()
        except UnreadableError:
            return None
        found = [e for e in entries if e.name == name and e.kind is Kind.FILE]
        if not found:
            return None
        is_journal = one.role is Role.TASKS
        return found[0].stamp if is_journal else stamp_of_database(folder, found[0])


def stamp_of_database(folder: Root, entry: Entry) -> Stamp:
    """A stamp that also changes with data not yet in the database's own file."""
    try:
        return database_stamp(folder, entry.path)
    except UnreadableError:
        return entry.stamp
