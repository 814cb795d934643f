"""The format: the names of its files, how a store is recognised and opened."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, OpenFile, Root
from store.files.json_read import Line, parse
from store.findings import START, Findings, Json, Mark, Severity
from store.formats import port
from store.machine import Machine
from store.reports import AnyReport, Row, answer
from store.resource import Closing
from store.text import regex

if TYPE_CHECKING:
    from store.formats.transcripts.read import TranscriptsReader


Record = dict[str, Json]
"""A line of a file."""

# Whether lines are Claude Code's, judged by their form.

LOOKED_AT = 100
"""Lines checked before giving up on a file."""

_MARKS = ("uuid", "sessionId", "leafUuid", "messageId")
_TYPES = frozenset(
    {
        "progress",
        "file-history-snapshot",
        "system",
        "attachment",
        "queue-operation",
        "last-prompt",
        "summary",
        "custom-title",
        "pr-link",
        "mode",
        "permission-mode",
        "ai-title",
        "agent-name",
        "frame-link",
    }
)


def is_proof(record: Record) -> bool:
    """Whether only Claude Code writes such a line."""
    kind, message = record.get("type"), record.get("message")
    if kind in ("user", "assistant"):
        has_mark = any(isinstance(record.get(mark), str) for mark in _MARKS)
        return has_mark and isinstance(message, dict) and "content" in message
    if kind == "summary":
        return isinstance(record.get("leafUuid"), str)
    if kind == "file-history-snapshot":
        return "snapshot" in record
    return is_hint(record) and "sessionId" in record and kind != "system"


def is_hint(record: Record) -> bool:
    """Whether a line may be Claude Code's, in a place where such lines are expected."""
    kind = record.get("type")
    if kind in ("user", "assistant"):
        message = record.get("message")
        return "message" in record and not (
            isinstance(message, dict) and "parts" in message
        )
    if not isinstance(kind, str) or kind not in _TYPES:
        return False
    return any(isinstance(record.get(mark), str) for mark in _MARKS)


def are_ours(lines: Iterable[Line]) -> bool | None:
    """Whether a file's first lines are Claude Code's; None if undecided."""
    for count, line in enumerate(lines, 1):
        values = parse(line.raw).values if line.raw else ()
        if any(isinstance(value, dict) and is_hint(value) for value in values):
            return True
        if count >= LOOKED_AT:
            return False
    return None


# The facts in the path of a transcript: session, agent, and parent.

_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_SESSION = regex(rf"(?:.*_)?({_UUID})")
_FOLDER = regex(_UUID)
AGENTS = "subagents"
"""The folder of a session that holds its agents' transcripts at any depth."""


class Named(Struct, frozen=True):
    """The facts in the path of a transcript."""

    session: str
    """The session: an identifier in the name, or else the whole name."""
    agent: str | None = None
    """The agent, if it is an agent's transcript."""
    parent: str | None = None
    """The transcript of the session that started the agent."""

    @property
    def is_certain(self) -> bool:
        """Whether the name contains the identifier of a session."""
        return self.parent is not None or is_session(self.session)


def named(path: str) -> Named:
    """The facts in the path of a transcript, without opening it."""
    folder, _, name = path.rpartition("/")
    stem = name[: -len(".jsonl")] if name.casefold().endswith(".jsonl") else name
    agent = stem.removeprefix("agent-") if stem.startswith("agent-") else None
    parts = folder.split("/")
    if AGENTS in parts and parts.index(AGENTS):
        parent = "/".join(parts[: parts.index(AGENTS)])
        session = session_of(parent.rpartition("/")[2])
        return Named(session, agent or stem, f"{parent}.jsonl")
    return Named(session_of(stem), agent)


def session_of(stem: str) -> str:
    """The session that a file is named after."""
    found = _SESSION.fullmatch(stem)
    return found[1] if found else stem


def is_session(folder: str) -> bool:
    """Whether a folder is named like a session."""
    return bool(_FOLDER.fullmatch(folder))


def sibling(path: str, session: str) -> str:
    """The transcript of a session beside another file."""
    folder = path.rpartition("/")[0]
    return f"{folder}/{session}.jsonl" if folder else f"{session}.jsonl"


# The role of a file in its store, judged by its path.

