"""Traces of sessions: their events and messages."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, cast

import orjson
from msgspec import Struct, field
from msgspec.structs import replace

from store.derive.events import LONGEST, OTHER, Seen, classify, is_refused
from store.errors import UnreadableError
from store.files.beneath import Root
from store.files.json_read import LONGEST as LONGEST_LINE
from store.files.json_read import PIECE, Line, Parsed, load, parse
from store.findings import (
    EventFound,
    Findings,
    Flaw,
    Json,
    MessageFound,
    Rank,
    SessionFound,
    TitleFound,
)
from store.formats.growing import TakerOf
from store.formats.kei.format import original, text
from store.formats.kei.journals import Record, oddity, valid_instant, without
from store.formats.port import Passage, Place
from store.times import Instant
from store.transcript.blocks import fields_of, kind_of, parts_of
from store.transcript.messages import TITLES, At, Met, join, message_of, reply_key

# The plain text of a trace line, in any of its formats.

_MAIN = ("command", "file_path", "notebook_path", "pattern", "query", "url", "prompt")
"""The arguments that describe a call, most informative first."""

_ELSEWHERE = ("content", "summary", "customTitle", "aiTitle", "agentName", "lastPrompt")
"""Where lines without a message have text."""


def words_of(record: Record) -> str | None:
    """The text of a line; None if it has none."""
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else message
    if content is None:
        content = text(record, *_ELSEWHERE)
    return plain(content) or None


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
        elif isinstance(block, dict):
            words = text(block, "text", "thinking", "content")
            inner = block.get("content")
            if words is None and isinstance(inner, list):
                texts = (text(b, "text") for b in inner if isinstance(b, dict))
                words = "\n".join(filter(None, texts))
            if words:
                yield words


def _subject(arguments: Record) -> str:
    """The subject of a tool call."""
    values = (value for value in arguments.values() if isinstance(value, str))
    return text(arguments, *_MAIN) or next(filter(None, values), "")


# What the kit's own analyzer makes of a trace line, quirks included.
#
# It reads `type`, and ignores the `kind` of older lines. It skips a whole line if one
# field has an unexpected type. It searches for words in the JSON text of a message,
# tool arguments included. It silently drops what its guard refuses.

_LONGEST_JSON = 1024 * 1024
"""Characters of a message's JSON text that are searched."""

_TEXTS = (
    "type", "timestamp", "sessionId", "cwd", "gitBranch", "parentUuid", "uuid",
    "subtype", "toolUseID", "tool", "file_path", "event_class",
)  # fmt: skip
_LIMIT = 2**63


class _Call(NamedTuple):
    """A tool call in a line."""

    tool: str
    id: str | None
    file_path: str | None
    input: Record


def _blocks(message: Json) -> list[Record]:
    """The blocks of a message whose content is a list."""
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, list):
        return []
    return [block for block in content if isinstance(block, dict)]


def _calls(message: Json) -> list[_Call]:
    """The tool calls of a message; each is a separate event."""
    found: list[_Call] = []
    for block in _blocks(message):
        name, given = block.get("name"), block.get("input")
        if block.get("type") == "tool_use" and isinstance(name, str):
            arguments = given if isinstance(given, dict) else {}
            own, path = _string(block, "id"), _string(arguments, "file_path")
            found.append(_Call(name, own, path, arguments))
    return found


def _string(record: Record, key: str) -> str | None:
    """A field if it is text, even if it is empty."""
    value = record.get(key)
    return value if isinstance(value, str) else None


def _upstream_classes(record: Record, called: list[_Call]) -> list[str | None]:
    """The class of each event of a line; None if the analyzer does not store it."""
    dropped: list[str | None] = [None] * (len(called) or 1)
    if not _is_accepted(record):
        return dropped
    words = _json_text(record.get("message"))
    if words is not None and (_has_surrogates(words) or is_refused(words)):
        return dropped
    event = Seen(
        kind=_string(record, "type") or OTHER,
        tool=_string(record, "tool"),
        is_error=not called and _is_error(record),
        text=words,
        own=_string(record, "event_class"),
    )
    if not called:
        return [classify(event)]
    return [classify(replace(event, tool=call.tool)) for call in called]


