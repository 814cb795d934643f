"""The format: its files and limits, how a store is recognised, listed and opened."""

import os
import re
import stat
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root, Rooted
from store.files.json_read import load
from store.findings import START, Findings, Flaw, Json, Mark, Severity
from store.formats import port
from store.machine import LARGEST as LARGEST_LOCK
from store.machine import STALE, Machine, is_alive, pid_of
from store.reports import AnyReport, Row, answer
from store.text import regex

if TYPE_CHECKING:
    from store.derive.texts import Exchange
    from store.formats.agent_memory.edit import AgentMemoryScribe
    from store.formats.agent_memory.index import AgentMemoryReader

# The role of a file in a store, judged by its path alone.

ARCHIVE = "archive"
BACKUP = ".backup"
DOCUMENT = "document"
"""The report on the store as one document for import."""

INDEX = "index.json"
LOCK = ".lock"
CONFIG = ".memory-config.json"

DEPTHS = {ARCHIVE: 1, BACKUP: 0}
"""The store's own folders, and their depth."""

CORE, LEARNING, TASK = "core", "learning", "task"
KINDS = (CORE, LEARNING, TASK)

LARGEST = 64 * 1024 * 1024
"""The largest document or index that is read, and the largest file that is changed."""

REBUILT = frozenset({"index"})
"""What can be rebuilt from the memories, by its word on the command line."""

FILES = {"core_memories": CORE, "learnings": LEARNING, "tasks": TASK}
"""The kind of memory that each file is for, by the stem of its name.

The lists of a document of version 1.0 have the same names.
"""

STEM_OF = {kind: stem for stem, kind in FILES.items()}


class Role(StrEnum):
    """The role of a file in its store."""

    LINES = "lines"
    AGENT = "agent"
    INDEX = "index"
    CONFIG = "config"
    BACKUP = "backup"


class Backup(Struct, frozen=True):
    """The parts of a backup's name."""

    of: str
    """The name of the saved file."""
    when: str | None
    """The time as YYYY-MM-DDTHH:MM:SS, if the name contains it."""


_STEM = r"(core_memories|learnings|tasks|learning_memories|task_memories)"
_LINES = regex(_STEM + r"\.jsonl?")
_ARCHIVED = regex(_STEM + r"(?:_\d{4}(?:_Q[1-4])?)?\.jsonl?", re.IGNORECASE)
_BACKUP = regex(r"(.+\.jsonl?)\.backup(?:\.(.+))?")
_STAMP = regex(r"(\d{4})-?(\d\d)-?(\d\d)[_T-]?(\d\d):?(\d\d):?(\d\d)Z?")
_SINGULAR = {"learning_memories": "learnings", "task_memories": "tasks"}


def role_of(path: str) -> Role | None:
    """The role of the file at a path; None if it does not belong to the format."""
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
    """Whether a file is part of the archive."""
    return path.startswith(f"{ARCHIVE}/")


def backup_of(path: str) -> Backup:
    """The file and time of a backup, in any of the naming schemes."""
    found = _BACKUP.fullmatch(path.rpartition("/")[2])
    if not found:
        return Backup(path, None)
    stem, _, ending = found[1].rpartition(".")
    stamp = _STAMP.fullmatch(found[2] or "")
    when = "{}-{}-{}T{}:{}:{}".format(*stamp.groups()) if stamp else None
    return Backup(f"{_SINGULAR.get(stem, stem)}.{ending}", when)


_LIST = regex(rb'"(core_memories|learnings|tasks)"\s*:\s*\[')


def is_document(raw: bytes) -> bool:
    """Whether the beginning of a file is that of such a document."""
    head = raw.lstrip(b"\xef\xbb\xbf \t\r\n")
    names = {found[1] for found in _LIST.finditer(raw)}
    return head[:1] == b"{" and (b"core_memories" in names or len(names) > 1)


# Whether a folder is a store of this format, judged by its files' content.

_HEAD = 64 * 1024
"""Bytes of a file read to recognise it."""

_ASKED = 16
"""The most files checked; one valid file is enough."""

_TYPE = regex(rb'"type"\s*:\s*"(?:core|learning|task)"')
_KEYS = (b'"id"', b'"content"')
_OF_INDEX = (b'"statistics"', b'"tags_index"')


