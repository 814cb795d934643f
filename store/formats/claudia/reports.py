"""The built-in reports over a database."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from store.errors import NothingFoundError, UnreadableError, WrongUseError
from store.files.beneath import Entry, Kind, Root
from store.files.sqlite import Scalar, open_database
from store.findings import Json
from store.formats.claudia.database import LOCKS, health_of
from store.formats.claudia.format import databases
from store.formats.claudia.layout import (
    CONVERSATIONS,
    DOCUMENTS,
    ENTRIES,
    FILE_LOCKS,
    FILES,
    NUMBER,
    REGISTER,
    Record,
    conversation_key,
    has_column,
    instant,
    json_value,
    records,
    text,
    whole,
)
from store.formats.claudia.read import settings_of
from store.formats.claudia.rows import (
    entry_key,
    metadata_of,
    read_conversation,
    sections_of,
    tools_of,
)
from store.formats.claudia.search import Asked, Query, Row, search
from store.formats.port import Question
from store.kinds.conversations import STATUSES
from store.times import Instant

# Reports that list rows as they are, or one row of statistics.

LIMIT = 50
"""The most conversations listed."""


def health(asked: Asked, _given: None) -> Iterator[Row]:
    """One row of statistics."""
    found = health_of(asked.database)
    entries = records(asked.database, ENTRIES, (NUMBER,))
    known = {status: found.statuses.get(status, 0) for status in STATUSES}
    yield {
        "level": found.level,
        "files": found.files,
        "entries": sum(1 for _ in entries),
        **known,
        "other": sum(found.statuses.values()) - sum(known.values()),
        "documents": found.documents,
        "locks": found.locks,
        "ingesting": list(found.stuck),
        "machine": found.machine,
        "heartbeat": found.heartbeat,
        "indexed": found.indexed,
        "stale": found.stale,
        "missing": list(found.missing),
        "notice": found.notice,
    }


def conversations(asked: Asked, status: str | None) -> Iterator[Row]:
    """The latest conversations."""
    return islice(_conversations(asked, status), LIMIT)


def _conversations(asked: Asked, status: str | None) -> Iterator[Row]:
    latest = has_column(asked.database, CONVERSATIONS, "last_message_at")
    order = "last_message_at DESC, id DESC" if latest else ""
    has = asked.database.tables.get(CONVERSATIONS, ())
    rows = records(asked.database, CONVERSATIONS, (NUMBER, *has), order=order)
    for row in rows:
        if status in {None, row.get("status")}:
            yield conversation_row(row)


def conversation_row(row: Record) -> Row:
    """A conversation as one row."""
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


def documents(asked: Asked, category: str | None) -> Iterator[Row]:
    """Pages according to the database."""
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


def sections(asked: Asked, file: str | None) -> Iterator[Row]:
    """Sections according to the register."""
    for row in sections_of(asked.database):
        path = text(row.get("file_path")) or ""
        if not file or file in path:
            yield {
                "path": path,
                "section": text(row.get("section_title")),
                "summary": text(row.get("summary")),
                "updated": text(row.get("updated_at")),
            }


# Conversations per day and month, by their first day in UTC.

_EPOCH = datetime.fromtimestamp(0, UTC)


def month(asked: Asked, wanted: str) -> Iterator[Row]:
    """Each day of a month with activity."""
    return _counted(asked, "day", 10, wanted)


def months(asked: Asked, _given: None) -> Iterator[Row]:
    """Each month with activity."""
    return _counted(asked, "month", 7, "")


def day(asked: Asked, wanted: str) -> Iterator[Row]:
    """The conversations that started on a day."""
    has = asked.database.tables.get(CONVERSATIONS, ())
    rows = records(asked.database, CONVERSATIONS, (NUMBER, *has))
    held = [
        (row, date) for row in rows if (date := _began(row)) and date[:10] == wanted
    ]
    for row, _ in sorted(held, key=lambda pair: pair[1]):
        yield conversation_row(row)


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


# The latest messages about a folder, without tools, and summaries.

MESSAGES = 20
SUMMARIES = 5

_NO_LETTER = re.compile(r"[^A-Za-z0-9]")


def context(asked: Asked, cwd: str) -> Iterator[Row]:
    """The latest about a folder, oldest first."""
    summaries = _latest(asked, CONVERSATIONS, SUMMARIES, cwd)
    for row in reversed(summaries):
        yield {
            "kind": "summary",
            "from": conversation_key(whole(row[NUMBER])),
            **_as_row(row, "last_message_at", "summary"),
            "role": None,
        }
    for row in reversed(_latest(asked, ENTRIES, MESSAGES, cwd)):
        yield {
            "kind": "message",
            "from": entry_key(whole(row[NUMBER])),
            **_as_row(row, "timestamp", "content"),
            "role": text(row.get("role")),
        }


def _latest(asked: Asked, table: str, most: int, cwd: str) -> list[Record]:
    """The last rows of a table about a folder, newest first."""
    found: list[Record] = []
    columns = (NUMBER, *asked.database.tables.get(table, ()))
    for row in records(asked.database, table, columns, order=f"{NUMBER} DESC"):
        if _speaks(row) and _is_about(row, cwd):
            found.append(row)
            if len(found) == most:
                break
    return found


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


def _as_row(row: Record, moment: str, words: str) -> Row:
    at = instant(row.get(moment))
    return {"at": at.iso if at else None, "text": text(row.get(words))}


# The import state of each transcript, compared with the files on disk.

_DEPTH = 8
_BACKUP = "-backup"
_TRANSCRIPT = ".jsonl"
_KEY = "file_path"


def files(asked: Asked, _given: None) -> Iterator[Row]:
    """Every imported file, then all others."""
    sizes = _sizes(asked)
    for row in records(asked.database, FILES, order=_KEY):
        key = text(row.get("file_path")) or ""
        size = sizes.pop(key, None) if sizes is not None else None
        yield _file_row(key, row) | {
            "on_disk": _standing(row, size, sizes),
            "size": size,
        }
    for key, size in sorted((sizes or {}).items()):
        yield _file_row(key, {}) | {"on_disk": "new", "size": size}


def _file_row(key: str, row: Record) -> dict[str, Json]:
    """What the database has about a file."""
    modified = instant(row.get("last_modified"))
    return {
        "file": key,
        "status": text(row.get("status")),
        "source": text(row.get("source")),
        "offset": whole(row.get("last_processed_offset")) if row else None,
        "file_size": whole(row.get("file_size")) if row else None,
        "modified": modified.iso if modified else None,
        "last_entry": text(row.get("last_entry_timestamp")),
        "last_entry_id": json_value(row.get("last_committed_entry_id")),
        "created": text(row.get("created_at")),
        "updated": text(row.get("updated_at")),
    }


def _standing(
    row: Record, size: int | None, sizes: dict[str, int] | None
) -> str | None:
    """The state of the file; None if the transcripts cannot be reached."""
    if sizes is None:
        return None
    if size is None:
        return "gone"
    offset = whole(row.get("last_processed_offset"))
    if size == offset:
        return "same"
    return "grown" if size > offset else "truncated"


def _sizes(asked: Asked) -> dict[str, int] | None:
    """The transcripts on disk by key; a live file takes precedence over its backup."""
    home = asked.root.path.parent
    live = asked.settings.watched(home)
    found: dict[str, int] = {}
    reached = False
    with ExitStack() as roots:
        for base in (live, live.with_name(live.name + _BACKUP)):
            root = _opened(base)
            if root:
                reached = True
                for entry in _transcripts(roots.enter_context(root)):
                    found.setdefault(entry.path, entry.stamp.size)
    return found if reached else None


def _opened(base: Path) -> Root | None:
    try:
        return Root(base)
    except UnreadableError:
        return None


def _transcripts(root: Root) -> Iterator[Entry]:
    for entry in root.walk(depth=_DEPTH):
        if (
            isinstance(entry, Entry)
            and entry.kind is Kind.FILE
            and entry.name.endswith(_TRANSCRIPT)
        ):
            yield entry


# The locks of every version of the program.

FILE_STALE = 5 * 60
"""Seconds after which the program treats a file's lock as left behind."""

