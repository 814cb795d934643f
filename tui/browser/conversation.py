"""A conversation in the reader: messages and calls as entries."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from msgspec import Struct, field
from msgspec.structs import replace

from store.answers.conversations import (
    Call,
    Order,
    Outcome,
    Said,
    Written,
    apart,
    call_of,
)
from store.errors import RecollectError
from store.findings import Json
from store.kinds.conversations import Conversation
from store.kinds.messages import Message
from store.library import Library, Page
from store.search.tree import All, Either, Named, Node, texts
from tui.browser.bars import counted
from tui.output.record import lines_of_value
from tui.output.text import compact, lasted, sized
from widgets.memory_table import code
from widgets.page import Body, Joined, Markdown, Plain
from widgets.text import Run, Target
from widgets.transcript import Told, blank, call, division, folded, silence, speaker
from widgets.transcript_layout import (
    CALL,
    FAILED,
    GUIDE,
    MARK,
    NOTE,
    SAID,
    THOUGHT,
    Code,
    Diff,
    Entry,
    Indented,
    Output,
    Part,
)

# Times in transcripts.

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def spelt(micros: int) -> str:
    """A time to the minute; empty if it is out of the calendar's range."""
    try:
        return (_EPOCH + timedelta(microseconds=micros)).strftime("%Y-%m-%d %H:%M")
    except OverflowError:
        return ""


# An unfolded call: its arguments and its result.

_SHELLS = {"Bash": "bash", "PowerShell": "powershell"}

_TOLD = frozenset(
    {"command", "file_path", "old_string", "new_string", "edits", "content"}
)
"""Arguments that the command or the diff already shows."""


_PATHS = frozenset({"file_path"})
"""Arguments that the folded line already shows."""


def unfolded(part: Part, call: Call) -> Part:
    """The part of a call, with all its details."""
    body = Indented(Joined(*_bodies(call)), GUIDE)
    return replace(part, body=body, is_whole=True, text=text_of(call))


def failed(part: Part, why: str) -> Part:
    """The part of a call whose details cannot be read, with the reason."""
    body = part.body or Plain("")
    told = Joined(body, Indented(Output(why, "error_type"), GUIDE))
    return replace(part, body=told, is_whole=True)


def text_of(call: Call) -> str:
    """The text that is copied for a call: its arguments and its result."""
    given = call.command or "\n".join(_given(call.given, frozenset()))
    told, complaint = call.outputs
    return "\n".join(filter(None, (given, told, complaint)))


def _bodies(call: Call) -> Iterator[Body]:
    diff = call.diff
    if call.command:
        yield Code(call.command, _SHELLS.get(call.name, "bash"))
    without = _TOLD if call.command or diff else _PATHS
    given = list(_given(call.given, without))
    if given:
        yield Plain("\n".join(given))
    if diff:
        yield Diff(diff)
    if not diff or call.has_failed:
        yield from _answer(call)


def _answer(call: Call) -> Iterator[Body]:
    """The result of a call; errors are highlighted."""
    told, complaint = call.outputs
    if told:
        yield Output(told, "error_type" if call.has_failed else "")
    if complaint:
        yield Output(complaint, "error_type")
    for size in call.pictures:
        yield Plain(f"picture, {sized(size)}")


def _given(given: Mapping[str, Json], without: frozenset[str]) -> Iterator[str]:
    """The arguments of a call, one or more lines each."""
    for name, value in given.items():
        if name not in without:
            yield from (line.text for line in lines_of_value(name, value))


# The parts of a message: thoughts, text, calls and the rest.

AGENT = "agent"
"""The kind of target for a call that started a sub-agent."""

_STARTING = frozenset({"Agent", "Task"})
"""Tools that start sub-agents."""

_USED = "[Used tools: {}]"
"""How stores that save only tool names write them into a message."""

_HELPING = {"meta": "asked", "reply": "says", "tool_result": "↳"}
"""Short words for the messages of a sub-agent."""

_ASKED = Run("▎ ", "edge")
_SHORT = 60
"""Characters up to which an aside is not folded."""


def parts_of(said: Said, cwd: str | None) -> tuple[Part, ...]:
    """The parts of a message, in chronological order."""
    if said.agent is not None:
        return (_helper(said),)
    words, lines = apart(said.text, said.tools)
    used = _USED.format(", ".join(said.tools))
    if not lines and said.tools and words.endswith(used):
        words = words.removesuffix(used).rstrip()
        return (*_thought(said), *_words(said, words), *_named(said))
    return (*_thought(said), *_words(said, words), *_calls(said, lines, cwd))


