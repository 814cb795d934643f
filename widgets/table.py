"""A list with columns."""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len, set_cell_size

from store.clean import clean
from store.times import parse
from widgets.lines import GUTTER, Face, Report
from widgets.sheet import (
    APART,
    BEFORE,
    PANE,
    Piece,
    Pieces,
    Sheet,
    fitting,
    text_of,
    width_of,
)

# Counts in few cells.

_THOUSAND = 1000
_UNITS = ("", "k", "M", "G", "T")


def brief(count: int) -> str:
    """A count in at most four characters: `950`, `12k`, `3M`."""
    power = 0
    while count >= _THOUSAND and power < len(_UNITS) - 1:
        count, power = count // _THOUSAND, power + 1
    return f"{min(count, _THOUSAND - 1)}{_UNITS[power]}"


# Ages in four cells.

_MICROS = 1_000_000
_MINUTE, _HOUR, _DAY, _WEEK, _YEAR = 60, 3600, 86_400, 604_800, 31_557_600
_DAYS_TOLD = 1000
_AHEAD_TOLD = 100
"""One digit less, because of the plus sign."""


AGE = "age"
"""The heading of a column of ages."""


def age(instant: str | None, now: int) -> str:
    """The age of a time at `now` (microseconds since 1970): `now 5m 5h 46d 3y`.

    Future times have a plus sign; times up to a minute ahead, after the clock was read,
    count as now.
    """
    micros = parse(instant).micros if instant else None
    if micros is None:
        return ""
    seconds = (now - micros) // _MICROS
    return _lasting(seconds) if seconds > -_MINUTE else f"+{_ahead(-seconds)}"


def _lasting(seconds: int) -> str:
    """A duration in its largest unit."""
    if seconds < _MINUTE:
        return "now"
    if seconds < _HOUR:
        return f"{seconds // _MINUTE}m"
    if seconds < _DAY:
        return f"{seconds // _HOUR}h"
    if seconds < _DAY * _DAYS_TOLD:
        return f"{seconds // _DAY}d"
    return f"{seconds // _YEAR}y"


def _ahead(seconds: int) -> str:
    """The same in three cells."""
    if seconds < _DAY * _AHEAD_TOLD:
        return _lasting(seconds)
    weeks = seconds // _WEEK
    return f"{weeks}w" if weeks < _AHEAD_TOLD else f"{seconds // _YEAR}y"


# Cells of a column, cut to its width.

Spans = Sequence[tuple[int, int]]
"""The hits in a text, as start and end."""

_CUT = "…"

_LONGEST = 1000
"""Characters that a cell reads; no screen is wider."""


def told(text: str | None) -> str:
    """A field of a record, cleaned for a cell."""
    return clean(text[:_LONGEST]) if text else ""


def with_hits(text: str, spans: Spans, tone: str) -> list[Piece]:
    """A text of a record with its hits highlighted."""
    pieces: list[Piece] = []
    done = 0
    for start, end in spans:
        pieces.append((told(text[done:start]), tone))
        pieces.append((told(text[max(start, done) : end]), f"{tone} hit"))
        done = max(done, end)
    pieces.append((told(text[done : done + _LONGEST]), tone))
    return [piece for piece in pieces if piece[0]]


def fit(pieces: Pieces, width: int, *, is_right: bool = False) -> list[Piece]:
    """Pieces cut or padded to the width of their column."""
    left = width - width_of(pieces)
    if left < 0:
        return _cut(pieces, width)
    blank = (" " * left, "")
    return [blank, *pieces] if is_right else [*pieces, blank]


def fit_path(text: str, width: int) -> str:
    """A path cut to a width: its beginning, unless its name would be cut as well."""
    if cell_len(text) <= width:
        return text
    name = text.rpartition("/")[2]
    head = 0 if cell_len(name) < width else max(width - 1, 0) // 3
    tail = max(width - 1 - head, 0)
    kept = text[len(text) - tail :]
    while cell_len(kept) > tail:
        kept = kept[1:]
    return set_cell_size(f"{set_cell_size(text, head)}{_CUT}{kept}", width)


def _cut(pieces: Iterable[Piece], width: int) -> list[Piece]:
    """The pieces that fit before the ellipsis."""
    kept: list[Piece] = []
    left = width - 1
    for text, tone in pieces:
        shown = fitting(text, left) if left > 0 else ""
        left -= cell_len(shown)
        if shown:
            kept.append((shown, tone))
        if left <= 0:
            break
    tone = kept[-1][1] if kept else ""
    return [*kept, (_CUT[:width], tone)] if width > 0 else []


# A column: its title, its cells, and its width depending on the pane.

R = TypeVar("R")

OPEN = 0
"""The width of a column that shares the remaining space."""


