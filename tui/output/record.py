"""One record in full: fields, links, text, messages."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any, cast

from msgspec import Struct

from store.answers.conversations import apart
from store.answers.records import InFull
from store.clean import clean
from store.findings import Json
from store.kinds.conversations import ConversationInFull
from store.kinds.edges import EdgeInFull
from store.kinds.memories import MemoryInFull
from store.kinds.messages import Message, MessageInFull
from store.kinds.pages import DocumentInFull
from store.records.answers import Link
from store.text import regex
from store.times import parse
from tui.output.cells import short_ref
from tui.output.text import (
    OF_PROCEDURES,
    Line,
    as_object,
    in_whole,
    joined,
    lasted,
    local,
    sized,
    write_lines,
)

# A JSON value over several lines; texts keep their line breaks.

_INDENT = "  "


def lines_of_text(text: str, indent: str = "") -> Iterator[Line]:
    """A text, line by line; nothing if it is empty."""
    shown = clean(text, multiline=True).strip("\n")
    if shown:
        for line in shown.split("\n"):
            yield Line(f"{indent}{line}".rstrip())


def lines_of_value(name: str, value: Json, indent: str = "") -> Iterator[Line]:
    """A value after its name; multi-line values are indented beneath it."""
    if value in (None, "", [], {}):
        return
    text = value.strip("\n") if isinstance(value, str) else ""
    if isinstance(value, dict | list) or "\n" in text:
        if name:
            yield Line(f"{indent}{clean(name)}:")
        yield from _beneath(value, f"{indent}{_INDENT}" if name else indent)
    else:
        label = f"{clean(name)}: " if name else ""
        yield Line(f"{indent}{label}{in_whole(text or value)}")


def _beneath(value: Json, indent: str) -> Iterator[Line]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from lines_of_value(name, item, indent)
    elif isinstance(value, list):
        for number, item in enumerate(value, start=1):
            yield from lines_of_value(str(number), item, indent)
    elif isinstance(value, str):
        yield from lines_of_text(value, indent)


# Facts about a record: one line per field, one line per link.

_ELSEWHERE: dict[type, tuple[str, ...]] = {
    MemoryInFull: ("body", "relations"),
    EdgeInFull: ("body",),
    DocumentInFull: ("text",),
    ConversationInFull: ("agents", "failed", "transcript"),
    MessageInFull: ("text", "answers", "answered_by", "parts"),
}
"""Fields shown as text, or shown better as links."""

_NOTHING: tuple[Any, ...] = (None, (), [], {}, "", 0)
"""Values of fields that are omitted; they include `False`."""

_LABEL = 14
"""The width of field names."""


def fields_of(record: InFull, now: int | None = None) -> str:
    """One line per field; empty ones and zeros are omitted.

    Given the present, for people: in words, with local times, ages and units.
    """
    elsewhere = _ELSEWHERE.get(type(record), ())
    values = [(n, v) for n, v in as_object(record).items() if n not in elsewhere]
    if now is not None:
        values = [(n if n in _NAMED else n.replace("_", " "), v) for n, v in values]
    return "\n".join(_fields(values, now))


def links_of(links: Iterable[Link]) -> str:
    """One line per link: direction, type, title and ref."""
    return "\n".join(
        f"{'→' if link.direction == 'out' else '←'} {clean(link.type):{_LABEL - 2}} "
        f"{clean(link.title or '?')}  {link.ref or '(missing)'}"
        for link in links
    )


def _fields(values: Iterable[tuple[str, Any]], now: int | None) -> Iterator[str]:
    """The lines of some fields, with nested values indented beneath them."""
    told = [(clean(name), v) for name, v in values if v not in _NOTHING]
    width = _LABEL
    if now is not None:
        told = [(_NAMED.get(n, n), v) for n, v in told]
        width = max((len(n) for n, v in told if not isinstance(v, dict)), default=0) + 1
    for name, value in told:
        yield from _field(f"{name:{width}}", value, now)


def _field(label: str, value: Any, now: int | None) -> Iterator[str]:  # noqa: ANN401  # any value
    name = label.rstrip()
    if isinstance(value, Struct):
        value = as_object(value)
    if isinstance(value, dict):
        yield from _beneath_facts(name, cast("dict[str, Any]", value).items(), now)
    elif not isinstance(value, (tuple, list)):
        yield f"{label} {_scalar(value) if now is None else in_units(name, value, now)}"
    elif not all(isinstance(item, str) for item in cast("list[Any]", value)):
        items = enumerate(cast("list[Any]", value), 1)
        numbered = ((str(number), item) for number, item in items)
        yield from _beneath_facts(name, numbered, now)
    elif now is not None and name in OF_PROCEDURES:
        yield name
        for number, item in enumerate(cast("list[str]", value), 1):
            yield f"  {number}. {clean(item)}"
    else:
        yield f"{label} {', '.join(map(clean, cast('list[str]', value)))}"


def _beneath_facts(
    name: str, items: Iterable[tuple[str, Any]], now: int | None
) -> Iterator[str]:
    """A field with several parts; omitted if all of them are empty."""
    lines = [f"  {line}" for line in _fields(items, now)]
    if lines:
        yield name
        yield from lines


def _scalar(value: object) -> str:
    """A number or text on one line."""
    if value is True:
        return "yes"
    return f"{value:.4g}" if isinstance(value, float) else clean(str(value))


# The same for people: a time with its age, a number with its unit.

_ISO = regex(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)")
_NAMED = {
    "duration_s": "duration",
    "started_ts": "started",
    "text_bytes": "size",
    "archived_importance": "importance once restored",
}
"""Fields whose names have the unit, or say nothing to people."""

_PINNED, _MANY_DIGITS = 999, 10_000


def _of_one(value: float) -> str:
    return f"{value:.2f} of 1"


def _strength(value: float) -> str:
    return "pinned" if value >= _PINNED else f"{value:.2f}"


def _days(value: float) -> str:
    return f"{value:.0f} day{'' if round(value) == 1 else 's'}"


_UNITS: Mapping[str, Callable[[Any], str]] = {
    "importance": _of_one,
    "confidence": _of_one,
    "strength": _strength,
    "stored strength": _strength,
    "fades in": _days,
    "duration": lasted,
    "size": sized,
}


def in_units(name: str, value: object, now: int) -> str:
    """A number or text as people read it, by the name of its field."""
    if isinstance(value, str):
        return local(value, now) if _ISO.fullmatch(value) else clean(value)
    if value is True or not isinstance(value, int | float):
        return _scalar(value)
    if name == "started":
        return local(value, now)
    if name in _UNITS:
        return _UNITS[name](value)
    return f"{value:,}" if value >= _MANY_DIGITS else _scalar(value)


# A message for people, part by part: text, calls, answers.

Part = Mapping[str, Json]
"""A block of a message, as in its source."""

_NOTED = "toolUseResult"
"""The program's own data about a result, besides the tool's answer."""


def lines_of_message(
    message: MessageInFull, asked: Iterable[MessageInFull]
) -> Iterator[Line]:
    """The lines of a message; each result comes with the call it answers."""
    calls = {
        _text(part, "id"): part
        for other in asked
        for part in other.parts
        if part.get("type") == "tool_use"
    }
    if not message.parts:
        yield from lines_of_text(message.message.text)
    answers = "\n".join(_answer_of(part) for part in message.parts)
    for number, part in enumerate(message.parts):
        if number:
            yield Line("")
        yield from _part(part, calls, answers)


def _part(part: Part, calls: Mapping[str, Part], answers: str) -> Iterator[Line]:
    match part.get("type"):
        case "text":
            yield from lines_of_text(_text(part, "text"))
        case "thinking":
            for line in lines_of_text(_text(part, "thinking")):
                yield Line(f"∴ {line.text}".rstrip(), "dim")
        case "tool_use":
            yield from _call(part)
        case "tool_result":
            yield from _result(part, calls)
        case "image":
            yield Line(_picture(part), "dim")
        case kind if kind == _NOTED:
            yield Line("also recorded", "dim")
            yield from _noted(part.get("value"), answers)
        case _:
            yield from lines_of_value("", dict(part))


def _call(part: Part) -> Iterator[Line]:
    """A tool call with all its input."""
    yield Line(f"⏵ {clean(_text(part, 'name')) or 'tool'}", "bold")
    given = part.get("input")
    if isinstance(given, dict):
        for name, value in given.items():
            yield from lines_of_value(name, value, _INDENT)
    else:
        yield from lines_of_value("", given, _INDENT)


def _result(part: Part, calls: Mapping[str, Part]) -> Iterator[Line]:
    """The answer of a tool, after its call."""
    call = calls.get(_text(part, "tool_use_id"))
    if call:
        yield from _call(call)
    has_failed = part.get("is_error") is True
    yield Line("↳ failed" if has_failed else "↳ ok", "red" if has_failed else "green")
    content = part.get("content")
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, str):
            yield from lines_of_text(block)
        elif isinstance(block, dict):
            yield from _part(block, {}, "")


def _noted(value: Json, answers: str) -> Iterator[Line]:
    """The program's data, without texts that are in the answer already."""
    if isinstance(value, dict):
        for name, item in value.items():
            if not (isinstance(item, str) and item.strip() in answers):
                yield from lines_of_value(name, item, _INDENT)
    elif not (isinstance(value, str) and value.strip() in answers):
        yield from lines_of_value("", value, _INDENT)


