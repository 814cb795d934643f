"""Messages assembled from the lines of a transcript."""

from array import array
from bisect import bisect_left
from collections.abc import Collection
from hashlib import blake2b

from msgspec import Struct
from msgspec.structs import replace

from store.findings import (
    Json,
    MessageFound,
    Rank,
    Tokens,
    Write,
    with_thoughts,
    without_thoughts,
)
from store.times import Instant, parse
from store.transcript import blocks

# The position of a line, and the fields that every message takes from its line.

_LONGEST_PATH = 4096


class At(Struct, frozen=True, gc=False):
    """The position of a line, and defaults for fields it does not have."""

    line: int
    """Its line number."""
    offset: int
    """The offset of its first byte."""
    size: int
    """Its size in bytes."""
    session: str | None = None
    """The session that the file is named after."""
    ordinal: int = 0
    """The index of the value on the line."""

    @property
    def key(self) -> str:
        """The key of a record that has no identifier."""
        return f"@{self.offset}.{self.ordinal}" if self.ordinal else f"@{self.offset}"


Envelope = tuple[str | None, str | None, str | None, str | None, str | None]
"""The fields of a line besides its message: uuid, parent, session, folder, branch."""


def envelope(record: blocks.Record) -> Envelope:
    """The fields of a line besides its message; None for missing or invalid ones.

    Called for every message, so each value is checked inline for speed.
    """
    get = record.get
    uuid, parent, session = get("uuid"), get("parentUuid"), get("sessionId")
    cwd, branch = get("cwd"), get("gitBranch")
    return (
        uuid if isinstance(uuid, str) and 0 < len(uuid) <= blocks.LONGEST_ID else None,
        parent
        if isinstance(parent, str) and 0 < len(parent) <= blocks.LONGEST_ID
        else None,
        session
        if isinstance(session, str) and len(session) <= blocks.LONGEST_ID
        else None,
        cwd if isinstance(cwd, str) and 0 < len(cwd) <= _LONGEST_PATH else None,
        branch
        if isinstance(branch, str) and 0 < len(branch) <= blocks.LONGEST_ID
        else None,
    )


def instant(value: Json) -> Instant | None:
    """The time when a line was written; None if missing."""
    if isinstance(value, str):
        return parse(value) if 0 < len(value) <= blocks.LONGEST_ID else None
    if type(value) is int or type(value) is float:
        return parse(value)
    return None


# The token usage of an API message, which each of its lines repeats.

SYNTHETIC = "<synthetic>"
"""The model name of messages that no model wrote."""
_MOST = 2**53


def tokens_of(message: blocks.Record, known: Tokens | None = None) -> Tokens | None:
    """The usage of a message according to this line and earlier ones; None if zero.

    The lines count up, so the greater of two numbers is right.
    """
    usage = message.get("usage")
    if not isinstance(usage, dict) or message.get("model") == SYNTHETIC:
        return known
    told = (
        usage.get("input_tokens"),
        usage.get("output_tokens"),
        usage.get("cache_read_input_tokens"),
        usage.get("cache_creation_input_tokens"),
    )
    if told == known:
        return known
    found = Tokens(*map(_count, told))
    return most(known, found if any(found) else None)


def most(first: Tokens | None, second: Tokens | None) -> Tokens | None:
    """The usage of a message, given by two of its parts."""
    if first is None or second is None or first == second:
        return first or second
    return Tokens(*map(max, first, second))


def _count(value: Json) -> int:
    return value if type(value) is int and 0 < value < _MOST else 0


# The lines that give a transcript a name.

TITLES = {
    "custom-title": (Rank.CUSTOM, "customTitle"),
    "ai-title": (Rank.WRITTEN, "aiTitle"),
    "agent-name": (Rank.AGENT, "agentName"),
}
"""By line type: the rank of the name, and the field that holds it."""


# An API message, assembled from its lines.

KINDS = ("other", "thinking", "tool_use", "reply")
"""The kinds of assistant messages, ascending; the highest among its lines decides."""

_THINKING, _TOOL_USE, _REPLY = 1, 2, 3


