"""The format: the interface to the program, and an open store."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root, Stamp
from store.files.json_read import parse
from store.files.sqlite import open_database
from store.findings import START, Findings, Json, Mark, Severity, Side
from store.formats.kei.journals import Record, shape_of, text
from store.formats.kei.layout import (
    COPY,
    DATABASE,
    DEPTHS,
    GROWING,
    MEMORY_DB,
    METRICS,
    MIRROR,
    MIRRORED,
    OWN,
    TRACES,
    Reach,
    Role,
    goes_without_saying,
    home_of,
    original,
    role_of,
    stamp_of_database,
)
from store.formats.port import (
    FormatDefaults,
    OpenStoreDefaults,
    Passage,
    Place,
    Question,
    Refused,
    Source,
    entries_of,
    leads_out,
    refused,
    special,
    walked,
)
from store.machine import Machine

if TYPE_CHECKING:
    from store.formats.kei.edit import KeiScribe
    from store.formats.kei.read import KeiReader


# Whether a folder is a store of this format, judged by its content.

_HEAD = 256 * 1024
"""Bytes of a file read to recognise it."""

_FILES, _LINES = 8, 20
"""The most files, and lines of each, checked; one valid line is enough."""

_GRAPH = "graph"
_TABLES = frozenset({"events", "sessions", "coaccess", "patterns"})
_LEGACY_KINDS = frozenset({"tool_use", "tool_result", "other"})
_CONVERSED = ("sessionId", "uuid", "leafUuid", "messageId")
_TIMED = frozenset({"start_epoch", "duration_s", "evidence_tier", "tool_stats"})


def sniff(root: Root) -> bool:
    """Whether there are traces, journals of metrics, or the analyzer's database."""
    names = {entry.name: entry for entry in entries_of(root, "")}
    if _is_a_graph(root, names.get(_GRAPH)):
        return False
    return (
        _holds(root, names.get(TRACES), is_trace)
        or _holds(root, names.get(METRICS), _is_figure)
        or _is_database(root, names.get(DATABASE))
    )


def is_trace(record: Record) -> bool:
    """Whether a line is from a transcript, or has the older flat form."""
    if isinstance(record.get("type"), str):
        speaks = isinstance(record.get("message"), dict)
        return speaks or any(key in record for key in _CONVERSED)
    if type(record.get("ts")) is not int:
        return False
    return "event_class" in record or text(record, "kind") in _LEGACY_KINDS


def _is_figure(record: Record) -> bool:
    return shape_of(record) is not None and not _TIMED.isdisjoint(record)


def _is_a_graph(root: Root, graph: Entry | None) -> bool:
    """Whether there is a graph of Markdown memories, which makes it another format."""
    if graph is None or graph.kind is not Kind.FOLDER:
        return False
    folders = (e for e in entries_of(root, graph.path) if e.kind is Kind.FOLDER)
    pages = (e for f in folders for e in entries_of(root, f.path))
    return any(e.kind is Kind.FILE and e.name.endswith(".md") for e in pages)


def _holds(root: Root, folder: Entry | None, fits: Callable[[Record], bool]) -> bool:
    """Whether a folder has journals with matching lines."""
    if folder is None or folder.kind is not Kind.FOLDER:
        return False
    journals = (
        entry.path
        for entry in entries_of(root, folder.path)
        if entry.kind is Kind.FILE and entry.name.endswith(".jsonl")
    )
    found = (r for path in islice(journals, _FILES) for r in _records(root, path))
    return any(map(fits, found))


def _records(root: Root, path: str) -> Iterator[Record]:
    """The records at the start of a journal."""
    try:
        head = root.read(path, limit=_HEAD).raw
    except UnreadableError:
        return
    for raw in islice(head.split(b"\n"), _LINES):
        for value in parse(raw).values:
            if isinstance(value, dict):
                yield value


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

WATCHED = {
    "": 0,
    **DEPTHS,
    MIRROR: 0,
    **{f"{MIRROR}/{folder}": depth for folder, depth in DEPTHS.items()},
}
"""The folders that a scan reads, and their depth."""

_LEDGERS = frozenset({Role.AGENT_LINES, Role.SKILL_LINES})


def scan(reach: Reach) -> Iterator[Source | Refused]:
    """Every source and every refused entry, each path once; links come last."""
    known: dict[str, Source] = {}
    links: list[Entry] = []
    for one, stamp in reach.elsewhere():
        known[one.path] = Source(one.path, one.role, stamp)
    yield from known.values()
    for entry in _everything(reach.root):
        if isinstance(entry, Refused):
            yield entry
        elif entry.kind is Kind.LINK:
            links.append(entry)
        elif entry.path not in known and (found := _found(reach.root, entry, known)):
            yield found
    for link in links:
        yield _unfollowed(reach.root, link, known)


def _found(
    root: Root, entry: Entry, known: dict[str, Source]
) -> Source | Refused | None:
    """The source or refusal for a non-link entry; None if not worth reporting."""
    role = role_of(entry.path) if entry.kind is Kind.FILE else None
    if role is None:
        return _refusal(entry)
    known[entry.path] = _source(root, entry, role, known)
    return known[entry.path]


