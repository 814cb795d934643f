"""The format: its files and tables, how a store is recognised, listed and read."""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from store.derive.conversations import MINUTE, USUAL, Rule
from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root, Rooted, Stamp
from store.files.sqlite import Database, Scalar, database_stamp
from store.findings import START, Findings, Json, Mark, Severity, Value
from store.formats import port
from store.machine import Machine, Places
from store.reports import AnyReport, Row
from store.settings import read_settings as users_settings
from store.text import regex
from store.times import Instant, parse

if TYPE_CHECKING:
    from store.formats.claudia.edit import ClaudiaScribe
    from store.formats.claudia.read import ClaudiaReader


# The role of a file in a store, judged by its path alone.

MAIN = frozenset({"claudia.db", "anima.db"})
SETTINGS = frozenset({"claudia.json", "anima.json"})
REGISTER = "memory-sections.db"
DATABASE = ".db"
COMPANIONS = ("-wal", "-shm", "-journal")

EPISODES = "episodes"
FOLDERS = frozenset(
    {EPISODES, "milestones", "insights", "relationships", "projects", "core"}
    | {"personas", "docs"}
)
"""The folders whose names are categories."""

DEPTH = 4
"""The depth of pages beneath a top-level folder."""

_DATE = r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
DAY = regex(rf"episodes/\d{{4}}-\d\d/({_DATE})\.md")
SITTING = regex(rf"episodes/\d{{4}}-\d\d/({_DATE})-(\d{{4}})-(\d+|unknown)\.md")
LOG = regex(r"(?:memory/)?libby/logs/(\d+)\.md")
TRANSCRIPT = regex(r"transcripts/(\d+)\.md")


class Role(StrEnum):
    """The role of a file in its store."""

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
    """Whether a name is that of a Markdown file."""
    return name[-3:].lower() == ".md"


def is_database(name: str) -> bool:
    """Whether a name is that of a database that may hold conversations."""
    return name.lower().endswith(DATABASE) and name != REGISTER


def role_at_home(path: str) -> Role | None:
    """The role of a file beside a database; None if it is not part of the store."""
    if path == REGISTER:
        return Role.SECTIONS
    if path in SETTINGS:
        return Role.SETTINGS
    if "/" not in path and is_database(path):
        return Role.DATABASE
    return Role.LOG if LOG.fullmatch(path) else None


def role_of_page(path: str) -> Role | None:
    """The role of a file in a tree of pages; None if it is not a page."""
    if not is_page(path):
        return None
    found = (role for role, shape in _PAGES.items() if shape.fullmatch(path))
    return next(found, Role.PAGE)


def conversation_key(number: int | str) -> str:
    """The key of a conversation."""
    return f"conversation:{number}"


# Database values converted to the expected types.


def text(value: Scalar) -> str | None:
    """The value as text; None if null."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return repr(value)


def whole(value: Scalar) -> int:
    """The value as a count; 0 if it is not a number."""
    if isinstance(value, int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return int(value)
    return 0


def instant(value: Scalar) -> Instant | None:
    """The value as a time; None if empty."""
    if value is None or value == "":
        return None
    return parse(value if isinstance(value, (int, float)) else text(value) or "")


def json_value(value: Scalar) -> Json:
    """The value as JSON."""
    if isinstance(value, bytes) or (
        isinstance(value, float) and not math.isfinite(value)
    ):
        return text(value)
    return value


# The known tables, and what a database of any version has of them.

MIGRATIONS = "_migrations"
FILES = "memory_file_states"
ENTRIES = "memory_transcript_entries"
CONVERSATIONS = "memory_conversations"
DOCUMENTS = "memory_documents"
MACHINES = "memory_state_machines"
FILE_LOCKS = "memory_file_locks"
SINGLE_LOCKS = "memory_extension_locks"
PROCESS_LOCKS = "extension_process_locks"
RUNTIME_LOCKS = "extension_runtime_locks"
SEARCH = "memory_search_fts_content"
"""The table with the full-text search's own copy of the texts."""
SEARCH_COLUMNS = ("c0", "c1", "c2", "c3", "c4", "c5")
"""Text, kind, identifier, folder, time and category of a searchable text."""
SECTIONS = "sections"

FILE_STALE = 5 * 60
"""Seconds after which the program treats a file's lock as left behind."""

REQUIRED = (FILES, ENTRIES, CONVERSATIONS)
"""Tables of every version."""

