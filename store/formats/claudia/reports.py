"""The built-in reports over a database, by name."""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

from msgspec import Struct

from store.derive.conversations import ACTIVE
from store.errors import NothingFoundError, UnreadableError, WrongUseError
from store.files.beneath import Entry, Kind, Root
from store.files.sqlite import Database, Scalar, open_database
from store.findings import Json
from store.formats.claudia.database import (
    LOCKS,
    Findable,
    entry_key,
    health_of,
    metadata_of,
    read_conversation,
    sections_of,
    texts,
    tools_of,
)
from store.formats.claudia.format import (
    CONVERSATIONS,
    DOCUMENTS,
    ENTRIES,
    FILE_LOCKS,
    FILE_STALE,
    FILES,
    NUMBER,
    REGISTER,
    Record,
    conversation_key,
    databases,
    has_column,
    instant,
    json_value,
    records,
    rule_of,
    text,
    whole,
)
from store.formats.claudia.read import Settings, settings_of
from store.kinds.conversations import STATUSES
from store.reports import Given, Parameter, Report, Row, Rows, Shelf, Type
from store.times import Instant, parse

# What a report gets: one database, and its argument as its usage says.


class Asked(Struct, frozen=True):
    """One database, and what a report needs."""

    root: Root
    database: Database
    settings: Settings


def answer(root: Root, name: str, words: Sequence[str], now: int) -> Iterator[Row]:
    """Answer a report from one database after the other.

    `now` is in microseconds since 1970. Raises WrongUseError for invalid arguments, and
    at the end UnreadableError for the first database that could not be read.
    """
    report = SHELF[name]
    return _rows(root, report, report.given(words, now))


def _rows(root: Root, report: Report[Asked], given: Given) -> Iterator[Row]:
    entries = root.entries()
    if report.name == "sections":
        asked = [e for e in entries if e.name == REGISTER and e.kind is Kind.FILE]
    else:
        asked = databases(root, entries)
    settings = settings_of(root)
    unread: list[UnreadableError] = []
    has_rows = False
    for entry in asked:
        try:
            with open_database(root, entry.path) as database:
                for row in report.answer(Asked(root, database, settings), given):
                    has_rows = True
                    yield {"database": entry.name, **row}
        except UnreadableError as error:
            unread.append(error)
    if unread:
        raise unread[0]
    if report.name == "transcript" and not has_rows:
        raise NothingFoundError("No messages for that conversation number.")


def _iso(value: Scalar) -> str | None:
    at = instant(value)
    return at.iso if at else None


# The reports, in the order in which they are listed.

SHELF = Shelf[Asked]("database")
_report = SHELF.add
_OF_CONVERSATIONS = (
    "conversation status first last entries session source cwd summary files_written"
)


@_report(
    "health",
    "rows per database, and stuck imports",
    f"level files entries {' '.join(STATUSES)} other documents locks ingesting "
    "machine heartbeat indexed stale missing notice overdue",
    lists=lambda _: ("problems", {}),
)
def _health(asked: Asked, given: Given) -> Rows:
    found = health_of(asked.database)
    entries = sum(1 for _ in records(asked.database, ENTRIES, (NUMBER,)))
    known = {status: found.statuses.get(status, 0) for status in STATUSES}
    yield {
        "level": found.level,
        "files": found.files,
        "entries": entries,
        **known,
        "other": sum(found.statuses.values()) - sum(known.values()),
        "documents": found.documents,
        "locks": found.locks,
        "ingesting": list(found.ingesting),
        "machine": found.machine,
        "heartbeat": found.heartbeat,
        "indexed": found.indexed,
        "stale": found.stale,
        "missing": list(found.missing),
        "notice": found.notice,
        "overdue": sum(_overdue(asked, given.now)),
    }


def _overdue(asked: Asked, now: int) -> Iterator[bool]:
    """For each active conversation, whether the program's look for its end is late."""
    rule = rule_of(asked.settings.values)
    for row in records(asked.database, CONVERSATIONS, ("status", "last_message_at")):
        last = instant(row.get("last_message_at"))
        if row.get("status") == ACTIVE and last and last.micros is not None:
            yield last.micros + rule.gap + max(rule.poll, _LATE) < now


_LATE = 60_000_000
"""The microseconds that its look may be late, as it has other things to do."""


_LIMIT = 50
"""The most conversations listed."""


