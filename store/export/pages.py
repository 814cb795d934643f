"""Turn records into pages."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from store.answers.conversations import Call, Outcome, Said, apart, call_of
from store.answers.conversations import Whole as ConversationsWhole
from store.answers.records import InFull
from store.errors import RecollectError
from store.formats.port import Passage
from store.kinds.conversations import Conversation
from store.kinds.edges import Edge, EdgeInFull
from store.kinds.journals import Event
from store.kinds.memories import MemoryInFull
from store.kinds.messages import MessageInFull
from store.library import Library, Record

# The items of an exported conversation: words, thoughts, calls and dividers.

Whole = Callable[[str], Passage]
"""Reads a message, given by its ref, from its file."""

QUIET = 5 * 60 * 1_000_000
"""The shortest silence shown, in microseconds."""

_MINUTE = 60_000_000
_DAY, _TIME = slice(0, 10), slice(11, 16)
_ROLES = {"prompt": "you", "command": "you", "reply": "agent", "tool_use": "agent"}


class Words(Struct, frozen=True):
    """What a person or an agent says."""

    speaker: str
    """`you` or `agent`."""
    at: str
    text: str


class Thought(Struct, frozen=True):
    """What an agent thought."""

    text: str


class Called(Struct, frozen=True):
    """A tool call, with its answer as far as it is shown."""

    name: str
    about: str
    has_failed: bool | None
    """Whether it failed; None if unknown."""
    answer: str
    is_cut: bool
    """Whether only the beginning of the answer is shown."""
    call: Call | None = None
    """The whole call, if it should be shown."""


class Note(Struct, frozen=True):
    """Text inserted by a program."""

    kind: str
    text: str


class Divider(Struct, frozen=True):
    """A divider between two parts of a conversation."""

    text: str
    is_day: bool = False


Item = Words | Thought | Called | Note | Divider


class Items:
    """Turns messages into items, one after the other."""

    def __init__(self, whole: Whole | None) -> None:
        """`whole` reads what the catalogue omits; if None, it is omitted here too."""
        self._whole = whole
        self._micros: int | None = None
        self._day = ""

    def of(self, messages: Iterable[Said]) -> Iterator[Item]:
        """The items of messages, in order."""
        for said in messages:
            yield from self._between(said)
            if not (said.is_told or said.is_compaction):
                yield from self._message(said)

    def _between(self, said: Said) -> Iterator[Item]:
        quiet = (said.micros or 0) - (self._micros or said.micros or 0)
        if quiet >= QUIET:
            yield Divider(f"{round(quiet / _MINUTE)} min")
        day = (said.at or "")[_DAY]
        if day and day != self._day:
            yield Divider(day, is_day=True)
        if said.is_compaction:
            yield Divider("compacted")
        self._day = day or self._day
        self._micros = max(said.micros or 0, self._micros or 0) or None

    def _message(self, said: Said) -> Iterator[Item]:
        if said.agent is not None:
            if self._whole and said.text:
                yield Note(f"sub-agent, {said.kind}", said.text)
            return
        words, lines = apart(said.text, said.tools)
        if said.thoughts:
            yield Thought(said.thoughts)
        if words and said.kind in _ROLES:
            yield Words(_ROLES[said.kind], (said.at or "")[_TIME], words)
        elif words:
            yield Note(said.kind, words)
        if lines:
            yield from self._calls(said, lines)

    def _calls(self, said: Said, lines: Sequence[str]) -> Iterator[Item]:
        """The calls of a message whose lines are known."""
        first = len(said.tools) - len(lines)
        parts = self._read(said.ref).parts if self._whole else ()
        for number, line in enumerate(lines, first):
            name = " ".join(said.tools[number].split()) or "tool"
            key = said.calls[number] if number < len(said.calls) else ""
            outcome = said.outcomes[number] if number < len(said.outcomes) else None
            call = None
            if self._whole and key:
                answer = self._read(outcome.ref).parts if outcome else ()
                call = call_of(parts, key, answer)
            about = line.removeprefix(name).removeprefix(": ")
            yield _called(name, about, outcome, call)

    def _read(self, ref: str) -> Passage:
        """A whole message; empty if its file no longer contains it."""
        try:
            return self._whole(ref) if self._whole else Passage()
        except RecollectError:
            return Passage()


def _called(
    name: str, about: str, outcome: Outcome | None, call: Call | None
) -> Called:
    return Called(
        name=name,
        about=about,
        has_failed=outcome.has_failed if outcome else None,
        answer=outcome.text if outcome else "",
        is_cut=bool(outcome and outcome.is_cut),
        call=call,
    )


# A record as a page: title, facts and text.

_ROWS = frozenset({"memory", "edge", "document", "conversation", "message", "measure"})
"""The fields that hold the row shown in lists."""

_ELSEWHERE = frozenset(
    {
        *("title", "body", "text", "summary", "context", "message", "relations"),
        *("transcript",),
        *("steps", "preconditions", "postconditions", "parts", "answers", "agents"),
        *("answered_by", "failed", "problems", "fields", "facts", "lines", "columns"),
    }
)
"""Fields that are shown as text, or not at all."""

_TEXTS = ("body", "text", "summary", "context", "message")
"""Fields that may hold the text of a record; the first non-empty one is used."""

_NAMING = ("name", "kind", "tool", "code", "ref")


class Page(Struct, frozen=True):
    """A record ready to be written."""

    ref: str
    title: str
    facts: tuple[tuple[str, str], ...]
    """What is known about it, by name."""
    text: str = ""
    """Its text, as Markdown."""
    is_plain: bool = False
    """Whether the text is plain, not Markdown."""
    lists: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Steps and conditions, under their headings."""
    items: Iterable[Item] = ()
    """The items of a conversation."""