def sniff(root: Root) -> bool:
    """Whether there are memories, or a server's index of them."""
    asked = islice(_files(root), _ASKED)
    return any(
        _tells(role, port.beginning_of(root, path, _HEAD)) for role, path in asked
    )


def _files(root: Root) -> Iterator[tuple[Role, str]]:
    """The files that may hold memories, by name; those in the archive last."""
    with suppress(UnreadableError):
        for entry in root.entries():
            role = role_of(entry.path)
            if entry.kind is Kind.FILE and role and _may_tell(role):
                yield role, entry.path
        for found in root.walk(ARCHIVE, depth=DEPTHS[ARCHIVE]):
            if not isinstance(found, tuple) and found.kind is Kind.FILE:
                role = role_of(found.path)
                if role:
                    yield role, found.path


def _may_tell(role: Role) -> bool:
    return role in {Role.LINES, Role.AGENT, Role.INDEX}


def _tells(role: Role, head: bytes) -> bool:
    """Whether this is the beginning of a file of such a store.

    NULs are removed so that UTF-16 is recognised too; it is then reported as damage.
    """
    head = head.replace(b"\0", b"")
    if role is Role.INDEX:
        return all(name in head for name in _OF_INDEX)
    if role is Role.AGENT and not is_document(head):
        return False
    return bool(_TYPE.search(head)) and all(name in head for name in _KEYS)


# Why an entry of a store is not read.

_UNREMARKABLE = frozenset({"server.log", "Thumbs.db"})
_TEMPORARY = ".tmp"


def refusal(root: Root, entry: Entry) -> port.Refused | None:
    """Why an entry is not read; None if there is nothing to report."""
    if entry.kind is Kind.SPECIAL:
        return port.special(entry.path)
    if entry.kind is Kind.FOLDER:
        return _folder(entry)
    return _lock(root, entry) if entry.path == LOCK else _file(entry)


def _file(entry: Entry) -> port.Refused | None:
    if entry.name in _UNREMARKABLE:
        return None
    if entry.name in DEPTHS:
        message = "A file where a folder should be; skipped."
        return port.refused(entry.path, "file-as-folder", message)
    if entry.name.endswith(_TEMPORARY):
        message = "Incomplete temporary file; skipped."
        return port.refused(entry.path, "unfinished-write", message, Severity.NOTE)
    message = "Not part of the store; skipped."
    return port.refused(entry.path, "foreign-file", message, Severity.NOTE)


def _folder(entry: Entry) -> port.Refused | None:
    if entry.path == LOCK or role_of(entry.path):
        message = "A folder with the name of a store file; skipped."
        return port.refused(entry.path, "folder-as-file", message)
    if "/" in entry.path or entry.name in DEPTHS:
        return None
    message = "Not part of the store; a store inside it is listed separately."
    return port.refused(entry.path, "foreign-folder", message, Severity.NOTE)


def _lock(root: Root, entry: Entry) -> port.Refused:
    """The current state of the lock, which no stamp shows."""
    try:
        head = root.read(LOCK, limit=LARGEST_LOCK).raw
    except UnreadableError as error:
        return port.refused(LOCK, "unreadable", str(error))
    return port.Refused(LOCK, judge(head, entry.stamp.mtime_ns, time.time_ns()))


# The content of a store: its files, and refused entries with the reason.


def scan(root: Root) -> Iterator[port.Source | port.Refused]:
    """Every source and every refused entry, each path once; links come last."""
    folders: list[str] = []
    sources: dict[str, port.Source] = {}
    yield from _scan(root, folders, sources)
    exposed = flaw_of(open_to_others(root.path, ["", *folders, *sources]))
    if exposed:
        yield port.Refused("", exposed)


def exposed_in(root: Root) -> list[tuple[str, int]]:
    """The folders and files that other users can access, with their modes."""
    folders: list[str] = []
    sources: dict[str, port.Source] = {}
    deque(_scan(root, folders, sources), maxlen=0)
    return open_to_others(root.path, ["", *folders, *sources])