_WHAT = ("source_file", "resource_key", "extension_id", "lock_id")
_SINCE = ("locked_at", "acquired_at")
_SEEN = ("last_heartbeat", "updated_at", "locked_at", "acquired_at")
_PID = ("locked_by_pid", "holder_pid", "owner_pid")
_WHY = ("operation", "lock_type")


def locks(asked: Asked, _given: None) -> Iterator[Row]:
    """Every lock, with its age."""
    for table in LOCKS:
        for row in records(asked.database, table):
            age = _age(row, asked.now)
            most = _stale_after(table, row)
            since = instant(_first(row, _SINCE))
            yield {
                "table": table,
                "holds": text(_first(row, _WHAT)),
                "for": text(_first(row, _WHY)),
                "since": since.iso if since else None,
                "age_s": age,
                "pid": json_value(_first(row, _PID)),
                "stale": None if age is None or most is None else age > most,
            }


def _first(row: Record, names: Sequence[str]) -> Scalar:
    return next((row[name] for name in names if row.get(name) is not None), None)


def _age(row: Record, now: int) -> int | None:
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


# The messages of a conversation, in readable form.

_NOON = 12
_ALL = ("source_file", "first_message_at", "last_message_at")


def transcript(asked: Asked, number: int) -> Iterator[Row]:
    """The messages of one conversation, including those exactly at its bounds."""
    for row in records(asked.database, CONVERSATIONS, (NUMBER, *_ALL)):
        if row[NUMBER] == number:
            yield from _messages(asked, row)
            return


