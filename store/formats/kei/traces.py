"""Traces of sessions: their events and messages."""

import json
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, cast

import orjson
from msgspec import Struct, field
from msgspec.structs import replace

from store.derive.events import LONGEST as EVENTS_LONGEST
from store.derive.events import OTHER, Seen, classify, is_refused
from store.errors import UnreadableError
from store.files.beneath import Root
from store.files.json_read import LONGEST as JSON_READ_LONGEST
from store.files.json_read import PIECE, Line, load, parse
from store.findings import (
    EventFound,
    Findings,
    Json,
    MessageFound,
    Rank,
    SessionFound,
    TitleFound,
)
from store.formats.kei.journals import Entry, ReaderOf, Record, text, told, without
from store.formats.kei.layout import original
from store.formats.port import Passage, Place
from store.times import Instant
from store.transcript.blocks import fields_of, kind_of, parts_of
from store.transcript.messages import TITLES, At, Met, join, message_of, reply_key

# The plain text of a trace line, in any of its formats.

LONGEST = 64 * 1024
"""Characters of a line's text that are used."""

_MAIN = ("command", "file_path", "notebook_path", "pattern", "query", "url", "prompt")
"""The arguments that describe a call, most informative first."""

_ELSEWHERE = ("content", "summary", "customTitle", "aiTitle", "agentName", "lastPrompt")
"""Where lines without a message have text."""


def words_of(record: Record) -> str | None:
    """The text of a line; None if it has none."""
    message = record.get("message")
    said = message.get("content") if isinstance(message, dict) else message
    if said is None:
        said = text(record, *_ELSEWHERE)
    return plain(said) or None


def call_words(arguments: Record) -> str:
    """The subject of a tool call."""
    main = text(arguments, *_MAIN)
    if main is not None:
        return main
    others = (value for value in arguments.values() if isinstance(value, str))
    return next(filter(None, others), "")


def plain(content: Json) -> str:
    """The text of a content, which is a text itself or consists of blocks."""
    if isinstance(content, str):
        return content[:LONGEST]
    if not isinstance(content, list):
        return ""
    parts: list[str] = []
    left = LONGEST
    for part in _parts(content):
        parts.append(part[:left])
        left -= len(part)
        if left <= 0:
            break
    return "\n".join(parts)


def _parts(content: list[Json]) -> Iterator[str]:
    """The texts of blocks; a tool's answer consists of blocks again."""
    for block in content:
        if isinstance(block, str):
            yield block
        if not isinstance(block, dict):
            continue
        found = text(block, "text", "thinking")
        inner = block.get("content")
        if found is None and isinstance(inner, str | list):
            found = inner if isinstance(inner, str) else _flat(inner)
        if found:
            yield found


def _flat(content: list[Json]) -> str:
    texts = (text(b, "text") for b in content if isinstance(b, dict))
    return "\n".join(filter(None, texts))


# The flat lines of older traces, before they were copies of transcripts.

_KINDS = frozenset({"tool_use", "tool_result"})


def legacy_message(record: Record, place: At) -> MessageFound | None:
    """The message in a flat line; None if it has no text."""
    said, tool = text(record, "message"), text(record, "tool")
    if said is None and tool is None:
        return None
    own = text(record, "kind")
    kind = own if own in _KINDS else "other"
    called = (tool,) if tool and kind == "tool_use" else ()
    about = " ".join(filter(None, (tool, text(record, "file_path"))))
    return MessageFound(
        key=place.key,
        kind=kind,
        line=place.line,
        text="\n".join(filter(None, (about, said))),
        at=told(record, "ts", "timestamp"),
        offset=place.offset,
        extent=place.size,
        session=text(record, "session_id", "sessionId") or place.session,
        tools=called,
        calls=("",) * len(called),
        errors=int(record.get("is_error") is True),
    )


# The purpose of an agent, from the file beside its trace.


