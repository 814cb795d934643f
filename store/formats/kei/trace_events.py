"""The events that a trace tells of, as its kit counts them and as people would."""

from typing import NamedTuple, cast

from msgspec import Struct, field
from msgspec.structs import replace

from store.derive.event_classes import LONGEST, OTHER, Seen, classify
from store.files.jsonl import PIECE, Line
from store.findings import EventFound, Findings, Json
from store.formats.kei.growing import Entry, Record
from store.formats.kei.upstream import Call, blocks, calls, upstream_classes
from store.formats.kei.values import text, told
from store.formats.kei.wording import call_words, words_of
from store.times import Instant
from store.transcript.kinds import kind_of

LONGEST_MESSAGE = 2_000
"""How much of what an event says is kept, in characters."""

_OPEN = 1_000
"""How many calls may wait for their results."""

FROM_PEOPLE = frozenset({"prompt", "command"})
"""The kinds of message that a person typed."""
_FROM_TOOLS = frozenset({"tool_result", "output"})


class _Telling(NamedTuple):
    """What one line tells, apart from the tools that it calls."""

    kind: str
    tool: str | None
    is_result: bool
    is_error: bool
    words: str | None
    heard: str | None
    """What of it a person or a tool wrote."""
    by_person: bool


class TraceEvents(Struct):
    """Reads the events of one trace, line by line."""

    session: str
    """The session that the trace is named after."""
    asked: dict[str, str] = field(default_factory=dict[str, str])
    """The tools of calls that have no result yet, by the calls' identifiers."""
    last: Instant | None = None
    """When the last line was written that says so."""
    stopped: bool = False
    """Whether the kit's analyzer gave up: at the first bytes that are not UTF-8."""
    waiting: list[EventFound] = field(default_factory=list[EventFound])
    events: list[EventFound] = field(default_factory=list[EventFound])
    begun: bool = False
    """Whether lines were read before that told no time, nor any before them."""

    @classmethod
    def resumed(cls, session: str, known: Json) -> "TraceEvents":
        """The reader as it was when it noted this."""
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
        """Read a line; False where lines that were read before have a time only now."""
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

    def knows(self) -> Json:
        """What has to be known to read on."""
        last = self.last
        return {
            "last": [last.text, last.micros] if last else None,
            "asked": cast("Json", self.asked),
            "stopped": self.stopped,
        }

    def found(self) -> Findings:
        """The events so far; those before the first time have none."""
        return Findings(events=(*self.events, *self.waiting))

    def _placed(self) -> list[EventFound]:
        """Those that waited for a time: that of the first line that tells one."""
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
    """Whether it is a flat line, whose message some tool wrote."""
    return "type" not in record and isinstance(record.get("message"), str)


def _class(record: Record, telling: _Telling) -> str:
    seen = Seen(
        kind="tool_result" if telling.is_result else telling.kind,
        tool=telling.tool,
        is_error=telling.is_error,
        text=telling.heard[:LONGEST] if telling.heard else None,
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