TRANSCRIPT = "transcript"
AGENT = "agent"
JOURNAL = "journal"
INDEX = "index"
HISTORY_ROLE = "history"
AGENT_FACTS = "agent-facts"
OUTPUT = "output"

GROWING = frozenset({TRANSCRIPT, AGENT, JOURNAL, HISTORY_ROLE})
"""Files that are append-only."""

OUTPUTS = "tool-results"
"""The folder of a session for long outputs of tools."""

_NOTES = "memory"
_LINES = ".jsonl"
_FACTS = ".meta.json"


def role_of(path: str) -> str | None:
    """The role of a file; None if it is not part of a store of transcripts."""
    *folders, name = path.casefold().split("/")
    if name.endswith(_LINES):
        if name == "journal.jsonl" and AGENTS in folders:
            return JOURNAL
        return AGENT if AGENTS in folders or name.startswith("agent-") else TRANSCRIPT
    if name == "sessions-index.json":
        return INDEX
    if name.endswith(_FACTS) and (AGENTS in folders or name.startswith("agent-")):
        return AGENT_FACTS
    in_session = bool(folders) and is_session(folders[-1])
    if name.endswith(".txt") and (OUTPUTS in folders or in_session):
        return OUTPUT
    return None


def is_entered(folder: str) -> bool:
    """Whether to enter a folder: not if it is hidden or holds notes."""
    name = folder.rpartition("/")[2]
    return not name.startswith(".") and name.casefold() != _NOTES


def is_near(name: str) -> bool:
    """Whether a file is so similar to a transcript that skipping it is reported.

    All other files in the folders of a program are the program's own business.
    """
    return _LINES in name.casefold() and not name.startswith(".")


# The usual places of transcripts on a machine.


def places(machine: Machine) -> Iterator[Path]:
    """Claude Code's folder, and its default if that is different."""
    homes = (machine.folder("CLAUDE_CONFIG_DIR"), machine.home / ".claude")
    for home in filter(None, homes):
        yield home / _WATCHED
        folder = _opened(home)
        if folder:
            with folder:
                if is_home(folder):
                    yield home


# The folders of one store: the watched one, its backup, and the folder above.
#
# A key is a path relative to its folder, so a transcript in the backup and the same one
# in the watched folder are one; the live file is the one that is read.

HISTORY = "history.jsonl"
"""The prompts of all sessions, in the folder above the watched one."""
ABOVE = f"../{HISTORY}"
"""The key of this file in a store of transcripts."""

_WATCHED = "projects"
"""The name of a folder that has such a file beside it."""


def backup_of(path: Path) -> Path:
    """The folder that is the backup of a folder of transcripts."""
    return path.parent / f"{path.name}-backup"


class Bases(Closing):
    """Opens the folders of a store, as far as they exist."""

    def __init__(self, path: Path) -> None:
        """Raises UnreadableError if the watched folder cannot be opened."""
        self.live = Root(path)
        place = self.live.path
        self.backup = _opened(backup_of(place))
        self.beside = _opened(place.parent) if place.name == _WATCHED else None

    @cached_property
    def is_home(self) -> bool:
        """Whether the folder is that of the program, with the prompts of sessions."""
        return is_home(self.live)

    @property
    def folders(self) -> list[Root]:
        """The folders of transcripts, the one that takes precedence first."""
        return [self.live, self.backup] if self.backup else [self.live]

    def opened(self, path: str) -> OpenFile:
        """Open a file of the store by key; raises UnreadableError."""
        root, name = self._found(path)
        return root.opened(name)

    def read(self, path: str, limit: int) -> bytes:
        """The first bytes of a file, by key; raises UnreadableError."""
        root, name = self._found(path)
        return root.read(name, limit=limit).raw

    def close(self) -> None:
        """Close all folders; safe to call twice."""
        for root in (self.live, self.backup, self.beside):
            if root:
                root.close()

    def _found(self, path: str) -> tuple[Root, str]:
        if path == ABOVE and self.beside:
            return self.beside, HISTORY
        if self.backup and not has(self.live, path) and has(self.backup, path):
            return self.backup, path
        return self.live, path