def with_purpose(root: Root, path: str, found: Findings) -> Findings:
    """The findings of a trace, titled after the purpose of its agent."""
    if not found.sessions or found.sessions[0].agent is None:
        return found
    try:
        told = load(root.read(f"{path.removesuffix('.jsonl')}.meta.json").raw)
    except UnreadableError:
        return found
    match told:
        case {"description": str() as words} | {"agentType": str() as words} if words:
            about = found.sessions[0]
            title = TitleFound(rank=Rank.AGENT, text=words, line=0)
            named = replace(about, titles=(title, *about.titles))
            return replace(found, sessions=(named,))
        case _:
            return found


# What the kit's own analyzer makes of a trace line, quirks included.
#
# It reads `type`, and ignores the `kind` of older lines. It skips a whole line if one
# field has an unexpected type. It searches for words in the JSON text of a message,
# tool arguments included. It silently drops what its guard refuses.

UPSTREAM_LONGEST = 1024 * 1024
"""Characters of a message's JSON text that are searched."""

_TEXTS = (
    "type",
    "timestamp",
    "sessionId",
    "cwd",
    "gitBranch",
    "parentUuid",
    "uuid",
    "subtype",
    "toolUseID",
    "tool",
    "file_path",
    "event_class",
)
_LIMIT = 2**63


class Call(NamedTuple):
    """A tool call in a line."""

    tool: str
    id: str | None
    file_path: str | None
    input: Record


def blocks(message: Json) -> list[Record]:
    """The blocks of a message whose content is a list."""
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, list):
        return []
    return [block for block in content if isinstance(block, dict)]


def calls(message: Json) -> list[Call]:
    """The tool calls of a message; each is a separate event."""
    return [
        _call(block, name)
        for block in blocks(message)
        if block.get("type") == "tool_use"
        and isinstance(name := block.get("name"), str)
    ]


def text_or_none(value: Json) -> str | None:
    """The value if it is a text."""
    return value if isinstance(value, str) else None


def upstream_classes(record: Record, called: list[Call]) -> list[str | None]:
    """The class of each event of a line; None if the analyzer does not store it."""
    count = len(called) or 1
    if not _is_accepted(record):
        return [None] * count
    message = record.get("message")
    text = _json_text(message)
    if text is not None and (_has_surrogates(text) or is_refused(text)):
        return [None] * count
    event = Seen(
        kind=text_or_none(record.get("type")) or OTHER,
        tool=text_or_none(record.get("tool")),
        is_error=not called and _is_error(record),
        text=text,
        own=text_or_none(record.get("event_class")),
    )
    if not called:
        return [classify(event)]
    return [classify(event._replace(tool=call.tool)) for call in called]


def _call(block: Record, name: str) -> Call:
    given = block.get("input")
    arguments = given if isinstance(given, dict) else {}
    path = text_or_none(arguments.get("file_path"))
    return Call(name, text_or_none(block.get("id")), path, arguments)


def _is_accepted(record: Record) -> bool:
    """Whether every field is null or has the expected type."""
    ts, is_error = record.get("ts"), record.get("is_error")
    if is_error is not None and not isinstance(is_error, bool):
        return False
    if ts is not None and (type(ts) is not int or not -_LIMIT <= ts < _LIMIT):
        return False
    return all(isinstance(record.get(key), str | None) for key in _TEXTS)


def _is_error(record: Record) -> bool:
    for block in blocks(record.get("message")):
        if block.get("type") == "tool_result":
            return block.get("is_error") is True
    return record.get("is_error") is True


def _json_text(message: Json) -> str | None:
    """A message's text; an object becomes JSON without blanks, keys in order."""
    if isinstance(message, str):
        return message[:UPSTREAM_LONGEST]
    if not isinstance(message, dict):
        return None
    try:
        raw = orjson.dumps(message, option=orjson.OPT_SORT_KEYS)
        return raw.decode()[:UPSTREAM_LONGEST]
    except orjson.JSONEncodeError:  # such as lone surrogates
        text = json.dumps(
            message, ensure_ascii=False, separators=(",", ":"), sort_keys=True
        )
        return text[:UPSTREAM_LONGEST]


