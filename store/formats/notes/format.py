"""The format: how a store is recognised, which files it has, and how it is opened."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root, Rooted
from store.files.frontmatter import Page, read_page
from store.findings import START, Findings, Flaw, Json, Mark, Severity, Value
from store.formats import port
from store.formats.markdown_read import inside, is_note, links, without_code
from store.formats.notes.projects import (
    is_known,
    is_of_a_loop,
    is_part_of_an_agent,
    lies_within_known,
    places,
    title_of,
)
from store.machine import Machine, is_alive, pid_of
from store.reports import AnyReport, Given, Report, Row, Rows, answer
from store.text import regex
from store.times import written_at

if TYPE_CHECKING:
    from store.edits.draft import Scribe
    from store.formats.notes.edit import NotesScribe

# What a header shows about its folder.

TYPES = frozenset({"user", "feedback", "project", "reference"})
"""The types that writers of this format know."""

_OTHERS = frozenset(
    {
        "allowed-tools",
        "argument-hint",
        "categories",
        "color",
        "layout",
        "license",
        "model",
        "permalink",
        "sidebar_position",
        "slug",
        "tools",
    }
)
"""Keys of agents, commands, skills and web pages."""


_OWN_TYPES = frozenset({"user", "feedback"})
"""Those types that ordinary documents never have."""


def is_signed(fields: Mapping[str, Value]) -> bool:
    """Whether the header has a key that only Claude Code writes."""
    metadata = fields.get("metadata")
    below: Mapping[str, Value] = metadata if isinstance(metadata, Mapping) else {}
    return "name" in fields and (
        below.get("node_type") == "memory"
        or "originSessionId" in fields
        or "originSessionId" in below
    )


def is_typed(fields: Mapping[str, Value], types: frozenset[str]) -> bool:
    """Whether the header describes a memory of one of these types."""
    metadata = fields.get("metadata")
    below = metadata.get("type") if isinstance(metadata, Mapping) else None
    kind = fields.get("type") or below
    described = {"name", "description"} <= fields.keys()
    is_other = not fields.keys().isdisjoint(_OTHERS)
    return described and not is_other and isinstance(kind, str) and kind in types


def is_hint(fields: Mapping[str, Value]) -> bool:
    """Whether a header may be that of a memory, in a folder meant for memories."""
    named = "name" in fields or "title" in fields
    described = not fields.keys().isdisjoint({"description", "type", "metadata"})
    return named and described and fields.keys().isdisjoint(_OTHERS)


# The role of each entry of a store, judged by its name and path.

INDEX = "memory.md"
"""The index's name, case-folded."""

_USUAL_INDEX = "MEMORY.md"
"""The index's name as all writers spell it."""

SESSIONS = "session-memory"
"""The folder with one subfolder per session."""

_LOGS = frozenset({"logs", "daily", "daily-logs"})
_DAY = regex(r"\d{4}-\d\d-\d\d")

LOCK = ".consolidate-lock"
"""Claude Code's mark of a consolidation; its time says when the last one began."""

_KNOWN = {
    LOCK: (
        "consolidate-lock",
        "Claude Code's consolidation lock; a consolidation runs while it is fresh.",
    ),
    ".transcripts": ("loop-transcripts", "Transcripts of an agent loop (no memories)."),
    ".task_outputs": ("loop-outputs", "Tool output of an agent loop (no memories)."),
    "graph.json": ("derived-file", "Graph generated from the memories."),
    "index.json": ("derived-file", "Index generated from the memories."),
    "thought.json": ("derived-file", "Plugin state file (not a memory)."),
}


_UNREMARKABLE = frozenset({".DS_Store", ".git", ".gitignore", ".gitkeep", "Thumbs.db"})
"""Of git and of file managers; not reported."""


class Role(StrEnum):
    """How a source is read."""

    MEMORY = "memory"
    INDEX = "memory-index"
    SECTIONS = "memory-sections"
    """The index of a known place without notes; its sections are the memories."""
    SESSION = "session-memory"
    LOG = "daily-log"


def role_of(store: str, path: str) -> Role:
    """The role of a Markdown file; the store's own name counts as its first folder."""
    *folders, name = path.split("/")
    if name.casefold() == INDEX:
        in_session = [store, *folders][-2:-1] == [SESSIONS]
        return Role.SESSION if in_session else Role.INDEX
    if folders and _DAY.fullmatch(name[:-3]) and not _LOGS.isdisjoint(folders):
        return Role.LOG
    return Role.MEMORY