def _answer_of(part: Part) -> str:
    content = part.get("content")
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(_text(b, "text") for b in blocks if isinstance(b, dict))


def _picture(part: Part) -> str:
    size = part.get("bytes")
    length = sized(size) if isinstance(size, int) else ""
    return f"[{clean(_text(part, 'media_type')) or 'image'} {length}".rstrip() + "]"


def _text(part: Part, name: str) -> str:
    value = part.get(name)
    return value if isinstance(value, str) else ""


# A conversation for people: who says what and when; one line per tool call.

_QUIET = 10 * 60 * 1_000_000
"""The shortest silence shown, in microseconds."""

_MINUTE = 60_000_000
_TRANSCRIPT_INDENT = " " * 7
"""The indentation of a text: as wide as a time and what follows it."""

_DAY, _TIME = slice(0, 10), slice(11, 16)
"""The position of day and time in a timestamp."""

_LONGEST = 1_000
"""Characters of a text that is shown on one line."""

_SPEAKERS = {"prompt": ("you", "bold cyan"), "reply": ("agent", "bold green")}
"""Speakers and their colours; all other messages take one line."""


class _Clock(Struct):
    """Shows the time before a message, unless it was shown already."""

    day: str = ""
    micros: int | None = None

    def before(self, message: Message) -> Iterator[Line]:
        """The lines about the time before a message."""
        instant = parse(message.at) if message.at else None
        if instant is None or instant.micros is None:
            return
        quiet = instant.micros - self.micros if self.micros is not None else 0
        if quiet > _QUIET:
            lasting = lasted(round(quiet / _MINUTE) * 60)
            yield Line(f"{_TRANSCRIPT_INDENT}· {lasting} ·", "dim")
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
            yield _result_transcript(message, conversation.failed)
        else:
            yield from _spoken(message)