NUMBER = "rowid"
"""A column that every row has; in most tables it equals `id`."""

Record = Mapping[str, Scalar]


def records(
    database: Database, table: str, columns: Sequence[str] = (), *, order: str = ""
) -> Iterator[Record]:
    """Rows by column name; empty if there is no such table.

    Reads those of `columns`, or of all columns, that this database has. Raises
    UnreadableError.
    """
    has = database.tables.get(table, ())
    wanted = [name for name in columns or has if name in has or name == NUMBER]
    if has and wanted:
        for row in database.rows(table, wanted, order=order):
            yield dict(zip(wanted, row, strict=True))


def has_column(database: Database, table: str, column: str) -> bool:
    """Whether a table has a column in this version."""
    return column in database.tables.get(table, ())


# The migration level of a database, according to itself or judged by its tables.

LATEST = 24
"""The newest known level; later ones may have more than is read."""

_TRACES = (
    (20, RUNTIME_LOCKS, "lock_type"),
    (17, DOCUMENTS, "cwd"),
    (16, DOCUMENTS, "file_path"),
    (11, PROCESS_LOCKS, "extension_id"),
    (10, FILES, "last_committed_entry_id"),
    (9, SINGLE_LOCKS, "lock_id"),
    (8, MACHINES, "last_heartbeat"),
    (7, MACHINES, "machine_id"),
    (5, CONVERSATIONS, "status_at"),
    (3, CONVERSATIONS, "files_written"),
    (2, CONVERSATIONS, "status"),
)
"""What each level added, newest first; other levels added no table or column."""


def level_of(database: Database) -> int | None:
    """The minimum level; None if the database does not show it."""
    ids = [row["id"] for row in records(database, MIGRATIONS, ("id",))]
    numbers = [number for number in ids if isinstance(number, int)]
    if numbers:
        return max(numbers)
    traces = (
        level for level, table, column in _TRACES if has_column(database, table, column)
    )
    return next(traces, None)


# Mask secrets in settings: passwords and keys, recognised by name or form.

HIDDEN = "set, hidden"
"""Shown in place of a secret."""

_NAME = regex(r"key|secret|token|pass(word|phrase)|credential|auth", re.IGNORECASE)
_LOOK = regex(
    r"\b(?:sk|pk|rk)-\w|\bgh[pousr]_\w|\bxox[abprs]-|\bAKIA[0-9A-Z]{8}|\bAIza[\w-]{20}"
    r"|\beyJ[\w-]{8,}\.|\bBearer\s+\S|-----BEGIN|://[^/\s:@]*:[^/\s@]+@"
)
_VARIABLE = regex(r"\$\{[^}]*\}")
"""The name of a variable is not secret; its value is never looked up."""


def shown(name: str, value: Json) -> Value:
    """A setting as it may be shown, with scalars as text."""
    if isinstance(value, dict):
        return {key: shown(key, part) for key, part in value.items()}
    if isinstance(value, list):
        return [shown(name, part) for part in value]
    if not isinstance(value, str):
        return json.dumps(value)
    if _VARIABLE.fullmatch(value):
        return value
    is_secret = _LOOK.search(value) or (value and _NAME.search(name))
    return HIDDEN if is_secret else value


# Whether a folder is a store of this format, judged by its content.

_HEAD = 1024 * 1024
"""Bytes of a database read to recognise it; its first tables are the oldest."""
_ASKED = 16
"""The most files of one kind that are checked."""

_MAGIC = b"SQLite format 3\0"
_MADE = regex(
    rb"table(memory_(?:file_states|conversations))\1.{0,8}CREATE TABLE", re.DOTALL
)
"""A table in a schema: its type, its name twice, its root page, its SQL."""

_LOOSE_DAY = regex(r"\d{4}-\d\d-\d\d\.md")
_MONTH = regex(r"\d{4}-\d\d")
_HANDED = regex(rb"^(?:Session|Time):", re.MULTILINE)
_OTHERS = frozenset({"graph", "MEMORY.md"})
"""Top-level names of other formats."""


def databases(root: Root, entries: Sequence[Entry]) -> list[Entry]:
    """The databases of this format, recognised by content or name."""
    named = (e for e in entries if is_database(e.name) and e.kind is Kind.FILE)
    return [e for e in islice(named, _ASKED) if _is_ours(root, e)]