def _scan(
    root: Root, folders: list[str], sources: dict[str, port.Source]
) -> Iterator[port.Source | port.Refused]:
    """Everything except permissions; collects the store's own folders and files."""
    links: list[Entry] = []
    for entry in _everything(root):
        if isinstance(entry, port.Refused):
            yield entry
        elif entry.kind is Kind.LINK:
            links.append(entry)
        elif entry.kind is Kind.FILE and (role := role_of(entry.path)):
            sources[entry.path] = port.Source(entry.path, role, entry.stamp)
            yield sources[entry.path]
        elif reason := refusal(root, entry):
            yield reason
        elif entry.kind is Kind.FOLDER:
            folders.append(entry.path)
    yield from (_followed(root, link, sources) for link in links)


def _everything(root: Root) -> Iterator[Entry | port.Refused]:
    """All visible entries at the root, and all in the store's own folders."""
    try:
        top = root.entries()
    except UnreadableError as error:
        yield port.refused("", "unreadable", str(error), Severity.ERROR)
        return
    for entry in top:
        own = entry.name in DEPTHS or entry.name == LOCK or role_of(entry.path)
        if own or not entry.name.startswith("."):
            yield entry
        if entry.name in DEPTHS and entry.kind is Kind.FOLDER:
            yield from port.walked(root, entry.name, DEPTHS[entry.name])


def _followed(
    root: Root, link: Entry, sources: dict[str, port.Source]
) -> port.Source | port.Refused:
    """Read a link as its target, if that is a file of the same store."""
    target = sources.get(root.target(link.path) or "")
    role = role_of(link.path)
    if target and role:
        return port.Source(link.path, role, target.stamp)
    message = "Link skipped; its target isn't part of the store."
    return port.refused(link.path, "link-not-followed", message)


# Other users' access to a store: its folder should be 0700, and its files 0600.

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
OWNERS = stat.S_IRWXU
"""The bits of a mode that are reserved for the owner."""

_NAMED = 3


def open_to_others(root: Path, paths: Iterable[str]) -> list[tuple[str, int]]:
    """Those of the paths that other users can access, with their modes."""
    found: list[tuple[str, int]] = []
    for path in paths:
        try:
            mode = (root / path).lstat().st_mode
        except (OSError, ValueError):
            continue
        if mode & _OTHERS and not stat.S_ISLNK(mode):
            found.append((path, stat.S_IMODE(mode)))
    return found


def flaw_of(found: list[tuple[str, int]]) -> Flaw | None:
    """The flaw for what other users can access; None if nothing."""
    if not found:
        return None
    told = [f"{_shown(path)} is {mode:04o}" for path, mode in found[:_NAMED]]
    more = len(found) - _NAMED
    if more > 0:
        told.append(f"{more} more")
    message = (
        "Files are readable by other users (should be 0700 for folders, 0600 for "
        f"files): {', '.join(told)}."
    )
    return Flaw(code="open-permissions", message=message, severity=Severity.NOTE)


def _shown(path: str) -> str:
    return os.fsencode(path).decode(errors="replace") or "the folder"


# `.lock`: whether a writer is active, or has left it behind. It is only read.


