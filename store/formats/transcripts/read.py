"""Read a transcript piece by piece, resuming where reading stopped."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import orjson
from msgspec import Struct, field
from msgspec.structs import asdict, replace

from store.derive.conversations import USUAL
from store.derive.paths import folder_name
from store.errors import UnreadableError
from store.files.beneath import OpenFile
from store.files.json_read import PIECE, Line, seal, split_lines
from store.files.json_read import parse as parse_json_read
from store.findings import (
    START,
    ConversationFound,
    Findings,
    Flaw,
    Json,
    Mark,
    MessageFound,
    Rank,
    SessionFound,
    Severity,
    TitleFound,
)
from store.formats.port import Passage, Place
from store.formats.transcripts.format import Named, are_ours, sibling
from store.times import Instant, parse
from store.transcript.blocks import (
    COUNTED,
    NOTIFICATIONS,
    Record,
    fields_of,
    inner,
    kept,
    parts_of,
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

    number: int = 1
    """The number of the line that starts at the mark."""
    done: int = 0
    """The values of that line read already, as it had no newline yet."""
    until: int = 0
    """The byte after the last value read."""
    seal: int = 0
    """The checksum of what was read: the same if the file was only appended to."""
    session: str | None = None
    """The session in the first lines."""
    flaws: int = 0
    """The number of flaws reported."""
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

    def as_bytes(self) -> bytes:
        """For a mark; the json module escapes lone surrogates, which orjson refuses."""
        plain = asdict(self)
        del plain["met"]
        return json.dumps(plain).encode() + b"\n" + self.met.as_bytes()

    @classmethod
    def of(cls, raw: bytes) -> "Memory":
        """The state from a mark; a new one if the mark is invalid."""
        plain, _, met = raw.partition(b"\n")
        try:
            return cls(**json.loads(plain), met=Met(met))
        except (ValueError, TypeError):
            return cls()


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

_LONGEST_TITLE = 1_000
_MOST_LEAVES = 1_000


class Piece:
    """Takes parsed lines in order, and returns what they contain."""

    def __init__(
        self, named: Named, memory: Memory, has_file: Callable[[str], bool]
    ) -> None:
        """`has_file` returns whether an agent has its own transcript."""
        self._named = named
        self._memory = memory
        self._leaves = memory.leaves
        self._met = memory.met
        self._has_file = has_file
        self._messages: list[MessageFound | Reply] = []
        self._replies: dict[str, Reply] = {}
        self._titles: list[TitleFound] = []
        self.counts: Counter[str] = Counter()

    def take(self, value: Json, line: Line, ordinal: int) -> None:
        """Process one value of a line, which may have several."""
        if not isinstance(value, dict):
            self.counts[NO_OBJECT] += 1
            return
        get = value.get
        uuid, kind = get("uuid"), get("type")
        if isinstance(uuid, str) and uuid:
            if not self._met.is_new(uuid):
                self.counts[DUPLICATE] += 1
                return
            if self._leaves and uuid in self._leaves:
                text, at = self._leaves.pop(uuid)
                self._name(Rank.SUMMARY, text, At(at, 0, 0))
        if not isinstance(kind, str):
            self.counts[UNTYPED] += 1
            return
        self.counts[kind] += 1
        if self._memory.session is None:
            self._memory.session = word(value, "sessionId")
        handle = _HANDLERS.get(kind, Piece.other)
        if handle:
            number, offset, _, raw, _ = line
            session = self._named.session
            handle(self, value, At(number, offset, len(raw or b""), session, ordinal))

    def found(self, parent: str | None, titles: tuple[TitleFound, ...]) -> Findings:
        """The messages, in the order in which they started, and the session."""
        messages = tuple(
            message.found() if isinstance(message, Reply) else message
            for message in self._messages
        )
        return Findings(messages=messages, sessions=(self._told(parent, titles),))

    def _told(self, parent: str | None, titles: tuple[TitleFound, ...]) -> SessionFound:
        """The facts about the transcript in these lines, and titles from beside it."""
        return SessionFound(
            session=self._session(),
            agent=self._named.agent,
            parent=parent,
            titles=(*titles, *self._titles),
            lines=dict(self.counts),
        )

    def _session(self) -> str | None:
        """The session in the file name, or else the one in the lines."""
        known = self._named.is_certain
        return self._named.session if known else self._memory.session

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


class Prompts:
    """Takes parsed lines in order, and returns the prompts in them."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._messages: list[MessageFound] = []
        self._conversations: list[ConversationFound] = []
        self.counts: Counter[str] = Counter()

    def take(self, value: Json, line: Line, ordinal: int) -> None:
        """Process one value of a line, which may have several."""
        if not isinstance(value, dict):
            return
        place = At(line.number, line.offset, len(line.raw or b""), None, ordinal)
        at, text = instant(value.get("timestamp")), _prompt(value)
        session, project = word(value, "sessionId"), word(value, "project")
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

    def found(self, _parent: str | None, _titles: tuple[TitleFound, ...]) -> Findings:
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
    for line in split_lines(file, place.offset, place.line):
        for ordinal, value in enumerate(parse_json_read(line.raw or b"").values):
            at = At(line.number, line.offset, line.size, None, ordinal)
            if isinstance(value, dict) and at.key == place.key:
                return Passage(
                    parts=({"type": "text", "text": _prompt(value)},),
                    fields={key: value[key] for key in value if key != "display"},
                )
        break
    raise UnreadableError(f"{path} no longer has this prompt at line {place.line}.")