def _messages(asked: Asked, conversation: Record) -> Iterator[Row]:
    first = instant(conversation.get("first_message_at"))
    last = instant(conversation.get("last_message_at"))
    source = conversation.get("source_file")
    if first is None or last is None:
        return
    has = asked.database.tables.get(ENTRIES, ())
    rows = records(asked.database, ENTRIES, (NUMBER, "source_file", "timestamp"))
    told = [
        (at, whole(row[NUMBER]))
        for row in rows
        if row.get("source_file") == source
        and (at := instant(row.get("timestamp")))
        and first <= at <= last
    ]
    columns = (NUMBER, *has)
    for at, number in sorted(told, key=lambda pair: (pair[0].order, pair[1])):
        found = asked.database.rows(ENTRIES, columns, after=number - 1, limit=1)
        for row in found:
            yield _message(asked, dict(zip(columns, row, strict=True)), at)


def _message(asked: Asked, row: Record, at: Instant) -> Row:
    local = _local(asked, at)
    return {
        "message": entry_key(whole(row[NUMBER])),
        "date": local.strftime("%Y-%m-%d") if local else None,
        "time": _clock(local) if local else at.text,
        "role": text(row.get("role")),
        "text": text(row.get("content")),
        "tools": list(tools_of(row)),
    }


def _local(asked: Asked, at: Instant) -> datetime | None:
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


# The arguments of a report.

_MONTH = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def _no_word(report: str, words: Sequence[str]) -> None:
    if words:
        raise WrongUseError(f"Report `{report}` takes no arguments.")


def _at_most_one(report: str, words: Sequence[str]) -> str | None:
    if len(words) > 1:
        raise WrongUseError(f"Report `{report}` takes at most one argument.")
    return words[0] if words else None


def _one(report: str, words: Sequence[str], what: str) -> str:
    if len(words) != 1:
        raise WrongUseError(f"Report `{report}` takes one argument: {what}.")
    return words[0]


def _status_in(report: str, words: Sequence[str]) -> str | None:
    status = _at_most_one(report, words)
    if status is not None and status not in STATUSES:
        known = ", ".join(STATUSES)
        raise WrongUseError(f"Unknown status {status!r} (choose from {known}).")
    return status


def _number_in(report: str, words: Sequence[str]) -> int:
    word = _one(report, words, "a conversation's number")
    number = word.removeprefix(conversation_key(""))
    if not number.isascii() or not number.isdigit():
        raise WrongUseError(f"Invalid conversation number {word!r}.")
    return int(number)