def _is_accepted(record: Record) -> bool:
    """Whether every field is null or has the expected type."""
    ts, is_error = record.get("ts"), record.get("is_error")
    if is_error is not None and not isinstance(is_error, bool):
        return False
    if ts is not None and (type(ts) is not int or not -_LIMIT <= ts < _LIMIT):
        return False
    return all(isinstance(record.get(key), str | None) for key in _TEXTS)


def _is_error(record: Record) -> bool:
    blocks = _blocks(record.get("message"))
    results = (block for block in blocks if block.get("type") == "tool_result")
    return next(results, record).get("is_error") is True


def _json_text(message: Json) -> str | None:
    """A message's text; an object becomes JSON without blanks, keys in order."""
    if isinstance(message, str):
        return message[:_LONGEST_JSON]
    if not isinstance(message, dict):
        return None
    try:
        words = orjson.dumps(message, option=orjson.OPT_SORT_KEYS).decode()
    except orjson.JSONEncodeError:  # such as lone surrogates
        words = json.dumps(
            message, ensure_ascii=False, separators=(",", ":"), sort_keys=True
        )
    return words[:_LONGEST_JSON]


def _has_surrogates(words: str) -> bool:
    """Whether the text is invalid Unicode, in which case the line counts as damaged."""
    try:
        words.encode()
    except UnicodeEncodeError:
        return True
    return False


# The events and messages of a trace, read line by line.

LONGEST_MESSAGE = 2_000
"""Characters of an event's text that are stored."""

_SHELL = "Bash"
_OPEN = 1_000
"""The most calls that may wait for their results."""

FROM_PEOPLE = frozenset({"prompt", "command"})
"""The kinds of message that a person typed."""
_FROM_TOOLS = frozenset({"tool_result", "output"})
_SUBAGENTS = "/subagents/"


def session_of(path: str) -> str:
    """The session whose trace, or whose agent's trace, is at a path."""
    parts = original(path).split("/")
    return parts[1].removesuffix(".jsonl") if len(parts) > 1 else path


def trace_reader(path: str) -> TakerOf:
    """A factory of readers for the trace at a path."""
    return lambda known, met: _TraceReader.resumed(path, known, met)


