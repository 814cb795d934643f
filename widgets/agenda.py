"""The daily log: entries grouped by day."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from enum import IntEnum, IntFlag
from itertools import accumulate, pairwise, takewhile
from operator import add
from typing import NamedTuple

from msgspec import Struct, field
from rich.cells import cell_len

from store.derive.statistics import UNTOLD, Moment, Parts, Timing, minute_of
from store.kinds.memories import MemoryInFull
from store.kinds.pages import Episode
from store.records.answers import Link
from store.text import regex
from widgets.calendar import ENTRIES, Counted, ordinal, told
from widgets.lines import GUTTER, said
from widgets.memory_table import LARGE, SMALL, code
from widgets.page import Body, Joined, Made, Markdown, memory_page
from widgets.rows import Arrangement, Rows
from widgets.sheet import Piece, Pieces, Sheet, width_of
from widgets.table import (
    OPEN,
    Column,
    Spans,
    Table,
    fit,
    fit_path,
    named,
    names_of,
    toned,
    with_hits,
)
from widgets.table import told as cleaned
from widgets.text import (
    Look,
    Run,
    Runs,
    Target,
    TextLine,
    flow,
    found,
    marked,
    single,
    wrap,
)

# The mapping between lines and rows of one or several lines.


class Place(NamedTuple):
    """A line, as a part of a row."""

    row: int
    part: int
    """Its index among the row's lines."""


class Plan(Struct, frozen=True):
    """The lines of rows: exact for the first, estimated for the others."""

    count: int = 0
    """The number of rows."""
    _starts: "array[int]" = field(default_factory=lambda: array("q", (0,)))
    """The start of each known row, and of the next one."""
    usual: int = 1
    """The estimated number of lines of an unknown row."""

    @classmethod
    def of(cls, heights: Iterable[int], count: int, usual: int = 1) -> "Plan":
        """The plan for `count` rows, the first of which have these heights."""
        return cls(count, array("q", accumulate(heights, initial=0)), usual)

    @property
    def known(self) -> int:
        """The number of known rows."""
        return len(self._starts) - 1

    @property
    def lines(self) -> int:
        """The number of lines."""
        return self.start(self.count)

    def start(self, row: int) -> int:
        """The first line of a row."""
        known = self.known
        if row <= known:
            return self._starts[max(row, 0)]
        return self._starts[known] + (row - known) * self.usual

    def at(self, line: int) -> Place:
        """The row and part at a line; the nearest if out of range."""
        line = max(0, min(line, self.lines - 1))
        end = self._starts[self.known]
        if line < end:
            row = bisect_right(self._starts, line) - 1
        else:
            row = self.known + (line - end) // self.usual
        row = max(0, min(row, self.count - 1))
        return Place(row, line - self.start(row))


# The outline of a log: the starts of its days, and long gaps.
#
# It is computed from the times of all entries, and therefore in the background.

SILENCE = 120
"""The shortest gap shown within a day, in minutes."""

QUIET = 8
"""The shortest gap shown between days, in days."""


class Break(IntFlag):
    """What precedes an entry."""

    GAP = 1
    """A long gap."""
    DAY = 2
    """The start of a day."""