class Reply:
    """A message being assembled; lines of other messages may be in between.

    Stores only what it needs of a line: holding a hundred thousand whole lines would
    take longer than reading them.
    """

    __slots__ = (
        "_began",
        "_calls",
        "_end",
        "_entries",
        "_envelope",
        "_key",
        "_kind",
        "_last",
        "_model",
        "_place",
        "_says",
        "_thinks",
        "_tokens",
        "_tools",
        "_writes",
    )

    def __init__(self, key: str, record: blocks.Record, place: At) -> None:
        """Start a message with its first line, which must also be passed to `add`."""
        self._key = key
        self._place = place
        self._envelope = envelope(record)
        self._began: Json = None
        self._last: Json = None
        self._end = 0
        self._kind = 0
        self._model: str | None = None
        self._tokens: Tokens | None = None
        self._entries = 0
        self._says: list[str] = []
        self._thinks: list[str] = []
        self._tools: tuple[str, ...] = ()
        self._calls: tuple[str, ...] = ()
        self._writes: tuple[Write, ...] = ()

    def add(self, record: blocks.Record, place: At) -> None:
        """Add one of its lines, including the first."""
        self._end = place.offset + place.size
        moment = record.get("timestamp")
        if moment:
            self._began = self._began or moment
            self._last = moment
        message = record.get("message")
        if not isinstance(message, dict):
            return
        model = message.get("model")
        if isinstance(model, str) and model:
            self._model = model
        self._tokens = tokens_of(message, self._tokens)
        if self._content(message.get("content")) and message.get("role") == "assistant":
            self._entries += not record.get("isSidechain")

    def found(self) -> MessageFound:
        """The message, from the lines added so far."""
        uuid, parent, session, cwd, branch = self._envelope
        place = self._place
        at = instant(self._began)
        until = None if self._last == self._began else instant(self._last)
        kind, says = KINDS[self._kind], "\n\n".join(self._says)
        return MessageFound(
            key=self._key,
            kind=kind,
            line=place.line,
            text=with_thoughts(kind, says, "\n\n".join(self._thinks)),
            role="assistant",
            at=at,
            until=None if until == at else until,
            offset=place.offset,
            extent=self._end - place.offset,
            uuid=uuid,
            parent=parent,
            session=session or place.session,
            cwd=cwd,
            branch=branch,
            model=self._model,
            tokens=self._tokens,
            tools=self._tools,
            calls=self._calls,
            writes=self._writes,
            entries=self._entries,
        )

    def _content(self, content: Json) -> bool:
        """Add the content of a line; return whether spec 004 saves the line for it."""
        if isinstance(content, str):
            return self._text(content)
        tells = False
        if isinstance(content, list):
            for block in content:
                if isinstance(block, dict) and self._block(block):
                    tells = True
        return tells

    def _block(self, block: blocks.Record) -> bool:
        kind = block.get("type")
        if kind == "tool_use":
            return self._call(block)
        if kind == "text":
            words = block.get("text")
            return self._text(words) if isinstance(words, str) else False
        if isinstance(kind, str):
            self._aside(kind, block)
        return False

    def _aside(self, kind: str, block: blocks.Record) -> None:
        """Add a block that is neither text nor a tool call."""
        if kind not in {"thinking", "redacted_thinking"}:
            self._says.append(f"[{blocks.kept(kind[:40])}]")
            return
        self._kind = self._kind or _THINKING
        words = block.get("thinking")
        if isinstance(words, str) and words:
            self._thinks.append(blocks.kept(words))

    def _text(self, words: str) -> bool:
        if words:
            self._kind = _REPLY
            self._says.append(blocks.kept(words))
        return bool(words) and not words.isspace()

    def _call(self, block: blocks.Record) -> bool:
        name = blocks.tool_name(block)
        given = block.get("id")
        call = given if isinstance(given, str) else ""
        self._kind = self._kind if self._kind == _REPLY else _TOOL_USE
        self._says.append(blocks.call_line(name or "tool_use", block))
        self._tools += (name or "",)
        self._calls += (call,)
        path = blocks.written(name, block) if name else None
        if path:
            self._writes += (Write(path, call),)
        return bool(name)


# Join the parts of a message.


