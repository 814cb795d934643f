"""What the rows of a database mean, its searchable texts, its health."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import accumulate, islice
from pathlib import PurePosixPath
from typing import NamedTuple, cast

from msgspec import Struct
from msgspec.structs import asdict

from store.derive.conversations import USUAL
from store.errors import UnreadableError
from store.files.json_read import DamagedJsonError, load, load_map
from store.files.sqlite import Database, Scalar
from store.findings import (
    ConversationFound,
    DocumentFound,
    Findings,
    Flaw,
    Flaws,
    Json,
    MessageFound,
    Severity,
    Value,
)
from store.formats.claudia.format import (
    CONVERSATIONS,
    DOCUMENTS,
    FILE_LOCKS,
    FILES,
    LATEST,
    MACHINES,
    NUMBER,
    PROCESS_LOCKS,
    REGISTER,
    REQUIRED,
    RUNTIME_LOCKS,
    SEARCH,
    SEARCH_COLUMNS,
    SECTIONS,
    SINGLE_LOCKS,
    Record,
    conversation_key,
    instant,
    json_value,
    level_of,
    records,
    text,
    whole,
)
from store.formats.port import Passage
from store.kinds.conversations import STATUSES
from store.times import Instant

# Find the conversation of an entry: the one whose time span contains it.

COLUMNS = (NUMBER, "source_file", "first_message_at", "last_message_at", "summary")

_MERGED = "Duplicate conversation"
"""The start of the summary of a row merged into another."""
_NEIGHBOURS = 8
"""The most later spans checked for one with a shared boundary."""

Order = tuple[int, int, str]
Begun = tuple[int, int | None]
"""The entry that began a conversation, and the time of the last one in it."""


class _Span(NamedTuple):
    first: Order
    merged: bool
    number: int
    last: Order


class _Spans(NamedTuple):
    """The spans of one file by start, with the running maximum of their ends."""

    spans: list[_Span]
    reach: list[Order]


class Belonging(NamedTuple):
    """The place of an entry."""

    conversation: str | None
    """The key of the first conversation that contains it; None outside all."""
    is_shared: bool
    """Whether another one contains it too."""


OUTSIDE = Belonging(None, is_shared=False)


class Ranges:
    """The spans of all conversations, both ends included."""

    def __init__(self, rows: Iterable[Record]) -> None:
        found = defaultdict[str, list[_Span]](list)
        for row in rows:
            first = instant(row.get("first_message_at"))
            last = instant(row.get("last_message_at"))
            number = row[NUMBER]
            if first and last and isinstance(number, int):
                merged = (text(row.get("summary")) or "").startswith(_MERGED)
                span = _Span(first.order, merged, number, last.order)
                found[text(row.get("source_file")) or ""].append(span)
        self._files = {file: _ordered(spans) for file, spans in found.items()}

    def around(self, file: str, begin: Order, end: Order) -> list[_Span]:
        """The spans of a file that decide about its entries between two moments."""
        known = self._files.get(file)
        if known is None:
            return []
        place = bisect_left(known.reach, begin)
        last = bisect_right(known.spans, end, place, key=lambda span: span.first)
        return known.spans[place:last]

    def at(self, file: str, moment: Instant | None) -> Belonging:
        """The conversation of an entry of a file."""
        known = self._files.get(file)
        if known is None or moment is None:
            return OUTSIDE
        when = moment.order
        place = bisect_left(known.reach, when)
        around = [
            span
            for span in islice(known.spans, place, place + _NEIGHBOURS)
            if span.first <= when <= span.last
        ]
        if not around or around[0] is not known.spans[place]:
            return OUTSIDE
        return Belonging(conversation_key(around[0].number), len(around) > 1)


class Outside:
    """Groups entries outside all conversations into conversations of their own.

    They are divided as the program will do later: by file, and by an hour of silence.
    """

    def __init__(self) -> None:
        self.last = dict[str, Begun]()
        """The last of these conversations of each file."""

    def add(self, file: str, row: Record, at: Instant | None) -> tuple[int, bool]:
        """The entry that began the conversation of an entry; True if that is itself."""
        now = at.micros if at else None
        number, before = self.last.get(file, (None, None))
        is_far = now is not None and before is not None and now - before > USUAL.gap
        is_new = number is None or is_far
        if number is None or is_new:
            number = whole(row[NUMBER])
        self.last[file] = (number, before if now is None else now)
        return number, is_new


def outside_key(number: int) -> str:
    """The key of the conversation begun by an entry outside all others."""
    return f"outside:{number}"


def outside_conversation(row: Record) -> ConversationFound:
    """The conversation begun by an entry outside all others."""
    cwd = text(row.get("cwd")) or None
    return ConversationFound(
        key=outside_key(whole(row[NUMBER])),
        session=text(row.get("session_id")),
        source=text(row.get("source_file")),
        project=PurePosixPath(cwd).name if cwd else None,
        cwd=cwd,
    )


def _ordered(spans: list[_Span]) -> _Spans:
    spans.sort()
    return _Spans(spans, list(accumulate((span.last for span in spans), max)))


# A row of `memory_conversations` as a conversation.

_READ = frozenset(
    {NUMBER, "id", "session_id", "source_file", "first_message_at", "last_message_at"}
    | {"entry_count", "status", "summary", "files_written", "metadata"}
)
"""The columns that become attributes of the finding, or are read here."""


def read_conversation(row: Record) -> tuple[ConversationFound, Flaws]:
    """The conversation, and any flaws of its row."""
    number = whole(row[NUMBER])
    line, flaws = number if number > 0 else None, Flaws()
    fields = {key: json_value(row[key]) for key in row.keys() - _READ}
    files, about = _paths(row.get("files_written")), _parsed(row.get("metadata"))
    if isinstance(about, dict):
        fields["metadata"] = about
    for name, is_valid, what in (
        ("files_written", files is not None, "a JSON list of paths"),
        ("metadata", isinstance(about, dict), "a JSON object"),
    ):
        if not is_valid and row.get(name) not in {None, ""}:
            fields[name] = json_value(row.get(name))
            message = f"`{name}` must be {what}."
            flaws.note("damaged-json", message, Severity.NOTE, line)
    if "id" in row and row["id"] != number:
        fields["id"] = json_value(row["id"])
    status, summary = text(row.get("status")), text(row.get("summary"))
    if status not in STATUSES:
        message = f"Unknown status of conversation {number}."
        flaws.note("unknown-status", message, Severity.NOTE, line)
    cwd, project = (_text_of(about, key) for key in ("cwd", "project"))
    found = ConversationFound(
        key=conversation_key(number),
        session=text(row.get("session_id")),
        source=text(row.get("source_file")),
        title=_first_line(summary),
        first=instant(row.get("first_message_at")),
        last=instant(row.get("last_message_at")),
        entries=whole(row.get("entry_count")),
        status=status,
        summary=summary,
        project=project or (PurePosixPath(cwd).name if cwd else None),
        cwd=cwd,
        files_written=files or (),
        line=line,
        fields=dict(sorted(fields.items())),
    )
    return found, flaws


def metadata_of(value: Scalar) -> Mapping[str, Json]:
    """A row's metadata; empty if invalid."""
    parsed = _parsed(value)
    return parsed if isinstance(parsed, dict) else {}