def is_source(name: str) -> bool:
    """Whether a file with this name is read."""
    return is_note(name) and not name.startswith(".")


def is_entered(name: str) -> bool:
    """Whether a folder with this name is entered."""
    return not name.startswith(".") and name not in {"node_modules", "__pycache__"}


def foreign(name: str) -> Flaw:
    """Why an entry is not read."""
    code, message = _KNOWN.get(
        name, ("foreign-file", "Not a visible Markdown file; skipped.")
    )
    return Flaw(code=code, message=message, severity=Severity.NOTE)


# An index that is a link to the summary of another store.

_SUMMARY = "CORE.md"
"""The name of the page that stores of another format make agents load."""


def is_linked_summary(root: Root, entry: Entry) -> bool:
    """Whether agents load another store's summary here, judged by the link's text."""
    if entry.kind is not Kind.LINK or entry.name.casefold() != INDEX:
        return False
    text = root.link_text(entry.path) or ""
    return text.rpartition("/")[2] == _SUMMARY


# Whether a folder is a notes store, judged by its files, never by its name alone.

_NOTES = 50
"""Notes read before giving up on a folder."""

_GLANCE = 16 * 1024
"""Bytes read of each."""

_JOURNAL = frozenset(
    {"traces", "time-metrics", "kei-memory.sqlite", "agent-events.jsonl"}
)
"""Entries that make a folder a journal store, whatever its index says."""

_PROGRAM = frozenset(
    {"cargo.toml", "gemfile", "go.mod", "makefile", "package.json", "pom.xml"}
    | {"pyproject.toml", "setup.py"}
)
_PAGES = frozenset({"agents.md", "claude.md", "readme.md", "skill.md"})


def sniff(root: Root) -> bool:
    """Whether the folder holds memories; a part of a store is not a store.

    In a folder meant for memories, one note is nearly enough. Any other folder needs
    more evidence, because a false store is worse than a missed one: documents, commands
    and skills have a name and a description, too.
    """
    if lies_within_known(root.path) or is_part_of_an_agent(root.path):
        return False
    entries = port.entries_of(root, "")
    names = {entry.name.casefold() for entry in entries}
    if root.path.name == SESSIONS:
        return _holds_sessions(root, entries)
    if is_known(root.path):
        return _known_place_holds_notes(root, entries, names)
    return _other_place_holds_notes(root, entries, names)


def _known_place_holds_notes(root: Root, entries: list[Entry], names: set[str]) -> bool:
    within = (_children(root, e) for e in entries if e.kind is Kind.FOLDER)
    notes = chain(entries, chain.from_iterable(within))
    if any(is_hint(fields) for fields in _headers(root, notes)):
        return True
    return names.isdisjoint(_JOURNAL) and _index_tells(root, entries)


def _index_tells(root: Root, entries: list[Entry]) -> bool:
    """Whether the index alone is sufficient evidence, in a place meant for memories."""
    if any(is_linked_summary(root, entry) for entry in entries):
        return True
    index = _index(root, entries)
    if index is None:
        return False
    return bool(index.body.strip()) or is_of_a_loop(root.path)


def _other_place_holds_notes(root: Root, entries: list[Entry], names: set[str]) -> bool:
    if not names.isdisjoint(_PROGRAM) or {".git", "readme.md"} <= names:
        return False
    headers = list(_headers(root, entries))
    if any(is_signed(fields) for fields in headers):
        return True
    files = {entry.name for entry in entries if entry.kind is Kind.FILE}
    has_index = _USUAL_INDEX in files
    types = TYPES if has_index else _OWN_TYPES
    memories = sum(is_typed(fields, types) for fields in headers)
    if memories and 2 * memories >= len(headers):
        return True
    may_list = has_index and names.isdisjoint(_PAGES)
    return may_list and _lists_most(_index(root, entries), files)


def _lists_most(index: Page | None, files: set[str]) -> bool:
    """Whether an index lists at least half of the notes beside it."""
    notes = {name for name in files if is_source(name)} - {_USUAL_INDEX}
    listed = linked_notes(index.body) & notes if index else set[str]()
    return bool(listed) and 2 * len(listed) >= len(notes)