class Outline(Struct, frozen=True):
    """What is known about entries without reading them; of the first, or of all."""

    timing: Timing = field(default_factory=Timing)
    """Their times."""
    breaks: bytes = b""
    """What precedes each, as `Break`."""
    begins: "array[int]" = field(default_factory=lambda: array("q"))
    """The start of each day."""
    first: Mapping[str, int] = field(default_factory=dict[str, int])
    """The first entry of each day, by the day as written."""
    is_in_order: bool = True
    """Whether they are sorted by day, in either direction."""

    def __len__(self) -> int:
        return len(self.timing)

    @classmethod
    def of(cls, timing: Timing) -> "Outline":
        """The outline of entries."""
        begins = array("q", _begins(timing.days))
        days = [timing.days[at] for at in begins]
        first: dict[str, int] = {}
        for at, day in zip(begins, days, strict=True):
            first.setdefault(day, at)
        is_in_order = len(first) == len(days) and _is_monotone(days)
        return cls(timing, _breaks(timing, begins), begins, first, is_in_order)

    def begin_of_day(self, position: int, step: int) -> int | None:
        """The start of the day this many days from that of an entry."""
        at = bisect_right(self.begins, position) - 1 + step
        return self.begins[at] if 0 <= at < len(self.begins) else None

    def entries_of_day(self, position: int, count: int) -> int | None:
        """The number of entries on the day of an entry; None if unknown."""
        at = bisect_right(self.begins, position)
        end = self.begins[at] if at < len(self.begins) else len(self)
        if at == len(self.begins) and len(self) < count:
            return None
        return end - self.begins[at - 1] if at else None

    def nearest(self, day: int) -> int | None:
        """The first entry of the day nearest to an ordinal."""
        dated = [
            (found, at)
            for text, at in self.first.items()
            if (found := ordinal(text)) is not None
        ]
        dated.sort()
        at = bisect_left(dated, (day, 0))
        near = dated[max(at - 1, 0) : at + 1]
        return min(near, key=lambda one: abs(one[0] - day))[1] if near else None


def _begins(days: Sequence[str]) -> Iterator[int]:
    """The positions where a new day starts."""
    before: str | None = None
    for at, day in enumerate(days):
        if day != before:
            yield at
            before = day


def _is_monotone(days: Sequence[str]) -> bool:
    pairs = list(pairwise(days))
    return all(a < b for a, b in pairs) or all(a > b for a, b in pairs)


def _breaks(timing: Timing, begins: Sequence[int]) -> bytes:
    """What precedes each entry; nothing for the first."""
    minutes = timing.minutes
    breaks = bytearray(len(timing))
    for at, (one, other) in enumerate(pairwise(minutes), 1):
        if abs(one - other) >= SILENCE and one != UNTOLD != other:
            breaks[at] = Break.GAP
    for before, at in pairwise(begins):
        breaks[at] = Break.DAY
        if days_between(timing.days[before], timing.days[at]) >= QUIET:
            breaks[at] |= Break.GAP
    return bytes(breaks)


def days_between(one: str, other: str) -> int:
    """The number of days between two days; 0 if either is invalid."""
    first, second = ordinal(one), ordinal(other)
    return 0 if first is None or second is None else abs(first - second)


# How much of an entry is shown: one line, two or three, depending on the room.

_NARROW, _SHORT, _TALL = 30, 6, 28

_KINDS_OF_BYTE = 256


class Shape(IntEnum):
    """How an entry is drawn."""

    LINE = 1
    """Its title only."""
    PAIR = 2
    """Its title, with summary and link on the line beneath."""
    WHOLE = 3
    """Its title, summary and link, each on a separate line."""


def shape_in(width: int, room: int) -> Shape:
    """The shape that fits this size."""
    if width < _NARROW or room < _SHORT:
        return Shape.LINE
    return Shape.WHOLE if room >= _TALL else Shape.PAIR


def plan_of(outline: Outline, shape: Shape, count: int) -> Plan:
    """The lines of `count` entries; those beyond the outline are estimated.

    Entries that are not sorted by day are rows of a table.
    """
    if not outline.is_in_order:
        return Plan.of((), count)
    own = outline.timing.parts.translate(_OWN[shape])
    leading = outline.breaks.translate(_LEADING)
    return Plan.of(map(add, own, leading), count, usual=shape)


_LEADING = bytes(flags.bit_count() for flags in range(_KINDS_OF_BYTE))
"""The number of lines before an entry, by its breaks."""

_OWN = {
    shape: bytes(min(1 + parts.bit_count(), shape) for parts in range(_KINDS_OF_BYTE))
    for shape in Shape
}
"""The number of lines of an entry, by its parts."""


# Rows of one or several lines, some of them above the row itself.


