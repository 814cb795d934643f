"""A record as a page: what it is called, what is known of it, what it says."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from store.export.items import Item
from store.opening import InFull
from store.records.conversation import MessageInFull
from store.records.edge import Edge, EdgeInFull
from store.records.event import Event
from store.records.memory import MemoryInFull

_ROWS = frozenset({"memory", "edge", "document", "conversation", "message", "measure"})
"""The fields of records that hold the row that lists show."""

_ELSEWHERE = frozenset(
    {
        *("title", "body", "text", "summary", "context", "message", "relations"),
        *("transcript",),
        *("steps", "preconditions", "postconditions", "parts", "answers", "agents"),
        *("answered_by", "failed", "problems", "fields", "facts", "lines", "columns"),
    }
)
"""What a page tells as text, or not at all."""

_TEXTS = ("body", "text", "summary", "context", "message")
"""Where it stands what a record says, the first that says anything."""

_NAMING = ("name", "kind", "tool", "code", "ref")


class Page(Struct, frozen=True):
    """One record, ready to be written."""

    ref: str
    title: str
    facts: tuple[tuple[str, str], ...]
    """What is known of it, by name."""
    text: str = ""
    """What it says, as Markdown."""
    is_plain: bool = False
    """Whether that is no Markdown."""
    lists: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """What is to be done or must hold, under its headings."""
    items: Iterable[Item] = ()
    """What was said, where it is a conversation."""


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
    """What is known, as words; what says nothing is left out."""
    for name, value in values.items():
        told = "" if name in _ELSEWHERE else _told(value)
        if told:
            yield name.replace("_", " "), told


def _told(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else ""
        case str():
            return value
        case int() | float():
            return f"{value:.6g}" if value else ""
        case tuple():
            words = (one for one in value if isinstance(one, str))  # pyright: ignore[reportUnknownVariableType]  # of whatever it is
            return ", ".join(words)
        case _:
            return ""


def _name(record: InFull, values: Mapping[str, object]) -> str:
    """What to call a record without title."""
    if isinstance(record, EdgeInFull | Edge):
        edge = record.edge if isinstance(record, EdgeInFull) else record
        return f"{edge.from_title or '?'} — {edge.type} → {edge.to_title or '?'}"
    named = (values.get(name) for name in _NAMING)
    return " ".join(str(name) for name in named if name)


def _lists(record: InFull) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Steps and conditions of a procedure."""
    if isinstance(record, MemoryInFull):
        told = {
            "Before": record.preconditions,
            "Steps": record.steps,
            "After": record.postconditions,
        }
        yield from ((name, tuple(items)) for name, items in told.items() if items)
