"""What stands in the first line of a conversation, column by column."""

from collections.abc import Callable

from msgspec import Struct

from store.records.conversation import Conversation
from store.records.spans import UNDATED, Closeup, Keeping
from widgets.columns.cells import Spans as Hits
from widgets.columns.cells import fit, told, with_hits
from widgets.columns.column import OPEN, Column
from widgets.columns.numbers import brief
from widgets.lines.pieces import Piece, Pieces, width_of
from widgets.timeline.days import clock, date_told, lasting
from widgets.timeline.facts import fact_lines, tokens_of
from widgets.timeline.layout import Kind, Part
from widgets.timeline.statuses import status_of, status_told
from widgets.timeline.staying import staying, staying_in_brief

SMALL, MEDIUM, WORDY, LARGE = 34, 44, 72, 84
"""The widths of a list from which on it shows more."""

MARGIN = 6
"""Cells before the bar of a block: a time of day, and a blank."""

_FACTS = 10
"""Cells that facts behind a title need at least."""

_PALE = {"skipped"}
"""Statuses whose titles step back."""

_SIGNS = ("█", "▜", "▐", "▟")
"""The bar of a block: alone, at its top, within, and at its end."""


class Seen(Struct, frozen=True):
    """What a line tells beside what its record says."""

    part: Part
    begin: int
    end: int
    leaves: int
    keeping: Keeping
    now: int
    closeup: Closeup
    price: str
    hits: Hits
    is_last: bool
    """Whether no other conversation is folded beneath the same one after it."""


Looked = Callable[[], Seen]
"""Asked for each line that is drawn."""


def in_time(
    seen: Looked, *, has_prices: bool = False
) -> tuple[Column[Conversation], ...]:
    """The columns of conversations along their time."""

    def when(record: Conversation, width: int) -> Pieces:
        return _time_and_bar(record, seen(), width)

    def title(record: Conversation, width: int) -> Pieces:
        return _title(record, seen(), width)

    return (
        Column("first", "", when, ((0, 1), (SMALL, MARGIN + 1)), gap=0),
        Column("title", "title", title, ((0, OPEN),)),
        *_counts(seen, has_prices=has_prices),
    )


def in_order(
    seen: Looked, order: str, *, has_prices: bool = False
) -> tuple[Column[Conversation], ...]:
    """The columns where the list has another order."""

    def when(record: Conversation, width: int) -> Pieces:
        del record
        one = seen()
        return [(f"{date_told(one.begin)} {clock(one.begin)}"[:width], "muted")]

    def title(record: Conversation, width: int) -> Pieces:
        return _title(record, seen(), width)

    def value(record: Conversation, width: int) -> Pieces:
        del width
        return [(told(str(getattr(record, order) or "")), "muted")]

    counts = _counts(seen, has_prices=has_prices)
    columns = [
        Column("last", "when", when, ((SMALL, 10), (WORDY, 16)), gap=0),
        Column("title", "title", title, ((0, OPEN),)),
    ]
    if order in _VALUES:
        is_number = order in _NUMBERS
        name = order.replace("_", " ")
        widths = ((MEDIUM, max(len(name), 5 if is_number else 14)),)
        columns.append(Column(order, name, value, widths, is_right=is_number))
    if order == "tokens":
        counts = [_spent(MEDIUM), *counts[1:]]
    return (*columns, *counts)


_NUMBERS = ("entries", "prompts", "tools", "tool_errors", "compactions")
_VALUES = (*_NUMBERS, "project", "branch", "source")
"""What a list can be ordered by that no column tells otherwise."""


def bar(part: Part) -> str:
    """The bar of a block in one of its lines."""
    if part.lines == 1:
        return _SIGNS[0]
    is_end = part.line == part.lines - 1
    return _SIGNS[1] if part.line == 0 else _SIGNS[3] if is_end else _SIGNS[2]


def _counts(seen: Looked, *, has_prices: bool) -> list[Column[Conversation]]:
    def took(record: Conversation, width: int) -> Pieces:
        del record, width
        one = seen()
        has_time = one.begin != UNDATED
        return [(lasting(one.end - one.begin) if has_time else "", "muted")]

    def cost(record: Conversation, width: int) -> Pieces:
        del record, width
        return [(seen().price, "muted")]

    spent = [_spent(LARGE)]
    if has_prices:
        spent.append(Column("", "cost", cost, ((WORDY, 8),), is_right=True))
    return [
        *spent,
        Column("messages", "msgs", _messages, ((MEDIUM, 5),), is_right=True),
        Column("duration", "took", took, ((SMALL, 7),), is_right=True),
        Column("", "", _status, ((0, 1), (WORDY, 12))),
    ]


def _spent(least: int) -> Column[Conversation]:
    """The tokens, from some width on."""
    return Column("tokens", "tokens", _tokens, ((least, 6),), is_right=True)


def _time_and_bar(record: Conversation, seen: Seen, width: int) -> Pieces:
    is_child = seen.part.kind is Kind.CHILD
    sign: Piece = (" ", "") if is_child else (bar(seen.part), _bar_tone(record))
    if width == 1:
        return [sign]
    return [(f"{clock(seen.begin):5} ", "faint" if is_child else "muted"), sign]


def _bar_tone(record: Conversation) -> str:
    return status_of(record.status).bar


def _title(record: Conversation, seen: Seen, width: int) -> Pieces:
    """The title; behind it what would stand beneath it, where there is no such line."""
    tone = "title faint" if record.status in _PALE else "title"
    branch: list[Piece] = []
    if seen.part.kind is Kind.CHILD:
        branch = [("└ " if seen.is_last else "├ ", "faint")]
    title = [*branch, *with_hits(record.title, seen.hits, tone)]
    if seen.part.lines > 1:
        return title
    left = width - width_of(title)
    behind = _behind(record, seen, left)
    if not behind:
        soon = staying_in_brief(seen.leaves, seen.keeping, seen.now)
        behind = [soon] if soon else []
    room = width - sum(width_of([piece]) + 2 for piece in behind)
    return [*fit(title, room), *_spaced(behind)] if behind else title


def _behind(record: Conversation, seen: Seen, left: int) -> list[Piece]:
    """Whether it stays, and before that its facts, as far as there is room."""
    goes = staying(seen.leaves, seen.keeping, seen.now)
    told_ones = [goes] if goes and width_of([goes]) + 2 <= left else []
    left -= sum(width_of([piece]) + 2 for piece in told_ones)
    if goes and not told_ones:
        return []
    (facts,) = fact_lines(record, seen.closeup, "", 1)
    if left - 2 < min(_FACTS, width_of(facts)) or not facts:
        return told_ones
    text = "".join(text for text, _ in fit(facts, min(left - 2, width_of(facts))))
    return [(text, "faint"), *told_ones]


def _spaced(pieces: list[Piece]) -> list[Piece]:
    return [each for piece in pieces for each in (("  ", ""), piece)]


def _tokens(record: Conversation, width: int) -> Pieces:
    del width
    tokens = tokens_of(record)
    return [(brief(tokens) if tokens else "", "muted")]


def _messages(record: Conversation, width: int) -> Pieces:
    del width
    return [(brief(record.messages), "muted")]


def _status(record: Conversation, width: int) -> Pieces:
    glyph, tone, _ = status_of(record.status)
    if width == 1:
        return [(glyph, tone)]
    return [(f"{glyph} ", tone), (status_told(record.status), tone)]