class Blocks(Arrangement):
    """Rows as blocks of lines; the leading ones are not shown at the top."""

    def __init__(self, plan: Plan, leads: bytes = b"") -> None:
        """`leads` are the numbers of leading lines of the rows, as far as known."""
        super().__init__(plan.count)
        self.plan = plan
        """The mapping between lines and rows."""
        self._leads = leads

    @property
    def lines(self) -> int:
        """The number of lines."""
        return self.plan.lines

    def lead(self, row: int) -> int:
        """The number of leading lines of a row."""
        return self._leads[row] if row < len(self._leads) else 0

    def row_at(self, line: int) -> int:
        """The row of a line."""
        return self.plan.at(line).row

    def own_line(self, row: int) -> int:
        """The line at which the row itself starts."""
        return self.plan.start(row) + self.lead(row)

    def span(self, row: int) -> range:
        """The row without its leading lines."""
        return range(self.own_line(row), self.plan.start(row + 1))

    def paged(self, row: int, lines: int) -> int:
        """The row this many lines further, but at least the next one."""
        wanted = self.plan.at(self.own_line(row) + lines).row
        step = 1 if lines > 0 else -1
        return wanted if wanted != row else wanted + step

    def in_view(self, line: int, room: int) -> Sequence[int]:
        """The rows with lines among some."""
        last = self.plan.at(line + max(room, 1) - 1).row
        return range(self.plan.at(line).row, min(last + 1, self.plan.count))

    def top(self, line: int) -> int:
        """A line, or the row that it leads to."""
        row, part = self.plan.at(line)
        return max(line, 0) + max(self.lead(row) - part, 0)


def blocks_of(outline: Outline, shape: Shape, count: int) -> Blocks:
    """`count` entries as blocks."""
    is_by_day = outline.is_in_order
    leads = outline.breaks.translate(_LEADING) if is_by_day else b""
    return Blocks(plan_of(outline, shape, count), leads)


# What is between entries: the heading of a day, and long gaps.

_HOUR = 60
_RULE = "─"


def heading(
    day: str | None,
    count: int | None,
    others: Iterable[Counted],
    today: date,
    width: int,
) -> Pieces:
    """A day with its number of entries and other records, followed by a rule."""
    name = "…" if day is None else cleaned(told(day, today))
    counts = [] if count is None else [ENTRIES.counted(count)]
    at = ordinal(day or "") or 0
    counts += [other.noun.counted(other.on(at)) for other in others if other.on(at)]
    while len(counts) > 1 and cell_len(name) + len(_joined(counts)) >= width:
        counts.pop()
    number = _joined(counts)
    left = max(width - cell_len(name) - len(number) - 1, 0)
    pieces = [(name, "heading"), (number, "muted"), (f" {_RULE * left}", "faint")]
    return fit(pieces, width)


def _joined(counts: Sequence[str]) -> str:
    return f"  {' · '.join(counts)}" if counts else ""


def gap_between(timing: Timing, position: int) -> Pieces:
    """The length of the gap before an entry."""
    before, day = timing.days[position - 1], timing.days[position]
    if day == before:
        silent = abs(timing.minutes[position] - timing.minutes[position - 1])
        lasted = f"{silent // _HOUR}h {silent % _HOUR}m"
    else:
        lasted = f"{days_between(before, day) - 1} quiet days"
    return [("      ┊ ", "faint"), (lasted, "faint italic")]


# An entry as drawn: time, type, title, summary.

_TIMED, _TAGGED = 26, 64
"""The widths from which the time, and the tags, are shown."""

_MOST = 30
"""The most cells for tags, and for a link beside a summary."""

_BAR = "▎"
_LONGEST = 2000
"""Characters of a summary that are read for one line."""

_SUFFIX = regex(r"(-[0-9a-f]{6})?\.\w+\Z")
"""The suffix of a memory's file name."""


def moment_of(episode: Episode) -> Moment:
    """Its time and its parts."""
    parts = Parts.SUMMARY * bool(episode.summary)
    parts |= Parts.LINK * (episode.link is not None)
    return Moment(episode.date, episode.time, parts)


