"""Read the database piece by piece, and check its health."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import asdict, replace

from store.errors import UnreadableError
from store.files.json_read import DamagedJsonError, load_map
from store.files.sqlite import Database, Row
from store.findings import (
    START,
    ConversationFound,
    DocumentFound,
    Findings,
    Flaw,
    Mark,
    MessageFound,
    Severity,
    Value,
    not_read,
)
from store.formats.claudia.layout import (
    CONVERSATIONS,
    DOCUMENTS,
    ENTRIES,
    FILE_LOCKS,
    FILES,
    LATEST,
    MACHINES,
    MAIN,
    NUMBER,
    PROCESS_LOCKS,
    REQUIRED,
    RUNTIME_LOCKS,
    SEARCH,
    SINGLE_LOCKS,
    Record,
    instant,
    level_of,
    records,
    text,
    whole,
)
from store.formats.claudia.rows import (
    COLUMNS,
    Outside,
    Progress,
    Ranges,
    belonging_of,
    outside_conversation,
    read_conversation,
    read_entry,
)
from store.formats.claudia.search import texts
from store.kinds.conversations import STATUSES

# The health of a database: what it holds, what is stuck, what its index still has.

LOCKS = (FILE_LOCKS, SINGLE_LOCKS, PROCESS_LOCKS, RUNTIME_LOCKS)


class Health(Struct, frozen=True):
    """The health of a database, without its entries."""

    level: int | None
    """The level it was migrated to."""
    files: int
    """The number of transcripts read into it."""
    ingesting: tuple[str, ...]
    """Transcripts whose import was interrupted, or is running now."""
    statuses: Mapping[str, int]
    """The number of conversations of each status."""
    documents: int
    locks: int
    machine: str | None
    """The last state of its program."""
    heartbeat: str | None
    """When its program last sent a heartbeat."""
    indexed: int | None
    """The number of texts in its full-text index; None without one."""
    stale: int
    """The number of outdated texts among them."""
    notice: str | None
    missing: tuple[str, ...]
    """Tables that are missing."""


def health_of(database: Database) -> Health:
    """Check a database; raises UnreadableError."""
    files = list(records(database, FILES, ("file_path", "status")))
    conversations = records(database, CONVERSATIONS, ("status",))
    counts = Counter(text(row.get("status")) or "" for row in conversations)
    known = [status for status in STATUSES if status in counts]
    others = sorted(counts.keys() - set(STATUSES))
    machine, heartbeat = _machine(database)
    has_index = SEARCH in database.tables
    indexed = _count(database, SEARCH, "id") if has_index else None
    stuck = (row for row in files if row.get("status") == "ingesting")
    return Health(
        level=level_of(database),
        files=len(files),
        ingesting=tuple(text(row.get("file_path")) or "" for row in stuck),
        statuses={status: counts[status] for status in known + others},
        documents=_count(database, DOCUMENTS, "file_path"),
        locks=sum(_count(database, table, NUMBER) for table in LOCKS),
        machine=machine,
        heartbeat=heartbeat,
        indexed=indexed,
        stale=sum(found.stale for found in texts(database)) if indexed else 0,
        notice=database.notice,
        missing=tuple(name for name in REQUIRED if name not in database.tables),
    )


def _count(database: Database, table: str, column: str) -> int:
    return sum(1 for _ in records(database, table, (column,)))


def _machine(database: Database) -> tuple[str | None, str | None]:
    """The state of the program according to itself, and when it last wrote it."""
    for row in records(database, MACHINES):
        if row.get("machine_id") == "extension":
            beat = text(row.get("last_heartbeat")) or text(row.get("updated_at"))
            return _state(text(row.get("state_json")) or ""), beat
    return None, None


def _state(raw: str) -> str | None:
    with suppress(DamagedJsonError):
        value = load_map(raw.encode("utf-8", "replace")).get("value")
        return value if isinstance(value, str) else None
    return None


# A database's health as facts and flaws.

_FACTS = (
    *("level", "files", "entries", "outside", "shared", "conversations", "documents"),
    *("locks", "machine", "heartbeat", "indexed", "stale"),
)


def facts_of(health: Health, progress: Progress) -> dict[str, Value]:
    """Every number as text, without unknown ones."""
    counts = {
        "entries": progress.read,
        "outside": progress.orphans,
        "shared": progress.shared,
        "conversations": sum(health.statuses.values()),
    }
    values = asdict(health) | counts
    facts: dict[str, Value] = {
        name: str(values[name]) for name in _FACTS if values[name] is not None
    }
    facts["statuses"] = {key: str(count) for key, count in health.statuses.items()}
    if health.ingesting:
        facts["ingesting"] = list(health.ingesting)
    if health.notice:
        facts["notice"] = health.notice
    return facts


def flaws_of(health: Health, progress: Progress, *, is_main: bool) -> Iterator[Flaw]:
    """Anything worth reporting; only `is_main` databases must have conversations."""
    severity = Severity.ERROR if is_main else Severity.NOTE
    for table in health.missing:
        message = f"The database has no `{table}` table."
        yield Flaw(code="missing-table", message=message, severity=severity)
    for code, message in _notes(health, progress):
        yield Flaw(code=code, message=message, severity=Severity.NOTE)


def _notes(health: Health, progress: Progress) -> Iterator[tuple[str, str]]:
    level, orphans, shared = health.level, progress.orphans, progress.shared
    if level is not None and level > LATEST:
        known = f"migration level {level} (known: up to {LATEST})"
        yield "newer-level", f"Unknown database version: {known}."
    for file in health.ingesting:
        yield "ingesting", f"Import of {file!r} is running or was interrupted."
    if orphans:
        subject = "1 message belongs" if orphans == 1 else f"{orphans} messages belong"
        yield "outside-conversations", f"{subject} to no conversation."
    if shared:
        subject = "1 message is" if shared == 1 else f"{shared} messages are"
        message = f"{subject} on the boundary of two conversations."
        yield "shared-entries", message
    if health.stale:
        subject = f"{health.stale} deleted text{'s' * (health.stale > 1)}"
        yield "stale-search-text", f"The full-text index contains {subject}."
    if health.notice:
        yield "read-from-copy", health.notice


# A database in pieces: first its conversations, then its entries, then its health.

PIECE = 5_000
"""The most rows read at once."""
_WEIGHT = 16 * 1024 * 1024
"""The most text read at once, in characters (or bytes of blobs)."""


class _Gathered:
    """The content of a piece so far."""

    def __init__(self) -> None:
        self.room, self.weight = PIECE, _WEIGHT
        self.conversations: list[ConversationFound] = []
        self.messages: list[MessageFound] = []
        self.documents: tuple[DocumentFound, ...] = ()
        self.flaws: list[Flaw] = []

    @property
    def is_full(self) -> bool:
        """Whether there is no room for another row."""
        return self.room <= 0 or self.weight <= 0

    def weigh(self, row: Row) -> None:
        """Reduce the room by the size of a row."""
        self.room -= 1
        self.weight -= sum(len(v) for v in row if isinstance(v, (str, bytes)))

    def findings(self, rest: Progress | None) -> Findings:
        """The piece; `rest` is where the next one starts."""
        return Findings(
            conversations=tuple(self.conversations),
            messages=tuple(self.messages),
            documents=self.documents,
            flaws=tuple(self.flaws),
            mark=rest.mark if rest else START,
            more=rest is not None,
        )


class Pieces:
    """Reads one database; the spans of its conversations are looked up once."""

    def __init__(self, database: Database, path: str) -> None:
        self._database, self._path = database, path
        self._known: Ranges | None = None

    def read(self, since: Mark) -> Findings:
        """The piece that starts at a mark."""
        before, progress = len(self._database.lost), Progress.at(since)
        gathered = _Gathered()
        while not gathered.is_full and not progress.ended:
            read = self._entries if progress.listed else self._conversations
            progress = read(progress, gathered)
        for message in self._database.lost[before:]:
            gathered.flaws.append(Flaw(code="unreadable-row", message=message))
        if not progress.ended:
            return gathered.findings(progress)
        self._end(progress, gathered)
        return gathered.findings(None)

    def _conversations(self, progress: Progress, into: _Gathered) -> Progress:
        last = progress.conversations
        for row in self._rows(CONVERSATIONS, last, into):
            found, odd = read_conversation(row)
            into.conversations.append(found)
            into.flaws += odd
            last = whole(row[NUMBER])
        return replace(progress, conversations=last, listed=not into.is_full)

    def _entries(self, progress: Progress, into: _Gathered) -> Progress:
        spans, last = self._spans(), progress.entries
        read, orphans, shared = progress.read, progress.orphans, progress.shared
        outside = Outside(progress.outside)
        for row in self._rows(ENTRIES, last, into):
            belonging = belonging_of(row, spans)
            key, is_new = belonging.conversation, False
            if key is None:
                orphans += 1
                key, is_new = outside.add(row, instant(row.get("timestamp")))
            if is_new:
                into.conversations.append(outside_conversation(row, key))
            into.messages.append(read_entry(row, key))
            read += 1
            shared += belonging.is_shared
            last = whole(row[NUMBER])
        return replace(
            progress,
            entries=last,
            ended=not into.is_full,
            read=read,
            orphans=orphans,
            shared=shared,
            outside=outside.last,
        )

    def _end(self, progress: Progress, into: _Gathered) -> None:
        """Add the results at the end."""
        try:
            health = health_of(self._database)
        except UnreadableError as error:
            into.flaws.append(not_read(error))
            return
        into.flaws += flaws_of(health, progress, is_main=self._path in MAIN)
        document = DocumentFound(
            title=self._path,
            role="document",
            text="",
            category="database",
            facts=facts_of(health, progress),
        )
        into.documents = (document,)

    def _rows(self, table: str, after: int | None, into: _Gathered) -> Iterator[Record]:
        """The next rows of a table, as far as there is room and they are readable."""
        columns = (NUMBER, *self._database.tables.get(table, ()))
        try:
            if table in self._database.tables:
                rows = self._database.rows(table, columns, after=after, limit=into.room)
                for row in rows:
                    into.weigh(row)
                    yield dict(zip(columns, row, strict=True))
                    if into.is_full:
                        return
        except UnreadableError as error:
            into.flaws.append(not_read(error))

    def _spans(self) -> Ranges:
        """The spans of all readable conversations."""
        if self._known is None:
            rows: list[Record] = []
            with suppress(UnreadableError):
                rows.extend(records(self._database, CONVERSATIONS, COLUMNS))
            self._known = Ranges(rows)
        return self._known