def marks_of(written: Sequence[Written]) -> tuple[Part, ...]:
    """Links to the memories that a message wrote."""
    return tuple(
        Part(
            f"wrote {one.ref}",
            MARK,
            folded(_mark(one)),
            target=Target("ref", one.ref),
            text=one.title,
        )
        for one in written
    )


def _mark(written: Written) -> Told:
    letters, tone = code(written.type)
    return Told(
        f"wrote {letters}",
        written.title,
        sign="→ ",
        sign_tone="arrow",
        tone=tone,
        can_fold=False,
        leads=True,
    )


def _thought(said: Said) -> Iterator[Part]:
    """The thoughts of a message; a placeholder if they are hidden."""
    if said.thoughts:
        words = compact(len(said.thoughts.split()))
        told = Told("thinking", asides=(f"{words} words",), sign="∴ ")
        body = Indented(Markdown(said.thoughts), GUIDE)
        yield Part("thoughts", THOUGHT, folded(told), body, text=said.thoughts)
    elif said.kind == "thinking":
        told = Told("thinking", asides=("hidden",), sign="∴ ", can_fold=False)
        yield Part("thoughts", THOUGHT, folded(told))


def _helper(said: Said) -> Part:
    """A message of a sub-agent without its own transcript, as one line."""
    words = said.text or said.thoughts
    first, _, more = words.strip().partition("\n")
    name, colon, about = first.partition(": ")
    if said.kind != "tool_use" or not colon:
        name, about = _HELPING.get(said.kind, said.kind), first
    lines = (counted(words.count("\n") + 1, "lines"),) if more else ()
    told = Told(name, about, lines, sign="┊ ", tone="faint")
    return Part("words", NOTE, folded(told), Indented(Output(words), GUIDE), text=words)


def _words(said: Said, words: str) -> Iterator[Part]:
    """The text of a message."""
    if not words:
        return
    if said.kind == "prompt":
        yield Part("words", SAID, body=Indented(Markdown(words), _ASKED), text=words)
    elif said.kind in {"reply", "tool_use", "thinking"}:
        yield Part("words", SAID, body=Indented(Markdown(words)), text=words)
    else:
        yield _aside(said, words)


def _aside(said: Said, words: str) -> Part:
    """Text without a speaker: inserted by a program, or output of a command."""
    first, _, more = words.strip().partition("\n")
    is_short = not more and len(first) <= _SHORT
    has_failed = said.has_failed or said.kind == "interrupt"
    told = Told(
        said.kind.replace("_", " "),
        first,
        (counted(words.count("\n") + 1, "lines"),) if more else (),
        tone="error_type" if has_failed else "muted",
        can_fold=not is_short,
    )
    body = None if is_short else Indented(Output(words), GUIDE)
    kind = FAILED if has_failed else NOTE
    return Part("words", kind, folded(told), body, text=words)


def _calls(said: Said, lines: Sequence[str], cwd: str | None) -> Iterator[Part]:
    """The calls of a message with known details."""
    first = len(said.tools) - len(lines)
    for number, line in enumerate(lines, first):
        name = " ".join(said.tools[number].split()) or "tool"
        about = line.removeprefix(name).removeprefix(": ")
        has_id = number < len(said.calls)
        key = said.calls[number] if has_id else f"call {number}"
        outcome = said.outcomes[number] if number < len(said.outcomes) else None
        yield _call(key, name, _short(about, cwd), outcome)


def _named(said: Said) -> Iterator[Part]:
    """The calls of a message of which only the tool names are saved."""
    for number, name in enumerate(said.tools):
        told = Told(" ".join(name.split()), can_fold=False)
        yield Part(f"call {number}", CALL, call(told, has_failed=None), text=name)


def _call(key: str, name: str, about: str, outcome: Outcome | None) -> Part:
    has_failed = outcome.has_failed if outcome else None
    starts = name in _STARTING
    follows = ("l open",) if starts else ()
    told = Told(name, about, (*_asides(outcome), *follows))
    answer = outcome.text if outcome else ""
    bodies: list[Body] = [Output(about)]
    if answer:
        bodies.append(Output(answer, "error_type" if has_failed else ""))
    return Part(
        key,
        FAILED if has_failed else CALL,
        call(told, has_failed=has_failed),
        Indented(Joined(*bodies), GUIDE),
        is_whole=False,
        target=Target(AGENT, key) if starts else None,
        text=f"{about}\n{answer}",
    )