def has(root: Root, path: str) -> bool:
    """Whether a file can be opened beneath a folder."""
    try:
        root.opened(path).close()
    except UnreadableError:
        return False
    return True


def _opened(path: Path) -> Root | None:
    try:
        return Root(path)
    except UnreadableError:
        return None


# The content of a store: its sources, and refused entries with the reason.

DEPTH = 8
"""How many levels deep a store is read."""


def scan(bases: Bases) -> Iterator[port.Source | port.Refused]:
    """Every source and every refusal; duplicates in the backup are skipped."""
    if bases.is_home:
        yield from _history(bases.live, HISTORY)
        return
    known: set[str] = set()
    for root in bases.folders:
        for found in _scan_folder(root):
            if found.path not in known:
                known.add(found.path)
                yield found
    if bases.beside:
        yield from _history(bases.beside, ABOVE)


def sources(root: Root) -> Iterator[port.Source]:
    """The sources of one folder only."""
    for found in _scan_folder(root):
        if isinstance(found, port.Source):
            yield found


def _scan_folder(root: Root) -> Iterator[port.Source | port.Refused]:
    for entry in port.descended(root, DEPTH, is_entered):
        if isinstance(entry, port.Refused):
            yield entry
        elif entry.kind is not Kind.FOLDER:
            yield from _entry(root, entry)


def _entry(root: Root, entry: Entry) -> Iterator[port.Source | port.Refused]:
    role = role_of(entry.path)
    if entry.kind is Kind.LINK:
        yield from _link(root, entry, role)
    elif role is None:
        if is_near(entry.name):
            message = "Named like a transcript, but with an invalid name; skipped."
            yield port.refused(entry.path, "other-file", message, Severity.NOTE)
    elif entry.kind is Kind.SPECIAL:
        yield port.special(entry.path)
    else:
        yield port.Source(entry.path, role, entry.stamp, grows=role in GROWING)


def _link(root: Root, entry: Entry, role: str | None) -> Iterator[port.Refused]:
    """Refuse a link: files in the store are read at their own path."""
    target = root.target(entry.path)
    if target is None:
        yield port.leads_out(entry.path)
    elif role or "." not in entry.name:
        message = "Link skipped; its target in the store is read directly."
        yield port.refused(entry.path, "link-within", message, Severity.NOTE)


def _history(folder: Root, path: str) -> Iterator[port.Source]:
    """The prompts of all sessions, if their file exists in a folder."""
    for entry in port.entries_of(folder, ""):
        if entry.name == HISTORY and entry.kind is Kind.FILE:
            yield port.Source(path, HISTORY_ROLE, entry.stamp, grows=True)


# Whether a folder holds transcripts, judged by the first lines of its files.

_FILES = 40
"""Files checked before giving up on a folder."""

_GLANCE = 64 * 1024
"""Bytes read of each."""

_SNIFF_LINES = 20

_JOURNAL = frozenset({"time-metrics", "kei-memory.sqlite", "agent-events.jsonl"})
"""Entries that make a folder a journal store, whatever transcripts it has."""

_TRACES = "traces"


def sniff(root: Root) -> bool:
    """Whether there are transcripts, or the prompts of sessions that have none."""
    return _has_transcripts(root) or is_home(root)


def is_home(root: Root) -> bool:
    """Whether a folder has the prompts of all sessions, but no transcripts."""
    if not any(_prompts(value) for value in _head(root, HISTORY)):
        return False
    below = _opened(root.path / _WATCHED)
    if below is None:
        return not _has_transcripts(root)
    with below:
        return not (_has_transcripts(below) or _has_transcripts(root))


def _prompts(value: Json) -> bool:
    """Whether a line is from the file with all prompts."""
    return isinstance(value, dict) and {"display", "timestamp"} <= value.keys()


def _has_transcripts(root: Root) -> bool:
    """Whether files in the folder, or one level below, are transcripts."""
    entries = port.entries_of(root, "")
    if not _JOURNAL.isdisjoint(entry.name for entry in entries):
        return False
    files = islice(_files(root, entries), _FILES)
    return any(
        isinstance(value, dict) and is_proof(value)
        for entry in files
        for value in _head(root, entry.path)
    )