@_report(
    "conversations",
    "the latest 50 conversations, optionally of one status",
    _OF_CONVERSATIONS,
    Parameter("status", choices=tuple(STATUSES)),
    plot="entries",
)
def _conversations(asked: Asked, given: Given) -> Rows:
    status = given.word("status")
    latest = has_column(asked.database, CONVERSATIONS, "last_message_at")
    order = "last_message_at DESC, id DESC" if latest else ""
    rows = _all_of(asked, CONVERSATIONS, order=order)
    found = (row for row in rows if status in {None, row.get("status")})
    return map(_conversation_row, islice(found, _LIMIT))


def _all_of(asked: Asked, table: str, *, order: str = "") -> Iterator[Record]:
    """The rows of a table with their numbers."""
    columns = (NUMBER, *asked.database.tables.get(table, ()))
    return records(asked.database, table, columns, order=order)


def _conversation_row(row: Record) -> Row:
    found, _ = read_conversation(row)
    return {
        "conversation": found.key,
        "status": found.status,
        "first": found.first.iso if found.first else None,
        "last": found.last.iso if found.last else None,
        "entries": found.entries,
        "session": found.session,
        "source": found.source,
        "cwd": found.cwd,
        "summary": found.summary,
        "files_written": list(found.files_written),
    }


_EPOCH = datetime.fromtimestamp(0, UTC)
_NOON = 12


@_report(
    "transcript",
    "messages of a conversation, in the configured time zone",
    "message date time role text tools",
    Parameter("conversation", "a conversation's number", Type.NUMBER, is_required=True),
)
def _transcript(asked: Asked, given: Given) -> Rows:
    number = given.number("conversation")
    columns = ("source_file", "first_message_at", "last_message_at")
    for row in records(asked.database, CONVERSATIONS, (NUMBER, *columns)):
        first, last = (instant(row.get(column)) for column in columns[1:])
        if row[NUMBER] == number and first and last:
            yield from messages_of(asked, row.get("source_file"), first, last)


def messages_of(
    asked: Asked, file: Scalar, first: Instant, last: Instant
) -> Iterator[Row]:
    """The messages from one file at these times, including those exactly at them."""
    found: list[tuple[Instant, int]] = []
    names = (NUMBER, "source_file", "timestamp")
    for row in records(asked.database, ENTRIES, names):
        at = instant(row.get("timestamp"))
        if row.get("source_file") == file and at and first <= at <= last:
            found.append((at, whole(row[NUMBER])))
    columns = (NUMBER, *asked.database.tables.get(ENTRIES, ()))
    for at, number in sorted(found, key=lambda pair: (pair[0].order, pair[1])):
        rows = asked.database.rows(ENTRIES, columns, after=number - 1, limit=1)
        for values in rows:
            yield _message(asked, dict(zip(columns, values, strict=True)), at)


def _message(asked: Asked, row: Record, at: Instant) -> Row:
    local = local_time(asked, at)
    return {
        "message": entry_key(whole(row[NUMBER])),
        "date": local.strftime("%Y-%m-%d") if local else None,
        "time": _clock(local) if local else at.text,
        "role": text(row.get("role")),
        "text": text(row.get("content")),
        "tools": list(tools_of(row)),
    }


def local_time(asked: Asked, at: Instant) -> datetime | None:
    """An instant in the time zone of the settings."""
    if at.micros is None:
        return None
    moment = _EPOCH + timedelta(microseconds=at.micros)
    try:
        return moment.astimezone(asked.settings.zone)
    except OverflowError:
        return moment


def _clock(moment: datetime) -> str:
    """The time of day as `8:02 PM EST`, independent of the locale."""
    hour = moment.hour % 12 or 12
    half = "AM" if moment.hour < _NOON else "PM"
    return f"{hour}:{moment.minute:02} {half} {moment.tzname()}"


# A search query.

_PART = re.compile(r'"([^"]*)"?|(\S+)')