def _asides(outcome: Outcome | None) -> Iterator[str]:
    """The outcome of a call: its error, or its size."""
    if outcome is None:
        yield "no result"
        return
    if outcome.has_failed:
        yield outcome.text.strip().partition("\n")[0] or "failed"
    if outcome.is_cut:
        yield f"up to {sized(outcome.extent)}"
    elif outcome.text:
        yield counted(outcome.text.rstrip("\n").count("\n") + 1, "lines")
        yield sized(len(outcome.text.encode("utf-8", "replace")))


def _short(about: str, cwd: str | None) -> str:
    """The subject of a call; paths are relative to the working folder."""
    return about.removeprefix(f"{cwd.rstrip('/')}/") if cwd else about


# Messages as transcript entries, with speakers and dividers.

QUIET = 5 * 60 * 1_000_000
"""Microseconds of silence after which a divider shows its length."""

_MINUTE = 60_000_000
_DAY, _TIME, _SECOND = slice(0, 10), slice(11, 16), slice(11, 19)
"""Positions of the date and the time in a timestamp."""

_YOU, _AGENT = ("you", "marked"), ("agent", "heading")
_SPEAKERS = {
    "prompt": _YOU,
    "command": _YOU,
    "reply": _AGENT,
    "thinking": _AGENT,
    "tool_use": _AGENT,
    "tool_result": _AGENT,
}
"""The speaker of each kind of message, and its style; other kinds have none."""


class Known(Struct, frozen=True):
    """Facts about a conversation besides its messages."""

    cwd: str | None = None
    """The working folder, to which paths are relative."""
    compacted: Mapping[int, str] = field(default_factory=dict[int, str])
    """How much was compacted, by message number."""
    written: Mapping[int, Sequence[Written]] = field(
        default_factory=dict[int, Sequence[Written]]
    )
    """The memories that messages wrote, by line number."""
    forks: Mapping[int, str] = field(default_factory=dict[int, str])
    """When branches started, by the line number of their first message."""


