"""Read a transcript piece by piece, and the files beside transcripts."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any

from msgspec import Struct, convert, field
from msgspec.structs import asdict, replace

from store.derive.conversations import USUAL
from store.derive.paths import folder_name
from store.errors import UnreadableError
from store.files.beneath import Entry, OpenFile
from store.files.json_read import Line, Parsed, split_lines
from store.files.json_read import parse as parse_json_read
from store.findings import (
    START,
    ConversationFound,
    DocumentFound,
    Findings,
    Flaw,
    Json,
    Mark,
    MessageFound,
    Rank,
    SessionFound,
    TitleFound,
    Value,
    not_read,
)
from store.formats.growing import Taker, TakerOf, read_on, resumed
from store.formats.port import Passage, Place, Source
from store.formats.transcripts.format import (
    AGENT_FACTS,
    DEPTH,
    GROWING,
    HISTORY_ROLE,
    INDEX,
    JOURNAL,
    Bases,
    are_ours,
    has,
    named,
    sibling,
)
from store.times import Instant, parse
from store.transcript.blocks import (
    COUNTED,
    NOTIFICATIONS,
    Record,
    fields_of,
    inner,
    kept,
    parts_of,
    text,
    word,
)
from store.transcript.messages import (
    TITLES,
    At,
    Met,
    Reply,
    instant,
    message_of,
    reply_key,
)

# Messages of a sub-agent from its session's transcript, if it has no transcript itself.


def helper_message(
    record: Record, data: Record, agent: str, place: At
) -> MessageFound | None:
    """The message in a progress line, for search only; it is not counted.

    Its tokens, tools and errors belong to the agent, not to its session, and what the
    session said to the agent was not typed by a person. Calls that write files and
    their answers are included, so that the author of a file can be found.
    """
    carried = data.get("message")
    if not isinstance(carried, dict):
        return None
    inherited = {key: record[key] for key in _INHERITED if key in record}
    found = message_of({**inherited, **carried}, place)
    if found is None:
        return None
    name = found.uuid or record.get("uuid") or place.key
    return replace(
        found,
        key=f"agent:{agent[:64]}:{name}",
        kind="meta" if found.kind == "prompt" else found.kind,
        tokens=None,
        tools=(),
        calls=found.calls if found.writes else (),
        errors=0,
        entries=0,
    )


_INHERITED = ("sessionId", "cwd", "gitBranch", "timestamp")


# The state stored in a mark, from which reading resumes.


class Memory(Struct, kw_only=True):
    """The state before the mark, as far as it matters for what follows."""

    session: str | None = None
    """The session in the first lines."""
    titles: dict[str, str] = field(default_factory=dict[str, str])
    """The last title of each rank."""
    leaves: dict[str, list[Any]] = field(default_factory=dict[str, list[Any]])
    """Summaries whose leaf was not found so far, by leaf, with their lines."""
    queue: list[list[Any]] = field(default_factory=list[list[Any]])
    """Queued texts that wait to be sent, with their places and times."""
    typed: dict[str, list[Any]] = field(default_factory=dict[str, list[Any]])
    """The last conversation of each project in a history, and its time."""
    met: Met = field(default_factory=Met)
    """The identifiers of the lines that were read."""

    def state(self) -> tuple[Json, bytes]:
        """For a mark."""
        plain = asdict(self)
        del plain["met"]
        return plain, self.met.as_bytes()

    @classmethod
    def of(cls, state: Json, raw: bytes) -> "Memory":
        """The state from a mark; a new one at the start."""
        memory = convert(state or {}, cls)
        memory.met = Met(raw)
        return memory


# Prompts typed while the agent worked: a queue, given as operations on it.

_LONGEST = 100_000
_MOST = 100
_NOT_TYPED = ("{", "[", *NOTIFICATIONS)


def operate(queue: list[list[Any]], record: Record, place: At) -> MessageFound | None:
    """Apply one operation; return the message that was handed to the agent, if any.

    A text dequeued to be sent also has its own line; a removed one was handed over
    while the agent worked, and may not be anywhere else.
    """
    text = record.get("content")
    text = text if isinstance(text, str) else ""
    match record.get("operation"):
        case "enqueue":
            if len(queue) < _MOST:
                queue.append(_waiting(record, place, text[:_LONGEST]))
        case "dequeue":
            del queue[:1]
        case "popAll":
            queue.clear()
        case "remove":
            return _removed(queue, text)
        case _:
            pass
    return None


def _waiting(record: Record, place: At, text: str) -> list[Any]:
    session, at = record.get("sessionId"), record.get("timestamp")
    return [
        text,
        place.key,
        place.line,
        place.offset,
        place.size,
        session if isinstance(session, str) else place.session,
        at if isinstance(at, str) else None,
    ]


def _removed(queue: list[list[Any]], text: str) -> MessageFound | None:
    """The removed message: the given text, or else the oldest one."""
    number = next((n for n, one in enumerate(queue) if text and one[0] == text), 0)
    if number >= len(queue):
        return None
    words, key, line, offset, size, session, at = queue.pop(number)
    if not words.strip() or words.lstrip().startswith(_NOT_TYPED):
        return None
    return MessageFound(
        key=key,
        kind="prompt",
        line=line,
        text=words,
        role="user",
        at=parse(at) if at else None,
        offset=offset,
        extent=size,
        session=session,
        is_queued=True,
    )


# One piece of a transcript: turn lines into messages, titles and counts.

DUPLICATE = "(duplicate)"
"""Counts a line whose identifier an earlier line had."""
NO_OBJECT = "(no object)"
UNTYPED = "(no type)"
BROKEN = "(broken)"
"""Counts a line that is not valid JSON."""


_LONGEST_TITLE = 1_000
_MOST_LEAVES = 1_000


class _Taker:
    """Takes the lines of one file, with the state of earlier readings."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def odd(self, line: Line, parsed: Parsed) -> Flaw | None:
        """What is wrong with a line besides its records."""
        if line.raw is None:
            message = f"Line too long to read ({line.size} bytes)."
            return Flaw(code="line-too-long", message=message, line=line.number)
        if parsed.problem is None:
            return None
        return Flaw(code="broken-line", message=parsed.problem, line=line.number)

    def state(self) -> tuple[Json, bytes]:
        """The state needed to resume."""
        return self._memory.state()