class Query(Struct, frozen=True):
    """A search query."""

    words: tuple[str, ...]
    """Words and phrases that must all occur."""
    category: str | None = None
    cwd: str | None = None
    since: int | None = None
    until: int | None = None

    @classmethod
    def of(cls, given: Given) -> "Query":
        """The arguments of a search; raises WrongUseError."""
        typed = (part for word in given.texts("word") for part in _PART.findall(word))
        parts = tuple(part for pair in typed if (part := pair[0] or pair[1]).strip())
        if not parts:
            raise WrongUseError("Report `search` needs a word to search for.")
        category, cwd = given.word("category"), given.word("cwd")
        return cls(parts, category, cwd, given.number("from"), given.number("to"))

    @property
    def match(self) -> str:
        """The words as an FTS5 query, each quoted so that it is never syntax."""
        return " ".join('"' + word.replace('"', '""') + '"' for word in self.words)

    def admits(self, text: Findable) -> bool:
        """Whether a text passes the filters."""
        if self.category not in {None, text.category}:
            return False
        if self.cwd is not None and self.cwd not in text.cwd:
            return False
        at = parse(text.at).micros
        if self.since is not None and (at is None or at < self.since):
            return False
        return self.until is None or at is None or at <= self.until

    def occurs_in(self, text: str) -> bool:
        """Whether all words occur literally, ignoring case."""
        folded = text.casefold()
        return all(word.casefold() in folded for word in self.words)


# Full-text search like the program's own, without its faults.
#
# The program's own index still has deleted texts. So an index of the current texts is
# built in memory, with the same tokenizer, and texts that only the old index has are
# marked as stale.

LIMIT = 20
"""The most hits returned."""
_AROUND = 60
"""Characters shown before and after a literal match."""

_MAKE = "CREATE VIRTUAL TABLE found USING fts5(text, tokenize = 'porter unicode61')"
_FIND = (
    "SELECT rowid, rank, snippet(found, 0, '', '', '…', 24) FROM found"
    " WHERE found MATCH ? ORDER BY rank"
)


class _Hit(NamedTuple):
    rank: float
    """Lower is better."""
    text: Findable
    snippet: str


def search(database: Database, query: Query) -> Iterator[Row]:
    """The best hits, each document and summary once."""
    found = [text for text in texts(database) if query.admits(text)]
    try:
        hits = _matched(found, query)
    except sqlite3.OperationalError:
        hits = _compared(found, query)
    best = dict[tuple[str, str], _Hit]()
    for hit in sorted(hits, key=lambda hit: (hit.text.stale, hit.rank, hit.text.id)):
        best.setdefault((hit.text.kind, hit.text.id), hit)
    for hit in islice(best.values(), LIMIT):
        yield {
            "kind": hit.text.kind,
            "id": hit.text.id,
            "category": hit.text.category,
            "at": hit.text.at or None,
            "cwd": hit.text.cwd or None,
            "stale": hit.text.stale,
            "score": round(-hit.rank, 6),
            "snippet": " ".join(hit.snippet.split()),
        }


def _matched(among: Sequence[Findable], query: Query) -> list[_Hit]:
    """Hits from FTS5; raises sqlite3.OperationalError if SQLite lacks it."""
    with closing(sqlite3.connect(":memory:")) as index:
        index.execute(_MAKE)
        rows = ((number, text.text) for number, text in enumerate(among))
        index.executemany("INSERT INTO found (rowid, text) VALUES (?, ?)", rows)
        found: list[tuple[int, float, str]]
        found = index.execute(_FIND, (query.match,)).fetchall()
    hits = (_Hit(rank, among[number], snippet) for number, rank, snippet in found)
    return [  # a folder's own page ranks twice as high
        hit._replace(rank=2 * hit.rank) if hit.text.id.endswith("/index.md") else hit
        for hit in hits
    ]


def _compared(among: Sequence[Findable], query: Query) -> list[_Hit]:
    """Hits by literal comparison, in the order of the texts."""
    return [
        _Hit(number, text, _around(text.text, query.words[0]))
        for number, text in enumerate(among)
        if query.occurs_in(text.text)
    ]


def _around(text: str, word: str) -> str:
    place = max(text.casefold().find(word.casefold()), 0)
    return text[max(place - _AROUND, 0) : place + len(word) + _AROUND]


@_report(
    "search",
    "documents and summaries with all these words, best first",
    "kind id category at cwd stale score snippet",
    Parameter("word", "a word to search for", is_required=True, is_repeatable=True),
    Parameter("category", is_named=True),
    Parameter("cwd", is_named=True),
    Parameter("from", type=Type.MOMENT, is_named=True),
    Parameter("to", type=Type.UNTIL, is_named=True),
)
def _search(asked: Asked, given: Given) -> Rows:
    return search(asked.database, Query.of(given))