# Read a transcript in pieces, resuming where reading stopped.

BROKEN = "(broken)"
"""Counts a line that is not valid JSON."""

_GLANCE = 8 * 1024
"""Bytes read first to check whether a file is a transcript at all."""

_MOST_FLAWS = 100
"""The most lines per file that are reported as flaws."""


AnyPiece = Piece | Prompts


class Reader:
    """Reads one piece of one transcript, or of the history of prompts."""

    def __init__(
        self,
        file: OpenFile,
        path: str,
        named: Named,
        titles: tuple[TitleFound, ...],
        has_file: Callable[[str], bool],
    ) -> None:
        """Takes `titles` from beside the file; `has_file` finds agents' transcripts."""
        self._file = file
        self._path = path
        self._named = named
        self._titles = titles
        self._has_file = has_file
        self._flaws: list[Flaw] = []
        self._tail: Flaw | None = None

    def read(self, since: Mark, *, is_sure: bool, is_history: bool = False) -> Findings:
        """The piece after a mark; `is_sure` if the path shows what the file is."""
        memory = Memory.of(since.memory)
        anew = bool(since.memory) and memory.seal != seal(self._file, memory.until)
        if anew or not since.memory:
            since, memory = START, Memory()
        if not is_sure and not since.offset:
            ours = are_ours(split_lines(self._file, at_once=_GLANCE))
            if not ours:
                return self._foreign(is_certain=ours is False, anew=anew)
        piece = Piece(self._named, memory, self._has_file)
        taking = Prompts(memory) if is_history else piece
        return self._piece(since.offset, memory, taking, anew=anew)

    def _piece(
        self, start: int, memory: Memory, piece: AnyPiece, *, anew: bool
    ) -> Findings:
        end, more = start, False
        memory.until = start
        for line in split_lines(self._file, start, memory.number):
            if end - start >= PIECE:
                more = True
                break
            number, offset, size, _, ended = line
            if not ended:
                if self._has_taken_last(line, piece, memory):
                    end = offset
                break
            self._line(line, piece, memory)
            end = memory.until = offset + size
            memory.number = number + 1
            if memory.done:
                memory.done = 0
        memory.seal = seal(self._file, memory.until)
        return replace(
            piece.found(self._parent(memory), self._titles),
            flaws=tuple(self._flaws),
            tail=self._tail,
            mark=Mark(end, memory.as_bytes()),
            more=more,
            anew=anew,
        )

    def _line(self, line: Line, piece: AnyPiece, memory: Memory) -> None:
        """Process a line with a newline."""
        raw = line.raw
        if raw is None:
            message = f"Line too long to read ({line.size} bytes)."
            self._flaw("line-too-long", message, line, piece, memory)
            return
        try:
            value = orjson.loads(raw)
        except orjson.JSONDecodeError:
            self._odd(raw, line, piece, memory)
            return
        if not memory.done:
            piece.take(value, line, 0)

    def _odd(self, raw: bytes, line: Line, piece: AnyPiece, memory: Memory) -> None:
        """Process a line that is not one plain value, as far as it is readable."""
        values, problem = parse_json_read(raw)
        if problem:
            self._flaw("broken-line", problem, line, piece, memory)
        for ordinal in range(memory.done, len(values)):
            piece.take(values[ordinal], line, ordinal)

    def _has_taken_last(self, line: Line, piece: AnyPiece, memory: Memory) -> bool:
        """Process a line without a newline, if it is complete anyway."""
        values, problem = parse_json_read(line.raw) if line.raw else ((), "Too long.")
        if problem or not all(isinstance(value, dict) for value in values):
            message = "The last line is still being written."
            note = Severity.NOTE
            self._tail = Flaw(
                code="unfinished-line", message=message, severity=note, line=line.number
            )
            return False
        for ordinal in range(memory.done, len(values)):
            piece.take(values[ordinal], line, ordinal)
        memory.number, memory.done = line.number, len(values)
        memory.until = line.offset + line.size
        return True

    def _flaw(
        self,
        code: str,
        message: str,
        line: Line,
        piece: AnyPiece,
        memory: Memory,
    ) -> None:
        """Report what is wrong with a line, up to a limit."""
        piece.counts[BROKEN] += 1
        memory.flaws += 1
        if memory.flaws > _MOST_FLAWS + 1:
            return
        if memory.flaws > _MOST_FLAWS:
            message = "More such lines follow; they are only counted."
        self._flaws.append(Flaw(code=code, message=message, line=line.number))

    def _foreign(self, *, is_certain: bool, anew: bool) -> Findings:
        """The result for a file without any line of Claude Code.

        As long as there are few lines, later ones may still be.
        """
        if not self._file.stamp.size:
            return Findings(anew=anew)
        message = "Not a Claude Code transcript; skipped."
        flaw = Flaw(code="no-transcript", message=message)
        if is_certain:
            return Findings(flaws=(flaw,), anew=anew)
        return Findings(tail=flaw, anew=anew)

    def _parent(self, memory: Memory) -> str | None:
        """The transcript that started this one, if this is an agent's."""
        if self._named.parent or not self._named.agent or not memory.session:
            return self._named.parent
        return sibling(self._path, memory.session)