class Piece(_Taker):
    """Takes parsed lines in order, and returns what they contain."""

    def __init__(
        self,
        path: str,
        memory: Memory,
        titles: Iterable[TitleFound],
        has_file: Callable[[str], bool],
    ) -> None:
        """Takes `titles` from beside the file; `has_file` finds agents' transcripts."""
        super().__init__(memory)
        self._path, self._named = path, named(path)
        self._leaves = memory.leaves
        self._met = memory.met
        self._has_file = has_file
        self._messages: list[MessageFound | Reply] = []
        self._replies: dict[str, Reply] = {}
        self._titles = [*titles]
        self.counts: Counter[str] = Counter()

    def take(self, record: Record, line: Line, ordinal: int, *, sound: bool) -> bool:
        """Process one record of a line, which may have several."""
        del sound
        get = record.get
        uuid, kind = get("uuid"), get("type")
        if isinstance(uuid, str) and uuid:
            if not self._met.is_new(uuid):
                self.counts[DUPLICATE] += 1
                return True
            if self._leaves and uuid in self._leaves:
                text, at = self._leaves.pop(uuid)
                self._name(Rank.SUMMARY, text, At(at, 0, 0))
        if not isinstance(kind, str):
            self.counts[UNTYPED] += 1
            return True
        self.counts[kind] += 1
        if self._memory.session is None:
            self._memory.session = word(record, "sessionId")
        handle = _HANDLERS.get(kind, Piece.other)
        if handle:
            size, session = len(line.raw or b""), self._named.session
            handle(self, record, At(line.number, line.offset, size, session, ordinal))
        return True

    def odd(self, line: Line, parsed: Parsed) -> Flaw | None:
        """Count what is no record on a line; returns what is wrong with it."""
        records = sum(isinstance(value, dict) for value in parsed.values)
        self.counts[NO_OBJECT] += len(parsed.values) - records
        flaw = super().odd(line, parsed)
        self.counts[BROKEN] += flaw is not None
        return flaw

    def found(self) -> Findings:
        """The messages, in the order in which they started, and the session."""
        messages = tuple(
            message.found() if isinstance(message, Reply) else message
            for message in self._messages
        )
        own = self._named
        session = SessionFound(
            session=own.session if own.is_certain else self._memory.session,
            agent=own.agent,
            parent=self._parent(),
            titles=tuple(self._titles),
            lines=dict(+self.counts),
        )
        return Findings(messages=messages, sessions=(session,))

    def _parent(self) -> str | None:
        """The transcript that started this one, if this is an agent's."""
        session = self._memory.session
        if self._named.parent or not self._named.agent or not session:
            return self._named.parent
        return sibling(self._path, session)

    def assistant(self, record: Record, place: At) -> None:
        """Add a line of an assistant message."""
        key = reply_key(record, place)
        reply = self._replies.get(key)
        if reply is None:
            reply = self._replies[key] = Reply(key, record, place)
            self._messages.append(reply)
        reply.add(record, place)

    def user(self, record: Record, place: At) -> None:
        """Add a line of the user, which may name the session."""
        slug = record.get("slug")
        if slug and isinstance(slug, str):
            self._name(Rank.NICKNAME, slug, place)
        self.other(record, place)

    def other(self, record: Record, place: At) -> None:
        """Add a line that is a message by itself."""
        found = message_of(record, place)
        if found:
            self._messages.append(found)

    def progress(self, record: Record, place: At) -> None:
        """Add a message of a sub-agent that has no transcript."""
        data = record.get("data")
        if isinstance(data, dict) and data.get("type") == "agent_progress":
            agent = data.get("agentId")
            if isinstance(agent, str) and not self._has_file(agent):
                found = helper_message(record, data, agent, place)
                if found and self._met.is_new(found.key):
                    self._messages.append(found)

    def queue(self, record: Record, place: At) -> None:
        """Apply an operation on the queue of prompts."""
        found = operate(self._memory.queue, record, place)
        if found:
            self._messages.append(found)

    def title(self, record: Record, place: At) -> None:
        """Add a title."""
        rank, key = TITLES[str(record["type"])]
        text = record.get(key)
        if isinstance(text, str):
            self._name(rank, text, place)

    def summary(self, record: Record, place: At) -> None:
        """Add a summary, once the line that it is about is known."""
        text, leaf = record.get("summary"), record.get("leafUuid")
        if not isinstance(text, str) or not isinstance(leaf, str):
            return
        if leaf in self._met:
            self._name(Rank.SUMMARY, text, place)
        elif len(self._memory.leaves) < _MOST_LEAVES:
            self._memory.leaves[leaf] = [text[:_LONGEST_TITLE], place.line]

    def _name(self, rank: int, text: str, place: At) -> None:
        """Add a title, unless it repeats the previous one."""
        text = text.strip()[:_LONGEST_TITLE]
        if text and self._memory.titles.get(str(rank)) != text:
            self._memory.titles[str(rank)] = text
            self._titles.append(TitleFound(rank=rank, text=text, line=place.line))


