"""The format: how a store is recognised, which files it has, and how it is opened."""

import os
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root, Stamp
from store.files.json_read import parse
from store.files.sqlite import database_stamp, open_database
from store.findings import START, Findings, Mark, Severity
from store.formats import port
from store.machine import Machine
from store.reports import AnyReport, Row, answer
from store.resource import Closing

if TYPE_CHECKING:
    from store.formats.growing import Record
    from store.formats.kei.edit import KeiScribe
    from store.formats.kei.read import KeiReader


# The layout of a store, and the role of each file.

MIRROR = "sync-repo"
"""The folder that is mirrored elsewhere, with older copies of files beside it."""

TRACES, METRICS = "traces", "time-metrics"
DATABASE = "kei-memory.sqlite"

DEPTHS = {
    TRACES: 4,
    METRICS: 0,
    "affect": 0,
    "chatlogs": 2,
    "reports": 1,
    "ledger": 0,
}
"""The folders of a store, and their depth."""

WATCHED = {
    "": 0,
    **DEPTHS,
    MIRROR: 0,
    **{f"{MIRROR}/{folder}": depth for folder, depth in DEPTHS.items()},
}
"""The folders that a scan reads, and their depth."""

_ENDINGS = (".md", ".txt", ".log", ".json", ".jsonl")
_UNREPORTED = (".bg.log", ".meta.json", "-wal", "-shm", "-journal")


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

_MIRRORED = GROWING | {Role.TASKS}
"""Roles that are read only once if there is an original and a copy."""

_LEDGER_LINES = frozenset({Role.AGENT_LINES, Role.SKILL_LINES})


def role_of(path: str) -> Role | None:  # noqa: C901, PLR0911 - one flat match
    """The role of the file at a path; None if it is not part of a store."""
    inside = original(path)
    mirrored = inside != path
    match inside.split("/"):
        case ["agent-events.jsonl"]:
            return Role.AGENT_EVENTS
        case ["kei-memory.sqlite"] if not mirrored:
            return Role.DATABASE
        case ["backlog.md" | "audit-backlog.md"]:
            return Role.BACKLOG
        case ["traces", *folders, name] if name.endswith(".jsonl"):
            of_agents = any(folder.startswith("subagents") for folder in folders)
            return Role.TRACE if of_agents or not folders else None
        case ["time-metrics", "tasks.jsonl"]:
            return Role.TASKS
        case ["time-metrics", name] if name.endswith(".jsonl"):
            return Role.FIGURES
        case ["time-metrics", name] if name.endswith(".start"):
            return Role.MARKER if name.startswith((".session-", ".task-")) else None
        case ["ledger", "agents.jsonl"] if mirrored:
            return Role.AGENT_LINES
        case ["ledger", "skill_invocations.jsonl"] if mirrored:
            return Role.SKILL_LINES
        case ["affect" | "chatlogs" | "reports", *_, name] if name.endswith(_ENDINGS):
            return Role.PAGE
        case [name] if name.endswith(_ENDINGS) and not name.startswith("."):
            return Role.PAGE
        case _:
            return None


def original(path: str) -> str:
    """The path of a mirrored file's original; any other path unchanged."""
    return path.removeprefix(f"{MIRROR}/")


# Files of a store outside its folder: the ledger, and those moved by settings.
#
# Each is an exactly named file; nothing else in its folder is listed or opened.

_MEMORY_DB = "KEI_MEMORY_DB"
"""The setting for the database."""


class Outside(Struct, frozen=True):
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


def _outside(store: Path, machine: Machine) -> Iterator[Outside]:
    """Possible outside files; settings apply only to the machine's own store."""
    is_home = os.path.realpath(home_of(machine)) == str(store)

    def moved(variable: str) -> Path | None:
        return machine.folder(variable) if is_home else None

    beside = store.parent / "agents" / "ledger.sqlite"
    ledger = moved("KEI_LEDGER_DB") or (beside if store.name == "memory" else None)
    for file, role in (
        (ledger, Role.LEDGER),
        (moved(_MEMORY_DB), Role.DATABASE),
        (moved("KEI_TLOG_JOURNAL"), Role.TASKS),
    ):
        if file:
            path = Path(os.path.relpath(file, store)).as_posix()
            yield Outside(path, file, role)