class Column(Struct, Generic[R], frozen=True):
    """One column of a table."""

    name: str
    """The sort key of this column; empty if it cannot be sorted by."""
    title: str
    """Its heading."""
    cell: Callable[[R, int], Pieces]
    """Draws a cell in the given width."""
    widths: tuple[tuple[int, int], ...] = ((0, OPEN),)
    """Its width from each width of the pane on; hidden below the first."""
    gap: int = 1
    """Blank cells before it."""
    is_right: bool = False
    """Whether its cells are aligned right."""
    fact: str = ""
    """The fact it depends on, if not every record has it; empty otherwise."""

    def width_in(self, pane: int) -> int | None:
        """Its width in a pane; None if hidden."""
        found = None
        for least, width in self.widths:
            if pane >= least:
                found = width
        return found


def toned(text: Callable[[Any], str], tone: str) -> Callable[[Any, int], Pieces]:
    """A cell that shows a text of each record in one tone."""
    return lambda record, _width: [(text(record), tone)]


class Placed(NamedTuple, Generic[R]):
    """A column at its position."""

    column: Column[R]
    start: int
    """The start of its gap."""
    width: int
    """Its width, without the gap."""

    @property
    def end(self) -> int:
        """The cell after its last one."""
        return self.start + self.column.gap + self.width

    @property
    def is_open(self) -> bool:
        """Whether it shares the space that others leave."""
        return any(width == OPEN for _, width in self.column.widths)


def placed(columns: Iterable[Column[R]], pane: int, width: int) -> list[Placed[R]]:
    """The columns that a pane shows, with its width divided among them."""
    shown = [(one, one.width_in(pane)) for one in columns]
    fixed = sum(one.gap + wide for one, wide in shown if wide is not None)
    open_ended = sum(wide == OPEN for _, wide in shown)
    left = max(width - fixed, 0)
    places: list[Placed[R]] = []
    start = 0
    for column, wide in shown:
        if wide is None:
            continue
        if wide == OPEN:
            wide, open_ended = left // open_ended, open_ended - 1  # noqa: PLW2901  # its share
            left -= wide
        places.append(Placed(column, start, wide))
        start += column.gap + wide
    return places


# The title line of a pane: its name, and headings that it does not cover.

HEADING, SORTED = "head", "sorted"
"""The tones of a heading, and of the sorted column's heading."""

DOWN, UP = "▼", "▲"
"""Whether the largest is first, or the smallest."""


class Heading(Struct, frozen=True):
    """The heading of a column."""

    text: str
    tone: str
    start: int
    """The first cell that it can take."""
    end: int
    """The end of its column."""
    is_right: bool = False

    @classmethod
    def of(cls, place: Placed[Any]) -> "Heading":
        """The heading of a column that the list is not sorted by."""
        column = place.column
        start, end = GUTTER + place.start + column.gap, GUTTER + place.end
        return cls(column.title, HEADING, start, end, column.is_right)

    def pointed(self, arrow: str, place: Placed[Any]) -> "Heading":
        """The same with an arrow, behind it if there is room."""
        wide, column = cell_len(self.text), place.column
        room = place.width + (column.gap - 1 if column.is_right else 0)
        if wide + 1 > room:
            text, start = f"{arrow}{self.text}", self.start - 1
        else:
            between = " " if wide + 1 < room else ""
            text, start = f"{self.text}{between}{arrow}", self.start
        return replace(self, text=text, tone=SORTED, start=start)

    def at(self, least: int) -> int | None:
        """Where it starts, at `least` or further right; None without room."""
        wide = cell_len(self.text)
        usual = self.end - wide if self.is_right else self.start
        start = usual if self.is_right else max(usual, least)
        return start if wide and least <= start <= self.end - wide else None


def named(parts: Iterable[Pieces], most: int, *, key: int = 0) -> list[Piece]:
    """The name of a pane and what follows it, as many parts as fit.

    The one numbered `key` is always shown, even without those before it.
    """
    told = [part for part in parts if text_of(part)]
    while key and _joined(told[: key + 1]) > most:
        told, key = told[1:], key - 1
    while len(told) > 1 and _joined(told) > most:
        told.pop()
    line = [piece for part in told for piece in (APART, *part)]
    shown = [(" " * BEFORE, ""), *line[1:]] if line else []
    return _cut(shown, most) if width_of(shown) > most else shown


def _joined(parts: Sequence[Pieces]) -> int:
    """The width of some parts of a title line."""
    apart = width_of([APART])
    return BEFORE - apart + sum(apart + width_of(part) for part in parts)


def headed(name: Pieces, headings: Iterable[Heading]) -> list[Piece]:
    """The name of a pane, then the headings that it leaves room for."""
    line = list(name)
    at = width_of(line)
    least = at + width_of([APART]) if line else 0
    for heading in headings:
        start = heading.at(least)
        if start is not None:
            line += [(" " * (start - at), ""), (heading.text, heading.tone)]
            at = start + cell_len(heading.text)
            least = at + 1
    return line