def _spoken(message: Message) -> Iterator[Line]:
    """A message that says, thinks or calls something."""
    words, calls = apart(message.text, message.tools)
    if message.kind == "summary":
        yield Line(f"{_TRANSCRIPT_INDENT}──── compacted ────", "yellow")
    if message.kind in _SPEAKERS:
        speaker, style = _SPEAKERS[message.kind]
        yield Line(f"{_gutter(message)}  {speaker}", style)
        yield from _text_transcript(words)
    elif message.kind == "thinking":
        yield _in_one_line(message, "∴", words or message.kind)
    elif message.kind != "tool_use":
        yield _in_one_line(message, f"{clean(message.kind)}:", words)
    for call in calls:
        yield _in_one_line(message, "⏵", call)


def _result_transcript(message: Message, failed: Container[str] | None) -> Line:
    """The answer of a tool, and whether it failed, if known."""
    if failed is None:
        return _in_one_line(message, "↳", message.text)
    if message.ref in failed:
        line = _in_one_line(message, "↳ failed:", message.text)
        return line._replace(style="red")
    return _in_one_line(message, "↳ ok:", message.text)


def _in_one_line(message: Message, mark: str, text: str) -> Line:
    """The first line of a text after a mark, dimmed."""
    first = clean(text.strip().partition("\n")[0][:_LONGEST])
    return Line(f"{_gutter(message)}  {mark} {first}".rstrip(), "dim", folded=True)