@_report(
    "documents",
    "pages known to the database",
    "category path title modified cwd characters ingested",
    Parameter("category"),
    plot="characters",
)
def _documents(asked: Asked, given: Given) -> Rows:
    category = given.word("category")
    order = "category, file_path"
    for row in records(asked.database, DOCUMENTS, order=order):
        if category in {None, row.get("category")}:
            yield {
                "category": text(row.get("category")),
                "path": text(row.get("file_path")),
                "title": text(row.get("title")),
                "modified": text(row.get("file_modified_at")),
                "cwd": text(row.get("cwd")),
                "characters": len(text(row.get("content")) or ""),
                "ingested": text(row.get("ingested_at")),
            }


@_report(
    "calendar",
    "conversations per day of a month",
    "day conversations entries",
    Parameter("month", "a month as YYYY-MM", Type.MONTH, is_required=True),
    plot="conversations",
)
def _month(asked: Asked, given: Given) -> Rows:
    wanted = given.text("month")
    return _counted(asked, "day", 10, wanted)


def _counted(asked: Asked, what: str, length: int, within: str) -> Iterator[Row]:
    """The number of conversations and entries for each prefix of a date."""
    held, entries = Counter[str](), Counter[str]()
    columns = ("first_message_at", "status", "entry_count")
    for row in records(asked.database, CONVERSATIONS, columns):
        date = _began(row)
        if date and date.startswith(within):
            held[date[:length]] += 1
            entries[date[:length]] += whole(row.get("entry_count"))
    for date in sorted(held):
        yield {what: date, "conversations": held[date], "entries": entries[date]}


def _began(row: Record) -> str | None:
    """When a conversation started, in UTC; None if it does not count."""
    first = instant(row.get("first_message_at"))
    if first is None or first.micros is None or row.get("status") == "skipped":
        return None
    return (_EPOCH + timedelta(microseconds=first.micros)).isoformat()


@_report(
    "day",
    "conversations of a day, oldest first",
    _OF_CONVERSATIONS,
    Parameter("day", "a date as YYYY-MM-DD", Type.DAY, is_required=True),
    plot="entries",
)
def _day(asked: Asked, given: Given) -> Rows:
    wanted = given.text("day")
    rows = ((_began(row), row) for row in _all_of(asked, CONVERSATIONS))
    found = [(date, row) for date, row in rows if date and date[:10] == wanted]
    for _, row in sorted(found, key=itemgetter(0)):
        yield _conversation_row(row)


@_report(
    "months",
    "conversations per month",
    "month conversations entries",
    plot="conversations",
)
def _months(asked: Asked, _given: Given) -> Rows:
    return _counted(asked, "month", 7, "")


_MESSAGES = 20
_SUMMARIES = 5

_NO_LETTER = re.compile(r"[^A-Za-z0-9]")


@_report(
    "context",
    "latest messages and summaries of a folder",
    "kind from at text role",
    Parameter("cwd", "a folder", is_required=True),
)
def _context(asked: Asked, given: Given) -> Rows:
    cwd = given.text("cwd").rstrip("/") or "/"
    for row in _latest(asked, CONVERSATIONS, _SUMMARIES, cwd):
        yield {
            "kind": "summary",
            "from": conversation_key(whole(row[NUMBER])),
            "at": _iso(row.get("last_message_at")),
            "text": text(row.get("summary")),
            "role": None,
        }
    for row in _latest(asked, ENTRIES, _MESSAGES, cwd):
        yield {
            "kind": "message",
            "from": entry_key(whole(row[NUMBER])),
            "at": _iso(row.get("timestamp")),
            "text": text(row.get("content")),
            "role": text(row.get("role")),
        }


def _latest(asked: Asked, table: str, most: int, cwd: str) -> list[Record]:
    """The last rows of a table about a folder, oldest first."""
    rows = _all_of(asked, table, order=f"{NUMBER} DESC")
    found = (row for row in rows if _speaks(row) and _is_about(row, cwd))
    return list(islice(found, most))[::-1]


def _speaks(row: Record) -> bool:
    """Whether a row has text: a summary, or a message without tools."""
    if "summary" in row:
        return row.get("status") == "archived" and bool(row["summary"])
    return row.get("tool_names") is None


def _is_about(row: Record, cwd: str) -> bool:
    """Whether a row names the folder, or its transcript's folder is named after it."""
    own = row.get("cwd") or metadata_of(row.get("metadata")).get("cwd")
    file = text(row.get("source_file")) or ""
    return own == cwd or file.partition("/")[0] == _NO_LETTER.sub("-", cwd)


