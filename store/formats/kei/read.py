"""Read a file by its role; databases, notes, backlogs and copies are read here."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from itertools import islice
from pathlib import PurePosixPath
from typing import cast

import orjson
from msgspec import Struct
from msgspec.structs import astuple, replace

from store.derive.events import OTHER
from store.errors import UnreadableError
from store.files.beneath import Blob, Root
from store.files.frontmatter import read_page
from store.files.json_read import Line, read_lines
from store.files.sqlite import Database, Scalar, open_database
from store.findings import (
    START,
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
from store.formats.growing import TakerOf
from store.formats.kei.format import COPY, Reach, Role, original, text
from store.formats.kei.journals import (
    JournalReader,
    Reading,
    Record,
    agent_events,
    figures,
    instant,
    read_growing,
    read_marker,
    read_tasks,
    unreadable,
    whole,
)
from store.formats.kei.traces import (
    LONGEST_MESSAGE,
    passage_of,
    plain,
    trace_reader,
    with_purpose,
)
from store.formats.port import Passage, Place, Source

# Rows of the kit's databases, in any of their versions.

_SHOWN = 16
"""Bytes of a blob that are shown."""


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
    for number, *values in database.rows(table, ("rowid", *columns), after=after):
        row = dict(zip(columns, map(_cell, values), strict=True))
        yield number if isinstance(number, int) else 0, row


def _cell(value: Scalar) -> Json:
    """A value as JSON; bytes as the start of their hex dump."""
    if isinstance(value, bytes):
        ending = "…" if len(value) > _SHOWN else ""
        return f"0x{value[:_SHOWN].hex()}{ending}"
    return value


def _oddities(
    database: Database, name: str, table: str, versions: range
) -> Iterator[Flaw]:
    """Flaws for anything unexpected, and for rows that could not be read so far."""
    if table not in database.tables:
        message = f"The {name} has no `{table}` table."
        yield Flaw(code=f"no-{table}", message=message)
    if database.user_version not in versions:
        message = f"Unknown {name} version {database.user_version}."
        yield Flaw(code="unknown-version", message=message, severity=Severity.NOTE)
    for sentence in database.lost:
        yield Flaw(code="lost-row", message=sentence)


# The analyzer's database: events taken from traces, and what was derived from them.
#
# The analyzer reads the whole trace again at the end of every turn, so each event is
# stored many times. Rows that agree in all identifying columns are one event.

PIECE = 20_000
"""The number of events handed on at once."""

_TELLS_APART = ("session_id", "ts", "kind", "tool", "file_path", "message")
_EVENT_COLUMNS = (*_TELLS_APART, "is_error", "event_class")
_DIGEST, _LINE_DIGEST = 8, 12
_TOP = 20
_TABLES = ("sessions", "coaccess", "patterns", "backlog", "tokens", "idf")


def event_rows(
    database: Database, after: int, seen: set[bytes]
) -> Iterator[tuple[int, Record]]:
    """Events that were not seen before, by row number."""
    for number, row in rows_of(database, "events", _EVENT_COLUMNS, after=after):
        key = repr([row.get(column) for column in _TELLS_APART])
        digest = _digest(key.encode("utf-8", "surrogatepass"), _DIGEST)
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


def _read_analyzer(database: Database, name: str, since: Mark) -> Findings:
    """One piece of the events; the first also has the rest of the content."""
    starts = range(0, len(since.memory), _DIGEST)
    seen = {since.memory[start : start + _DIGEST] for start in starts}
    rows = islice(event_rows(database, since.offset, seen), PIECE)
    events = tuple(event_of(number, row) for number, row in rows)
    more = len(events) == PIECE
    findings = Findings(
        events=events,
        mark=Mark(events[-1].line, b"".join(seen)) if more else Mark(),
        more=more,
    )
    if since.memory:
        return findings
    return replace(
        findings,
        documents=(_document(database, name),),
        flaws=tuple(_oddities(database, "database", "events", range(1, 4))),
    )


def _words(message: str | None) -> str | None:
    """The text of a message, which may be stored as JSON."""
    content: Json = message
    if message and message.startswith("{"):
        with suppress(orjson.JSONDecodeError):
            content = cast("Record", orjson.loads(message)).get("content")
    return plain(content)[:LONGEST_MESSAGE] or None


def _document(database: Database, name: str) -> DocumentFound:
    """The number of rows in the database besides events."""
    facts: dict[str, Value] = {"version": str(database.user_version)}
    for table in _TABLES:
        columns = database.tables.get(table)
        if columns:
            facts[table] = str(sum(1 for _ in database.rows(table, columns[:1])))
    if database.notice:
        facts["read from"] = database.notice
    title = "Analyzer database"
    lines = "\n".join(f"{key}: {value}" for key, value in facts.items())
    patterns = Counter[str]()
    for _, row in rows_of(database, "patterns", ("event_class", "count")):
        patterns[str(row.get("event_class"))] += whole(row.get("count")) or 0
    if patterns:
        top = patterns.most_common(_TOP)
        facts["patterns by class"] = {key: str(count) for key, count in top}
    return DocumentFound(
        title=title,
        role="document",
        text=f"{title}\n\n{lines}\n",
        category=name,
        facts=facts,
    )


# The ledger of agents: which were launched for what, and the outcome.

_AGENTS = "agents"
_CLASS = "task_class_dna"
"""A column that is computed, not stored: the DNA without its nonce."""

_NONCE = re.compile(r"(.+)-[0-9a-fA-F]{8}", re.DOTALL)


def agent_rows(database: Database) -> Iterator[tuple[int, Record]]:
    """The rows of agents, with the computed column filled in."""
    has = database.tables.get(_AGENTS, ())
    stored = [name for name in has if name != _CLASS]
    for number, row in rows_of(database, _AGENTS, stored):
        if _CLASS in has:
            row[_CLASS] = _task_class(text(row, "dna"))
        yield number, row


def _agent_of(row: Record, line: int) -> AgentFound | None:
    """The agent in a row; None if it has no id."""
    own = text(row, "id")
    if own is None:
        return None
    started = instant(row.get("started_ts"))
    return AgentFound(id=own, line=line, started=started, columns=row)


def _read_ledger(database: Database) -> Findings:
    """Every agent of a ledger."""
    agents = [_agent_of(row, line) for line, row in agent_rows(database)]
    flaws = tuple(_oddities(database, "ledger", _AGENTS, range(1, 10)))
    return Findings(agents=tuple(filter(None, agents)), flaws=flaws)


def _agent_line(record: Record, line: int) -> Sequence[AgentFound] | None:
    """A line of a mirrored ledger."""
    agent = _agent_of(record, line)
    return [agent] if agent else None


def _skill_line(record: Record, _line: int) -> Sequence[AgentFound] | None:
    """A line of a mirrored list of skill invocations; used by reports, not listed."""
    return () if text(record, "skill_name") else None


def _task_class(dna: str | None) -> str | None:
    """What agents with the same task share: their DNA without its nonce."""
    nonce = _NONCE.fullmatch(dna or "")
    return nonce[1] if nonce else dna


# What a mirrored copy has beyond its original.
#
# A copy is made once and never updated, so it is usually the start of its original.


def _stands_in(root: Root, original: str) -> Callable[[Line], bool]:
    """A test for lines that the original has as well."""
    try:
        lines = read_lines(root, original)
        known = {_digest(line.raw or b"", _LINE_DIGEST) for line in lines}
    except UnreadableError:
        return lambda _line: False
    return lambda line: _digest(line.raw or b"", _LINE_DIGEST) in known


def _digest(raw: bytes, size: int) -> bytes:
    return blake2b(raw, digest_size=size).digest()


# Backlogs: of the audit, and of the nightly work in the mirror.
#
# The audit's lines are `- [VERDICT yyyy-mm-dd] class ×count rest`, below a comment with
# the number of sessions checked; other backlogs are plain list items.

_SESSIONS = re.compile(r"<!--\s*session_count:\s*(\d{1,18})\s*-->")
_ITEM = re.compile(r"[ \t]*[-*+][ \t]+(?:\[([^\]\n]{0,80})\][ \t]*)?(.*)")
_VERDICT = re.compile(r"([A-Z][A-Z-]{2,20})(?:[ \t]+(\d{4}-\d\d-\d\d))?")
_COUNTED = re.compile(r"(\S+)[ \t]+[×x](\d{1,18})(?:[ \t]+|$)(.*)")
_FACTS = ("line", "state", "date", "class", "count", "text")


class Item(Struct, frozen=True):
    """An entry of a backlog."""

    state: str | None
    """Its verdict; `open` or `done` in a list with checkboxes."""
    date: str | None
    event_class: str | None
    """What recurred, and how often."""
    count: int | None
    text: str


def read_backlog(text: str) -> Iterator[tuple[int, Item]]:
    """The entries of a backlog, by line."""
    for number, line in enumerate(text.split("\n"), 1):
        found = _ITEM.fullmatch(line.rstrip("\r"))
        item = _item(found[1], found[2].strip()) if found else None
        if item:
            yield number, item


def _item(mark: str | None, rest: str) -> Item | None:
    """The entry in a list item with this mark in brackets, if any."""
    state = (mark or "").strip()
    verdict = _VERDICT.fullmatch(state)
    if verdict:
        counted = _COUNTED.fullmatch(rest)
        if not counted:
            return Item(verdict[1], verdict[2], None, None, rest)
        count = int(counted[2])
        return Item(verdict[1], verdict[2], counted[1], count, counted[3])
    if mark is not None and state in {"", "x", "X"}:
        is_done = mark in {"x", "X"}
        return Item("done" if is_done else "open", None, None, None, rest)
    words = f"[{mark}] {rest}" if mark is not None else rest
    return Item(None, None, None, None, words) if words else None


# Other files of a store: notes, logs, reports and lists, each as a document.


def _read_page_of(path: str, blob: Blob) -> Findings:
    """A file as a document; a Markdown header becomes a fact."""
    inside = PurePosixPath(original(path))
    is_markdown = inside.suffix == ".md"
    page = read_page(blob.raw, whole=blob.whole) if is_markdown else None
    text = page.body if page else blob.raw.decode("utf-8", errors="replace")
    facts: dict[str, Value] = {"lines": str(len(text.splitlines()))}
    if page and page.fields:
        facts["header"] = page.fields
    if "[PRIVATE]" in text:
        facts["private"] = "yes"
    document = DocumentFound(
        title=(_heading(text) or inside.stem) if page else inside.name,
        role="memory-index" if inside.name == "MEMORY.md" else "document",
        text=text,
        category=inside.parent.name or None,
        facts=facts,
    )
    return Findings(documents=(document,), flaws=page.flaws if page else _cut(blob))


def _read_backlog_of(path: str, blob: Blob) -> Findings:
    """A backlog as a document, with its entries as facts."""
    text = blob.raw.decode("utf-8", errors="replace")
    entries: list[Value] = []
    for line, item in read_backlog(text):
        facts = zip(_FACTS, (line, *astuple(item)), strict=True)
        entries.append({key: str(v) for key, v in facts if v not in {None, ""}})
    sessions = _SESSIONS.search(text)
    document = DocumentFound(
        title=_heading(text) or PurePosixPath(original(path)).stem,
        role="document",
        text=text,
        category="backlog",
        facts={"entries": entries}
        | ({"sessions": str(int(sessions[1]))} if sessions else {}),
    )
    return Findings(documents=(document,), flaws=_cut(blob))


def _heading(text: str) -> str:
    """The first heading of a page; empty if there is no heading."""
    lines = (line for line in text.splitlines() if line.startswith("#"))
    return next((words for line in lines if (words := line.strip("# \t"))), "")


def _cut(blob: Blob) -> tuple[Flaw, ...]:
    if not blob.whole:
        message = "File too large; only the beginning is shown."
        return (Flaw(code="cut-short", message=message),)
    try:
        blob.raw.decode()
    except UnicodeDecodeError:
        message = "Not valid UTF-8; invalid bytes are shown as �."
        return (Flaw(code="not-utf-8", message=message),)
    return ()


# A file by its role.

_WHOLE: Mapping[str, Callable[[str, Blob], Findings]] = {
    Role.MARKER: read_marker,
    Role.BACKLOG: _read_backlog_of,
    Role.PAGE: _read_page_of,
}
_LINES: Mapping[str, Reading] = {
    Role.FIGURES: figures,
    Role.AGENT_EVENTS: agent_events,
    Role.AGENT_LINES: _agent_line,
    Role.SKILL_LINES: _skill_line,
}


class KeiReader:
    """Reads the files of one store."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def read(self, source: Source, since: Mark = START) -> Findings:
        """Read one file, or one piece of it."""
        try:
            return self._read(source, since)
        except UnreadableError as error:
            return Findings(flaws=(unreadable(error),))

    def passage(self, source: Source, place: Place) -> Passage:
        """A whole message of a trace."""
        root, path = self._reach.of(source.path)
        return passage_of(root, path, place)

    def _read(self, source: Source, since: Mark) -> Findings:
        root, path = self._reach.of(source.path)
        role = source.role.removesuffix(COPY)
        if role in _WHOLE:
            return _WHOLE[role](source.path, root.read(path))
        match role:
            case Role.DATABASE:
                with open_database(root, path) as database:
                    return _read_analyzer(database, source.path, since)
            case Role.LEDGER:
                with open_database(root, path) as database:
                    return _read_ledger(database)
            case Role.COVERED:
                return Findings()
            case Role.TASKS:
                return read_tasks(root, path, self._known(source))
            case _:
                reader = _reader_of(role, source.path)
                found = read_growing(root, path, since, reader, self._known(source))
                return with_purpose(root, path, found)

    def _known(self, source: Source) -> Callable[[Line], bool] | None:
        """A test for lines of a copy that its original has too; None if not a copy."""
        if not source.role.endswith(COPY):
            return None
        return _stands_in(self._reach.root, original(source.path))


def _reader_of(role: str, path: str) -> TakerOf:
    """A factory of readers for files that are read line by line."""
    reading = _LINES.get(role)
    if reading is None:
        return trace_reader(path)
    return lambda _known, _raw: JournalReader(reading)