def _paths(value: Scalar) -> tuple[str, ...] | None:
    """A list of paths; None if it is anything else."""
    parsed = _parsed(value)
    paths = (
        [p for p in parsed if isinstance(p, str)] if isinstance(parsed, list) else []
    )
    return tuple(paths) if isinstance(parsed, list) and paths == parsed else None


def _parsed(value: Scalar) -> Json:
    try:
        return cast("Json", load((text(value) or "").encode("utf-8", "replace")))
    except UnreadableError:
        return None


def _text_of(about: Json, key: str) -> str | None:
    value = about.get(key) if isinstance(about, dict) else None
    return value if isinstance(value, str) and value else None


def _first_line(summary: str | None) -> str | None:
    lines = (line.strip() for line in (summary or "").splitlines())
    return next((line for line in lines if line), None)


# A row of `memory_transcript_entries` as a message.

_KINDS = {"user": "prompt", "assistant": "reply"}
_COLUMNS_READ = frozenset({NUMBER, "content"})


def read_entry(row: Record, conversation: str) -> MessageFound:
    """The message in an entry of a conversation."""
    number, role = whole(row[NUMBER]), text(row.get("role"))
    return MessageFound(
        key=entry_key(number),
        kind=_KINDS.get(role or "", "other"),
        line=number,
        text=text(row.get("content")) or "",
        role=role,
        at=instant(row.get("timestamp")),
        session=text(row.get("session_id")),
        cwd=text(row.get("cwd")),
        tools=tools_of(row),
        entries=1,
        conversation=conversation,
    )


def entry_key(number: int) -> str:
    """The key of an entry, unique in its database."""
    return f"entry:{number}"


def tools_of(row: Record) -> tuple[str, ...]:
    """The tools that an entry used, whose names are separated by commas."""
    names = (text(row.get("tool_names")) or "").split(",")
    return tuple(name.strip() for name in names if name.strip())


def whole_entry(row: Record) -> Passage:
    """An entry as stored."""
    words: dict[str, Json] = {"type": "text", "text": text(row.get("content")) or ""}
    kept = row.keys() - _COLUMNS_READ
    return Passage(
        parts=(words,), fields={key: json_value(row[key]) for key in sorted(kept)}
    )


# memory-sections.db: the sections of each page, according to the program's register.

_ORDER = "file_path, section_title"