_HANDLERS: dict[str, Callable[[Piece, Record, At], None] | None] = {
    **dict.fromkeys(COUNTED),
    "assistant": Piece.assistant,
    "user": Piece.user,
    "progress": Piece.progress,
    "queue-operation": Piece.queue,
    "summary": Piece.summary,
    **dict.fromkeys(TITLES, Piece.title),
}
"""What takes the lines of each type; None for those that are only counted."""


# One piece of the history of all prompts, which are often the only trace of a session.

_PASTED = re.compile(r"\[Pasted text #(\d+)[^\]]*\]")
_COMMAND = re.compile(r"/[\w:.-]+(?:\s|$)")


class Prompts(_Taker):
    """Takes parsed lines in order, and returns the prompts in them."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self._messages: list[MessageFound] = []
        self._conversations: list[ConversationFound] = []

    def take(self, record: Record, line: Line, ordinal: int, *, sound: bool) -> bool:
        """Process one record of a line, which may have several."""
        del sound
        place = At(line.number, line.offset, len(line.raw or b""), None, ordinal)
        at, text = instant(record.get("timestamp")), _prompt(record)
        session, project = word(record, "sessionId"), word(record, "project")
        key = session or self._unnamed(project or "", at, place)
        if self._memory.met.is_new(key):
            folder = folder_name(project) if project else None
            self._conversations.append(
                ConversationFound(key=key, session=session, cwd=project, project=folder)
            )
        self._messages.append(
            MessageFound(
                key=place.key,
                kind="command" if _COMMAND.match(text) else "prompt",
                line=place.line,
                text=text,
                role="user",
                at=at,
                offset=place.offset,
                extent=place.size,
                session=session,
                cwd=project,
                entries=1,
                conversation=key,
            )
        )
        return True

    def found(self) -> Findings:
        """The prompts, and the sessions that they belong to."""
        return Findings(
            messages=tuple(self._messages), conversations=tuple(self._conversations)
        )

    def _unnamed(self, project: str, at: Instant | None, place: At) -> str:
        """The key for a prompt without a session, by project and silence."""
        now = at.micros if at else None
        key, before = self._memory.typed.get(project, ("", None))
        is_far = now is not None and before is not None and now - before > USUAL.gap
        if not key or is_far:
            key = f"prompts{place.key}"
        self._memory.typed[project] = [key, before if now is None else now]
        return key


def _prompt(value: Record) -> str:
    """A prompt as typed, with the texts that were pasted into it."""
    pasted = value.get("pastedContents")
    texts = {
        key: text
        for key, one in (pasted.items() if isinstance(pasted, dict) else ())
        if isinstance(one, dict) and isinstance(text := one.get("content"), str)
    }
    shown = value.get("display")
    typed = shown if isinstance(shown, str) else ""
    whole = _PASTED.sub(lambda mark: texts.pop(mark[1], mark[0]), typed)
    return kept("\n\n".join(filter(None, (whole, *texts.values()))))


def prompt_passage(file: OpenFile, path: str, place: Place) -> Passage:
    """A prompt of the history; raises UnreadableError if it is gone."""
    for value, at in _values(file, place):
        if at.key == place.key:
            part: Record = {"type": "text", "text": _prompt(value)}
            fields = {key: value[key] for key in value if key != "display"}
            return Passage(parts=(part,), fields=fields)
    raise UnreadableError(f"{path} no longer has this prompt at line {place.line}.")


# Read a transcript in pieces, resuming where reading stopped.

_GLANCE = 8 * 1024
"""Bytes read first to check whether a file is a transcript at all."""


def read_transcript(
    file: OpenFile, since: Mark, taker_of: TakerOf, *, is_sure: bool
) -> Findings:
    """The piece after a mark; `is_sure` if the path shows what the file is."""
    past, anew = resumed(file, since)
    if not is_sure and not past.offset:
        ours = are_ours(split_lines(file, at_once=_GLANCE))
        if not ours:
            return replace(_foreign(file, is_certain=ours is False), anew=anew)
    return read_on(file, past, taker_of, anew=anew)


def _foreign(file: OpenFile, *, is_certain: bool) -> Findings:
    """The result for a file without any line of Claude Code.

    As long as there are few lines, later ones may still be.
    """
    message = "Not a Claude Code transcript; skipped."
    flaw = Flaw(code="no-transcript", message=message)
    if is_certain:
        return Findings(flaws=(flaw,))
    return Findings(tail=flaw if file.stamp.size else None)


# A message as in its lines, read from its file.

_PASSAGES_LONGEST = 64 * 1024 * 1024
"""Bytes read for one message."""


def passage(file: OpenFile, path: str, place: Place) -> Passage:
    """The message at a place; raises UnreadableError if it is gone."""
    found = (_of_message(*one, place.key) for one in _values(file, place))
    records = [record for record in found if record]
    if not records:
        raise UnreadableError(f"{path} no longer has the message at line {place.line}.")
    return Passage(parts=parts_of(records), fields=fields_of(records))


def _values(file: OpenFile, place: Place) -> Iterator[tuple[Record, At]]:
    """The records on the lines of a message."""
    end = place.offset + min(place.extent, _PASSAGES_LONGEST)
    for line in split_lines(file, place.offset, place.line):
        if line.offset >= end:
            return
        values = parse_json_read(line.raw).values if line.raw else ()
        for ordinal, value in enumerate(values):
            if isinstance(value, dict):
                yield value, At(line.number, line.offset, line.size, None, ordinal)


def _of_message(value: Record, at: At, key: str) -> Record | None:
    """The record of a value that belongs to the message; None for any other."""
    if value.get("type") == "queue-operation":
        return value if at.key == key else None
    if value.get("type") == "progress":
        carried = inner(inner(value, "data"), "message")
        return carried if key.startswith("agent:") and carried else None
    found = message_of(value, at)
    return value if found and found.key == key else None


# Sub-agents: which have their own transcript, and the facts about them.

_LARGEST_FACTS = 64 * 1024


class Agents:
    """The sub-agents of a store, looked up once."""

    def __init__(self, bases: Bases) -> None:
        self._bases = bases

    def has_file(self, agent: str) -> bool:
        """Whether an agent has its own transcript anywhere in the store."""
        return agent in self._all

    def titles(self, path: str) -> tuple[TitleFound, ...]:
        """The purpose of an agent, from the file beside its transcript."""
        beside = path[: -len(".jsonl")] + ".meta.json"
        try:
            raw = self._bases.read(beside, _LARGEST_FACTS)
        except UnreadableError:
            return ()
        for facts in parse_json_read(raw).values:
            name = text(facts, "description") if isinstance(facts, dict) else ""
            if name:
                return (TitleFound(rank=Rank.AGENT, text=name[:1000], line=0),)
        return ()

    @cached_property
    def _all(self) -> frozenset[str]:
        return frozenset(
            agent
            for root in self._bases.folders
            for entry in root.walk(depth=DEPTH)
            if isinstance(entry, Entry) and entry.name.endswith(".jsonl")
            if (agent := named(entry.path).agent)
        )


# Files beside the transcripts with information about them.

_LARGEST = 32 * 1024 * 1024
_LONGEST_TEXT = 1_000_000


def read_document(bases: Bases, source: Source) -> Findings:
    """Read a file beside the transcripts; raises UnreadableError."""
    raw = bases.read(source.path, _LARGEST)
    if source.role == INDEX:
        return _index(bases, source, raw)
    return (_agent_facts if source.role == AGENT_FACTS else _output)(source, raw)


def _index(bases: Bases, source: Source, raw: bytes) -> Findings:
    """The list of a project's sessions; some may be gone."""
    entries, about, flaws = _listed(raw)
    folder = source.path.rpartition("/")[0]
    gone = 0
    lines: list[str] = []
    for entry in entries:
        session = text(entry, "sessionId")
        path = f"{folder}/{session}.jsonl" if folder else f"{session}.jsonl"
        is_gone = not (session and any(has(root, path) for root in bases.folders))
        gone += is_gone
        words = text(entry, "summary") or text(entry, "firstPrompt")
        lines.append(f"{session}{' (gone)' if is_gone else ''} {words}".strip())
    facts = {"sessions": str(len(entries)), "gone": str(gone)}
    project = text(about, "originalPath") or next(
        filter(None, (text(entry, "projectPath") for entry in entries)), ""
    )
    if project:
        facts["project"] = project
    return _document("sessions-index.json", "\n".join(lines), "sessions", facts, flaws)


