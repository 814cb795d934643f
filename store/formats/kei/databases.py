"""The analyzer's database and the ledger of agents."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import NamedTuple, cast

import orjson

from store.derive.events import OTHER
from store.errors import UnreadableError
from store.files.beneath import Root
from store.files.sqlite import Database, Scalar, open_database
from store.findings import (
    UNREADABLE,
    AgentFound,
    DocumentFound,
    EventFound,
    Findings,
    Flaw,
    Json,
    Mark,
    Severity,
    Value,
)
from store.formats.kei.journals import Record, instant, text
from store.formats.kei.traces import LONGEST_MESSAGE, plain

# Rows of the kit's databases, in any of their versions.

_SHOWN = 16
"""Bytes of a blob that are shown."""


class Expected(NamedTuple):
    """What a database should look like."""

    called: str
    """Its name in messages."""
    table: str
    """The table it is read for."""
    versions: range
    """The known versions."""


def rows_of(
    database: Database,
    table: str,
    wanted: Sequence[str] = (),
    *,
    after: int | None = None,
) -> Iterator[tuple[int, Record]]:
    """The rows of a table with their numbers, without columns that do not exist.

    All columns if none are named; no rows if there is no such table. Raises
    UnreadableError if the database is damaged.
    """
    has = database.tables.get(table, ())
    columns = [name for name in wanted or has if name in has]
    if not columns:
        return
    found = database.rows(table, ("rowid", *columns), after=after)
    for number, *values in found:
        cells = map(cell, values)
        yield (
            number if isinstance(number, int) else 0,
            dict(zip(columns, cells, strict=True)),
        )


def oddities(database: Database, expected: Expected) -> Iterator[Flaw]:
    """Flaws for anything unexpected, and for rows that could not be read so far."""
    called, table, versions = expected
    if table not in database.tables:
        message = f"The {called} has no `{table}` table."
        yield Flaw(code=f"no-{table}", message=message)
    if database.user_version not in versions:
        message = f"Unknown {called} version {database.user_version}."
        yield Flaw(code="unknown-version", message=message, severity=Severity.NOTE)
    for sentence in database.lost:
        yield Flaw(code="lost-row", message=sentence)


def cell(value: Scalar) -> Json:
    """A value as JSON; bytes as the start of their hex dump."""
    if isinstance(value, bytes):
        ending = "…" if len(value) > _SHOWN else ""
        return f"0x{value[:_SHOWN].hex()}{ending}"
    return value


# The analyzer's database: events taken from traces, and what was derived from them.
#
# The analyzer reads the whole trace again at the end of every turn, so each event is
# stored many times. Rows that agree in all identifying columns are one event.

PIECE = 20_000
"""The number of events handed on at once."""

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
    """One piece of the events; the first also has the rest of the content."""
    try:
        with open_database(root, path) as database:
            return _read(database, name, since)
    except UnreadableError as error:
        flaw = Flaw(code=UNREADABLE, message=str(error), severity=Severity.ERROR)
        return Findings(flaws=(flaw,))


def event_rows(
    database: Database, after: int, seen: set[bytes]
) -> Iterator[tuple[int, Record]]:
    """Events that were not seen before, by row number."""
    for number, row in rows_of(database, "events", EVENT_COLUMNS, after=after):
        digest = _digest(row)
        if digest not in seen:
            seen.add(digest)
            yield number, row


def event_of(number: int, row: Record) -> EventFound:
    """An event from a row of the database."""
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
    """A digest of an event's identifying columns."""
    key = [row.get(column) for column in _TELLS_APART]
    raw = repr(key).encode("utf-8", "surrogatepass")
    return blake2b(raw, digest_size=_DIGEST).digest()


def _words(message: str | None) -> str | None:
    """The text of a message, which may be stored as JSON."""
    if message is None:
        return None
    said: Json = message
    if message.startswith("{"):
        with suppress(orjson.JSONDecodeError):
            held = cast("Json", orjson.loads(message))
            said = held.get("content") if isinstance(held, dict) else message
    return plain(said)[:LONGEST_MESSAGE] or None


def _document(database: Database, name: str) -> DocumentFound:
    """The number of rows in the database besides events."""
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
    title = "Analyzer database"
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


# The ledger of agents: which were launched for what, and the outcome.

AGENTS, SKILLS = "agents", "skill_invocations"

_CLASS = "task_class_dna"
"""A column that is computed, not stored: the DNA without its nonce."""

_DNA = "dna"
_LEDGER_EXPECTED = Expected("ledger", AGENTS, range(1, 10))
_NONCE = 9
_HEX = frozenset("0123456789abcdefABCDEF")


def read_ledger(root: Root, path: str) -> Findings:
    """Every agent of a ledger."""
    try:
        with open_database(root, path) as database:
            agents = [agent_of(row, line) for line, row in agent_rows(database)]
            flaws = tuple(oddities(database, _LEDGER_EXPECTED))
    except UnreadableError as error:
        flaw = Flaw(code=UNREADABLE, message=str(error), severity=Severity.ERROR)
        return Findings(flaws=(flaw,))
    return Findings(agents=tuple(filter(None, agents)), flaws=flaws)


def agent_rows(database: Database) -> Iterator[tuple[int, Record]]:
    """The rows of agents, with the computed column filled in."""
    has = database.tables.get(AGENTS, ())
    stored = [name for name in has if name != _CLASS]
    for number, row in rows_of(database, AGENTS, stored):
        if _CLASS in has:
            row[_CLASS] = task_class(text(row, _DNA))
        yield number, row


def agent_of(row: Record, line: int) -> AgentFound | None:
    """The agent in a row; None if it has no id."""
    own = text(row, "id")
    if own is None:
        return None
    started = instant(row.get("started_ts"))
    return AgentFound(id=own, line=line, started=started, columns=row)


def agent_line(record: Record, line: int) -> Findings | None:
    """A line of a mirrored ledger."""
    agent = agent_of(record, line)
    return Findings(agents=(agent,)) if agent else None


def skill_line(record: Record, line: int) -> Findings | None:
    """A line of a mirrored list of skill invocations; used by reports, not listed."""
    del line
    return Findings() if text(record, "skill_name") else None


def task_class(dna: str | None) -> str | None:
    """What agents with the same task share: their DNA without its nonce."""
    if dna is None or len(dna) <= _NONCE or dna[-_NONCE] != "-":
        return dna
    return dna[:-_NONCE] if _HEX.issuperset(dna[1 - _NONCE :]) else dna