def _has_surrogates(text: str) -> bool:
    """Whether the text is invalid Unicode, in which case the line counts as damaged."""
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


# The events of a trace, with our classes and those of the kit.

LONGEST_MESSAGE = 2_000
"""Characters of an event's text that are stored."""

_SHELL = "Bash"
_OPEN = 1_000
"""The most calls that may wait for their results."""

FROM_PEOPLE = frozenset({"prompt", "command"})
"""The kinds of message that a person typed."""
_FROM_TOOLS = frozenset({"tool_result", "output"})


class _Telling(NamedTuple):
    """The content of one line, without its tool calls."""

    kind: str
    tool: str | None
    is_result: bool
    is_error: bool
    words: str | None
    heard: str | None
    """The part written by a person or a tool."""
    by_person: bool


class TraceEvents(Struct):
    """Reads the events of one trace, line by line."""

    session: str
    """The session that the trace is named after."""
    asked: dict[str, str] = field(default_factory=dict[str, str])
    """The tools of calls without a result so far, by call identifier."""
    last: Instant | None = None
    """The time of the last line that has one."""
    stopped: bool = False
    """Whether the kit's analyzer gave up, which it does at the first invalid UTF-8."""
    waiting: list[EventFound] = field(default_factory=list[EventFound])
    events: list[EventFound] = field(default_factory=list[EventFound])
    begun: bool = False
    """Whether earlier reads had lines before the first known time."""

    @classmethod
    def resumed(cls, session: str, known: Json) -> "TraceEvents":
        """The reader in a stored state."""
        if not isinstance(known, dict):
            return cls(session)
        last, asked = known.get("last"), known.get("asked")
        return cls(
            session,
            asked=cast("dict[str, str]", asked if isinstance(asked, dict) else {}),
            last=_remembered(last),
            stopped=known.get("stopped") is True,
            begun=last is None,
        )

    def take(self, entry: Entry) -> bool:
        """Read a line; False if it has the first time and earlier lines need it."""
        at = told(entry.record, "ts", "timestamp")
        if at is not None:
            if self.begun and entry.line.offset < PIECE:
                return False
            self.begun = False
            self.last = at
        found = self._events(entry, at or self.last)
        if self.last is None:
            self.waiting += found
            return True
        self.events += self._placed()
        self.events += found
        return True

    def broken(self, line: Line) -> None:
        """Note where the kit's analyzer stops reading."""
        if line.raw is None or self.stopped:
            return
        try:
            line.raw.decode()
        except UnicodeDecodeError:
            self.stopped = True

    def knows(self) -> Record:
        """The state needed to resume."""
        last = self.last
        return {
            "last": [last.text, last.micros] if last else None,
            "asked": cast("Json", self.asked),
            "stopped": self.stopped,
        }

    def found(self) -> Findings:
        """The events so far; those before the first known time have no time."""
        return Findings(events=(*self.events, *self.waiting))

    def _placed(self) -> list[EventFound]:
        """The waiting events, with the time of the first line that has one."""
        waited, self.waiting = self.waiting, []
        return [_at(event, self.last) for event in waited]

    def _events(self, entry: Entry, at: Instant | None) -> list[EventFound]:
        record, line = entry.record, entry.line.number
        called = calls(record.get("message"))
        dropped: list[str | None] = [None] * (len(called) or 1)
        seen = entry.sound and not self.stopped
        upstream = upstream_classes(record, called) if seen else dropped
        if called:
            return self._calls(record, line, at, called, upstream)
        telling = self._telling(record)
        found = EventFound(
            kind=telling.kind,
            line=line,
            session=self.session,
            at=at,
            tool=telling.tool,
            file_path=text(record, "file_path"),
            is_error=telling.is_error,
            event_class=_class(record, telling),
            upstream_class=upstream[0],
            message=telling.words[:LONGEST_MESSAGE] if telling.words else None,
        )
        return [found]

    def _calls(
        self,
        record: Record,
        line: int,
        at: Instant | None,
        called: list[Call],
        upstream: list[str | None],
    ) -> list[EventFound]:
        for call in called:
            if call.id:
                self.asked[call.id] = call.tool
        while len(self.asked) > _OPEN:
            del self.asked[next(iter(self.asked))]
        own, kind = text(record, "event_class"), _kind(record)
        return [
            EventFound(
                kind=kind,
                line=line,
                session=self.session,
                at=at,
                tool=call.tool,
                file_path=call.file_path or text(record, "file_path"),
                event_class=own or f"tool_use:{call.tool}",
                upstream_class=taken,
                message=call_words(call.input)[:LONGEST_MESSAGE] or None,
                command=text(call.input, "command") if call.tool == _SHELL else None,
            )
            for call, taken in zip(called, upstream, strict=True)
        ]

    def _telling(self, record: Record) -> _Telling:
        kind = _kind(record)
        says = kind_of(record) if "type" in record else None
        results = [
            b for b in blocks(record.get("message")) if b.get("type") == "tool_result"
        ]
        tool = text(record, "tool") or self._answered(results)
        is_error = record.get("is_error") is True
        if results:
            is_error = any(result.get("is_error") is True for result in results)
        words = words_of(record)
        person = says in FROM_PEOPLE or (says is None and kind == "user")
        heard = words if person or says in _FROM_TOOLS or _is_legacy(record) else None
        return _Telling(kind, tool, bool(results), is_error, words, heard, person)

    def _answered(self, results: list[Record]) -> str | None:
        """The tool that the first of these results comes from."""
        found = None
        for result in results:
            call = text(result, "tool_use_id")
            tool = self.asked.pop(call, None) if call else None
            found = found or tool
        return found


