"""A conversation for people: who says what and when; what tools do, a line each."""

from collections.abc import Container, Iterable, Iterator

from msgspec import Struct

from store.clean import clean
from store.records.conversation import ConversationInFull, Message
from store.talk.apart import apart
from store.times import parse
from tui.faces.columns.cells import short_ref
from tui.faces.lines import Line
from tui.faces.quantities import lasted

_QUIET = 10 * 60 * 1_000_000
"""Microseconds of silence from which on it is told."""

_MINUTE = 60_000_000
_INDENT = " " * 7
"""What stands before a text: as wide as a time and what follows it."""

_DAY, _TIME = slice(0, 10), slice(11, 16)
"""Where the day and the time stand in an instant."""

_LONGEST = 1_000
"""Characters of a text that is told in one line."""

_SPEAKERS = {"prompt": ("you", "bold cyan"), "reply": ("agent", "bold green")}
"""Who speaks, and in which colour; all that is not said by these takes one line."""


class _Clock(Struct):
    """Tells of a message when it was written, where that is not told already."""

    day: str = ""
    micros: int | None = None

    def before(self, message: Message) -> Iterator[Line]:
        """What has to be said of the time before a message."""
        instant = parse(message.at) if message.at else None
        if instant is None or instant.micros is None:
            return
        quiet = instant.micros - self.micros if self.micros is not None else 0
        if quiet > _QUIET:
            lasting = lasted(round(quiet / _MINUTE) * 60)
            yield Line(f"{_INDENT}· {lasting} ·", "dim")
        day = instant.iso[_DAY]
        if day != self.day:
            yield Line(f"── {day} ──", "bold")
        self.day, self.micros = day, max(instant.micros, self.micros or 0)


def lines_of_conversation(conversation: ConversationInFull) -> Iterator[Line]:
    """The lines of a conversation, one message after another."""
    clock = _Clock()
    for message in conversation.transcript:
        yield from clock.before(message)
        if message.kind == "tool_result":
            yield _result(message, conversation.failed)
        else:
            yield from _spoken(message)


def _spoken(message: Message) -> Iterator[Line]:
    """A message that says, thinks or calls something."""
    words, calls = apart(message.text, message.tools)
    if message.kind == "summary":
        yield Line(f"{_INDENT}──── compacted ────", "yellow")
    if message.kind in _SPEAKERS:
        speaker, style = _SPEAKERS[message.kind]
        yield Line(f"{_gutter(message)}  {speaker}", style)
        yield from _text(words)
    elif message.kind == "thinking":
        yield _in_one_line(message, "∴", words or message.kind)
    elif message.kind != "tool_use":
        yield _in_one_line(message, f"{clean(message.kind)}:", words)
    for call in calls:
        yield _in_one_line(message, "⏵", call)


def _result(message: Message, failed: Container[str] | None) -> Line:
    """What a tool answered; whether it failed is told where that is known."""
    if failed is None:
        return _in_one_line(message, "↳", message.text)
    if message.ref in failed:
        line = _in_one_line(message, "↳ failed:", message.text)
        return line._replace(style="red")
    return _in_one_line(message, "↳ ok:", message.text)


def _in_one_line(message: Message, mark: str, text: str) -> Line:
    """The first line of a text behind a mark, as an aside."""
    first = clean(text.strip().partition("\n")[0][:_LONGEST])
    return Line(f"{_gutter(message)}  {mark} {first}".rstrip(), "dim", folded=True)


def _text(words: str) -> Iterable[Line]:
    """A text, indented."""
    shown = clean(words, multiline=True).strip("\n")
    return (Line(f"{_INDENT}{line}".rstrip()) for line in shown.split("\n") if shown)


def _gutter(message: Message) -> str:
    """The time of day, as written, and what names the message for `show`."""
    instant = parse(message.at) if message.at else None
    time = instant.iso[_TIME] if instant and instant.micros is not None else ""
    return f"{clean(time):5} {short_ref(message.ref)}"
