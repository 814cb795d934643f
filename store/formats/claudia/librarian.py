"""The reports on the librarian: what it would be given, and how it recovers."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from msgspec.structs import replace

from store.errors import UnreadableError
from store.files.beneath import Root
from store.findings import Json
from store.formats.claudia.database import metadata_of
from store.formats.claudia.format import (
    CONVERSATIONS,
    ENTRIES,
    FILE_LOCKS,
    FILE_STALE,
    FILES,
    NUMBER,
    Record,
    conversation_key,
    instant,
    records,
    text,
    whole,
)
from store.formats.claudia.reports import SHELF, Asked, age_of, local_time, messages_of
from store.formats.port import entries_of
from store.reports import AnyReport, Given, Parameter, Row, Rows, Type

BATCH = 10
"""Conversations that one run takes, unless the settings say otherwise."""

MINIMUM = 5
"""Messages of a conversation that is worth processing, unless the settings say so."""

LARGEST = 100 * 1024
"""Characters of a conversation that the librarian processes at most."""

TRANSCRIPT = 80_000
"""Characters of its transcript that are handed over."""

PREVIOUS = 2
"""Earlier summaries of the same transcript that are handed over."""

SHORT = 200
"""Characters below which an assistant's message with tools is left out."""

_NAMES = {"user": "Michael", "assistant": "Claudia"}
"""What the librarian calls who speaks."""


def _number(asked: Asked, name: str, usual: int) -> int:
    value = asked.settings.values.get(name)
    return value if isinstance(value, int) and value > 0 else usual


# What a run of `process` would do.

_CONVERSATION = Parameter("conversation", "a conversation's number", Type.NUMBER)


@SHELF.add(
    "process",
    "dry run: what the librarian would process or skip, and why",
    "conversation status does why first entries characters",
    _CONVERSATION,
    plot="characters",
)
def process(asked: Asked, given: Given) -> Rows:
    """Each conversation that a run would look at, what it would do, and why."""
    wanted = given.number("conversation")
    left = _number(asked, "processBatchSize", BATCH)
    for row in _conversations(asked):
        if wanted not in {None, row[NUMBER]}:
            continue
        if wanted is None and row.get("status") != "ready":
            continue
        handed = list(handover_of(asked, row))
        size = sum(len(one.text) for one in handed if not one.why)
        why = _why_skipped(asked, row, handed)
        does = "skip" if why else "process"
        if left <= 0:
            does, why = "wait", "the run is full; the next one takes it"
        left -= 1
        first = instant(row.get("first_message_at"))
        yield (
            conversation_key(whole(row[NUMBER])),
            text(row.get("status")),
            does,
            why,
            first.iso if first else None,
            whole(row.get("entry_count")),
            size,
        )


def _conversations(asked: Asked) -> list[Record]:
    """The conversations, the oldest first."""
    columns = (NUMBER, *asked.database.tables.get(CONVERSATIONS, ()))
    rows = list(records(asked.database, CONVERSATIONS, columns))
    return sorted(rows, key=lambda row: text(row.get("first_message_at")) or "")


def _why_skipped(asked: Asked, row: Record, handed: Sequence["Handed"]) -> str:
    """Why the librarian would not process a conversation; empty if it would."""
    minimum = _number(asked, "minConversationMessages", MINIMUM)
    count = whole(row.get("entry_count"))
    messages = [one for one in handed if one.part == "message"]
    size = sum(len(one.text) for one in messages)
    if count < minimum:
        return f"{count} messages; the minimum is {minimum}"
    if not messages:
        return "its messages are gone"
    if size > LARGEST:
        return f"{size:,} characters; the librarian takes {LARGEST:,}"
    episode = _episode(asked, row)
    return f"{episode} exists" if episode else ""


def _episode(asked: Asked, row: Record) -> str:
    """The episode that was written about a conversation, or an empty text."""
    first = instant(row.get("first_message_at"))
    day = local_time(asked, first) if first else None
    if day is None:
        return ""
    ending = f"-{whole(row[NUMBER])}.md"
    try:
        with Root(asked.root.path.parent / "memory") as pages:
            months = (f"episodes/{day:%Y-%m}",)
            found = (one for month in months for one in entries_of(pages, month))
            return next((one.path for one in found if one.name.endswith(ending)), "")
    except UnreadableError:
        return ""


# What it would be given.


class Handed(NamedTuple):
    """A part of what the librarian would be given, or why it is left out."""

    part: str
    at: str | None
    text: str
    why: str = ""
    message: str | None = None


