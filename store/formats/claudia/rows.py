"""Rows of the database as conversations, messages and sections."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import accumulate, islice
from pathlib import PurePosixPath
from typing import NamedTuple, cast

import orjson
from msgspec import Struct, field
from msgspec.structs import astuple

from store.derive.conversations import USUAL
from store.errors import UnreadableError
from store.files.json_read import load
from store.files.sqlite import Database, Scalar
from store.findings import (
    START,
    ConversationFound,
    DocumentFound,
    Findings,
    Flaw,
    Flaws,
    Json,
    Mark,
    MessageFound,
    Severity,
)
from store.formats.claudia.layout import (
    NUMBER,
    REGISTER,
    SECTIONS,
    Record,
    conversation_key,
    instant,
    json_value,
    records,
    text,
    whole,
)
from store.formats.port import Passage
from store.kinds.conversations import STATUSES
from store.times import Instant

# How far a database has been read, and counts along the way.


class Progress(Struct, frozen=True):
    """The progress so far."""

    conversations: int | None = None
    """The number of the last conversation; None before the first."""
    entries: int | None = None
    """The number of the last entry; None before the first."""
    listed: bool = False
    """Whether all conversations were read."""
    ended: bool = False
    """Whether all entries were read."""
    read: int = 0
    """The number of entries read."""
    orphans: int = 0
    """How many of them belong to no conversation."""
    shared: int = 0
    """How many of them belong to two."""
    outside: Mapping[str, tuple[str, int | None]] = field(
        default_factory=dict[str, tuple[str, int | None]]
    )
    """The last conversation made of such entries, by file: its key and its end."""

    @classmethod
    def at(cls, mark: Mark) -> "Progress":
        """The progress stored in a mark."""
        return cls() if mark == START else cls(*orjson.loads(mark.memory))

    @property
    def mark(self) -> Mark:
        """The mark to resume from."""
        return Mark(self.read, orjson.dumps(astuple(self)))


# Find the conversation of an entry: the one whose time span contains it.

COLUMNS = (NUMBER, "source_file", "first_message_at", "last_message_at", "summary")

_MERGED = "Duplicate conversation"
"""The start of the summary of a row merged into another."""
_NEIGHBOURS = 8
"""The most later spans checked for one with a shared boundary."""

Order = tuple[int, int, str]


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

    def __init__(self, before: Mapping[str, tuple[str, int | None]]) -> None:
        """`before` is the result of earlier pieces."""
        self.last = dict(before)

    def add(self, row: Record, at: Instant | None) -> tuple[str, bool]:
        """The key of an entry's conversation, and whether it is a new one."""
        file = text(row.get("source_file")) or ""
        now = at.micros if at else None
        key, before = self.last.get(file, ("", None))
        is_far = now is not None and before is not None and now - before > USUAL.gap
        is_new = not key or is_far
        if is_new:
            key = f"outside:{whole(row[NUMBER])}"
        self.last[file] = (key, before if now is None else now)
        return key, is_new


def outside_conversation(row: Record, key: str) -> ConversationFound:
    """The conversation started by an entry outside all others."""
    cwd = text(row.get("cwd")) or None
    return ConversationFound(
        key=key,
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


def belonging_of(row: Record, ranges: Ranges) -> Belonging:
    """The conversation that an entry belongs to."""
    at = instant(row.get("timestamp"))
    return ranges.at(text(row.get("source_file")) or "", at)


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