def _listed(raw: bytes) -> tuple[list[Record], Record, tuple[Flaw, ...]]:
    """The entries of a list of sessions, and its other facts."""
    about, problem = _first(raw)
    entries = about.get("entries")
    if problem or not isinstance(entries, list):
        message = f"Can't read the list of sessions. {problem or ''}".strip()
        return [], about, (Flaw(code="broken-index", message=message),)
    return [entry for entry in entries if isinstance(entry, dict)], about, ()


def _first(raw: bytes) -> tuple[Record, str | None]:
    """The map in a file, and what is wrong with it."""
    parsed = parse_json_read(raw)
    values, problem = parsed.values, parsed.problem
    return values[0] if values and isinstance(values[0], dict) else {}, problem


def _agent_facts(source: Source, raw: bytes) -> Findings:
    """The purpose and type of a sub-agent."""
    about, problem = _first(raw)
    facts = {key: value for key, value in about.items() if isinstance(value, str)}
    flaws = (Flaw(code="broken-facts", message=problem),) if problem else ()
    agent = named(source.path.removesuffix(".meta.json")).agent
    title = text(about, "description") or agent or source.path
    return _document(title, text(about, "description"), "subagents", facts, flaws)


def _output(source: Source, raw: bytes) -> Findings:
    """The output of a tool that was too long for its transcript."""
    name = source.path.rpartition("/")[2]
    facts = {"bytes": str(source.stamp.size)}
    return _document(name, raw.decode(errors="replace"), "tool-results", facts)