def _files(root: Root, entries: list[Entry]) -> Iterator[Entry]:
    """Possible transcripts in the folder itself and one level below."""
    yield from (entry for entry in entries if _may_be(entry))
    for folder in entries:
        if folder.kind is Kind.FOLDER and folder.name != _TRACES:
            inner = port.entries_of(root, folder.path)
            yield from islice((entry for entry in inner if _may_be(entry)), 5)


def _may_be(entry: Entry) -> bool:
    is_file = entry.kind is Kind.FILE and entry.stamp.size != 0
    return is_file and entry.name.casefold().endswith(".jsonl")


def _head(root: Root, path: str) -> Iterator[Json]:
    """The values in the first lines of a file."""
    try:
        blob = root.read(path, limit=_GLANCE)
    except UnreadableError:
        return
    lines = blob.raw.removeprefix(b"\xef\xbb\xbf").split(b"\n", _SNIFF_LINES)[
        :_SNIFF_LINES
    ]
    if not blob.whole and len(lines) < _SNIFF_LINES:
        lines.pop()
    for line in lines:
        yield from parse(line).values


# An open store of transcripts.


class OpenTranscripts(port.OpenStore):
    """Reads files beneath the watched folder and its backup."""

    def __init__(self, path: Path) -> None:
        self._bases = Bases(path)

    @property
    def title(self) -> str:
        """The folder, with enough of its path to distinguish it from others."""
        path = self._bases.live.path
        return f"{path.parent.name}/{path.name}" if path.parent.name else path.name

    def glance(self) -> bytes:
        """A digest that stays the same while nothing changes that a scan reads."""
        if self._bases.is_home:
            return self._bases.live.fingerprint({"": 0})
        seals = [root.fingerprint({"": DEPTH}) for root in self._bases.folders]
        if self._bases.beside:
            seals.append(self._bases.beside.fingerprint({"": 0}))
        return b"".join(seals)

    def scan(self) -> Iterator[port.Source | port.Refused]:
        """List the files cheaply, by name and stamp, without opening them."""
        return scan(self._bases)

    def read(self, source: port.Source, since: Mark = START) -> Findings:
        """Read one source, a transcript from a mark on; never raises for content."""
        return self._reader.read(source, since)

    def passage(self, source: port.Source, place: port.Place) -> port.Passage:
        """A whole message, read from its file."""
        return self._reader.passage(source, place)

    @cached_property
    def _reader(self) -> "TranscriptsReader":
        from store.formats.transcripts.read import TranscriptsReader  # noqa: PLC0415  # if a file changed

        return TranscriptsReader(self._bases)

    def ask(self, report: str, words: Sequence[str], now: int) -> Iterator[Row]:
        """Answer one of the format's reports, row by row."""
        return answer(FORMAT.reports, report, words, now, lambda: self._bases)

    def close(self) -> None:
        """Close the store."""
        self._bases.close()


# The format, as registered.


class TranscriptsFormat(port.FormatDefaults):
    """Folders of Claude Code's transcripts, as its memory extension watches them."""

    name = "transcripts"
    about = "conversations of Claude Code (read-only; can be pinned)"
    kinds = frozenset({"conversations", "messages", "documents"})
    editable = False
    stays_open = True
    usually = "~/.claude/projects, ~/.claude"
    hosts = frozenset({"kei", "notes"})

    @property
    def reports(self) -> tuple[AnyReport, ...]:
        """Its built-in reports."""
        from store.formats.transcripts.reports import REPORTS  # noqa: PLC0415  # loaded on demand

        return REPORTS

    def places(self, machine: Machine) -> Iterable[Path]:
        """Folders on this machine beneath which such stores are usually found."""
        return places(machine)

    def sniff(self, root: Root) -> bool:
        """Whether the folder is such a store, judged by its content."""
        return sniff(root)

    def keeps(self, folder: str) -> bool:
        """The folder of a session belongs to it; that of a project may hold notes."""
        return is_session(folder)

    def backup(self, path: Path) -> Path | None:
        """The folder with saved transcripts, which are listed with the live ones."""
        return backup_of(path)

    def open(self, path: Path) -> OpenTranscripts:
        """Open a store for reading."""
        return OpenTranscripts(path)


# Claude Code's transcripts: what was said and done in each session, line by line.

FORMAT = TranscriptsFormat()