def join(first: MessageFound, second: MessageFound) -> MessageFound:
    """The message made of two parts, the earlier one first; associative."""
    until = second.until or second.at or first.until
    at = first.at or second.at
    kind = _better(first.kind, second.kind)
    return replace(
        first,
        kind=kind,
        text=_text(kind, first, second),
        at=at,
        until=until if until != at else None,
        extent=second.offset + second.extent - first.offset,
        model=second.model or first.model,
        tokens=most(first.tokens, second.tokens),
        tools=first.tools + second.tools,
        calls=first.calls + second.calls,
        answers=first.answers + second.answers,
        errors=first.errors + second.errors,
        writes=first.writes + second.writes,
        entries=first.entries + second.entries,
        is_compaction=first.is_compaction or second.is_compaction,
        is_queued=first.is_queued or second.is_queued,
    )


def _better(first: str, second: str) -> str:
    """The kind of the whole; a kind that is not an assistant's stays unchanged."""
    if first in KINDS and second in KINDS:
        return max(first, second, key=KINDS.index)
    return first


def _text(kind: str, first: MessageFound, second: MessageFound) -> str:
    one = without_thoughts(first.kind, first.text)
    other = without_thoughts(second.kind, second.text)
    pairs = zip(one, other, strict=True)
    says, thinks = ("\n\n".join(filter(None, pair)) for pair in pairs)
    return with_thoughts(kind, says, thinks)


# Messages of a single line: what people typed, tools answered and programs wrote.


def user_message(record: blocks.Record, place: At) -> MessageFound:
    """The message of a `user` line; few of them were typed by a person."""
    message = blocks.inner(record, "message")
    content = message.get("content")
    if not isinstance(content, (str, list)):
        return _found(record, place, "other", "")
    if not isinstance(content, str) and blocks.brings_results(content):
        return _results(record, place, content)
    kind = blocks.user_kind(record, content)
    words = blocks.spoken(content)
    if kind == "prompt":
        kind, words = _prompt(words)
    typed = message.get("role") == "user" and _says_something(content)
    is_entry = typed and not (record.get("isMeta") or record.get("isSidechain"))
    return _found(record, place, kind, words, "user", entries=int(is_entry))


def system_message(record: blocks.Record, place: At) -> MessageFound | None:
    """The message of a system line; None for mere statistics."""
    kind = blocks.system_kind(record)
    if kind is None:
        return None
    boundary = record.get("subtype") == "compact_boundary"
    words = blocks.system_text(record)
    return _found(record, place, kind, words, "system", is_compaction=boundary)


def attachment_message(record: blocks.Record, place: At) -> MessageFound:
    """The message of an attachment: words typed meanwhile, or other data."""
    attachment = blocks.inner(record, "attachment")
    kind, words = blocks.attachment_kind(attachment), blocks.attachment_text(attachment)
    return _found(record, place, kind, words, "user" if kind == "prompt" else "system")


def other_message(record: blocks.Record, place: At) -> MessageFound:
    """A generic message for an unknown type of line."""
    return _found(record, place, "other", blocks.other_text(record))


def _prompt(words: str) -> tuple[str, str]:
    """The typed words without what a program put before them; else `meta`, `other`."""
    typed = blocks.without_asides(words)
    if typed:
        return "prompt", typed
    return ("meta", words) if words else ("other", "")


def _results(record: blocks.Record, place: At, content: list[Json]) -> MessageFound:
    """The message with the answers of tools."""
    answers: list[str] = []
    words: list[str] = []
    errors = 0
    for block in content:
        words.append(blocks.block_text(block))
        if isinstance(block, dict) and block.get("type") == "tool_result":
            call = block.get("tool_use_id")
            answers.append(call if isinstance(call, str) else "")
            errors += block.get("is_error") is True
    return _found(
        record,
        place,
        "tool_result",
        words[0] if len(words) == 1 else "\n\n".join(filter(None, words)),
        "user",
        answers=tuple(answers),
        errors=errors,
    )


def _says_something(content: str | list[Json]) -> bool:
    """Whether there is any non-blank text."""
    if isinstance(content, str):
        return bool(content.strip())
    for block in content:
        if isinstance(block, dict) and block.get("type") == "text":
            words = block.get("text")
            if isinstance(words, str) and words.strip():
                return True
    return False