def headline(episode: Episode, width: int, hits: Spans) -> Pieces:
    """The first line, which is always shown."""
    letters, tone = code(episode.type)
    start: list[Piece] = [(_time(episode.time, width), "muted"), _bar(episode)]
    if letters.strip():
        start.append((f"{letters} ", tone))
    tags = _tags(episode, width)
    room = max(width - width_of(start) - width_of(tags), 0)
    return [*start, *fit(with_hits(episode.title, hits, "title"), room), *tags]


def detail(episode: Episode, width: int, line: int, shape: Shape) -> Pieces:
    """A line beneath it; `line` is 1 for the first."""
    start: list[Piece] = [(" " * len(_time(None, width)), ""), _bar(episode)]
    room = max(width - width_of(start), 0)
    said = [piece for piece in (_summary(episode), _link(episode)) if piece]
    if shape is Shape.WHOLE:
        said = said[line - 1 : line]
    return [*start, *_beside(said, room)]


def _beside(said: list[Piece], room: int) -> Pieces:
    """The summary, and the link on the right."""
    if len(said) < len(Parts):
        return fit(said, room)
    summary, link = said
    right = min(width_of([link]), _MOST, room // 2)
    return [*fit([summary], max(room - right - 1, 0)), (" ", ""), *fit([link], right)]


def _time(time: str | None, width: int) -> str:
    """The time of day, or blanks of the same width."""
    if width < _TIMED:
        return ""
    minute = minute_of(time)
    if minute is None:
        return " " * len("09:02 ")
    return f"{minute // _HOUR:02}:{minute % _HOUR:02} "


def _bar(episode: Episode) -> Piece:
    return _BAR, code(episode.type)[1] or "faint"


def _tags(episode: Episode, width: int) -> Pieces:
    """The tags at the right end, if there is room."""
    text = cleaned(" ".join(episode.tags))
    if width < _TAGGED or not text:
        return []
    tags: Piece = (text, "tag")
    return [("  ", ""), *fit([tags], min(width_of([tags]), _MOST))]


def _summary(episode: Episode) -> Piece | None:
    text = " ".join((episode.summary or "")[:_LONGEST].split())
    return (cleaned(text), "muted") if episode.summary else None


def _link(episode: Episode) -> Piece | None:
    """The link; a broken one has a warning."""
    if episode.link is None:
        return None
    file = episode.link.partition("#")[0].rpartition("/")[2]
    name = _SUFFIX.sub("", file) or episode.link
    if episode.memory is None:
        return f"⚠ {cleaned(name)}", "warning"
    return f"→ {cleaned(name)}", "arrow"


# An entry as a page: its time, its summary, and its memory.

_NOTHING = "No details."


def entry_page(
    entry: Episode,
    links: Sequence[Link],
    memory: MemoryInFull | None,
    now: int,
    today: date,
) -> Body:
    """A whole entry, followed by its whole memory."""
    said = Markdown(entry.summary or _NOTHING)
    parts: list[Body] = [Made(lambda look: _head(entry, today, look)), said]
    parts.append(Made(lambda look: _links(entry, links, look)))
    if memory is not None:
        parts += [Made(lambda look: _divider(memory, look)), memory_page(memory, now)]
    return Joined(*parts)


def _head(entry: Episode, today: date, look: Look) -> Iterator[TextLine]:
    """Facts in a few lines, and a rule."""
    yield from flow(list(_facts(entry, today)), look.width)
    tags = [[Run(cleaned(f"#{tag}"), "tag", Target("tag", tag))] for tag in entry.tags]
    yield from flow(
        [list(marked(tag, look.needles)) for tag in tags], look.width, gap=1
    )
    place = f"{cleaned(entry.path)}:{entry.line}"
    yield single(fit_path(place, look.width), "faint")
    yield single("─" * look.width, "faint")


def _facts(entry: Episode, today: date) -> Iterator[Runs]:
    """The day, the time, and the type as a word."""
    yield [Run(cleaned(told(entry.date, today)), "heading")]
    if entry.time:
        yield [Run(cleaned(entry.time), "strong")]
    if entry.type:
        yield [Run(cleaned(entry.type), code(entry.type)[1])]
    yield [Run("append-only", "faint")]


def _links(entry: Episode, links: Sequence[Link], look: Look) -> Iterator[TextLine]:
    """The linked records, one per line; a broken link has a warning."""
    known = [link for link in links if link.ref]
    for link in known:
        name = Run(cleaned(link.title or link.ref or ""), "link", _target(link))
        yield from wrap(marked([name], look.needles), look.width, (Run("→ ", "arrow"),))
    if entry.link is not None and entry.memory is None:
        missing = Run(f"{cleaned(entry.link)} doesn't exist", "warning")
        yield from wrap([missing], look.width, (Run("⚠ ", "warning"),))


def _target(link: Link) -> Target:
    return Target("ref", link.ref or "")


def _divider(memory: MemoryInFull, look: Look) -> Iterator[TextLine]:
    """The divider above the memory, with its type and title."""
    letters, tone = code(memory.memory.type)
    title = Run(
        cleaned(memory.memory.title), "strong", Target("ref", memory.memory.ref)
    )
    yield single("━" * look.width, "faint")
    yield from wrap([Run(f"{letters} ", tone), title], look.width)


# Entries as rows of a table, for any order other than by day.

_DAY, _WHEN = 10, 16


def _when(episode: Episode, width: int) -> Pieces:
    text = f"{episode.date} {episode.time or ''}"
    return [(cleaned(text)[:width], "muted")]


def _type(episode: Episode, _width: int) -> Pieces:
    return [code(episode.type)]


_title = toned(lambda episode: cleaned(episode.title), "title")
_tags_listed = toned(lambda episode: cleaned(" ".join(episode.tags)), "tag")
_summary_listed = toned(lambda episode: cleaned(episode.summary), "muted")

COLUMNS = (
    Column("date", "when", _when, ((SMALL, _DAY), (54, _WHEN)), gap=0),
    Column("type", "typ", _type, ((SMALL, 3),)),
    Column("title", "title", _title, ((0, OPEN),)),
    Column("", "what happened", _summary_listed, ((LARGE, OPEN),), gap=2),
    Column("", "tags", _tags_listed, ((LARGE, 18),), gap=2),
)
"""From left to right."""


# The agenda: log entries by day; the head shows the day in view.
#
# In any other order, entries are rows of a table.

_AT_HAND = 100
"""Entries read for an outline until the complete one is known."""


class Noted(Struct, frozen=True):
    """What is shown besides the entries."""

    today: date = date.min
    """The current day."""
    sought: tuple[str, ...] = ()
    """The search words, which are highlighted."""
    others: tuple[Counted, ...] = ()
    """Other records of each day: memories, conversations."""
    note: str = ""
    """The text shown without entries."""
    aside: tuple[Pieces, ...] = ()
    """The list beneath that text."""


class Agenda(Table[Episode]):
    """Shows entries day by day."""

    def __init__(self, sheet: Sheet) -> None:
        self.outline = Outline()
        """What is known about all entries, including those out of view."""
        self.noted = Noted()
        self._shape = Shape.LINE
        self._blocks = Blocks(Plan())
        super().__init__(sheet, COLUMNS)

    def tell(self, noted: Noted) -> None:
        """Show other things besides the entries."""
        if noted != self.noted:
            self.noted = noted
            self.renew()

    def lay(self, outline: Outline) -> None:
        """Set the outline of all entries; one for other entries is ignored."""
        if len(outline) == self.lines.count():
            self.outline = outline
            self.lines.lay_again(self._arranged(len(outline)))

    @property
    def is_by_day(self) -> bool:
        """Whether the entries are sorted by day."""
        return self.outline.is_in_order

    def day_of(self, position: int) -> str | None:
        """The day of an entry, as written; None if unknown."""
        days = self.outline.timing.days
        return days[position] if position < len(days) else None

    def to_day(self, step: int) -> None:
        """Go to the first entry of the day this many days with entries away."""
        begin = self.outline.begin_of_day(self.lines.cursor, step)
        if begin is not None:
            self.lines.to(begin)

    def arranged(self, rows: Rows[Episode]) -> Blocks:
        """The lines of other entries; unchanged if they are the same."""
        if not self._are_laid(rows):
            at_hand = takewhile(_is_known, rows.page(0, min(_AT_HAND, len(rows))))
            known = [moment_of(one) for one in at_hand if one is not None]
            self.outline = Outline.of(Timing.of(known))
        return self._arranged(len(rows))

    def draw(self, record: Episode, width: int) -> Pieces:
        """The first line of an entry, or all of it."""
        if not self.is_by_day:
            return super().draw(record, width)
        return headline(record, width, self._hits(record))

    def draw_beside(self, line: int, row: int, width: int) -> Pieces:
        """A line above an entry, or one beneath its title."""
        blocks = self._blocks
        part = line - blocks.plan.start(row)
        if part < blocks.lead(row):
            return self._leading(row, part, width)
        record = self.lines.record(row)
        if record is None:
            return ()
        return detail(record, width, part - blocks.lead(row), self._shape)

    def draw_after(self, line: int, width: int) -> Pieces:
        """The text shown without entries."""
        if self.lines.count() or not self.noted.note:
            return super().draw_after(line, width)
        blank = (" " * GUTTER, "")
        said_ones = said([self.noted.note], width)
        told_ones: list[Pieces] = [[(each, "muted")] for each in said_ones]
        shown: list[Pieces] = [*told_ones, (), *self.noted.aside]
        return [blank, *(shown[line] if line < len(shown) else ())]

    def head(self, width: int) -> Pieces:
        """The day in view; in a table, the column titles."""
        if not self.is_by_day:
            return super().head(width)
        day = self._heading(self.lines.first, width) if self.lines.count() else ()
        told = [[(text.strip(), tone)] for text, tone in day[:2] if text.strip()]
        names = names_of(self)
        key = len(names) - 1 + min(len(told), 1)
        return named([*names, *told], width, key=key)

    def head_clicked(self, x: int) -> None:
        """Ignore clicks on a day, which is not a column."""
        if not self.is_by_day:
            super().head_clicked(x)

    def resized(self) -> None:
        """Adapt the entries to the new size."""
        sheet = self.lines.sheet
        shape = shape_in(sheet.text_width, sheet.room)
        if shape is not self._shape:
            self._shape = shape
            self.lines.lay_again(self._arranged(self.lines.count()))

    def _arranged(self, count: int) -> Blocks:
        self._blocks = blocks_of(self.outline, self._shape, count)
        return self._blocks

    def _are_laid(self, rows: Rows[Episode]) -> bool:
        """Whether the outline belongs to these rows."""
        last, lines = len(rows) - 1, self.lines
        return (
            len(rows) == len(self.outline) == lines.count()
            and bool(rows)
            and rows.key(0) == lines.key(0)
            and rows.key(last) == lines.key(last)
        )

    def _leading(self, row: int, part: int, width: int) -> Pieces:
        """A line above an entry: a gap, or the heading of a day."""
        if self.outline.breaks[row] & Break.GAP and part == 0:
            return gap_between(self.outline.timing, row)
        return self._heading(row, width)

    def _heading(self, position: int, width: int) -> Pieces:
        count = self.outline.entries_of_day(position, self.lines.count())
        day = self.day_of(position)
        return heading(day, count, self.noted.others, self.noted.today, width)

    def _hits(self, record: Episode) -> Spans:
        return found(record.title, self.noted.sought) if self.noted.sought else ()


def _is_known(record: Episode | None) -> bool:
    return record is not None
