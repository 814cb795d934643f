"""Which columns a list shows to people, and what stands in them."""

from collections.abc import Callable
from dataclasses import dataclass

from store.clean import clean
from store.library import Record
from store.records.edge import Edge
from store.records.episode import Episode
from store.records.link import Link
from store.records.memory import Memory
from store.records.problem import Problem
from store.records.reports import StoreReport

_SHORT_REF = 8
"""Characters of a ref that tables show: any unambiguous beginning names a record."""

_SHORT = {"outgoing": "out", "incoming": "in"}

_LARGE = 10_000
"""Strengths from which on only the magnitude is told; they lie in the future."""

_UNITS = ("B", "kB", "MB", "GB", "TB")

Listed = Record | StoreReport | Link
"""Whatever is shown as a row."""


_STYLES = {
    "error": "red",
    "warning": "yellow",
    "vault": "magenta",
    "active": "green",
    "dormant": "dim",
    "archived": "dim",
}
"""The colours of words that say how something is."""


def _no_style(_record: Listed) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    title: str
    """What stands above it."""
    cell: Callable[[Listed], str]
    """What stands in it; store text is cleaned already."""
    width: int | None = None
    """How wide it is; None for the columns that share what is left."""
    right: bool = False
    """Whether numbers line up at the right."""
    style: Callable[[Listed], str] = _no_style
    """The colour of what stands in it, where it has one."""
    is_path: bool = False
    """Whether its end tells more than its beginning."""
    is_spare: bool = False
    """Whether it is shown only where there is plenty of room."""
    piped: Callable[[Listed], str] | None = None
    """What stands in it where there is room for all of it."""


def columns_for(kind: str) -> tuple[Column, ...]:
    """The columns of a list."""
    return _COLUMNS[kind]


def _text(name: str) -> Callable[[Listed], str]:
    """A column that shows a field as it is, or nothing."""

    def cell(record: Listed) -> str:
        value = getattr(record, name)
        return "" if value is None else clean(str(value))

    return cell


def _number(name: str) -> Callable[[Listed], str]:
    """A column that shows a share of one with two digits."""

    def cell(record: Listed) -> str:
        value = getattr(record, name)
        return f"{value:.2f}" if isinstance(value, float) else clean(str(value or ""))

    return cell


def _day(name: str) -> Callable[[Listed], str]:
    """A column that shows the day of an instant."""

    def cell(record: Listed) -> str:
        return clean(getattr(record, name) or "")[:10]

    return cell


def _styled(name: str) -> Callable[[Listed], str]:
    """The colour of a field's word."""

    def style(record: Listed) -> str:
        return _STYLES.get(getattr(record, name) or "", "")

    return style


def _short_ref(record: Listed) -> str:
    """A beginning of the ref: short enough to type, hardly ever another's."""
    ref = getattr(record, "ref", None) or ""
    return ref.partition(":")[2][:_SHORT_REF]


def _title(record: Listed) -> str:
    """A memory's title, and what it says of itself in one line."""
    if not isinstance(record, Memory):
        return ""
    told = f" — {record.description}" if record.description else ""
    return clean(f"{record.title}{told}")


def _links(record: Listed) -> str:
    if not isinstance(record, Memory) or not (record.links_in or record.links_out):
        return ""
    return f"←{record.links_in} →{record.links_out}"


def _strength(record: Listed) -> str:
    if not isinstance(record, Memory) or record.strength is None:
        return ""
    if record.pinned:
        return "pinned"
    large = record.strength >= _LARGE
    return f"{record.strength:.0e}" if large else f"{record.strength:.2f}"


def _place(record: Listed) -> str:
    if not isinstance(record, Problem):
        return ""
    return clean(record.path) + (f":{record.line}" if record.line else "")


def _arrow(record: Listed) -> str:
    return "→" if isinstance(record, Link) and record.direction == "out" else "←"


def _sides(record: Listed) -> str:
    if not isinstance(record, Edge):
        return ""
    return " ".join(_SHORT.get(side, side) for side in record.sides)


def _when(record: Listed) -> str:
    if not isinstance(record, Episode):
        return ""
    return clean(f"{record.date} {record.time or ''}").strip()


def _size(name: str) -> Callable[[Listed], str]:
    """A column that shows a number of bytes as people say it."""

    def cell(record: Listed) -> str:
        size = getattr(record, name)
        if not size:
            return ""
        power = min(len(str(size)) - 1, 12) // 3
        return f"{size / 1000**power:.0f} {_UNITS[power]}"

    return cell


def _writable(record: Listed) -> str:
    return "" if isinstance(record, StoreReport) and record.writable else "read-only"


_COLUMNS: dict[str, tuple[Column, ...]] = {
    "stores": (
        Column("Store", _text("name"), 20),
        Column("Format", _text("format"), 12),
        Column("Memories", _text("memories"), 8, right=True),
        Column("Problems", _text("problems"), 8, right=True),
        Column("Path", _text("path"), is_path=True),
        Column("Edges", _text("edges"), 6, right=True),
        Column("Episodes", _text("episodes"), 8, right=True),
        Column("Size", _size("bytes"), 7, right=True),
        Column("", _writable, 9),
    ),
    "memories": (
        Column("Ref", _short_ref, 8, piped=_text("ref")),
        Column("Type", _text("type"), 13),
        Column("Title", _title),
        Column("Imp", _number("importance"), 4, right=True),
        Column("Strength", _strength, 8, right=True),
        Column("Stage", _text("stage"), 8, style=_styled("stage")),
        Column("Links", _links, 8),
        Column("Updated", _day("updated"), 10),
        Column("Store", _text("store"), is_path=True, is_spare=True),
    ),
    "edges": (
        Column("Ref", _short_ref, 8, piped=_text("ref")),
        Column("From", _text("from_title")),
        Column("Type", _text("type"), 14),
        Column("To", _text("to_title")),
        Column("Str", _number("strength"), 4, right=True),
        Column("Written in", _sides, 17),
    ),
    "episodes": (
        Column("Ref", _short_ref, 8, piped=_text("ref")),
        Column("When", _when, 16),
        Column("Title", _text("title")),
        Column("Type", _text("type"), 13),
        Column("Summary", _text("summary")),
    ),
    "documents": (
        Column("Ref", _short_ref, 8, piped=_text("ref")),
        Column("Role", _text("role"), 12),
        Column("Path", _text("path"), is_path=True),
        Column("Size", _size("text_bytes"), 7, right=True),
        Column("Title", _text("title")),
        Column("Store", _text("store"), is_path=True, is_spare=True),
    ),
    "problems": (
        Column("", _text("severity"), 7, style=_styled("severity")),
        Column("Code", _text("code"), 18),
        Column("What", _text("message")),
        Column("Where", _place, is_path=True),
        Column("Store", _text("store"), is_path=True, is_spare=True),
    ),
    "links": (
        Column("", _arrow, 1),
        Column("Type", _text("type"), 14),
        Column("Title", _text("title")),
        Column("Ref", _short_ref, 8, piped=_text("ref")),
        Column("Str", _number("strength"), 4, right=True),
        Column("Why", _text("context")),
    ),
}