def page_of(record: InFull, items: Iterable[Item] = ()) -> Page:
    """The page of a record."""
    values = dict(_values(record))
    title = values.get("title")
    return Page(
        ref=str(values.get("ref") or ""),
        title=title if isinstance(title, str) and title else _name(record, values),
        facts=tuple(_facts(values)),
        text=next((str(values[name]) for name in _TEXTS if values.get(name)), ""),
        is_plain=isinstance(record, Event | MessageInFull),
        lists=tuple(_lists(record)),
        items=items,
    )


def _values(record: object) -> Iterator[tuple[str, object]]:
    """The fields of a record, those of its row first."""
    if not isinstance(record, Struct):
        return
    for field in record.__struct_fields__:
        value: object = getattr(record, field)
        if field in _ROWS and isinstance(value, Struct):
            yield from _values(value)
        else:
            yield field.rstrip("_"), value


def _facts(values: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Facts as words, without empty ones."""
    for name, value in values.items():
        told = "" if name in _ELSEWHERE else _as_text(value)
        if told:
            yield name.replace("_", " "), told


def _as_text(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else ""
        case str():
            return value
        case int() | float():
            return f"{value:.6g}" if value else ""
        case tuple():
            words = (one for one in value if isinstance(one, str))  # pyright: ignore[reportUnknownVariableType]  # of any type
            return ", ".join(words)
        case _:
            return ""


def _name(record: InFull, values: Mapping[str, object]) -> str:
    """The title of a record that has no title field."""
    if isinstance(record, EdgeInFull | Edge):
        edge = record.edge if isinstance(record, EdgeInFull) else record
        return f"{edge.from_title or '?'} — {edge.type} → {edge.to_title or '?'}"
    named = (values.get(name) for name in _NAMING)
    return " ".join(str(name) for name in named if name)


def _lists(record: InFull) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The steps and conditions of a procedure."""
    if isinstance(record, MemoryInFull):
        told = {
            "Before": record.preconditions,
            "Steps": record.steps,
            "After": record.postconditions,
        }
        yield from ((name, tuple(items)) for name, items in told.items() if items)


# The exported records as pages, one after the other.
#
# A conversation is read while it is written, so only some of its messages are in memory
# at any time.

_AT_ONCE = 256
"""Messages in memory at a time."""


def pages(
    library: Library, records: Iterable[Record], *, is_full: bool
) -> Iterator[Page]:
    """The pages of records; `is_full` includes the inputs and answers of tools."""
    for record in records:
        if isinstance(record, Conversation):
            yield from _conversation(library, record, is_full=is_full)
        else:
            full = library.records.show(record.ref) if record.ref else record
            yield page_of(full)


def messages(library: Library, conversation: Conversation) -> Iterator[Said]:
    """All messages of a conversation, in order."""
    numbers = library.conversations.order(conversation.ref).numbers
    for first in range(0, len(numbers), _AT_ONCE):
        found = library.conversations.messages(numbers, first, first + _AT_ONCE)
        yield from (said for said in found if said is not None)


def items(
    library: Library, conversation: Conversation, whole: ConversationsWhole | None
) -> Iterator[Item]:
    """The items of a conversation."""
    return Items(whole).of(messages(library, conversation))


def _conversation(
    library: Library, conversation: Conversation, *, is_full: bool
) -> Iterator[Page]:
    """The page of a conversation; its file stays open while it is written."""
    told = library.conversations.about(conversation)
    if not is_full:
        yield page_of(told, items(library, conversation, None))
        return
    with library.conversations.whole(conversation.store) as whole:
        yield page_of(told, items(library, conversation, whole))
