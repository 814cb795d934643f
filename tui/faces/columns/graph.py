"""Columns of memories, and of what links them."""

from store.clean import clean
from store.records.edge import Edge
from store.records.episode import Episode
from store.records.link import Link
from store.records.memory import Memory
from tui.faces.columns.cells import day, field, ref, share, store, styled
from tui.faces.columns.column import Column, Listed

_SHORT = {"outgoing": "out", "incoming": "in"}

_LARGE = 10_000
"""Strengths from which on only the magnitude is told; they lie in the future."""


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


MEMORIES = (
    ref(),
    Column("Type", field("type"), 13),
    Column("Title", _title),
    Column("Imp", share("importance"), 6, right=True),
    Column("Strength", _strength, 8, right=True),
    Column("Stage", field("stage"), 8, style=styled("stage")),
    Column("Links", _links, 8),
    Column("Updated", day("updated"), 10),
    store(),
)

EDGES = (
    ref(),
    Column("From", field("from_title")),
    Column("Type", field("type"), 14),
    Column("To", field("to_title")),
    Column("Str", share("strength"), 4, right=True),
    Column("Written in", _sides, 17),
)

EPISODES = (
    ref(),
    Column("When", _when, 16),
    Column("Title", field("title")),
    Column("Type", field("type"), 13),
    Column("Summary", field("summary")),
)

LINKS = (
    Column("", _arrow, 1),
    Column("Type", field("type"), 14),
    Column("Title", field("title")),
    ref(),
    Column("Str", share("strength"), 4, right=True),
    Column("Why", field("context")),
)