def _holds_sessions(root: Root, entries: list[Entry]) -> bool:
    folders = [e for e in entries if e.kind is Kind.FOLDER]
    files = (e for f in folders for e in port.entries_of(root, f.path))
    return any(e.kind is Kind.FILE and e.name.casefold() == INDEX for e in files)


def _children(root: Root, folder: Entry) -> list[Entry]:
    return port.entries_of(root, folder.path) if is_entered(folder.name) else []


def _headers(root: Root, entries: Iterable[Entry]) -> Iterator[Mapping[str, Value]]:
    notes = (
        entry
        for entry in entries
        if entry.kind is Kind.FILE
        and is_source(entry.name)
        and entry.name.casefold() != INDEX
    )
    for note in islice(notes, _NOTES):
        page = _glance(root, note.path)
        if page and page.has_header:
            yield page.fields


def _index(root: Root, entries: list[Entry]) -> Page | None:
    found = (e.path for e in entries if e.name.casefold() == INDEX)
    path = next(found, None)
    return _glance(root, path) if path else None


def _glance(root: Root, path: str) -> Page | None:
    try:
        blob = root.read(path, limit=_GLANCE)
    except UnreadableError:
        return None
    return read_page(blob.raw, whole=blob.whole)


# The content of a store: its sources, and refused entries with the reason.

DEPTH = 6
"""How many levels deep a store is read."""


def scan(root: Root) -> Iterator[port.Source | port.Refused]:
    """Every source and every refusal, folder by folder; then the indexes."""
    indexes: list[port.Source] = []
    has_notes = False
    for found in _scan_folder(root):
        if isinstance(found, port.Source) and found.role == Role.INDEX:
            indexes.append(found)
            continue
        has_notes = has_notes or _is_note(found)
        yield found
    is_alone = is_known(root.path) and not has_notes
    role = Role.SECTIONS if is_alone else Role.INDEX
    yield from (index._replace(role=role) for index in indexes)


def index_role(root: Root) -> Role:
    """How the indexes of a store are read; stops at its first note."""
    if not is_known(root.path) or _holds_other_note(root, ""):
        return Role.INDEX
    return Role.SECTIONS


def is_first(root: Root, path: str) -> bool:
    """Whether a note is the only one, so that it decides how an index is read."""
    if not is_known(root.path) or _holds_other_note(root, path):
        return False
    return root.has_file("", lambda name: name.casefold() == INDEX)


def _holds_other_note(root: Root, path: str) -> bool:
    def is_other(name: str) -> bool:
        return is_source(name) and name.casefold() != INDEX and name != path

    if root.has_file("", is_other):
        return True
    found = _scan_folder(root)
    return any(_is_note(one) and one.path != path for one in found)


def _is_note(found: port.Source | port.Refused) -> bool:
    return isinstance(found, port.Source) and found.role == Role.MEMORY


def _scan_folder(root: Root) -> Iterator[port.Source | port.Refused]:
    for entry in port.descended(root, DEPTH, is_entered):
        if isinstance(entry, port.Refused):
            yield entry
        elif entry.name not in _UNREMARKABLE:
            yield _entry(root, entry)


def _entry(root: Root, entry: Entry) -> port.Source | port.Refused:
    if entry.kind is Kind.LINK:
        return _link(root, entry)
    if entry.kind is Kind.SPECIAL:
        return port.special(entry.path)
    if entry.kind is Kind.FILE and is_source(entry.name):
        return port.Source(entry.path, role_of(root.path.name, entry.path), entry.stamp)
    return port.Refused(entry.path, foreign(entry.name))


def _link(root: Root, entry: Entry) -> port.Source | port.Refused:
    """Read a link to a note of the same store; refuse any other."""
    target = root.target(entry.path)
    if target is None:
        return _outward(root, entry)
    end = _entry_at(root, target)
    if end and end.kind is Kind.FILE and is_source(entry.name):
        return port.Source(entry.path, role_of(root.path.name, entry.path), end.stamp)
    if end and end.kind is Kind.FILE and not is_source(end.name):
        return port.Refused(entry.path, foreign(entry.name))
    message = "Link skipped; its target in the store is read directly."
    return port.refused(entry.path, "link-within", message, Severity.NOTE)


def _outward(root: Root, entry: Entry) -> port.Refused:
    if is_linked_summary(root, entry):
        message = (
            "The index is a link to another store's summary; open that store to "
            "see what an agent loads here."
        )
        return port.refused(entry.path, "link-to-core", message, Severity.NOTE)
    return port.leads_out(entry.path)