# A message as in its lines, read from its file.

_PASSAGES_LONGEST = 64 * 1024 * 1024
"""Bytes read for one message."""


def passage(file: OpenFile, path: str, place: Place) -> Passage:
    """The message at a place; raises UnreadableError if it is gone."""
    records = list(_records(file, place))
    if not records:
        raise UnreadableError(f"{path} no longer has the message at line {place.line}.")
    return Passage(parts=parts_of(records), fields=fields_of(records))


def _records(file: OpenFile, place: Place) -> Iterator[Record]:
    """The values of a message, each with its envelope."""
    end = place.offset + min(place.extent, _PASSAGES_LONGEST)
    for line in split_lines(file, place.offset, place.line):
        if line.offset >= end:
            return
        for ordinal, value in enumerate(
            parse_json_read(line.raw).values if line.raw else ()
        ):
            if isinstance(value, dict):
                at = At(line.number, line.offset, line.size, None, ordinal)
                record = _of_message(value, at, place.key)
                if record:
                    yield record


def _of_message(value: Record, at: At, key: str) -> Record | None:
    """The record of a value that belongs to the message; None for any other."""
    if value.get("type") == "queue-operation":
        return value if at.key == key else None
    if value.get("type") == "progress":
        carried = inner(inner(value, "data"), "message")
        return carried if key.startswith("agent:") and carried else None
    found = message_of(value, at)
    return value if found and found.key == key else None