def sections_of(database: Database) -> list[Record]:
    """The sections sorted by page; raises UnreadableError."""
    known = database.tables.get(SECTIONS, ())
    ordered = {"file_path", "section_title"} <= set(known)
    order = _ORDER if ordered else ""
    return list(records(database, SECTIONS, order=order))


def read_sections(database: Database) -> Findings:
    """The register as a document; raises UnreadableError."""
    flaws: list[Flaw] = []
    if SECTIONS not in database.tables:
        message = f"The database has no `{SECTIONS}` table."
        flaws.append(Flaw(code="missing-table", message=message))
    if database.notice:
        note = Severity.NOTE
        flaws.append(
            Flaw(code="read-from-copy", message=database.notice, severity=note)
        )
    rows = sections_of(database)
    pages = {text(row.get("file_path")) for row in rows}
    document = DocumentFound(
        title=REGISTER,
        role="document",
        text="".join(f"{_section_line(row)}\n" for row in rows),
        category="sections",
        facts={"pages": str(len(pages)), "sections": str(len(rows))},
    )
    return Findings(documents=(document,), flaws=tuple(flaws))


def _section_line(row: Record) -> str:
    """A section on one line."""
    page, title = text(row.get("file_path")) or "", text(row.get("section_title")) or ""
    summary = " ".join((text(row.get("summary")) or "").split())
    return f"{page} § {title}: {summary}" if summary else f"{page} § {title}"


# The searchable texts of a database, and outdated ones in its own index.


class Findable(NamedTuple):
    """A searchable text."""

    text: str
    kind: str
    """`document` or `summary`."""
    id: str
    """The path of the document, or the number of the conversation."""
    cwd: str
    at: str
    category: str
    stale: bool = False
    """Whether only the database's own index still has this text."""


def texts(database: Database) -> Iterator[Findable]:
    """Every current document and archived summary, and then outdated texts.

    Those are in the database's own index: replaced, deleted or duplicate ones.
    """
    current: dict[tuple[str, str], str] = {}
    for found in _current(database):
        current[found.kind, found.id] = found.text
        yield found
    for row in records(database, SEARCH, SEARCH_COLUMNS):
        words, kind, own, cwd, at, category = _texts(row, *SEARCH_COLUMNS)
        if current.get((kind, own)) == words:
            del current[kind, own]
        else:
            yield Findable(words, kind, own, cwd, at, category, stale=True)


def _current(database: Database) -> Iterator[Findable]:
    columns = ("content", "file_path", "cwd", "file_modified_at", "category")
    for row in records(database, DOCUMENTS, columns):
        words, path, cwd, at, category = _texts(row, *columns)
        yield Findable(words, "document", path, cwd, at, category)
    columns = ("first_message_at", "status", "summary", "metadata")
    for row in records(database, CONVERSATIONS, (NUMBER, *columns)):
        if row.get("status") == "archived" and row.get("summary"):
            words, at = _texts(row, "summary", "first_message_at")
            cwd = str(metadata_of(row.get("metadata")).get("cwd") or "")
            yield Findable(words, "summary", str(row[NUMBER]), cwd, at, "summary")


def _texts(row: Record, *columns: str) -> list[str]:
    return [text(row.get(column)) or "" for column in columns]


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


class Counts(NamedTuple):
    """How many entries a database has."""

    entries: int
    outside: int
    """How many of them belong to no conversation."""
    shared: int
    """How many of them belong to two."""


def facts_of(health: Health, counts: Counts) -> dict[str, Value]:
    """Every number as text, without unknown ones."""
    conversations = sum(health.statuses.values())
    values = asdict(health) | counts._asdict() | {"conversations": conversations}
    facts: dict[str, Value] = {
        name: str(values[name]) for name in _FACTS if values[name] is not None
    }
    facts["statuses"] = {key: str(count) for key, count in health.statuses.items()}
    if health.ingesting:
        facts["ingesting"] = list(health.ingesting)
    if health.notice:
        facts["notice"] = health.notice
    return facts


def flaws_of(health: Health, counts: Counts, *, is_main: bool) -> Iterator[Flaw]:
    """Anything worth reporting; only `is_main` databases must have conversations."""
    severity = Severity.ERROR if is_main else Severity.NOTE
    for table in health.missing:
        message = f"The database has no `{table}` table."
        yield Flaw(code="missing-table", message=message, severity=severity)
    for code, message in _notes(health, counts):
        yield Flaw(code=code, message=message, severity=Severity.NOTE)


def _notes(health: Health, counts: Counts) -> Iterator[tuple[str, str]]:
    level, orphans, shared = health.level, counts.outside, counts.shared
    if level is not None and level > LATEST:
        known = f"migration level {level} (known: up to {LATEST})"
        yield "newer-level", f"Unknown database version: {known}."
    for file in health.ingesting:
        how = "`recollect report recovery` says how it goes on"
        yield "ingesting", f"Import of {file!r} is running or was interrupted; {how}."
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