def _entry_at(root: Root, path: str) -> Entry | None:
    entries = port.entries_of(root, path.rpartition("/")[0])
    return next((entry for entry in entries if entry.path == path), None)


_BULLET = regex(r"[ \t]*[-*+][ \t]+")


def linked_notes(text: str) -> set[str]:
    """The notes beside the index that its list items link to."""
    lines = (line for line in without_code(text).split("\n") if _BULLET.match(line))
    found = (inside("", link.target) for line in lines for link in links(line))
    return {path for path in found if path and is_note(path)}


# The report on when agents tidy up a folder: each gate, and when it opens.

_HOURS = 24
"""Hours from one consolidation to the next, at least."""

_SCAN_MINUTES = 10
"""Minutes from one look at the sessions to the next, at least."""

_SESSIONS = 5
"""Sessions since the last consolidation, at least."""

_LOCK_HOURS = 1
"""Hours after which a lock counts as left behind."""

_MEMORIES = 10
"""Memories from which on an agent loop consolidates them."""

_MICROS_PER_HOUR = 3_600_000_000
_TRANSCRIPT = regex(r"(?!agent-).+\.jsonl")

_Gate = tuple[Json, ...]


def _gates(root: Root, given: Given) -> Rows:
    last, pid = _lock(root)
    yield _time_gate(last, given.now)
    sessions = list(_sessions(root))
    yield _scan_gate(max(sessions, default=None), last, given.now)
    yield _session_gate(sessions, last)
    yield _lock_gate(last, pid, given.now)
    count = sum(
        isinstance(one, port.Source) and one.role == Role.MEMORY for one in scan(root)
    )
    is_open = count >= _MEMORIES
    yield (
        *("agent loop", "memories", count, f"at least {_MEMORIES}", is_open),
        _now(is_open) or f"with {_MEMORIES - count} more",
    )


def _now(is_open: bool) -> str:  # noqa: FBT001  # one word for a gate that is open
    return "open" if is_open else ""


def _time_gate(last: int | None, now: int) -> _Gate:
    if last is None:
        never = ("never consolidated", f"at least {_HOURS} h ago", True, "open")
        return ("Claude Code", "time", *never)
    hours = (now - last) / _MICROS_PER_HOUR
    is_open = hours >= _HOURS
    opens = _now(is_open) or written_at(last + _HOURS * _MICROS_PER_HOUR)
    told = f"{hours:.1f} h ago"
    return ("Claude Code", "time", told, f"at least {_HOURS} h ago", is_open, opens)