def _is_ours(root: Root, entry: Entry) -> bool:
    head = port.beginning_of(root, entry.path, _HEAD)
    if not head.startswith(_MAGIC):
        return False
    if entry.name in MAIN or _MADE.search(head):
        return True
    return bool(_MADE.search(port.beginning_of(root, f"{entry.path}-wal", _HEAD)))


def _is_tree(root: Root, entries: Sequence[Entry]) -> bool:
    """Whether there are the librarian's pages, and no sign of another format."""
    folders = {e.name for e in entries if e.kind is Kind.FOLDER}
    if not _OTHERS.isdisjoint(entry.name for entry in entries):
        return False
    if "transcripts" in folders and _was_handed(root):
        return True
    if EPISODES in folders:
        inner = port.entries_of(root, EPISODES)
        if any(_LOOSE_DAY.fullmatch(entry.name) for entry in inner):
            return False
        if any(DAY.fullmatch(p) or SITTING.fullmatch(p) for p in _within(root, inner)):
            return True
    return _has_known_pages(root, folders)


def _has_known_pages(root: Root, folders: set[str]) -> bool:
    """Whether there are two kinds of pages, one in the librarian's own layout."""
    own = [
        any(
            e.endswith("/overview.md")
            for e in _within(root, port.entries_of(root, folder))
        )
        for folder in ("relationships", "projects")
        if folder in folders
    ]
    months = port.entries_of(root, "milestones") if "milestones" in folders else []
    dated = [e for e in months if _MONTH.fullmatch(e.name)]
    own.append(any(is_page(path) for path in _within(root, dated)))
    loose = [
        any(is_page(entry.name) for entry in port.entries_of(root, folder))
        for folder in ("insights", "core", "personas")
        if folder in folders
    ]
    return any(own) and sum(own) + sum(loose) > 1


def _was_handed(root: Root) -> bool:
    pages = (
        e for e in port.entries_of(root, "transcripts") if TRANSCRIPT.fullmatch(e.path)
    )
    return any(
        _HANDED.search(port.beginning_of(root, e.path, _HEAD))
        for e in islice(pages, _ASKED)
    )


def _within(root: Root, entries: Sequence[Entry]) -> Iterator[str]:
    """The paths of the entries in some folders."""
    folders = (entry for entry in entries if entry.kind is Kind.FOLDER)
    for folder in islice(folders, _ASKED):
        for entry in islice(port.entries_of(root, folder.path), _ASKED):
            yield entry.path


# The content of a store: its files, and refused entries with the reason.

LOGS = "memory/libby"
"""The folder of the librarian's logs beside a database."""

_SILENT = frozenset({"memory", "logs", "Thumbs.db"})
"""Top-level entries that are not reported: the store's own, but not memories."""

Found = Iterator[Entry | port.Refused]
Roles = Callable[[str], Role | None]


def _at_home(root: Root) -> Found:
    top = list(_listed(root, ""))
    names = {entry.name for entry in top if isinstance(entry, Entry)}
    for entry in top:
        if isinstance(entry, port.Refused) or not _is_silent(entry, names):
            yield entry
    if "memory" in names:
        yield from _beneath(root, LOGS, 1, may_be_absent=True)


def _is_silent(entry: Entry, names: set[str]) -> bool:
    companion = next((c for c in COMPANIONS if entry.name.endswith(c)), None)
    if companion:
        return entry.name.removesuffix(companion) in names
    return entry.name in _SILENT or _is_hidden(entry)


def _is_hidden(entry: Entry) -> bool:
    return entry.name.startswith(".")


def _beneath(
    root: Root, folder: str, depth: int, *, may_be_absent: bool = False
) -> Found:
    """Every entry beneath a folder, without hidden ones."""
    pending = [(folder, 0)]
    while pending:
        current, level = pending.pop()
        if level > depth:
            message = "Folder too deep; skipped."
            yield port.refused(current, "folder-not-entered", message)
            continue
        found = list(_listed(root, current))
        if may_be_absent and found and isinstance(found[0], port.Refused):
            return
        shown = [e for e in found if isinstance(e, port.Refused) or not _is_hidden(e)]
        yield from shown
        pending += (
            (entry.path, level + 1)
            for entry in reversed(shown)
            if isinstance(entry, Entry) and entry.kind is Kind.FOLDER
        )