class Reach(Closing):
    """Opens each source through the handle of its folder, inside the store or not."""

    def __init__(self, path: Path, machine: Machine) -> None:
        self.root = Root(path)
        found = _outside(self.root.path, machine)
        self._outside = {outside.path: outside for outside in found}
        self._folders: dict[Path, Root] = {}

    def of(self, path: str) -> tuple[Root, str]:
        """The folder and name of a source; raises UnreadableError."""
        outside = self._outside.get(path)
        if outside is None:
            return self.root, path
        folder = self._folders.get(outside.file.parent)
        if folder is None:
            folder = self._folders[outside.file.parent] = Root(outside.file.parent)
        return folder, outside.file.name

    def elsewhere(self) -> list[tuple[Outside, Stamp]]:
        """The outside files that exist."""
        stamps = ((outside, self._stamp(outside)) for outside in self._outside.values())
        return [(outside, stamp) for outside, stamp in stamps if stamp]

    def close(self) -> None:
        """Close every folder; safe to call twice."""
        self.root.close()
        for folder in self._folders.values():
            folder.close()
        self._folders.clear()

    def _stamp(self, outside: Outside) -> Stamp | None:
        try:
            folder, name = self.of(outside.path)
            entries = folder.entries()
        except UnreadableError:
            return None
        for entry in entries:
            if entry.name == name and entry.kind is Kind.FILE:
                is_journal = outside.role is Role.TASKS
                return entry.stamp if is_journal else _database_stamp(folder, entry)
        return None


def _database_stamp(folder: Root, entry: Entry) -> Stamp:
    """A stamp that also changes with data not yet in the database's own file."""
    try:
        return database_stamp(folder, entry.path)
    except UnreadableError:
        return entry.stamp


# Whether a folder is a store of this format, judged by its content.

_HEAD = 256 * 1024
"""Bytes of a file read to recognise it."""

_FILES, _LINES = 8, 20
"""The most files, and lines of each, checked; one valid line is enough."""

_TABLES = frozenset({"events", "sessions", "coaccess", "patterns"})
_OLDER_KINDS = frozenset({"tool_use", "tool_result", "other"})
_OF_TRANSCRIPTS = ("sessionId", "uuid", "leafUuid", "messageId")
_TIMED = frozenset({"start_epoch", "duration_s", "evidence_tier", "tool_stats"})


def text(record: "Record", *keys: str) -> str | None:
    """The first of these fields with a non-empty text."""
    values = (record.get(key) for key in keys)
    return next((v for v in values if isinstance(v, str) and v), None)


def shape_of(record: "Record") -> str | None:
    """The type of a journal line; None if unknown."""
    match record.get("kind"):
        case "session" | "claim" as kind:
            return str(kind)
        case "task" | "start" | "stop":
            return "task"
        case _:
            is_toolstats = "outcome" in record or "tool_stats" in record
            is_agent = isinstance(record.get("agent_id"), str)
            return "toolstats" if is_agent and is_toolstats else None


def _is_trace(record: "Record") -> bool:
    """Whether a line is from a transcript, or has the older flat form."""
    if isinstance(record.get("type"), str):
        speaks = isinstance(record.get("message"), dict)
        return speaks or any(key in record for key in _OF_TRANSCRIPTS)
    if type(record.get("ts")) is not int:
        return False
    return "event_class" in record or text(record, "kind") in _OLDER_KINDS


def _is_metric(record: "Record") -> bool:
    return shape_of(record) is not None and not _TIMED.isdisjoint(record)


def _is_a_graph(root: Root, graph: Entry | None) -> bool:
    """Whether there is a graph of Markdown memories, which makes it another format."""
    if graph is None or graph.kind is not Kind.FOLDER:
        return False
    folders = (e for e in port.entries_of(root, graph.path) if e.kind is Kind.FOLDER)
    pages = (e for f in folders for e in port.entries_of(root, f.path))
    return any(e.kind is Kind.FILE and e.name.endswith(".md") for e in pages)