@SHELF.add(
    "handover",
    "everything that the librarian would be given for a conversation",
    "part at given why text message",
    replace(_CONVERSATION, is_required=True),
)
def handover(asked: Asked, given: Given) -> Rows:
    """Everything that the librarian would be given for a conversation, in order."""
    wanted = given.number("conversation")
    for row in _conversations(asked):
        if row[NUMBER] == wanted:
            for one in handover_of(asked, row):
                yield (one.part, one.at, not one.why, one.why, one.text, one.message)


def handover_of(asked: Asked, row: Record) -> Iterator[Handed]:
    """The head, earlier summaries and messages of a conversation."""
    yield Handed("head", None, _head(asked, row))
    for earlier in _earlier(asked, row):
        last = instant(earlier.get("last_message_at"))
        told = text(earlier.get("summary")) or ""
        yield Handed("earlier summary", last.iso if last else None, told)
    size = 0
    for message in _messages(asked, row):
        role, said = str(message["role"]), str(message["text"] or "")
        told = f"[{message['time']}] {_NAMES.get(role, role)}:\n{said}\n"
        why = ""
        if role == "assistant" and message["tools"] and len(said) < SHORT:
            why = f"an assistant's message with tools, below {SHORT} characters"
        elif size + len(told) > TRANSCRIPT:
            why = f"after {TRANSCRIPT:,} characters"
        size += 0 if why else len(told)
        at, key = f"{message['date']} {message['time']}", str(message["message"])
        yield Handed("message", at, told, why, key)


def _messages(asked: Asked, row: Record) -> Iterator[Row]:
    first, last = (instant(row.get(f"{one}_message_at")) for one in ("first", "last"))
    if first and last:
        yield from messages_of(asked, row.get("source_file"), first, last)


def _head(asked: Asked, row: Record) -> str:
    first, last = (instant(row.get(f"{one}_message_at")) for one in ("first", "last"))
    begin, end = (local_time(asked, one) if one else None for one in (first, last))
    about = metadata_of(row.get("metadata"))
    told: dict[str, Json] = {
        "Date": f"{begin:%Y-%m-%d}" if begin else None,
        "Time": f"{_hour(begin)} - {_hour(end)}" if begin and end else None,
        "Session": text(row.get("session_id")),
        "Project": about.get("cwd"),
    }
    return "".join(f"{name}: {value}\n" for name, value in told.items() if value)


def _hour(moment: datetime) -> str:
    return f"{moment.hour % 12 or 12}:{moment:%M %p}"


def _earlier(asked: Asked, row: Record) -> list[Record]:
    """The latest summaries of the same transcript, the oldest first."""
    first = text(row.get("first_message_at")) or ""
    before = [
        one
        for one in _conversations(asked)
        if one.get("source_file") == row.get("source_file")
        and one.get("status") == "archived"
        and one.get("summary")
        and (text(one.get("first_message_at")) or "") < first
    ]
    return before[-PREVIOUS:]


# How an import that broke off is recovered.


@SHELF.add(
    "recovery",
    "imports that broke off, and how the program recovers them",
    "file since by from entries lock_s does",
    lists=lambda _: ("problems", {"code": "ingesting"}),
)
def recovery(asked: Asked, given: Given) -> Rows:
    """Each transcript whose import broke off, and what the program will do."""
    locks = {text(row.get("source_file")): row for row in _locks(asked)}
    for row in records(asked.database, FILES):
        if row.get("status") == "ingesting":
            file = text(row.get("file_path"))
            by, since, count = _taken_back(asked, row)
            does = f"delete {count:,} entries, set it to idle, divide it again"
            lock = locks.get(file)
            held = age_of(lock, given.now) if lock else None
            if held is not None and held <= FILE_STALE:
                does = f"nothing before its lock is {FILE_STALE // 60} minutes old"
            yield (file, text(row.get("updated_at")), by, since, count, held, does)


def _locks(asked: Asked) -> Iterator[Record]:
    return islice(records(asked.database, FILE_LOCKS), 10_000)


def _taken_back(asked: Asked, row: Record) -> tuple[str, Json, int]:
    """How many entries came after the last that is known to be complete."""
    last, moment = row.get("last_committed_entry_id"), row.get("last_entry_timestamp")
    columns = (NUMBER, "source_file", "timestamp")
    entries = [
        one
        for one in records(asked.database, ENTRIES, columns)
        if one.get("source_file") == row.get("file_path")
    ]
    if last is not None:
        later = [one for one in entries if whole(one[NUMBER]) > whole(last)]
        return "entry id", whole(last), len(later)
    since = text(moment)
    if since is None:
        return "all entries", None, len(entries)
    after = [one for one in entries if (text(one.get("timestamp")) or "") > since]
    return "timestamp", since, len(after)


REPORTS: tuple[AnyReport, ...] = tuple(SHELF.values())
"""All reports on a database."""