class _TraceReader(Struct):
    """Reads one trace, with our event classes and those of the kit."""

    about: SessionFound
    session: str
    """The session that the trace is named after."""
    met: Met
    asked: dict[str, str] = field(default_factory=dict[str, str])
    """The tools of calls without a result so far, by call identifier."""
    last: Instant | None = None
    """The time of the last line that has one."""
    stopped: bool = False
    """Whether the kit's analyzer gave up, which it does at the first invalid UTF-8."""
    begun: bool = False
    """Whether earlier reads had lines before the first known time."""
    waiting: list[EventFound] = field(default_factory=list[EventFound])
    events: list[EventFound] = field(default_factory=list[EventFound])
    lines: Counter[str] = field(default_factory=Counter[str])
    titles: list[TitleFound] = field(default_factory=list[TitleFound])
    messages: dict[str, MessageFound] = field(default_factory=dict[str, MessageFound])

    @classmethod
    def resumed(cls, path: str, known: Json, met: bytes) -> "_TraceReader":
        """A reader in a stored state."""
        about, session = _about(path), session_of(path)
        if not isinstance(known, dict):
            return cls(about, session, Met())
        last, asked = known.get("last"), known.get("asked")
        return cls(
            about,
            session,
            Met(met),
            asked=cast("dict[str, str]", asked if isinstance(asked, dict) else {}),
            last=_remembered(last),
            stopped=known.get("stopped") is True,
            begun=last is None,
        )

    def take(self, record: Record, line: Line, ordinal: int, *, sound: bool) -> bool:
        """Read a line; False if it has the first time and earlier lines need it."""
        at = valid_instant(record, "ts", "timestamp")
        if at is not None:
            if self.begun and line.offset < PIECE:
                return False
            self.begun = False
            self.last = at
        found = self._events(record, line.number, at or self.last, sound=sound)
        if self.last is None:
            self.waiting += found
        else:
            self.events += (replace(event, at=self.last) for event in self.waiting)
            self.waiting.clear()
            self.events += found
        self._describe(record, line, ordinal)
        return True

    def odd(self, line: Line, parsed: Parsed) -> Flaw | None:
        """What is wrong with a line; notes where the kit's analyzer stops reading."""
        if line.raw is not None and not self.stopped:
            try:
                line.raw.decode()
            except UnicodeDecodeError:
                self.stopped = True
        return oddity(line, parsed)

    def state(self) -> tuple[Json, bytes]:
        """The state needed to resume."""
        plain: Json = {
            "last": [self.last.text, self.last.micros] if self.last else None,
            "asked": cast("Json", self.asked),
            "stopped": self.stopped,
        }
        return plain, self.met.as_bytes()

    def found(self) -> Findings:
        """All findings; events before the first known time have no time."""
        titles, lines = tuple(self.titles), dict(self.lines)
        about = replace(self.about, titles=titles, lines=lines)
        return Findings(
            events=(*self.events, *self.waiting),
            messages=tuple(self.messages.values()),
            sessions=(about,) if self.lines else (),
        )

    def _describe(self, record: Record, line: Line, ordinal: int) -> None:
        """Count a line, and add its title and its part of a message."""
        kind = _kind(record)
        self.lines[kind] += 1
        rank, key = TITLES.get(kind, (Rank.NICKNAME, ""))
        name = text(record, key) if key else None
        if name:
            self.titles.append(TitleFound(rank=rank, text=name, line=line.number))
        uuid = text(record, "uuid")
        if uuid is not None and not self.met.is_new(uuid):
            return
        size = len((line.raw or b"").rstrip())
        place = At(line.number, line.offset, size, self.session, ordinal)
        is_flat = not isinstance(record.get("type"), str)
        message = (_flat_message if is_flat else message_of)(record, place)
        if message:
            before = self.messages.get(message.key)
            self.messages[message.key] = join(before, message) if before else message

    def _events(
        self, record: Record, line: int, at: Instant | None, *, sound: bool
    ) -> list[EventFound]:
        """The events of a line: one for each call, or one for a line without calls."""
        called = _calls(record.get("message"))
        upstream: list[str | None] = [None] * (len(called) or 1)
        if sound and not self.stopped:
            upstream = _upstream_classes(record, called)
        if not called:
            return [self._event(record, line, at, upstream[0])]
        self.asked.update((call.id, call.tool) for call in called if call.id)
        while len(self.asked) > _OPEN:
            del self.asked[next(iter(self.asked))]
        return [
            EventFound(
                kind=_kind(record),
                line=line,
                session=self.session,
                at=at,
                tool=call.tool,
                file_path=call.file_path or text(record, "file_path"),
                event_class=text(record, "event_class") or f"tool_use:{call.tool}",
                upstream_class=taken,
                message=_subject(call.input)[:LONGEST_MESSAGE] or None,
                command=text(call.input, "command") if call.tool == _SHELL else None,
            )
            for call, taken in zip(called, upstream, strict=True)
        ]

    def _event(
        self, record: Record, line: int, at: Instant | None, upstream: str | None
    ) -> EventFound:
        """The event of a line without calls."""
        kind, words = _kind(record), words_of(record)
        results = [
            b for b in _blocks(record.get("message")) if b.get("type") == "tool_result"
        ]
        tool = text(record, "tool") or self._answered(results)
        failed = (r.get("is_error") is True for r in results or (record,))
        says = kind_of(record) if "type" in record else None
        by_person = says in FROM_PEOPLE or (says is None and kind == "user")
        by_tool = says in _FROM_TOOLS or (
            "type" not in record and isinstance(record.get("message"), str)
        )
        seen = Seen(
            kind="tool_result" if results else kind,
            tool=tool,
            is_error=any(failed),
            text=words[:LONGEST] if words and (by_person or by_tool) else None,
            own=text(record, "event_class"),
        )
        return EventFound(
            kind=kind,
            line=line,
            session=self.session,
            at=at,
            tool=tool,
            file_path=text(record, "file_path"),
            is_error=seen.is_error,
            event_class=classify(seen, corrections=by_person),
            upstream_class=upstream,
            message=words[:LONGEST_MESSAGE] if words else None,
        )

    def _answered(self, results: list[Record]) -> str | None:
        """The tool that the first of these results comes from."""
        ids = (text(result, "tool_use_id") for result in results)
        tools = [self.asked.pop(own, None) for own in ids if own]
        return next(filter(None, tools), None)