def judge(raw: bytes, written: int, now: int) -> Flaw:
    """The flaw for a lock, given when it was written and the current time.

    It is stale if it is old and its writer is gone or unnamed; a writer whose state is
    unknown does not count as gone.
    """
    old = now - written > STALE * 1_000_000_000
    since = datetime.fromtimestamp(written // 1_000_000_000, UTC)
    told = f"{since:%Y-%m-%dT%H:%M:%SZ}"
    if not raw.strip():
        who, gone = "an unnamed writer", old
    else:
        pid = pid_of(raw)
        alive = pid is None or is_alive(pid)
        who = "an unknown writer" if pid is None else f"process {pid}"
        gone = old and not alive
    if gone:
        message = f"Stale lock of {who} from {told}."
        return Flaw(code="stale-lock", message=message, severity=Severity.NOTE)
    message = f"Locked by {who} since {told}."
    return Flaw(code="locked", message=message, severity=Severity.NOTE)


# The limits of a store: defaults, its settings, and the environment.

_MEGABYTE = 1024 * 1024

BYTES = {CORE: 10 * _MEGABYTE, LEARNING: 5 * _MEGABYTE, TASK: 2 * _MEGABYTE}
"""The size limit of each file, which no setting changes."""

IS_HARD = {CORE: True, LEARNING: False, TASK: False}
"""Whether writing stops at the limit; otherwise old memories are archived."""


class Limits(Struct, frozen=True):
    """The settings that limit a store; each field is named like its variable."""

    max_core_memories: int = 1000
    max_learnings: int = 500
    max_tasks: int = 200
    auto_archive_learnings_days: int = 90
    auto_archive_tasks_days: int = 30
    enable_auto_archival: int = 1
    """0 if nothing is archived automatically."""
    backup_enabled: int = 1
    """0 if no backups are made."""
    max_backups: int = 5
    """How many backups of a file are retained."""

    def most(self, kind: str) -> int:
        """The limit on memories of one kind."""
        most = {
            CORE: self.max_core_memories,
            LEARNING: self.max_learnings,
            TASK: self.max_tasks,
        }
        return most[kind]


_NAMES = {name.replace("_", ""): name for name in Limits.__struct_fields__}
_SWITCHED = frozenset({"enable_auto_archival", "backup_enabled"})
_SWITCHES = {"true": 1, "yes": 1, "1": 1, "false": 0, "no": 0, "0": 0}
_MARKS = regex(r"[^a-z0-9]")


def limits_in(root: Root) -> Limits:
    """The limits of a store on this machine; an invalid settings file is ignored."""
    settings: object = None
    with suppress(UnreadableError):
        settings = load(root.read(CONFIG).raw)
    return limits_of(settings, Machine.this().environment)


def limits_of(settings: object, environment: Mapping[str, str]) -> Limits:
    """The limits: the environment wins over the settings, these over the defaults."""
    told = dict(_told(settings))
    told |= _told({key: environment[key] for key in environment if key.isupper()})
    return Limits(**told)


def _told(settings: object, depth: int = 2) -> Iterator[tuple[str, int]]:
    """The limits in settings, in any spelling and grouping."""
    if not isinstance(settings, dict):
        return
    for key, value in cast("Mapping[str, object]", settings).items():
        name = _NAMES.get(_MARKS.sub("", key.lower()))
        number = None
        if name:
            number = _switch(value) if name in _SWITCHED else _number(value)
        if name and number is not None:
            yield name, number
        elif depth and isinstance(value, dict):
            yield from _told(cast("object", value), depth - 1)


def _number(value: object) -> int | None:
    """A whole number from 0, also if written as text."""
    if isinstance(value, str) and re.fullmatch(r"\d{1,9}", value.strip(), re.ASCII):
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if value >= 0 else None


def _switch(value: object) -> int | None:
    """Yes as 1 and no as 0, in any spelling."""
    return _SWITCHES.get(str(value).strip().lower())


def over(kind: str, memories: int, size: int, limits: Limits) -> Flaw | None:
    """The flaw of a file that exceeds its limit."""
    most, largest = limits.most(kind), BYTES[kind]
    if memories <= most and size <= largest:
        return None
    then = (
        "No more memories can be added"
        if IS_HARD[kind]
        else "Old memories are archived"
    )
    message = (
        f"The file has {memories} memories in {size} bytes; the limit is {most} "
        f"in {largest}. {then}."
    )
    if IS_HARD[kind]:
        return Flaw(code="over-hard-limit", message=message, severity=Severity.ERROR)
    return Flaw(code="over-soft-limit", message=message, severity=Severity.WARNING)


# The usual places of stores: a folder of Claude's, or one in its settings.

VARIABLE = "MEMORY_DIR"

_SETTINGS = "mcp-config.json"
_LIMIT = 1024 * 1024


def places(machine: Machine) -> Iterator[Path]:
    """The folders from the environment, settings and convention, in that order."""
    own = machine.folder(VARIABLE)
    if own:
        yield own
    for folder in dict.fromkeys((machine.home, machine.here)):
        for value in _named(folder / ".claude"):
            place = Machine(machine.home, machine.here, {VARIABLE: value})
            named = place.folder(VARIABLE)
            if named:
                yield named
    yield machine.home / ".claude" / "agents" / "memories"


def _named(folder: Path) -> Iterator[str]:
    """The folders that servers are configured to use."""
    settings: object = None
    with suppress(UnreadableError), Root(folder) as root:
        settings = load(root.read(_SETTINGS, limit=_LIMIT).raw)
    for server in _map(_map(settings).get("mcpServers")).values():
        value = _map(_map(server).get("env")).get(VARIABLE)
        if isinstance(value, str) and value:
            yield value


def _map(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


# An open store of this format.


class AgentMemoryStore(Rooted, port.OpenStore):
    """One folder of memories; spaces beneath it are separate stores."""

    @property
    def title(self) -> str:
        """The folder's name, which is the name of a space."""
        return self._root.path.name or str(self._root.path)

    def glance(self) -> None:
        """None: there are few files, and only a scan shows whether a lock is alive."""

    def scan(self) -> Iterator[port.Source | port.Refused]:
        """Every file of the store, and refused entries."""
        return scan(self._root)

    def source_at(self, path: str) -> port.Source | None:
        """A file of the format; None if its permissions need a full scan."""
        role = role_of(path)
        if role is None or open_to_others(self._root.path, [path]):
            return None
        with self._root.opened(path) as file:
            return port.Source(path, role, file.stamp)

    def read(self, source: port.Source, since: Mark = START) -> Findings:  # noqa: ARG002 - the port's; files are edited in place, so they are read whole
        """Read one file."""
        return self._reader.read(source)

    def read_lines(
        self, source: port.Source, exchange: "Exchange", others: int
    ) -> Findings | None:
        """The exchanged lines, and whether the file now exceeds its limit."""
        return self._reader.read_lines(source, exchange, others)

    def ask(self, report: str, words: Sequence[str], now: int) -> Iterator[Row]:
        """Answer a report from the files, without changing them."""
        subject = self._as_document if report == DOCUMENT else self._reader.taken
        return answer(FORMAT.reports, report, words, now, subject)

    def rebuild(self, name: str) -> Iterator[port.Rebuilt]:
        """The index rebuilt from the memories."""
        if name in REBUILT:
            yield self._reader.rebuild()

    @cached_property
    def _reader(self) -> "AgentMemoryReader":
        from store.formats.agent_memory.index import AgentMemoryReader  # noqa: PLC0415  # if a file changed

        return AgentMemoryReader(self._root)

    def _as_document(self) -> Mapping[str, Json]:
        """All memories, for import by another store."""
        from store.formats.agent_memory.edit import as_document  # noqa: PLC0415  # the same

        return as_document(self._root)


# The format itself: its name, its places, how it is recognised and opened.


class AgentMemoryFormat(port.FormatDefaults):
    """Core memories, learnings and tasks, one JSON object per line."""

    name = "agent-memory"
    about = "core memories, learnings and tasks of a memory server"
    kinds = frozenset({"memories", "documents"})
    facts = frozenset({"importance", "uses"})
    editable = True
    usually = "$MEMORY_DIR, ~/.claude/agents/memories"
    hosts = frozenset({name})
    rebuilds = REBUILT | {"jsonl"}

    @property
    def reports(self) -> tuple[AnyReport, ...]:
        """Its built-in reports."""
        from store.formats.agent_memory.reports import REPORTS  # noqa: PLC0415  # loaded on demand

        return REPORTS

    def places(self, machine: Machine) -> Iterator[Path]:
        """Folders on this machine beneath which such stores are usually found."""
        return places(machine)

    def sniff(self, root: Root) -> bool:
        """Whether the folder is such a store, judged by its content."""
        return sniff(root)

    def keeps(self, folder: str) -> bool:
        """The archive and the backups belong to it; other folders may be spaces."""
        return folder in DEPTHS

    def open(self, path: Path) -> AgentMemoryStore:
        """Open a store for reading."""
        return AgentMemoryStore(path)

    @property
    def fixes(self) -> frozenset[str]:
        """The codes of the problems that can be fixed."""
        return self._scribe().fixes

    def scribe(self, path: Path) -> "AgentMemoryScribe":
        """Open a store to work out changes."""
        return self._scribe()(path)

    def _scribe(self) -> "type[AgentMemoryScribe]":
        from store.formats.agent_memory.edit import AgentMemoryScribe  # noqa: PLC0415  # only for changes

        return AgentMemoryScribe


FORMAT = AgentMemoryFormat()
