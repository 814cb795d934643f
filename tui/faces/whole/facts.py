"""What is known of a record: a line a field, a line a link."""

from collections.abc import Iterable, Iterator
from typing import Any, cast

from msgspec import Struct

from store.clean import clean
from store.opening import InFull
from store.records.conversation import ConversationInFull, MessageInFull
from store.records.document import DocumentInFull
from store.records.edge import EdgeInFull
from store.records.link import Link
from store.records.memory import MemoryInFull
from tui.faces.json_lines import as_object

_ELSEWHERE: dict[type, tuple[str, ...]] = {
    MemoryInFull: ("body", "relations"),
    EdgeInFull: ("body",),
    DocumentInFull: ("text",),
    ConversationInFull: ("agents", "failed", "transcript"),
    MessageInFull: ("text", "answers", "answered_by", "parts"),
}
"""The fields that are shown as text, or that links tell better."""

_NOTHING: tuple[Any, ...] = (None, (), [], {}, "", 0)
"""What a field says nothing with; `False` is one of them."""

_LABEL = 14
"""How wide the names of fields are set."""


def fields_of(record: InFull) -> str:
    """A line a field; empty ones are left out, and zeros, which say as little."""
    elsewhere = _ELSEWHERE.get(type(record), ())
    return "\n".join(
        line
        for name, value in as_object(record).items()
        if name not in elsewhere
        for line in _field(name, value)
    )


def links_of(links: Iterable[Link]) -> str:
    """A line a link: where to, of which kind, what it is called, how to name it."""
    return "\n".join(
        f"{'→' if link.direction == 'out' else '←'} {clean(link.type):{_LABEL - 2}} "
        f"{clean(link.title or '?')}  {link.ref or 'is not there'}"
        for link in links
    )


def _field(name: str, value: Any) -> Iterator[str]:  # noqa: ANN401  # whatever is there
    """The lines that show a field; what is nested is indented beneath it."""
    label = clean(name)
    if isinstance(value, Struct):
        value = as_object(value)
    if value in _NOTHING:
        return
    if isinstance(value, dict):
        yield from _beneath(label, cast("dict[str, Any]", value).items())
    elif isinstance(value, (tuple, list)):
        items = cast("list[Any]", value)
        if all(isinstance(item, str) for item in items):
            yield f"{label:{_LABEL}} {', '.join(clean(item) for item in items)}"
        else:
            numbered = ((str(number), item) for number, item in enumerate(items, 1))
            yield from _beneath(label, numbered)
    else:
        yield f"{label:{_LABEL}} {_scalar(value)}"


def _beneath(label: str, items: Iterable[tuple[str, Any]]) -> Iterator[str]:
    """A field of several parts; without a word where none of them says anything."""
    lines = [f"  {line}" for name, item in items for line in _field(name, item)]
    if lines:
        yield label
        yield from lines


def _scalar(value: object) -> str:
    """A number or a text, on one line."""
    if value is True:
        return "yes"
    return f"{value:.4g}" if isinstance(value, float) else clean(str(value))