@_report(
    "sections",
    "sections of pages, from the register",
    "path section summary updated",
    Parameter("file"),
)
def _sections(asked: Asked, given: Given) -> Rows:
    file = given.text("file")
    for row in sections_of(asked.database):
        path = text(row.get("file_path")) or ""
        if not file or file in path:
            yield {
                "path": path,
                "section": text(row.get("section_title")),
                "summary": text(row.get("summary")),
                "updated": text(row.get("updated_at")),
            }


_DEPTH = 8


@_report(
    "files",
    "how much of each transcript was imported",
    "file status source offset file_size modified last_entry last_entry_id created "
    "updated on_disk size",
)
def _files(asked: Asked, _given: Given) -> Rows:
    sizes = _sizes(asked)
    for row in records(asked.database, FILES, order="file_path"):
        key = text(row.get("file_path")) or ""
        size = None if sizes is None else sizes.pop(key, None)
        state = None if sizes is None else _state(row, size)
        yield _file_row(key, row) | {"on_disk": state, "size": size}
    for key, size in sorted((sizes or {}).items()):
        yield _file_row(key, {}) | {"on_disk": "new", "size": size}


def _file_row(key: str, row: Record) -> dict[str, Json]:
    """What the database has about a file."""
    return {
        "file": key,
        "status": text(row.get("status")),
        "source": text(row.get("source")),
        "offset": whole(row.get("last_processed_offset")) if row else None,
        "file_size": whole(row.get("file_size")) if row else None,
        "modified": _iso(row.get("last_modified")),
        "last_entry": text(row.get("last_entry_timestamp")),
        "last_entry_id": json_value(row.get("last_committed_entry_id")),
        "created": text(row.get("created_at")),
        "updated": text(row.get("updated_at")),
    }


def _state(row: Record, size: int | None) -> str:
    """How a file on disk compares with what was imported of it."""
    offset = whole(row.get("last_processed_offset"))
    if size is None:
        return "gone"
    if size == offset:
        return "same"
    return "grown" if size > offset else "truncated"


def _sizes(asked: Asked) -> dict[str, int] | None:
    """The transcripts on disk by key; a live file takes precedence over its backup.

    None if they cannot be reached.
    """
    live = asked.settings.watched(asked.root.path.parent)
    found: dict[str, int] | None = None
    for base in (live, live.with_name(f"{live.name}-backup")):
        with suppress(UnreadableError), Root(base) as root:
            found = found or {}
            for entry in root.walk(depth=_DEPTH):
                if isinstance(entry, Entry) and _is_transcript(entry):
                    found.setdefault(entry.path, entry.stamp.size)
    return found


def _is_transcript(entry: Entry) -> bool:
    return entry.kind is Kind.FILE and entry.name.endswith(".jsonl")


_WHAT = ("source_file", "resource_key", "extension_id", "lock_id")
_SINCE = ("locked_at", "acquired_at")
_SEEN = ("last_heartbeat", "updated_at", "locked_at", "acquired_at")
_PID = ("locked_by_pid", "holder_pid", "owner_pid")
_WHY = ("operation", "lock_type")


@_report(
    "locks",
    "locks with their owners, and whether they are stale",
    "table holds for since age_s pid stale",
)
def _locks(asked: Asked, given: Given) -> Rows:
    for table in LOCKS:
        for row in records(asked.database, table):
            age = age_of(row, given.now)
            most = _stale_after(table, row)
            yield {
                "table": table,
                "holds": text(_first(row, _WHAT)),
                "for": text(_first(row, _WHY)),
                "since": _iso(_first(row, _SINCE)),
                "age_s": age,
                "pid": json_value(_first(row, _PID)),
                "stale": None if age is None or most is None else age > most,
            }


def _first(row: Record, names: Sequence[str]) -> Scalar:
    return next((row[name] for name in names if row.get(name) is not None), None)


def age_of(row: Record, now: int) -> int | None:
    """Seconds since the last sign of life of its holder."""
    seen = instant(_first(row, _SEEN))
    if seen is None or seen.micros is None:
        return None
    return (now - seen.micros) // 1_000_000


def _stale_after(table: str, row: Record) -> int | None:
    if table == FILE_LOCKS:
        return FILE_STALE
    most = whole(row.get("stale_after_ms"))
    return most // 1000 if most else None
