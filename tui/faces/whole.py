"""One record for people: its fields, then its text, every character fit to show."""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import is_dataclass
from typing import Any, cast

from store.clean import clean
from store.opening import InFull
from store.records.document import DocumentInFull
from store.records.edge import EdgeInFull
from store.records.link import Link
from store.records.memory import MemoryInFull
from tui.faces.json_lines import as_object

_TEXTS = ("body", "text")
"""The fields that are shown last and whole."""

_NOTHING: tuple[Any, ...] = (None, (), [], {}, "", 0)
"""What a field says nothing with; `False` is one of them."""

_LABEL = 14
"""How wide the names of fields are set."""


_ELSEWHERE = ("relations",)
"""Fields that are told better by the links."""


def write_whole(record: InFull, links: Iterable[Link]) -> None:
    """Print a record: its fields, what it is linked to, and its text."""
    parts = (fields_of(record), links_of(links), text_of(record))
    page = "\n\n".join(part for part in parts if part) + "\n"
    sys.stdout.buffer.write(page.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def fields_of(record: InFull) -> str:
    """A line a field; empty ones are left out, and zeros, which say as little."""
    thing = as_object(record)
    return "\n".join(
        line
        for name, value in thing.items()
        if name not in (*_TEXTS, *_ELSEWHERE)
        for line in _field(name, value)
    )


def links_of(links: Iterable[Link]) -> str:
    """A line a link: where to, of which kind, what it is called, how to name it."""
    return "\n".join(
        f"{'→' if link.direction == 'out' else '←'} {clean(link.type):{_LABEL - 2}} "
        f"{clean(link.title or '?')}  {link.ref or 'is not there'}"
        for link in links
    )


def text_of(record: InFull) -> str:
    """What it says."""
    match record:
        case MemoryInFull() | EdgeInFull():
            return clean(record.body, multiline=True).strip("\n")
        case DocumentInFull():
            return clean(record.text, multiline=True).strip("\n")
        case _:
            return ""


def _field(name: str, value: Any) -> Iterator[str]:  # noqa: ANN401  # whatever is there
    """The lines that show a field; what is nested is indented beneath it."""
    label = clean(name)
    if is_dataclass(value):
        value = as_object(value)
    if value in _NOTHING:
        return
    if isinstance(value, dict):
        yield label
        for key, item in cast("dict[str, Any]", value).items():
            yield from (f"  {line}" for line in _field(key, item))
    elif isinstance(value, (tuple, list)):
        items = cast("list[Any]", value)
        if all(isinstance(item, str) for item in items):
            yield f"{label:{_LABEL}} {', '.join(clean(item) for item in items)}"
        else:
            yield label
            for number, item in enumerate(items, start=1):
                yield from (f"  {line}" for line in _field(str(number), item))
    else:
        yield f"{label:{_LABEL}} {_scalar(value)}"


def _scalar(value: object) -> str:
    """A number or a text, on one line."""
    if value is True:
        return "yes"
    return f"{value:.4g}" if isinstance(value, float) else clean(str(value))
