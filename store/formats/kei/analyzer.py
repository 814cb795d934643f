"""The analyzer's database: events that it took from traces, and what it made of them.

It takes in a whole trace again at the end of every turn, so each event stands there
many times over; what is alike in every column that tells events apart is one event.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from typing import cast

import orjson

from store.derive.event_classes import OTHER
from store.errors import UnreadableError
from store.files.beneath import Root
from store.files.sqlite import Database, open_database
from store.findings import (
    UNREADABLE,
    DocumentFound,
    EventFound,
    Findings,
    Flaw,
    Json,
    Mark,
    Severity,
    Value,
)
from store.formats.kei.growing import Record
from store.formats.kei.tables import Expected, oddities, rows_of
from store.formats.kei.trace_events import LONGEST_MESSAGE
from store.formats.kei.values import instant, text
from store.formats.kei.wording import plain

PIECE = 20_000
"""How many events are handed on at once."""

EVENT_COLUMNS = (
    "session_id",
    "ts",
    "kind",
    "tool",
    "file_path",
    "is_error",
    "event_class",
    "message",
)
_TELLS_APART = ("session_id", "ts", "kind", "tool", "file_path", "message")
_DIGEST = 8
_EXPECTED = Expected("database", "events", range(1, 4))
_TOP = 20
_TABLES = ("sessions", "coaccess", "patterns", "backlog", "tokens", "idf")


def read_analyzer(root: Root, path: str, name: str, since: Mark) -> Findings:
    """One piece of the events, and with the first what else the database holds."""
    try:
        with open_database(root, path) as database:
            return _read(database, name, since)
    except UnreadableError as error:
        flaw = Flaw(code=UNREADABLE, message=str(error), severity=Severity.ERROR)
        return Findings(flaws=(flaw,))


def event_rows(
    database: Database, after: int, seen: set[bytes]
) -> Iterator[tuple[int, Record]]:
    """Events that were not seen before, by their numbers."""
    for number, row in rows_of(database, "events", EVENT_COLUMNS, after=after):
        digest = _digest(row)
        if digest not in seen:
            seen.add(digest)
            yield number, row


def event_of(number: int, row: Record) -> EventFound:
    """An event as the database tells it."""
    own = text(row, "event_class")
    return EventFound(
        kind=text(row, "kind") or OTHER,
        line=number,
        session=text(row, "session_id"),
        at=instant(row.get("ts")),
        tool=text(row, "tool"),
        file_path=text(row, "file_path"),
        is_error=bool(row.get("is_error")),
        event_class=own or OTHER,
        upstream_class=own,
        message=_words(text(row, "message")),
        is_copy=True,
    )


def _read(database: Database, name: str, since: Mark) -> Findings:
    seen = _digests(since.memory)
    events: list[EventFound] = []
    last = since.offset
    for number, row in event_rows(database, last, seen):
        last = number
        events.append(event_of(number, row))
        if len(events) >= PIECE:
            break
    more = len(events) >= PIECE
    first = not since.memory
    return Findings(
        events=tuple(events),
        documents=(_document(database, name),) if first else (),
        flaws=tuple(oddities(database, _EXPECTED)) if first else (),
        mark=Mark(last, b"".join(seen)) if more else Mark(),
        more=more,
    )


def _digests(memory: bytes) -> set[bytes]:
    return {memory[at : at + _DIGEST] for at in range(0, len(memory), _DIGEST)}


def _digest(row: Record) -> bytes:
    """What tells an event from others."""
    key = [row.get(column) for column in _TELLS_APART]
    raw = repr(key).encode("utf-8", "surrogatepass")
    return blake2b(raw, digest_size=_DIGEST).digest()


def _words(message: str | None) -> str | None:
    """What a message says, where its JSON was stored."""
    if message is None:
        return None
    said: Json = message
    if message.startswith("{"):
        with suppress(orjson.JSONDecodeError):
            held = cast("Json", orjson.loads(message))
            said = held.get("content") if isinstance(held, dict) else message
    return plain(said)[:LONGEST_MESSAGE] or None


def _document(database: Database, name: str) -> DocumentFound:
    """What the database holds beside events, in figures."""
    counts = {table: _count(database, table) for table in _TABLES}
    facts: dict[str, Value] = {
        "version": str(database.user_version),
        **{table: str(count) for table, count in counts.items() if count is not None},
    }
    if database.notice:
        facts["read from"] = database.notice
    patterns = _patterns(database)
    if patterns:
        facts["patterns by class"] = patterns
    title = "What the analyzer knows"
    return DocumentFound(
        title=title,
        role="document",
        text=_told(title, facts),
        category=name,
        facts=facts,
    )


def _patterns(database: Database) -> dict[str, Value]:
    counts: Counter[str] = Counter()
    for _, row in rows_of(database, "patterns", ("event_class", "count")):
        count = row.get("count")
        counts[str(row.get("event_class"))] += count if isinstance(count, int) else 0
    return {name: str(count) for name, count in counts.most_common(_TOP)}


def _told(title: str, facts: dict[str, Value]) -> str:
    lines = (
        f"{key}: {value}" for key, value in facts.items() if isinstance(value, str)
    )
    return f"{title}\n\n" + "\n".join(lines) + "\n"


def _count(database: Database, table: str) -> int | None:
    columns = database.tables.get(table)
    return sum(1 for _ in database.rows(table, columns[:1])) if columns else None