def _month_in(report: str, words: Sequence[str]) -> str:
    wanted = _one(report, words, "a month as YYYY-MM")
    if not _MONTH.fullmatch(wanted):
        raise WrongUseError(f"Invalid month {wanted!r}; write YYYY-MM.")
    return wanted


def _day_in(report: str, words: Sequence[str]) -> str:
    wanted = _one(report, words, "a date as YYYY-MM-DD")
    try:
        datetime.fromisoformat(wanted if _DAY.fullmatch(wanted) else "")
    except ValueError:
        sentence = f"Invalid date {wanted!r}; write YYYY-MM-DD."
        raise WrongUseError(sentence) from None
    return wanted


def _folder_in(report: str, words: Sequence[str]) -> str:
    return _one(report, words, "a folder").rstrip("/") or "/"


def _query_in(_report: str, words: Sequence[str]) -> Query:
    return Query.of(words)


# The reports on the databases, by name.


class _Report(NamedTuple):
    """A report, and how its arguments are read."""

    rows: Callable[[Asked, Any], Iterator[Row]]
    given: Callable[[str, Sequence[str]], object]
    words: str
    about: str


_REPORTS = {
    "health": _Report(health, _no_word, "", "rows per database, and stuck imports"),
    "conversations": _Report(
        conversations,
        _status_in,
        "[STATUS]",
        "the latest 50 conversations, optionally of one status",
    ),
    "transcript": _Report(
        transcript,
        _number_in,
        "CONVERSATION",
        "messages of a conversation, in the configured time zone",
    ),
    "search": _Report(
        search,
        _query_in,
        "WORDS… [category:… cwd:… from:… to:…]",
        "documents and summaries with all these words, best first",
    ),
    "documents": _Report(
        documents, _at_most_one, "[CATEGORY]", "pages known to the database"
    ),
    "calendar": _Report(
        month, _month_in, "YYYY-MM", "conversations per day of a month"
    ),
    "day": _Report(day, _day_in, "YYYY-MM-DD", "conversations of a day, oldest first"),
    "months": _Report(months, _no_word, "", "conversations per month"),
    "context": _Report(
        context, _folder_in, "CWD", "latest messages and summaries of a folder"
    ),
    "sections": _Report(
        sections, _at_most_one, "[FILE]", "sections of pages, from the register"
    ),
    "files": _Report(files, _no_word, "", "how much of each transcript was imported"),
    "locks": _Report(
        locks, _no_word, "", "locks with their owners, and whether they are stale"
    ),
}

_ONE = "transcript"
"""The report on a single conversation, which may not exist."""

QUESTIONS = tuple(
    Question(name, report.about, report.words) for name, report in _REPORTS.items()
)


def answer(
    root: Root, question: str, words: Sequence[str], now: int
) -> Iterator[Mapping[str, Json]]:
    """Answer a report from one database after the other.

    `now` is in microseconds since 1970. Raises WrongUseError for invalid arguments, and
    at the end UnreadableError for the first database that could not be read.
    """
    report = _REPORTS.get(question)
    if report is None:
        return iter(())
    given = report.given(question, words)
    return _rows(root, question, lambda asked: report.rows(asked, given), now)


def _rows(
    root: Root, question: str, tell: Callable[[Asked], Iterator[Row]], now: int
) -> Iterator[Mapping[str, Json]]:
    entries = root.entries()
    if question == "sections":
        asked = [e for e in entries if e.name == REGISTER and e.kind is Kind.FILE]
    else:
        asked = databases(root, entries)
    settings = settings_of(root)
    unread: list[UnreadableError] = []
    has_rows = False
    for entry in asked:
        try:
            with open_database(root, entry.path) as database:
                for row in tell(Asked(root, database, settings, now)):
                    has_rows = True
                    yield {"database": entry.name, **row}
        except UnreadableError as error:
            unread.append(error)
    if unread:
        raise unread[0]
    if question == _ONE and not has_rows:
        raise NothingFoundError("No messages for that conversation number.")