def _document(
    title: str,
    said: str,
    category: str,
    facts: dict[str, str],
    flaws: tuple[Flaw, ...] = (),
) -> Findings:
    told: dict[str, Value] = {**facts}
    document = DocumentFound(
        title=title[:200],
        role="document",
        text=said[:_LONGEST_TEXT],
        category=category,
        facts=told,
    )
    return Findings(documents=(document,), flaws=flaws)


# A file by its role.


class TranscriptsReader:
    """Reads the files of one store."""

    def __init__(self, bases: Bases) -> None:
        self._bases = bases
        self._agents = Agents(bases)

    def read(self, source: Source, since: Mark = START) -> Findings:
        """Read one source, a transcript from a mark on; never raises for content."""
        try:
            if source.role in GROWING:
                return self._transcript(source, since)
            return read_document(self._bases, source)
        except UnreadableError as error:
            return Findings(flaws=(not_read(error),), mark=since)

    def passage(self, source: Source, place: Place) -> Passage:
        """A whole message, read from its file."""
        read = prompt_passage if source.role == HISTORY_ROLE else passage
        with self._bases.opened(source.path) as file:
            return read(file, source.path, place)

    def _transcript(self, source: Source, since: Mark) -> Findings:
        path, is_history = source.path, source.role == HISTORY_ROLE
        titles = self._agents.titles(path) if named(path).agent else ()

        def taker_of(state: Json, raw: bytes) -> Taker:
            memory = Memory.of(state, raw)
            if is_history:
                return Prompts(memory)
            return Piece(path, memory, titles, self._agents.has_file)

        is_sure = is_history or source.role == JOURNAL
        with self._bases.opened(path) as file:
            return read_transcript(file, since, taker_of, is_sure=is_sure)