class Teller:
    """Turns messages into entries, in order."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._spoke: tuple[str, str] | None = None
        self._micros: int | None = None
        self._day = ""
        self._is_first = True

    def tell(self, said: Said) -> Entry:
        """The entry of the next message."""
        is_told = said.is_told or said.is_compaction
        parts = () if is_told else parts_of(said, self._known.cwd)
        parts += marks_of(self._known.written.get(said.line, ()))
        between = self._between(said)
        if parts:
            between += self._speaker(said, is_anew=bool(between))
        before = [blank(), *between] if between and not self._is_first else between
        self._is_first = self._is_first and not (parts or between)
        at = said.at or ""
        return Entry(said.number, parts, tuple(before), at[_SECOND], said.ref)

    def _between(self, said: Said) -> list[Body]:
        """The dividers between a message and the previous one."""
        between: list[Body] = []
        quiet = (said.micros or 0) - (self._micros or said.micros or 0)
        if quiet >= QUIET:
            between.append(silence(lasted(round(quiet / _MINUTE) * 60)))
        day = (said.at or "")[_DAY]
        if day and day != self._day:
            between.append(division(day, "sorted"))
        if said.line in self._known.forks:
            told = f"resumed from {self._known.forks[said.line]}"
            between.append(division(told, "arrow"))
        if said.is_compaction:
            told = self._known.compacted.get(said.number, "")
            told = f"compacted: {told}" if told else "compacted"
            between.append(division(told, "warning"))
        self._day = day or self._day
        self._micros = max(said.micros or 0, self._micros or 0) or None
        return between

    def _speaker(self, said: Said, *, is_anew: bool) -> list[Body]:
        """The speaker, if it changes."""
        speaks = None if said.agent else _SPEAKERS.get(said.kind)
        if speaks is None or (speaks == self._spoke and not is_anew):
            return []
        self._spoke = speaks
        name, tone = speaks
        return [speaker(name, (said.at or "")[_TIME], tone)]


# An open conversation: its messages and facts about it.

BLOCK = 64
"""Number of messages loaded at once."""

_BEFORE = 8
"""Earlier messages loaded to know the last speaker and time."""


class Talk(Struct, frozen=True):
    """An open conversation."""

    conversation: Conversation
    order: Order
    known: Known

    @property
    def numbers(self) -> "array[int]":
        """The numbers of its messages."""
        return self.order.numbers

    def place(self, number: int) -> int | None:
        """The position of a message."""
        try:
            return self.numbers.index(number)
        except ValueError:
            return None

    def block(self, first: int, last: int) -> tuple[int, int]:
        """A range of messages, extended to whole blocks."""
        end = -(-last // BLOCK) * BLOCK
        return first // BLOCK * BLOCK, min(end, len(self.numbers))

    def place_of_line(self, line: int) -> int:
        """The position of the first message at or after a line."""
        return bisect_left(self.order.lines, line)

    def goes_on_with(self, other: "Talk") -> bool:
        """Whether the other one has the same messages, plus perhaps new ones."""
        known = self.numbers
        return (
            self.conversation.ref == other.conversation.ref
            and other.numbers[: len(known)] == known
        )


class Begun(Struct, frozen=True):
    """A conversation and its first visible messages."""

    talk: Talk
    at: int | None
    """The message to go to, if any."""
    first: int
    entries: Sequence[Entry | None]


def begin(library: Library, record: Conversation | Message) -> Begun | None:
    """The conversation of a record; None if the record has none.

    Only the messages that come into view are loaded.
    """
    if isinstance(record, Conversation):
        conversation, at = record, None
    elif record.conversation is None:
        return None
    else:
        conversation = library.conversations.named(record.conversation)
        at = library.lists.number("messages", record.ref)
    order = library.conversations.order(conversation.ref)
    written: dict[int, list[Written]] = {}
    for one in library.conversations.written_in(conversation.ref):
        written.setdefault(one.line, []).append(one)
    talk = Talk(conversation, order, Known(cwd=conversation.cwd, written=written))
    place = None if at is None else talk.place(at)
    if place is not None:
        place = _telling(library, talk, place)
    first = max((place or 0) - BLOCK // 2, 0) // BLOCK * BLOCK
    last = min(first + 2 * BLOCK, len(talk.numbers))
    return Begun(talk, place, first, entries(library, talk, first, last))


def entries(library: Library, talk: Talk, first: int, last: int) -> list[Entry | None]:
    """The entries of a range of messages."""
    begun = max(first - _BEFORE, 0)
    found = library.conversations.messages(talk.numbers, begun, last)
    compacted = {
        said.number: _compacted(library, talk, said)
        for said in found
        if said and said.is_compaction
    }
    teller = Teller(replace(talk.known, compacted=compacted))
    told = [teller.tell(said) if said else None for said in found]
    return told[first - begun :]


def call_whole(library: Library, talk: Talk, at: int, key: str) -> Call | None:
    """A call with all its details; None if it no longer exists."""
    (said,) = library.conversations.messages(talk.numbers, at, at + 1)
    if said is None or key not in said.calls:
        return None
    outcome = said.outcomes[said.calls.index(key)]
    with library.conversations.whole(talk.conversation.store) as whole:
        parts = whole(said.ref).parts
        answer = whole(outcome.ref).parts if outcome else ()
    return call_of(parts, key, answer)


def places_of_hits(
    library: Library, talk: Talk, query: Node, calls: Sequence[int]
) -> "array[int]":
    """Positions of messages that contain a word of the query.

    A tool result has the position of its call.
    """
    sought = texts(query)
    if not sought:
        return array("q")
    here = Named("conversation", (talk.conversation.ref,))
    found = set(library.lists.order("messages", Page(), All((here, Either(sought)))))
    places = {calls[at] for at, one in enumerate(talk.numbers) if one in found}
    return array("q", sorted(places))


def with_forks(library: Library, talk: Talk, micros: Sequence[int]) -> Talk | None:
    """The conversation with the start times of its branches; None if it has none.

    This reads the file but not the catalogue, so any thread may call it.
    """
    try:
        forks = library.conversations.forks(talk.conversation)
    except RecollectError:  # shown when a part is opened
        return None
    if not forks:
        return None
    told: dict[int, str] = {}
    for line, begin in forks.items():
        place = min(talk.place_of_line(begin), len(micros) - 1)
        told[line] = spelt(micros[place])
    return replace(talk, known=replace(talk.known, forks=told))


def _telling(library: Library, talk: Talk, place: int) -> int:
    """The position where a message is shown; a tool result is shown with its call."""
    begun = max(place - BLOCK, 0)
    *before, said = library.conversations.messages(talk.numbers, begun, place + 1)
    if said is None or not said.is_told:
        return place
    for at, other in reversed(list(enumerate(before, begun))):
        if other and any(one and one.ref == said.ref for one in other.outcomes):
            return at
    return place


def _compacted(library: Library, talk: Talk, said: Said) -> str:
    """How much was compacted; empty if the file does not say."""
    try:
        with library.conversations.whole(talk.conversation.store) as whole:
            facts = whole(said.ref).fields.get("compactMetadata")
    except RecollectError:
        return ""
    tokens = facts.get("preTokens") if isinstance(facts, dict) else None
    return f"{compact(tokens)} tokens" if type(tokens) is int else ""