def _text_transcript(words: str) -> Iterable[Line]:
    shown = clean(words, multiline=True).strip("\n")
    return (
        Line(f"{_TRANSCRIPT_INDENT}{line}".rstrip(), wrapped=True)
        for line in shown.split("\n")
        if shown
    )


def _gutter(message: Message) -> str:
    """The time of day, as written, and the ref for `show`."""
    instant = parse(message.at) if message.at else None
    time = instant.iso[_TIME] if instant and instant.micros is not None else ""
    return f"{clean(time):5} {short_ref(message.ref)}"


# One record for people: its fields, then its text, cleaned for display.

_MANY = 5_000
"""The most lines of a conversation in one text."""


def write_whole(
    record: InFull,
    links: Iterable[Link],
    *,
    asked: Iterable[MessageInFull] = (),
    now: int | None = None,
) -> None:
    """Print a record: its fields, its links and its text; for people given the present.

    `asked` are the messages whose calls a message answers.
    """
    heads = (fields_of(record, now), links_of(links))
    head = (Line(line) for part in heads if part for line in (*part.split("\n"), ""))
    lines = _without_end(chain(head, _lines_of(record, asked)))
    write_lines(lines, coloured=now is not None)


def text_of(record: InFull) -> str:
    """A record's text; only the beginning of a long conversation."""
    lines = _lines_of(record, ())
    text = joined(islice(lines, _MANY))
    more = next(lines, None) is not None
    return f"{text}\n\n… For the rest, use `recollect show`." if more else text


def _lines_of(record: InFull, asked: Iterable[MessageInFull]) -> Iterator[Line]:
    """A record's text, line by line."""
    match record:
        case MemoryInFull() | EdgeInFull():
            return _plain(record.body)
        case DocumentInFull():
            return _plain(record.text)
        case ConversationInFull():
            return lines_of_conversation(record)
        case MessageInFull():
            return lines_of_message(record, asked)
        case _:
            return iter(())


_FENCE, _AS_IT_IS = ("```", "~~~"), ("    ", "\t", "|")
"""What begins a block of code, and lines that lose their meaning if they are broken."""


def _plain(text: str) -> Iterator[Line]:
    """The lines of a Markdown text."""
    shown = clean(text, multiline=True).strip("\n")
    is_code = False
    for line in shown.split("\n") if shown else ():
        is_code ^= line.lstrip().startswith(_FENCE)
        yield Line(line, wrapped=not (is_code or line.startswith(_AS_IT_IS)))


def _without_end(lines: Iterable[Line]) -> Iterator[Line]:
    """Lines without empty ones at the end."""
    held: list[Line] = []
    for line in lines:
        if line.text:
            yield from (*held, line)
            held.clear()
        else:
            held.append(line)