def _kind(record: Record) -> str:
    return text(record, "type", "kind") or OTHER


def _is_legacy(record: Record) -> bool:
    """Whether it is a flat line, whose message a tool wrote."""
    return "type" not in record and isinstance(record.get("message"), str)


def _class(record: Record, telling: _Telling) -> str:
    seen = Seen(
        kind="tool_result" if telling.is_result else telling.kind,
        tool=telling.tool,
        is_error=telling.is_error,
        text=telling.heard[:EVENTS_LONGEST] if telling.heard else None,
        own=text(record, "event_class"),
    )
    return classify(seen, corrections=telling.by_person)


def _at(event: EventFound, at: Instant | None) -> EventFound:
    return replace(event, at=at)


def _remembered(noted: Json) -> Instant | None:
    match noted:
        case [str() as words, int() as micros]:
            return Instant(words, micros)
        case _:
            return None


# A trace: the transcript of a session, read as events and as messages.

_SUBAGENTS = "/subagents/"
_OTHER = "other"


def session_of(path: str) -> str:
    """The session whose trace, or whose agent's trace, is at a path."""
    parts = original(path).split("/")
    return parts[1].removesuffix(".jsonl") if len(parts) > 1 else path


def trace_reader(path: str) -> ReaderOf:
    """A factory of readers for the trace at a path."""
    return lambda known: _TraceReader.resumed(path, known)