def _source(root: Root, entry: Entry, role: Role, known: dict[str, Source]) -> Source:
    """A file as a source; `COVERED` if another source has its content."""
    first = original(entry.path)
    twin = known.get(first) if first != entry.path else None
    if role in _LEDGERS and any(s.role == Role.LEDGER for s in known.values()):
        return Source(entry.path, Role.COVERED, entry.stamp)
    if role is Role.DATABASE:
        return Source(entry.path, role, stamp_of_database(root, entry))
    if twin and role in MIRRORED:
        stamp = _together(entry.stamp, twin.stamp)
        return Source(entry.path, f"{role}{COPY}", stamp)
    return Source(entry.path, role, entry.stamp, grows=role in GROWING)


def _together(copy: Stamp, twin: Stamp) -> Stamp:
    """A stamp that changes with either file, as a copy depends on its original."""
    newest = max(copy.mtime_ns, twin.mtime_ns)
    return Stamp(
        copy.size, newest, (copy.inode * 31 + twin.inode + twin.size) % _INODES
    )


def _everything(root: Root) -> Iterator[Entry | Refused]:
    """All entries of the store's own folders, the mirror's last."""
    yield from _level(root, "")
    yield from _level(root, MIRROR)


def _level(root: Root, folder: str) -> Iterator[Entry | Refused]:
    try:
        entries = root.entries(folder)
    except UnreadableError as error:
        if not folder:
            yield refused("", "unreadable", str(error), Severity.ERROR)
        return
    for entry in entries:
        if entry.kind is Kind.FOLDER and entry.name in DEPTHS:
            yield from walked(root, entry.path, DEPTHS[entry.name])
        elif entry.path == MIRROR and entry.kind is Kind.FOLDER:
            continue
        else:
            yield entry


def _refusal(entry: Entry) -> Refused | None:
    """Why an entry is not read; None if there is nothing to report."""
    if entry.kind is Kind.SPECIAL:
        return special(entry.path)
    if goes_without_saying(entry.path):
        return None
    if entry.kind is Kind.FILE:
        message = "Not part of the store; skipped."
        return refused(entry.path, "foreign-file", message, Severity.NOTE)
    if entry.name.endswith(".jsonl"):
        message = "A folder with the name of a journal; skipped."
        return refused(entry.path, "folder-as-file", message)
    if "/" in original(entry.path):
        return None
    message = "Not part of the store; a store inside it is listed separately."
    return refused(entry.path, "foreign-folder", message, Severity.NOTE)


def _unfollowed(root: Root, link: Entry, known: dict[str, Source]) -> Refused:
    """Why a link is not read: its target is listed separately, or never."""
    target = root.target(link.path)
    if target in known:
        message = f"Link skipped; its target {target} is read directly."
        return refused(link.path, "link-to-source", message, Severity.NOTE)
    if target is None:
        return leads_out(link.path)
    message = "Link skipped; its target isn't part of the store."
    return refused(link.path, "link-not-followed", message)


# An open store of this format.


class KeiStore(OpenStoreDefaults):
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

    def scan(self) -> Iterator[Source | Refused]:
        """Every file of the store, and refused entries."""
        return scan(self.reach)

    def read(self, source: Source, since: Mark = START) -> Findings:
        """Read one file, or one piece of it."""
        return self._reader.read(source, since)

    def passage(self, source: Source, place: Place) -> Passage:
        """A whole message of a trace."""
        if source.role.removesuffix(COPY) != Role.TRACE:
            return super().passage(source, place)
        return self._reader.passage(source, place)

    @cached_property
    def _reader(self) -> "KeiReader":
        from store.formats.kei.read import KeiReader  # noqa: PLC0415  # if a file changed

        return KeiReader(self.reach)

    def ask(
        self, question: str, words: Sequence[str], now: int
    ) -> Iterator[Mapping[str, Json]]:
        """Answer one of the format's reports, row by row."""
        from store.formats.kei.reports import answer  # noqa: PLC0415  # loaded on demand

        return answer(self, question, words, now)

    def close(self) -> None:
        """Close the store."""
        self.reach.close()


# The format itself: its name, its places, how it is recognised and opened.


class KeiFormat(FormatDefaults):
    """Traces of sessions, with metrics and analyses."""

    name = "kei"
    editable = False
    usually = "~/.claude/memory"
    two_sided: frozenset[Side] = frozenset()

    @property
    def questions(self) -> tuple[Question, ...]:
        """Its built-in reports."""
        from store.formats.kei.reports import QUESTIONS  # noqa: PLC0415  # loaded on demand

        return QUESTIONS

    def places(self, machine: Machine) -> Iterator[Path]:
        """The kit's folder; if missing, the folder of its database."""
        home = home_of(machine)
        yield home
        database = machine.folder(MEMORY_DB)
        if database and not home.is_dir():
            yield database.parent

    def sniff(self, root: Root) -> bool:
        """Whether the folder is such a store, judged by its content."""
        return sniff(root)

    def keeps(self, folder: str) -> bool:
        """Its own folders contain no other stores; the mirror is a part of it."""
        return folder in OWN

    def open(self, path: Path) -> "KeiStore":
        """Open a store for reading, with the files that this machine has elsewhere."""
        return KeiStore(path, Machine.this())

    def scribe(self, path: Path) -> "KeiScribe":
        """Open a store to work out appended lines."""
        from store.formats.kei.edit import KeiScribe  # noqa: PLC0415  # only for changes

        return KeiScribe(path)


# KeiSeiKit: traces of sessions, journals of metrics, a database, a ledger.

FORMAT = KeiFormat()