def _holds(root: Root, folder: Entry | None, fits: "Callable[[Record], bool]") -> bool:
    """Whether a folder has journals with matching lines."""
    if folder is None or folder.kind is not Kind.FOLDER:
        return False
    journals = (
        entry.path
        for entry in port.entries_of(root, folder.path)
        if entry.kind is Kind.FILE and entry.name.endswith(".jsonl")
    )
    records = (r for path in islice(journals, _FILES) for r in _head(root, path))
    return any(map(fits, records))


def _head(root: Root, path: str) -> "Iterator[Record]":
    """The records at the start of a journal."""
    head = port.beginning_of(root, path, _HEAD)
    for raw in islice(head.split(b"\n"), _LINES):
        yield from (v for v in parse(raw).values if isinstance(v, dict))


def _is_database(root: Root, entry: Entry | None) -> bool:
    if entry is None or entry.kind is not Kind.FILE:
        return False
    try:
        with open_database(root, entry.path) as database:
            return set(database.tables) >= _TABLES
    except UnreadableError:
        return False


# The content of a store: its files, and refused entries with the reason.

_INODES = 2**63


def _found(
    root: Root, entry: Entry, known: dict[str, port.Source]
) -> port.Source | port.Refused | None:
    """The source or refusal for an entry; None if there is nothing to report."""
    role = role_of(entry.path) if entry.kind is Kind.FILE else None
    if role is None:
        return _refusal(entry)
    known[entry.path] = _source(root, entry, role, known)
    return known[entry.path]


def _source(
    root: Root, entry: Entry, role: Role, known: dict[str, port.Source]
) -> port.Source:
    """A file as a source; `COVERED` if another source has its content."""
    first = original(entry.path)
    twin = known.get(first) if first != entry.path else None
    if role in _LEDGER_LINES and any(s.role == Role.LEDGER for s in known.values()):
        return port.Source(entry.path, Role.COVERED, entry.stamp)
    if role is Role.DATABASE:
        return port.Source(entry.path, role, _database_stamp(root, entry))
    if twin and role in _MIRRORED:
        stamp = _together(entry.stamp, twin.stamp)
        return port.Source(entry.path, f"{role}{COPY}", stamp)
    return port.Source(entry.path, role, entry.stamp, grows=role in GROWING)


def _together(copy: Stamp, twin: Stamp) -> Stamp:
    """A stamp that changes with either file, as a copy depends on its original."""
    newest = max(copy.mtime_ns, twin.mtime_ns)
    inode = (copy.inode * 31 + twin.inode + twin.size) % _INODES
    return Stamp(copy.size, newest, inode)


def _everything(root: Root) -> Iterator[Entry | port.Refused]:
    """All entries of the store's own folders, the mirror's last."""
    for folder in ("", MIRROR):
        try:
            entries = root.entries(folder)
        except UnreadableError as error:
            if not folder:
                yield port.refused("", "unreadable", str(error), Severity.ERROR)
            continue
        for entry in entries:
            if entry.kind is Kind.FOLDER and entry.name in DEPTHS:
                yield from port.walked(root, entry.path, DEPTHS[entry.name])
            elif entry.kind is not Kind.FOLDER or entry.path != MIRROR:
                yield entry


def _refusal(entry: Entry) -> port.Refused | None:
    """Why an entry is not read; None if there is nothing to report."""
    path, name = entry.path, entry.name
    if entry.kind is Kind.SPECIAL:
        return port.special(path)
    if name.startswith(".") or name.endswith(_UNREPORTED) or "/tool-results/" in path:
        return None
    if entry.kind is Kind.FILE:
        message = "Not part of the store; skipped."
        return port.refused(path, "foreign-file", message, Severity.NOTE)
    if name.endswith(".jsonl"):
        message = "A folder with the name of a journal; skipped."
        return port.refused(path, "folder-as-file", message)
    if "/" in original(path):
        return None
    message = "Not part of the store; a store inside it is listed separately."
    return port.refused(path, "foreign-folder", message, Severity.NOTE)


def _not_followed(
    root: Root, link: Entry, known: dict[str, port.Source]
) -> port.Refused:
    """Why a link is not read: its target is listed separately, or never."""
    target = root.target(link.path)
    if target in known:
        message = f"Link skipped; its target {target} is read directly."
        return port.refused(link.path, "link-to-source", message, Severity.NOTE)
    if target is None:
        return port.leads_out(link.path)
    message = "Link skipped; its target isn't part of the store."
    return port.refused(link.path, "link-not-followed", message)