def _found(  # noqa: PLR0913 - what the kinds of messages differ in
    record: blocks.Record,
    place: At,
    kind: str,
    words: str,
    role: str | None = None,
    *,
    answers: tuple[str, ...] = (),
    errors: int = 0,
    entries: int = 0,
    is_compaction: bool = False,
) -> MessageFound:
    uuid, parent, session, cwd, branch = envelope(record)
    return MessageFound(
        key=uuid or place.key,
        kind=kind,
        line=place.line,
        text=words,
        role=role,
        at=instant(record.get("timestamp")),
        offset=place.offset,
        extent=place.size,
        uuid=uuid,
        parent=parent,
        session=session or place.session,
        cwd=cwd,
        branch=branch,
        answers=answers,
        errors=errors,
        entries=entries,
        is_compaction=is_compaction,
        is_failure=0 < len(answers) <= errors,
    )


# Turn a line into the message it forms, or a part of one.

_MAKERS = {
    "user": user_message,
    "system": system_message,
    "pr-link": system_message,
    "frame-link": system_message,
    "attachment": attachment_message,
}


def message_of(record: blocks.Record, place: At) -> MessageFound | None:
    """The message of a line; None if it has none.

    If several lines form a message, this is the part in this line; join parts with the
    same key.
    """
    kind = record.get("type")
    if not isinstance(kind, str) or kind in blocks.COUNTED:
        return None
    if kind == "assistant":
        part = Reply(reply_key(record, place), record, place)
        part.add(record, place)
        return part.found()
    return _MAKERS.get(kind, other_message)(record, place)


def reply_key(record: blocks.Record, place: At) -> str:
    """The key shared by all lines of one assistant message."""
    return (
        blocks.word(blocks.inner(record, "message"), "id")
        or blocks.word(record, "uuid")
        or place.key
    )


# The identifiers of lines: of several lines with the same one, the first counts.

_UUID_LENGTH, _UUID_BYTES = 36, 16


class Numbers:
    """Numbers in order, eight bytes each: a set of them would take ten times that."""

    def __init__(self, raw: bytes = b"") -> None:
        """What `as_bytes` gave before."""
        self._sorted = array("Q", raw)

    def __contains__(self, number: int) -> bool:
        place = bisect_left(self._sorted, number)
        return place < len(self._sorted) and self._sorted[place] == number

    def add(self, numbers: set[int]) -> None:
        """Take in some more."""
        joined = [*self._sorted, *sorted(numbers)]
        joined.sort()  # two runs that are in order: that is but a merge
        self._sorted = array("Q", joined)

    def as_bytes(self) -> bytes:
        """For a mark."""
        return self._sorted.tobytes()


class Met:
    """The identifiers that were met, in this piece of a file and in those before."""

    def __init__(self, raw: bytes = b"") -> None:
        """What `as_bytes` gave before."""
        self._before = Numbers(raw)
        self._has_before = bool(raw)
        self._here: set[str] = set()

    def __contains__(self, identifier: str) -> bool:
        if identifier in self._here:
            return True
        return self._has_before and number_of(identifier) in self._before

    def is_new(self, identifier: str) -> bool:
        """Whether it was not met before; it is from now on."""
        here = self._here
        if identifier in here or (self._has_before and identifier in self):
            return False
        here.add(identifier)
        return True

    def as_bytes(self) -> bytes:
        """For a mark."""
        self._before.add(numbered(self._here))
        return self._before.as_bytes()


def numbered(identifiers: Collection[str]) -> set[int]:
    """Identifiers as numbers of 64 bits; all at once is ten times as fast."""
    regular = [one for one in identifiers if len(one) == _UUID_LENGTH]
    try:
        raw = bytes.fromhex("".join(regular).replace("-", ""))
    except ValueError:
        return {number_of(one) for one in identifiers}
    if len(regular) < len(identifiers) or len(raw) != _UUID_BYTES * len(regular):
        return {number_of(one) for one in identifiers}
    halves = array("Q", raw)
    return {one ^ other for one, other in zip(halves[::2], halves[1::2], strict=True)}


def number_of(identifier: str) -> int:
    """A number of 64 bits that no other identifier has.

    Both halves of a UUID go into it, as time-based ones share a half on a machine.
    """
    if len(identifier) == _UUID_LENGTH:
        try:
            raw = bytes.fromhex(identifier.replace("-", ""))
        except ValueError:
            raw = b""
        if len(raw) == _UUID_BYTES:
            one, other = array("Q", raw)
            return one ^ other
    text = identifier.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest())