class _TraceReader(Struct):
    """Reads one trace, line by line."""

    about: SessionFound
    events: TraceEvents
    lines: Counter[str] = field(default_factory=Counter[str])
    titles: list[TitleFound] = field(default_factory=list[TitleFound])
    messages: dict[str, MessageFound] = field(default_factory=dict[str, MessageFound])
    met: Met = field(default_factory=Met)

    @classmethod
    def resumed(cls, path: str, known: Json) -> "_TraceReader":
        """A reader in a stored state."""
        events = TraceEvents.resumed(session_of(path), known)
        met = text(known, "met") if isinstance(known, dict) else None
        return cls(_about(path), events, met=Met(b64decode(met or "")))

    def take(self, entry: Entry) -> bool:
        """Read one line."""
        if not self.events.take(entry):
            return False
        record = entry.record
        kind = text(record, "type", "kind") or _OTHER
        self.lines[kind] += 1
        self._name(kind, entry)
        uuid = text(record, "uuid")
        if uuid is None or self.met.is_new(uuid):
            self._add(_message(entry, self.events.session))
        return True

    def broken(self, line: Line) -> None:
        """Process a line without a record."""
        self.events.broken(line)

    def knows(self) -> Json:
        """The state needed to resume."""
        met = b64encode(self.met.as_bytes()).decode()
        return {**self.events.knows(), "met": met}

    def found(self) -> Findings:
        """The events, the messages, and the facts about the trace."""
        titles, lines = tuple(self.titles), dict(self.lines)
        about = replace(self.about, titles=titles, lines=lines)
        return replace(
            self.events.found(),
            messages=tuple(self.messages.values()),
            sessions=(about,) if self.lines else (),
        )

    def _name(self, kind: str, entry: Entry) -> None:
        """Add a title; of several with one rank, the last counts."""
        rank, key = TITLES.get(kind, (Rank.NICKNAME, ""))
        name = text(entry.record, key) if key else None
        if name:
            line = entry.line.number
            self.titles.append(TitleFound(rank=rank, text=name, line=line))

    def _add(self, message: MessageFound | None) -> None:
        """Put a line to its message."""
        if message:
            before = self.messages.get(message.key)
            self.messages[message.key] = join(before, message) if before else message


def _message(entry: Entry, session: str) -> MessageFound | None:
    line, size = entry.line, len((entry.line.raw or b"").rstrip())
    place = At(line.number, line.offset, size, session, entry.ordinal)
    if isinstance(entry.record.get("type"), str):
        return message_of(entry.record, place)
    return legacy_message(entry.record, place)


def _about(path: str) -> SessionFound:
    """The facts in the path of a trace."""
    session, name = session_of(path), path.rpartition("/")[2]
    if _SUBAGENTS not in path:
        return SessionFound(session=session, origin=name)
    agent = name.removesuffix(".jsonl").removeprefix("agent-")
    parent = f"{path.partition(_SUBAGENTS)[0]}.jsonl"
    return SessionFound(session=session, agent=agent, parent=parent, origin=name)


# A whole message of a trace, read again from its file.

_LONGEST = 2 * JSON_READ_LONGEST
_MARK = 3
"""A byte order mark is not part of the first line, but precedes it."""


def passage_of(root: Root, path: str, place: Place) -> Passage:
    """The parts of a message; raises UnreadableError."""
    with root.opened(path) as file:
        raw = file.at(place.offset, min(place.extent + _MARK, _LONGEST))
    records = [r for at, r in _records(raw, place) if _key(r, at) == place.key]
    if any(isinstance(record.get("type"), str) for record in records):
        return Passage(parts_of(records), fields_of(records))
    fields = records[0] if records else {}
    said = fields.get("message")
    part: Record = {"type": "text", "text": said}
    return Passage((part,) if said is not None else (), without(fields, ("message",)))


def _records(raw: bytes, place: Place) -> Iterator[tuple[At, Record]]:
    """Every record between the start and the end of a message."""
    offset, number = place.offset, place.line
    for line in raw.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        for ordinal, value in enumerate(parse(line).values):
            if isinstance(value, dict):
                yield At(number, offset, len(line), ordinal=ordinal), value
        offset, number = offset + len(line) + 1, number + 1


def _key(record: Record, at: At) -> str:
    if record.get("type") == "assistant":
        return reply_key(record, at)
    uuid = record.get("uuid")
    return uuid if isinstance(uuid, str) and uuid else at.key