# An open store, and the format itself.


class KeiStore(port.OpenStore):
    """One store, with the files that its machine has elsewhere."""

    def __init__(self, path: Path, machine: Machine) -> None:
        self.reach = Reach(path, machine)

    @property
    def title(self) -> str:
        """The folder's name; the kit has one store for all projects of a machine."""
        path = self.reach.root.path
        return path.name or str(path)

    def glance(self) -> bytes:
        """A digest that stays the same while nothing changes that a scan reads."""
        elsewhere = [(one.path, stamp) for one, stamp in self.reach.elsewhere()]
        return self.reach.root.fingerprint(WATCHED) + repr(elsewhere).encode()

    def scan(self) -> Iterator[port.Source | port.Refused]:
        """Every source and every refused entry, each path once; links come last."""
        known: dict[str, port.Source] = {}
        links: list[Entry] = []
        for outside, stamp in self.reach.elsewhere():
            known[outside.path] = port.Source(outside.path, outside.role, stamp)
        yield from known.values()
        root = self.reach.root
        for entry in _everything(root):
            if isinstance(entry, port.Refused):
                yield entry
            elif entry.kind is Kind.LINK:
                links.append(entry)
            elif entry.path not in known and (found := _found(root, entry, known)):
                yield found
        for link in links:
            yield _not_followed(root, link, known)

    def read(self, source: port.Source, since: Mark = START) -> Findings:
        """Read one file, or one piece of it."""
        return self._reader.read(source, since)

    def passage(self, source: port.Source, place: port.Place) -> port.Passage:
        """A whole message of a trace."""
        if source.role.removesuffix(COPY) != Role.TRACE:
            return super().passage(source, place)
        return self._reader.passage(source, place)

    @cached_property
    def _reader(self) -> "KeiReader":
        from store.formats.kei.read import KeiReader  # noqa: PLC0415  # if a file changed

        return KeiReader(self.reach)

    def ask(self, report: str, words: Sequence[str], now: int) -> Iterator[Row]:
        """Answer one of the format's reports, row by row."""
        return answer(FORMAT.reports, report, words, now, lambda: self)

    def close(self) -> None:
        """Close the store."""
        self.reach.close()


class KeiFormat(port.FormatDefaults):
    """Traces of sessions, with metrics and analyses."""

    name = "kei"
    about = "traces, journals and agent ledger of KeiSeiKit (append-only)"
    kinds = frozenset(
        {"conversations", "messages", "events", "measures", "agents", "documents"}
    )
    editable = False
    appends = frozenset({"task", "claim"})
    usually = "~/.claude/memory"

    @property
    def reports(self) -> tuple[AnyReport, ...]:
        """Its built-in reports."""
        from store.formats.kei.reports import REPORTS  # noqa: PLC0415  # loaded on demand

        return REPORTS

    def places(self, machine: Machine) -> Iterator[Path]:
        """The kit's folder; if missing, the folder of its database."""
        home = home_of(machine)
        yield home
        database = machine.folder(_MEMORY_DB)
        if database and not home.is_dir():
            yield database.parent

    def sniff(self, root: Root) -> bool:
        """Whether there are traces, journals of metrics, or the analyzer's database."""
        entries = {entry.name: entry for entry in port.entries_of(root, "")}
        if _is_a_graph(root, entries.get("graph")):
            return False
        return (
            _holds(root, entries.get(TRACES), _is_trace)
            or _holds(root, entries.get(METRICS), _is_metric)
            or _is_database(root, entries.get(DATABASE))
        )

    def keeps(self, folder: str) -> bool:
        """Its own folders contain no other stores; the mirror is a part of it."""
        return folder in DEPTHS or folder == MIRROR

    def open(self, path: Path) -> "KeiStore":
        """Open a store for reading, with the files that this machine has elsewhere."""
        return KeiStore(path, Machine.this())

    def scribe(self, path: Path) -> "KeiScribe":
        """Open a store to work out appended lines."""
        from store.formats.kei.edit import KeiScribe  # noqa: PLC0415  # only for changes

        return KeiScribe(path)


# KeiSeiKit: traces of sessions, journals of metrics, a database, a ledger.

FORMAT = KeiFormat()
