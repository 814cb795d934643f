"""Rows of transcripts: messages, what they write, what a transcript says of itself."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import orjson

from store.catalogue.refs import ref
from store.catalogue.rows.cells import (
    Cell,
    Row,
    json_text,
    micros,
    words,
    written,
)
from store.findings import (
    ConversationFound,
    Findings,
    MessageFound,
    SessionFound,
    Tokens,
)
from store.times import Instant

COLUMNS = {
    "messages": (
        "ref key line kind role at at_micros until_micros offset extent uuid kin "
        "session cwd branch model tokens tools calls answers errors entries flags "
        "told text"
    ),
    "writes": "line path name",
    "sessions": "session agent parent titles lines",
    "listed": (
        "ref key session source_file title first first_at last last_at entries "
        "status summary project cwd files_written line fields"
    ),
}

COMPACTION = 1
"""The flag of a message at which what came before was compacted."""

QUEUED = 2
"""The flag of a message that was typed while the agent worked."""

_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - added to, and spelt with its zone
_IS_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}").fullmatch
_IS_USUAL = re.compile(
    r"[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII
).fullmatch


class _Repeated:
    """What every line of a transcript says again; only what changes is kept."""

    def __init__(self, session: str | None) -> None:
        self._session = session
        self._before: dict[str, str | None] = {}

    def session(self, found: MessageFound) -> str | None:
        """The message's session where it is another than its transcript's."""
        return None if found.session == self._session else found.session

    def changed(self, name: str, value: str | None) -> str | None:
        """The value, unless the message before had the same or this one has none."""
        if value is None or self._before.get(name) == value:
            return None
        self._before[name] = value
        return value


def messages(store: bytes, path: str, findings: Findings) -> list[Row]:
    """Messages, in order of their lines."""
    told = findings.sessions
    repeated = _Repeated(told[0].session if told else None)
    return [_message(store, path, found, repeated) for found in findings.messages]


def _message(store: bytes, path: str, found: MessageFound, again: _Repeated) -> Row:
    """A message; what most messages lack is NULL, and its text comes last."""
    tokens, uuid = found.tokens, _compact(found.uuid)
    return (
        ref("message", store, path, found.key),
        None if found.key == found.uuid else found.key,
        found.line,
        found.kind,
        found.role,
        _unusual(found.at),
        micros(found.at),
        micros(found.until),
        found.offset,
        found.extent,
        uuid,
        _kin(uuid),
        again.session(found),
        again.changed("cwd", found.cwd),
        again.changed("branch", found.branch),
        again.changed("model", found.model),
        " ".join(map(str, tokens)) if tokens else None,
        words(found.tools),
        words(found.calls),
        words(found.answers),
        found.errors or None,
        found.entries or None,
        (COMPACTION * found.is_compaction + QUEUED * found.is_queued) or None,
        found.conversation,
        found.text,
    )


def again(found: MessageFound) -> Row:
    """A message that was in the catalogue before; its ref is to be kept."""
    return _message(b"", "", found, _Repeated(None))


def found_again(row: Mapping[str, Any]) -> MessageFound:
    """The message that a row was made from, all but the files that it writes."""
    moment, until, flags = row["at_micros"], row["until_micros"], row["flags"] or 0
    at, uuid = at_of(row["at"], moment), uuid_of(row["uuid"])
    return MessageFound(
        key=row["key"] or uuid or "",
        kind=row["kind"],
        line=row["line"],
        text=row["text"],
        role=row["role"],
        at=None if at is None else Instant(at, moment),
        until=None if until is None else Instant(_spelt(until), until),
        offset=row["offset"],
        extent=row["extent"],
        uuid=uuid,
        session=row["session"],
        cwd=row["cwd"],
        branch=row["branch"],
        model=row["model"],
        tokens=Tokens(*map(int, row["tokens"].split())) if row["tokens"] else None,
        tools=_several(row["tools"]),
        calls=_several(row["calls"]),
        answers=_several(row["answers"]),
        errors=row["errors"] or 0,
        entries=row["entries"] or 0,
        is_compaction=bool(flags & COMPACTION),
        is_queued=bool(flags & QUEUED),
        conversation=row["told"],
    )


def _several(cell: str | None) -> tuple[str, ...]:
    """The words that a cell holds."""
    return tuple(orjson.loads(cell)) if cell else ()


def writes(found: Iterable[MessageFound]) -> Iterator[Row]:
    """The files that messages write."""
    for message in found:
        for path in message.writes:
            yield (message.line, path, path.replace("\\", "/").rpartition("/")[2])


def session(found: SessionFound) -> Row:
    """What a transcript says of itself, as far as it was read."""
    titles = [[title.rank, title.line, title.text] for title in found.titles]
    return (
        found.session,
        found.agent,
        found.parent,
        json_text(titles),
        json_text(dict(found.lines)),
    )


def conversation(store: bytes, path: str, found: ConversationFound) -> Row:
    """A conversation that its source lists by itself."""
    return (
        ref("conversation", store, path, found.key),
        found.key,
        found.session,
        found.source,
        found.title,
        written(found.first),
        micros(found.first),
        written(found.last),
        micros(found.last),
        found.entries,
        found.status,
        found.summary,
        found.project,
        found.cwd,
        words(found.files_written),
        found.line,
        json_text(dict(found.fields)),
    )


def uuid_of(cell: Cell) -> str | None:
    """The identifier that a cell holds."""
    return str(UUID(bytes=cell)) if isinstance(cell, bytes) else _text(cell)


def at_of(text: Cell, moment: Cell) -> str | None:
    """The instant that two cells hold."""
    if text is None and isinstance(moment, int):
        return _spelt(moment)
    return _text(text)


def _text(cell: Cell) -> str | None:
    return cell if isinstance(cell, str) else None


def _kin(uuid: Cell) -> int | None:
    """A number that a message shares with its copies in other transcripts alone."""
    return int.from_bytes(uuid[:7]) if isinstance(uuid, bytes) else None


def _compact(uuid: str | None) -> Cell:
    """An identifier in sixteen bytes, where it is spelt as nearly all of them are."""
    if uuid is None or not _IS_UUID(uuid):
        return uuid
    return bytes.fromhex(uuid.replace("-", ""))


def _unusual(instant: Instant | None) -> str | None:
    """An instant's text; None where its microseconds tell it as well."""
    if instant is None:
        return None
    told = instant.micros is not None and _IS_USUAL(instant.text)
    return None if told else instant.iso


def _spelt(moment: int) -> str:
    """An instant as transcripts spell it."""
    spelt = _EPOCH + timedelta(microseconds=moment)
    return spelt.isoformat(timespec="milliseconds") + "Z"