def _listed(root: Root, folder: str) -> Found:
    try:
        yield from root.entries(folder)
    except UnreadableError as error:
        yield port.refused(folder, "unreadable", str(error), Severity.ERROR)


def _sources(
    root: Root, found: Found, role_of: Roles
) -> Iterator[port.Source | port.Refused]:
    """The sources among the entries found; links come last."""
    known: dict[str, Stamp] = {}
    links: list[Entry] = []
    for entry in found:
        if isinstance(entry, port.Refused):
            yield entry
            continue
        role = role_of(entry.path)
        if entry.kind is Kind.LINK:
            links.append(entry)
        elif role and entry.kind is Kind.FILE:
            known[entry.path] = entry.stamp
            yield _source(root, entry.path, role, entry.stamp)
        elif refusal := _refusal(entry, role):
            yield refusal
    for link in links:
        yield _followed(root, link, known, role_of)


def _source(
    root: Root, path: str, role: Role, stamp: Stamp
) -> port.Source | port.Refused:
    """A source; the stamp of a database includes its log."""
    if role in {Role.DATABASE, Role.SECTIONS}:
        try:
            stamp = database_stamp(root, path)
        except UnreadableError as error:
            return port.refused(path, "unreadable", str(error), Severity.ERROR)
    return port.Source(path, role, stamp, compares=role == Role.DATABASE)


def _refusal(entry: Entry, role: Role | None) -> port.Refused | None:
    """Why an entry is not read; None if there is nothing to report."""
    if entry.kind is Kind.SPECIAL:
        return port.special(entry.path)
    if entry.kind is Kind.FOLDER:
        if role is None:
            return None
        message = "A folder with the name of a store file; skipped."
        return port.refused(entry.path, "folder-as-file", message)
    message = "Not part of the store; skipped."
    return port.refused(entry.path, "foreign-file", message, Severity.NOTE)


def _followed(
    root: Root, link: Entry, known: dict[str, Stamp], role_of: Roles
) -> port.Source | port.Refused:
    """Read a link as its target, if that is in the store and not read already."""
    target, role = root.target(link.path), role_of(link.path)
    if target is None:
        return port.leads_out(link.path)
    if role is None or target in known:
        message = "Link skipped; its target is read directly."
        return port.refused(link.path, "link-not-followed", message, Severity.NOTE)
    return _source(root, link.path, role, link.stamp)


# An open store of this format.


_DIVIDES = ("conversationGapMinutes", "minConversationMessages", "pollIntervalMs")
"""The settings that decide where a conversation ends, which are worth a memory, and
when it is noticed."""


_DIVIDING = regex(rb"(conversationGap|minConv|pollInterval)\w+[\"']?\s*:\s*([^\s,}/]+)")
_USUALLY = {(b"conversationGap", b"60"), (b"minConv", b"5")}
"""The same in the text of the settings, and what is usual."""


_MOST = 100_000
"""The most minutes, or messages, that are taken seriously."""

_MS, _DAY_MS = 1000, 86_400_000
"""Microseconds of a millisecond, milliseconds of a day."""


def _setting(
    settings: Mapping[str, Json], name: str, usual: float, most: float = _MOST
) -> float:
    value = settings.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return usual
    return value if 0 < value < most else usual


def rule_of(settings: Mapping[str, Json]) -> Rule:
    """When conversations end, by the settings of the program."""
    gap = _setting(settings, _DIVIDES[0], USUAL.gap / MINUTE)
    minimum = _setting(settings, _DIVIDES[1], USUAL.minimum)
    poll = _setting(settings, _DIVIDES[2], 0, _DAY_MS)
    return Rule(int(gap * MINUTE), int(minimum), int(poll * _MS))