def cells_of(places: Iterable[Placed[R]], record: R) -> list[Piece]:
    """The cells of a record in some columns."""
    cells: list[Piece] = []
    for column, _, wide in places:
        cells.append((" " * column.gap, ""))
        cells += fit(column.cell(record, wide), wide, is_right=column.is_right)
    return cells


# A table: rows with as many columns as the pane has room for.


class Sorting(Struct, frozen=True):
    """The sort order of a list."""

    name: str
    """The name of a column."""
    is_ascending: bool = False
    """Whether the smallest is first."""
    words: str = ""
    """The order in words, where no heading shows it."""


class Table(Face[R]):
    """Shows records in columns; the head shows the sort order."""

    has_head = True
    can_mark = True

    class SortAsked(Report):
        """Records should be sorted by another column."""

        name: str

    def __init__(self, sheet: Sheet, columns: Iterable[Column[R]]) -> None:
        self._all_columns = self.columns = tuple(columns)
        self._sorting: Sorting | None = None
        self.label = ""
        """The name of the list, for its title line."""
        self.store = ""
        """The only store that it shows, if that is one of several."""
        super().__init__(sheet)

    @property
    def sorting(self) -> Sorting | None:
        """The sort order; sorting is up to the program."""
        return self._sorting

    @sorting.setter
    def sorting(self, sorting: Sorting | None) -> None:
        """Redraw: the head shows it, and the sorted column takes room for its arrow."""
        if sorting != self._sorting:
            self._sorting = sorting
            self.renew()

    def hide(self, lacks: Container[str]) -> None:
        """Hide the columns of facts that no record here has."""
        columns = tuple(one for one in self._all_columns if one.fact not in lacks)
        if columns != self.columns:
            self.columns = columns
            self.renew()

    def head(self, width: int) -> Pieces:
        """The name of the list, and the headings of the columns.

        The order is shown in words if no heading shows it, or only an age does: an
        arrow beside that does not say which end is first.
        """
        places = _places(self.columns, self.sorting, width)
        headings = list(_headings(places, self.sorting))
        line = headed(_name(names_of(self), places, width), headings)
        words = self.sorting.words if self.sorting else ""
        is_clear = any(
            tone == SORTED and not text.startswith(AGE) for text, tone in line
        )
        if words and not is_clear:
            line = headed(_name(names_of(self), places, width, words), headings)
        return line

    def draw(self, record: R, width: int) -> Pieces:
        """The cells of a record."""
        places = _places(self.columns, self.sorting, width + GUTTER)
        return cells_of(places, record)

    def head_clicked(self, x: int) -> None:
        """Request sorting by the clicked column, unless it is covered by the name."""
        sheet = self.lines.sheet
        places = _places(self.columns, self.sorting, sheet.text_width)
        if x < width_of(_name(names_of(self), places, sheet.text_width)):
            return
        for place in places:
            name = place.column.name
            if place.start <= x - GUTTER < place.end and name:
                sheet.post_message(self.SortAsked(sheet, name))


def names_of(face: Table[Any]) -> list[Pieces]:
    """The name of a list, and of the only store that it shows."""
    store: list[Pieces] = [[(told(face.store), SORTED)]] if face.store else []
    return [[(face.label, PANE)], *store]


def _places(
    columns: Sequence[Column[R]], sorting: Sorting | None, width: int
) -> list[Placed[R]]:
    """The columns in a line of this width, with their places after the gutter.

    A sorted column whose heading leaves no room for an arrow is set further apart.
    """
    inner = max(width - GUTTER, 0)
    places = placed(columns, width, inner)
    name = sorting.name if sorting else ""
    tight = next((one.column for one in places if _is_tight(one, name)), None)
    if tight is None:
        return places
    apart = replace(tight, gap=tight.gap + 1)
    return placed((apart if one is tight else one for one in columns), width, inner)


def _name(
    names: Sequence[Pieces],
    places: Iterable[Placed[Any]],
    width: int,
    words: str = "",
) -> list[Piece]:
    """The name of a list, and its order in words, over the first columns."""
    ends = (one.end + GUTTER for one in places if one.is_open)
    parts = [*names, [(words, SORTED)]]
    return named(parts, next(ends, width), key=len(names) - 1)


def _headings(
    places: Iterable[Placed[Any]], sorting: Sorting | None
) -> Iterator[Heading]:
    """The headings of the columns, the sorted one with an arrow."""
    for place in places:
        heading = Heading.of(place)
        if sorting and heading.text and place.column.name == sorting.name:
            heading = heading.pointed(UP if sorting.is_ascending else DOWN, place)
        yield heading


def _is_tight(place: Placed[Any], name: str) -> bool:
    """Whether this is the sorted column, and its heading fills it."""
    column = place.column
    is_sorted = bool(column.title) and column.name == name
    return is_sorted and cell_len(column.title) >= place.width + column.gap - 1