def _kind(record: Record) -> str:
    return text(record, "type", "kind") or OTHER


def _remembered(noted: Json) -> Instant | None:
    match noted:
        case [str() as words, int() as micros]:
            return Instant(words, micros)
        case _:
            return None


def _flat_message(record: Record, place: At) -> MessageFound | None:
    """The message in a line of an older trace, before they were copies of transcripts.

    None if it has no text.
    """
    words, tool, kind = (text(record, key) for key in ("message", "tool", "kind"))
    if words is None and tool is None:
        return None
    is_call = kind == "tool_use"
    called = (tool,) if tool and is_call else ()
    about = " ".join(filter(None, (tool, text(record, "file_path"))))
    return MessageFound(
        key=place.key,
        kind=kind if kind and (is_call or kind == "tool_result") else "other",
        line=place.line,
        text="\n".join(filter(None, (about, words))),
        at=valid_instant(record, "ts", "timestamp"),
        offset=place.offset,
        extent=place.size,
        session=text(record, "session_id", "sessionId") or place.session,
        tools=called,
        calls=("",) * len(called),
        errors=int(record.get("is_error") is True),
    )


# Who a trace is about, from its path and from the file beside it.


def _about(path: str) -> SessionFound:
    """The facts in the path of a trace."""
    session, name = session_of(path), path.rpartition("/")[2]
    if _SUBAGENTS not in path:
        return SessionFound(session=session, origin=name)
    agent = name.removesuffix(".jsonl").removeprefix("agent-")
    parent = f"{path.partition(_SUBAGENTS)[0]}.jsonl"
    return SessionFound(session=session, agent=agent, parent=parent, origin=name)


def with_purpose(root: Root, path: str, found: Findings) -> Findings:
    """The findings of a trace, titled after the purpose of its agent."""
    if not found.sessions or found.sessions[0].agent is None:
        return found
    try:
        about = load(root.read(f"{path.removesuffix('.jsonl')}.meta.json").raw)
    except UnreadableError:
        return found
    match about:
        case {"description": str() as words} | {"agentType": str() as words} if words:
            session = found.sessions[0]
            title = TitleFound(rank=Rank.AGENT, text=words, line=0)
            named = replace(session, titles=(title, *session.titles))
            return replace(found, sessions=(named,))
        case _:
            return found


# A whole message of a trace, read again from its file.

_MARK = b"\xef\xbb\xbf"
"""A byte order mark is not part of the first line, but precedes it."""


def passage_of(root: Root, path: str, place: Place) -> Passage:
    """The parts of a message; raises UnreadableError."""
    with root.opened(path) as file:
        raw = file.at(place.offset, min(place.extent + len(_MARK), 2 * LONGEST_LINE))
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
    for line in raw.removeprefix(_MARK).split(b"\n"):
        for ordinal, value in enumerate(parse(line).values):
            if isinstance(value, dict):
                yield At(number, offset, len(line), ordinal=ordinal), value
        offset, number = offset + len(line) + 1, number + 1


def _key(record: Record, at: At) -> str:
    if record.get("type") == "assistant":
        return reply_key(record, at)
    uuid = record.get("uuid")
    return uuid if isinstance(uuid, str) and uuid else at.key