class ClaudiaStore(Rooted, port.OpenStore):
    """The folder of a database, or a tree of pages."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._is_home = _is_home(self._root)
        self._reads: ClaudiaReader | None = None

    @property
    def title(self) -> str:
        """The folder's name, without a leading dot."""
        path = self._root.path
        return path.name.lstrip(".") or str(path)

    def glance(self) -> bytes:
        """A digest that stays the same while nothing changes that a scan reads."""
        folders = {LOGS: 1}
        if not self._is_home:
            entries = port.entries_of(self._root, "")
            shown = (e for e in entries if e.kind is Kind.FOLDER and not _is_hidden(e))
            folders = {entry.path: DEPTH for entry in shown}
        return self._root.fingerprint({"": 0} | folders)

    def scan(self) -> Iterator[port.Source | port.Refused]:
        """Every file of the store, and refused entries."""
        root = self._root
        if self._is_home:
            return _sources(root, _at_home(root), role_at_home)
        return _sources(root, _beneath(root, "", DEPTH + 1), role_of_page)

    def read(self, source: port.Source, since: Mark = START) -> Findings:
        """Read one file; a database is read in pieces."""
        return self._reader.read(source, since)

    def passage(self, source: port.Source, place: port.Place) -> port.Passage:
        """A whole entry of a database."""
        found = self._reader.passage(source, place)
        return found or super().passage(source, place)

    @property
    def _reader(self) -> "ClaudiaReader":
        """Reads files; keeps a database open between its pieces."""
        if self._reads is None:
            from store.formats.claudia.read import ClaudiaReader  # noqa: PLC0415  # if a file changed

            self._reads = ClaudiaReader(self._root)
        return self._reads

    def ask(self, report: str, words: Sequence[str], now: int) -> Iterator[Row]:
        """Answer a report on the databases; empty for a tree of pages."""
        from store.formats.claudia.reports import answer  # noqa: PLC0415  # loaded on demand

        return answer(self._root, report, words, now)

    def rule(self) -> tuple[Path, Rule] | None:
        """How the settings divide conversations, and the folder that they watch."""
        raws = (port.beginning_of(self._root, name, _HEAD) for name in SETTINGS)
        raw = b"".join(raws)
        if all(told in _USUALLY for told in _DIVIDING.findall(raw)):
            return None  # so that JSON5 is loaded only if it is needed
        watched, values = self._reader.settings()
        return watched, rule_of(values)

    def close(self) -> None:
        """Close the store."""
        if self._reads:
            self._reads.close()
        super().close()


def _is_home(root: Root) -> bool:
    """Whether there is a database, intact or not, rather than a tree of pages."""
    entries = port.entries_of(root, "")
    return any(e.name in MAIN for e in entries) or bool(databases(root, entries))


# The format itself: its name, its places, how it is recognised and opened.

_OWN = FOLDERS | {"memory", "logs", "libby", "transcripts"}


class ClaudiaFormat(port.FormatDefaults):
    """Conversations in a database, and the pages that a librarian made of them."""

    name = "claudia"
    about = "database and pages of Claudia (conversation status only)"
    kinds = frozenset({"episodes", "conversations", "messages", "documents"})
    usually = "~/.anima, ~/.claudia, ~/memory, ~/libby"

    @property
    def editable(self) -> bool:
        """Only if the owner allows it in the settings, as the program owns it."""
        return users_settings(Places.usual()).claudia_writes

    @property
    def reports(self) -> tuple[AnyReport, ...]:
        """Its built-in reports."""
        from store.formats.claudia.librarian import REPORTS  # noqa: PLC0415  # loaded on demand

        return REPORTS

    def places(self, machine: Machine) -> Iterator[Path]:
        """The folders of the program's database and of the librarian's pages."""
        for variable in ("ANIMA_DATA_DIR", "CLAUDIA_DATA_DIR"):
            folder = machine.folder(variable)
            if folder:
                yield folder
        for name in (".anima", ".claudia", "memory", "libby"):
            yield machine.home / name

    def sniff(self, root: Root) -> bool:
        """Whether there are conversations, or the pages made from them."""
        entries = port.entries_of(root, "")
        return bool(databases(root, entries)) or _is_tree(root, entries)

    def keeps(self, folder: str) -> bool:
        """Pages and logs belong to it; other folders may be stores."""
        return folder in _OWN

    def rule(self, path: Path) -> tuple[Path, Rule] | None:
        """The folder that the settings watch, if they set a gap or a minimum."""
        try:
            with self.open(path) as store:
                return store.rule()
        except UnreadableError:
            return None

    def open(self, path: Path) -> ClaudiaStore:
        """Open a store for reading."""
        return ClaudiaStore(path)

    def scribe(self, path: Path) -> "ClaudiaScribe":
        """Open a store to work out changes, if the owner allows any."""
        from store.formats.claudia.edit import ClaudiaScribe  # noqa: PLC0415  # only for changes

        return ClaudiaScribe(path)


# The memory of Claudia, now Anima: its database, and the pages of its librarian.

FORMAT = ClaudiaFormat()
