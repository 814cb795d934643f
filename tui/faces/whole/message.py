"""A message for people, part by part: what is said, called, answered."""

from collections.abc import Iterable, Iterator, Mapping

from store.clean import clean
from store.findings import Json
from store.records.conversation import MessageInFull
from tui.faces.lines import Line
from tui.faces.quantities import sized
from tui.faces.whole.nested import lines_of_text, lines_of_value

Part = Mapping[str, Json]
"""A block of a message, as its source holds it."""

_INDENT = "  "
_NOTED = "toolUseResult"
"""What the program noted of a result beside what the tool answered."""


def lines_of_message(
    message: MessageInFull, asked: Iterable[MessageInFull]
) -> Iterator[Line]:
    """The lines of a message; its results come with the calls that they answer."""
    calls = {
        _text(part, "id"): part
        for other in asked
        for part in other.parts
        if part.get("type") == "tool_use"
    }
    if not message.parts:
        yield from lines_of_text(message.message.text)
    told = "\n".join(_answer_of(part) for part in message.parts)
    for number, part in enumerate(message.parts):
        if number:
            yield Line("")
        yield from _part(part, calls, told)


def _part(part: Part, calls: Mapping[str, Part], told: str) -> Iterator[Line]:
    """The lines of one part."""
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
            yield Line("noted with it", "dim")
            yield from _noted(part.get("value"), told)
        case _:
            yield from lines_of_value("", dict(part))


def _call(part: Part) -> Iterator[Line]:
    """The call of a tool, with all that it was given."""
    yield Line(f"⏵ {clean(_text(part, 'name')) or 'tool'}", "bold")
    given = part.get("input")
    if isinstance(given, dict):
        for name, value in given.items():
            yield from lines_of_value(name, value, _INDENT)
    else:
        yield from lines_of_value("", given, _INDENT)


def _result(part: Part, calls: Mapping[str, Part]) -> Iterator[Line]:
    """What a tool answered, behind what it was asked."""
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


def _noted(value: Json, told: str) -> Iterator[Line]:
    """What the program noted, without texts that stand in the answer already."""
    if isinstance(value, dict):
        for name, item in value.items():
            if not (isinstance(item, str) and item.strip() in told):
                yield from lines_of_value(name, item, _INDENT)
    elif not (isinstance(value, str) and value.strip() in told):
        yield from lines_of_value("", value, _INDENT)


def _answer_of(part: Part) -> str:
    """The text that a tool answered with."""
    content = part.get("content")
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(_text(b, "text") for b in blocks if isinstance(b, dict))


def _picture(part: Part) -> str:
    size = part.get("bytes")
    told = sized(size) if isinstance(size, int) else ""
    return f"[{clean(_text(part, 'media_type')) or 'image'} {told}".rstrip() + "]"


def _text(part: Part, name: str) -> str:
    value = part.get(name)
    return value if isinstance(value, str) else ""