def _scan_gate(turn: int | None, last: int | None, now: int) -> _Gate:
    """The pause between two looks at the sessions, which no file records.

    An agent looks when a turn ends while the gate of time is open, so the last turn is
    the latest that it can have been.
    """
    needs = f"no scan for {_SCAN_MINUTES} min"
    if turn is None or turn < (last or 0) + _HOURS * _MICROS_PER_HOUR:
        return ("Claude Code", "scan throttle", "not scanned", needs, True, "open")
    minutes = (now - turn) / _MICROS_PER_HOUR * 60
    is_open = minutes >= _SCAN_MINUTES or None
    latest = written_at(turn + _SCAN_MINUTES * _MICROS_PER_HOUR // 60)
    opens = "open" if is_open else f"at the latest {latest}"
    days = minutes / 60 / 24
    ago = f"{days:.0f} d" if days >= _LONG else f"{minutes:.0f} min"
    told = f"at the latest {ago} ago"
    return ("Claude Code", "scan throttle", told, needs, is_open, opens)


_LONG = 2
"""From so many days on, minutes say nothing."""


def _session_gate(sessions: Iterable[int], last: int | None) -> _Gate:
    count = sum(written > (last or 0) for written in sessions)
    is_open = count >= _SESSIONS
    opens = _now(is_open) or f"with {_SESSIONS - count} more"
    return ("Claude Code", "sessions", count, f"at least {_SESSIONS}", is_open, opens)


def _lock_gate(last: int | None, pid: int | None, now: int) -> _Gate:
    expires = (last or 0) + _LOCK_HOURS * _MICROS_PER_HOUR
    is_held = last is not None and pid is not None and now < expires and is_alive(pid)
    told = f"held by process {pid}" if is_held else "free"
    opens = f"when it ends, at the latest {written_at(expires)}" if is_held else "open"
    return ("Claude Code", "lock", told, "no live lock", not is_held, opens)


def _lock(root: Root) -> tuple[int | None, int | None]:
    """When memories were consolidated last, and the process in the lock."""
    try:
        blob = root.read(LOCK, limit=64)
    except UnreadableError:
        return None, None
    return blob.stamp.mtime_ns // 1000, pid_of(blob.raw)


def _sessions(root: Root) -> Iterator[int]:
    """When each transcript of the project was written last."""
    project = root.path.parent
    if project.parent.name != "projects":
        return
    try:
        with Root(project) as beside:
            for entry in beside.entries():
                if entry.kind is Kind.FILE and _TRANSCRIPT.fullmatch(entry.name):
                    yield entry.stamp.mtime_ns // 1000
    except UnreadableError:
        return


REPORTS: tuple[AnyReport, ...] = (
    Report[Root](
        "gates",
        "when agents consolidate these memories: each gate, and when it opens",
        "agent gate value needs open opens",
        _gates,
        lists=lambda _: ("memories", {}),
    ),
)


# A notes store opened for reading.


class OpenNotes(Rooted, port.OpenStore):
    """Reads files beneath one folder; closed by leaving the `with` block."""

    @property
    def title(self) -> str:
        """The project that the memories are about, or else the folder's name."""
        return title_of(self._root.path)

    def glance(self) -> bytes:
        """A digest that stays the same while nothing changes that a scan reads."""
        return self._root.fingerprint({"": DEPTH})

    def scan(self) -> Iterator[port.Source | port.Refused]:
        """List the files cheaply, by name and stamp, without opening them."""
        return scan(self._root)

    def source_at(self, path: str) -> port.Source | None:
        """The note at a path."""
        *folders, name = path.split("/")
        if not is_source(name) or len(folders) > DEPTH:
            return None
        if not all(is_entered(folder) for folder in folders):
            return None
        role = role_of(self._root.path.name, path)
        if role is Role.INDEX:
            role = index_role(self._root)
        elif role is Role.MEMORY and is_first(self._root, path):
            return None
        with self._root.opened(path) as file:
            return port.Source(path, role, file.stamp)

    def ask(self, report: str, words: Sequence[str], now: int) -> Iterator[Row]:
        """Answer a report from the folder, without changing it."""
        return answer(FORMAT.reports, report, words, now, lambda: self._root)

    def read(self, source: port.Source, since: Mark = START) -> Findings:
        """Read one source; no source of this format grows, so always all of it."""
        from store.formats.notes.notes import read_source  # noqa: PLC0415  # if a file changed

        del since
        return read_source(self._root, source)


# The format, as registered.


class NotesFormat(port.FormatDefaults):
    """Markdown memory: an agent loop's `.memory/` and Claude Code's auto-memory."""

    name = "notes"
    about = "Markdown memories of Claude Code and its sub-agents, MEMORY.md"
    kinds = frozenset({"memories", "edges", "documents"})
    editable = True
    usually = "~/.claude/projects/*/memory, .memory, .claude/memory"
    rebuilds = frozenset({"notes-index"})

    @property
    def reports(self) -> tuple[AnyReport, ...]:
        """Its built-in reports."""
        return REPORTS

    def places(self, machine: Machine) -> Iterable[Path]:
        """Folders on this machine beneath which such stores are usually found."""
        return places(machine)

    def sniff(self, root: Root) -> bool:
        """Whether the folder is such a store, judged by its content."""
        return sniff(root)

    def keeps(self, folder: str) -> bool:
        """Every folder of such a store may hold notes."""
        return bool(folder)

    @property
    def fixes(self) -> frozenset[str]:
        """The codes of the problems that can be fixed."""
        return self._scribe().fixes

    def scribe(self, path: Path) -> "Scribe":
        """Open a store to work out changes."""
        return self._scribe()(path)

    def _scribe(self) -> "type[NotesScribe]":
        from store.formats.notes.edit import NotesScribe  # noqa: PLC0415  # only for changes

        return NotesScribe

    def open(self, path: Path) -> OpenNotes:
        """Open a store for reading."""
        return OpenNotes(path)


# Markdown memories: one file per memory, and a MEMORY.md that lists them.

FORMAT = NotesFormat()
