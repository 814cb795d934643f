"""A trace: the transcript of a session, read as its events and as its messages."""

from collections import Counter

from msgspec import Struct, field
from msgspec.structs import replace

from store.files.jsonl import Line
from store.findings import Findings, Json, MessageFound, Rank, SessionFound, TitleFound
from store.formats.kei.growing import Entry, ReaderOf
from store.formats.kei.layout import original
from store.formats.kei.legacy import legacy_message
from store.formats.kei.trace_events import TraceEvents
from store.formats.kei.values import text
from store.transcript import TITLES, At, join, message_of

_SUBAGENTS = "/subagents/"
_OTHER = "other"


def session_of(path: str) -> str:
    """The session whose trace, or that of one of its agents, lies at a path."""
    parts = original(path).split("/")
    return parts[1].removesuffix(".jsonl") if len(parts) > 1 else path


def trace_reader(path: str) -> ReaderOf:
    """Makes readers of the trace at a path."""
    return lambda known: _TraceReader.resumed(path, known)


class _TraceReader(Struct):
    """Reads one trace, line by line."""

    about: SessionFound
    events: TraceEvents
    lines: Counter[str] = field(default_factory=Counter[str])
    titles: list[TitleFound] = field(default_factory=list[TitleFound])
    messages: dict[str, MessageFound] = field(default_factory=dict[str, MessageFound])

    @classmethod
    def resumed(cls, path: str, known: Json) -> "_TraceReader":
        """A reader that knows what was noted when it was last read."""
        return cls(_about(path), TraceEvents.resumed(session_of(path), known))

    def take(self, entry: Entry) -> bool:
        """Read one line."""
        if not self.events.take(entry):
            return False
        record = entry.record
        kind = text(record, "type", "kind") or _OTHER
        self.lines[kind] += 1
        self._name(kind, entry)
        self._add(_message(entry, self.events.session))
        return True

    def broken(self, line: Line) -> None:
        """Look at a line that holds no record."""
        self.events.broken(line)

    def knows(self) -> Json:
        """What has to be known to read on."""
        return self.events.knows()

    def found(self) -> Findings:
        """The events, the messages, and what the trace says about itself."""
        titles, lines = tuple(self.titles), dict(self.lines)
        about = replace(self.about, titles=titles, lines=lines)
        return replace(
            self.events.found(),
            messages=tuple(self.messages.values()),
            sessions=(about,) if self.lines else (),
        )

    def _name(self, kind: str, entry: Entry) -> None:
        """Note a name; among those of one rank the last one counts."""
        rank, key = TITLES.get(kind, (Rank.NICKNAME, ""))
        name = text(entry.record, key) if key else None
        if name:
            line = entry.line.number
            self.titles.append(TitleFound(rank=rank, text=name, line=line))

    def _add(self, message: MessageFound | None) -> None:
        """Put a line to its message; a line that comes a second time is left out."""
        if message is None:
            return
        before = self.messages.get(message.key)
        if before is None:
            self.messages[message.key] = message
        elif message.role == "assistant":
            self.messages[message.key] = join(before, message)


def _message(entry: Entry, session: str) -> MessageFound | None:
    line, size = entry.line, len((entry.line.raw or b"").rstrip())
    place = At(line.number, line.offset, size, session, entry.ordinal)
    if isinstance(entry.record.get("type"), str):
        return message_of(entry.record, place)
    return legacy_message(entry.record, place)


def _about(path: str) -> SessionFound:
    """What the place of a trace says of it."""
    session = session_of(path)
    if _SUBAGENTS not in path:
        return SessionFound(session=session)
    agent = path.rpartition("/")[2].removesuffix(".jsonl").removeprefix("agent-")
    parent = f"{path.partition(_SUBAGENTS)[0]}.jsonl"
    return SessionFound(session=session, agent=agent, parent=parent)
