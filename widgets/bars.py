"""Bars: tabs, status, hints, health; and bars of several rows."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace
from textual import events
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from store.kinds.problems import BEST, score
from widgets.memory_table import GLYPHS, STAGE_WORDS
from widgets.sheet import Notice, Piece, Pieces, broken, strip, width_of
from widgets.styles import DARK, STATUSES, Brush, Palette
from widgets.table import brief, told

# Items of a bar: which fit a width, and in which form.
#
# First all become shorter together, except those that keep their form. Then items are
# dropped, lowest rank first, and among equals the rightmost first. Remaining room goes
# to the item with the highest rank.


class Item(NamedTuple):
    """An item of a bar."""

    forms: tuple[Pieces, ...]
    """Its forms, from the longest to the shortest."""
    rank: int = 0
    """Items with a higher rank stay longer."""
    keeps: bool = False
    """Whether it always has its longest form."""
    name: str = ""
    """Reported on a click; empty for no report."""


def plain(text: str, tone: str, rank: int, short: str = "") -> Item:
    """An item of one tone."""
    forms = ([(text, tone)], [(short, tone)]) if short else ([(text, tone)],)
    return Item(forms, rank)


class Items(Struct, frozen=True):
    """The items on the left and on the right of a bar."""

    left: tuple[Item, ...] = ()
    right: tuple[Item, ...] = ()
    gap: int = 2
    """Blank cells between two items."""


class Shown(Struct, frozen=True):
    """A piece of a bar, and the name of its item."""

    pieces: Pieces
    name: str = ""


def arranged(items: Items, width: int) -> list[Shown]:
    """The shown pieces from left to right, no wider than `width`.

    Except if only one item is left, which is cut when drawn.
    """
    both = (*items.left, *items.right)
    longest = max((len(item.forms) for item in both), default=0)
    for level in range(longest):
        if _width(both, level, items.gap) <= width:
            return _joined(items, both, level, width)
    kept = list(both)
    while len(kept) > 1 and _width(kept, longest - 1, items.gap) > width:
        least = min(item.rank for item in kept)
        last = max(at for at, item in enumerate(kept) if item.rank == least)
        del kept[last]
    return _joined(items, kept, max(longest - 1, 0), width)


def _joined(items: Items, kept: Sequence[Item], level: int, width: int) -> list[Shown]:
    """The remaining items, and the space between left and right."""
    forms = {id(item): _form(item, level) for item in kept}
    if kept:
        first = max(kept, key=lambda item: item.rank)
        forms[id(first)] = _longest(
            first, level, width - _width(kept, level, items.gap)
        )
    left, right = (
        _spaced([one for one in side if id(one) in forms], forms, items.gap)
        for side in (items.left, items.right)
    )
    used = sum(width_of(shown.pieces) for shown in (*left, *right))
    between = Shown([(" " * max(width - used, 0), "")])
    return [*left, between, *right]


def _longest(item: Item, level: int, spare: int) -> Pieces:
    """The longest form that fits into the spare cells."""
    usual = _form(item, level)
    room = width_of(usual) + spare
    fitting = (form for form in item.forms if width_of(form) <= room)
    return usual if item.keeps else max(fitting, key=width_of, default=usual)


def _spaced(
    items: Sequence[Item], forms: Mapping[int, Pieces], gap: int
) -> list[Shown]:
    shown: list[Shown] = []
    for item in items:
        if shown and gap:
            shown.append(Shown([(" " * gap, "")]))
        shown.append(Shown(forms[id(item)], item.name))
    return shown


def _width(items: Sequence[Item], level: int, gap: int) -> int:
    forms = [_form(item, level) for item in items]
    return sum(map(width_of, forms)) + gap * max(len(forms) - 1, 0)


def _form(item: Item, level: int) -> Pieces:
    return item.forms[0 if item.keeps else min(level, len(item.forms) - 1)]


# A bar: one row that shows its items as far as they fit.


class Bar(Widget):
    """Shows items; reports clicks on them."""

    DEFAULT_CSS = "Bar { height: 1; }"

    ALLOW_SELECT = False

    palette: reactive[Palette] = reactive(DARK)
    """The styles of the tones."""

    items: reactive[Items] = reactive(Items())
    """The items of the bar."""

    class Clicked(Notice):
        """A named item was clicked."""

        bar: "Bar"
        name: str

        @property
        def control(self) -> "Bar":
            """The bar, for the selectors of handlers."""
            return self.bar

    def render_line(self, y: int) -> Strip:
        """The row; a drawing error is shown in it."""
        width = self.size.width
        base = self.rich_style if self.palette.base is None else self.palette.base
        brush = Brush(self.palette, base + self.palette.style("bar"))
        if y:
            return Strip.blank(width, brush.base)
        try:
            pieces = [piece for one in self._shown() for piece in one.pieces]
            return strip(pieces, width, brush)
        except Exception as error:  # noqa: BLE001  # raising here would end the program
            return broken(error, width, brush)

    def on_click(self, event: events.Click) -> None:
        """Report the clicked item."""
        at = event.get_content_offset(self)
        x = at.x if at else -1
        for one in self._shown():
            x -= width_of(one.pieces)
            if x < 0:
                if one.name and at:
                    self.post_message(self.Clicked(self, one.name))
                return

    def _shown(self) -> list[Shown]:
        return arranged(self.items, self.size.width)


# A picture: a few rows that are drawn together.


class Picture(Bar):
    """Draws all rows when one is needed, and again after a change."""

    @abstractmethod
    def rows(self, width: int) -> Sequence[Pieces]:
        """Its rows from top to bottom."""

    def render_line(self, y: int) -> Strip:
        """One of its rows; a drawing error is shown in it."""
        width = self.size.width
        base = self.rich_style if self.palette.base is None else self.palette.base
        brush = Brush(self.palette, base)
        try:
            rows = self.rows(width)
            return strip(rows[y] if y < len(rows) else (), width, brush)
        except Exception as error:  # noqa: BLE001  # raising here would end the program
            return broken(error, width, brush)


# The tabs: the views, and how many records they have, in ways from wide to narrow.
#
# Which one is used depends on the width of the bar alone: not on the current tab, nor
# on the counts, so that every tab stays in its place.


class _Way(NamedTuple):
    """How tabs are written."""

    before: str = ""
    """The blank before each of them, in addition to the one after."""
    slot: int = 0
    """Cells for the count of each; 0 for none but those that always have one."""
    letters: int | None = None
    """The characters of a title; None for all."""
    is_short: bool = False
    """Whether titles and the state are short."""
    second: str = "titles"
    """What it has of the second rank: `titles`, `brief`, `keys`, or the current one."""


_WAYS = (
    _Way(before=" ", slot=4),
    _Way(slot=3, is_short=True),
    _Way(),
    _Way(is_short=True, second="brief"),
    _Way(before=" ", is_short=True, second="keys"),
    _Way(is_short=True, second="keys"),
    _Way(is_short=True, second=""),
    _Way(letters=3, is_short=True, second=""),
    _Way(letters=0, is_short=True, second=""),
)

_NARROW_SLOT = 2
"""Cells for a count that is always shown."""

STATE = "state"
"""The name of the state in reports."""

_LAST_TO_GO = 10
"""The rank of the state, which takes what room is left."""


class Tab(Struct, frozen=True):
    """One tab."""

    key: str
    """The key that shows it, also its name in reports."""
    title: str
    """Its title."""
    amount: int | None = None
    """The number of records; None if not counted."""
    short: str = ""
    """A shorter title, if there is one."""
    brief: str = ""
    """A still shorter title, if there is one."""
    is_problem: bool = False
    """Whether it counts problems: then its count is always shown."""
    is_second: bool = False
    """Whether a narrow bar shows its title only while it is current."""


def tab_bar(
    tabs: Iterable[Tab], here: str, store: str = "", state: Sequence[str] = ()
) -> Items:
    """The store if there is room, its tabs, and the state on the right.

    The state is given in several forms, from the longest to the shortest.
    """
    brand: list[Piece] = [(" ◈ ", "brand"), (f"{told(store)} ", "strong")]
    first = Item((brand if store else [], *[[]] * (len(_WAYS) - 1)))
    shown = [
        Item(
            tuple(_form_of_tab(tab, way, is_here=tab.key == here) for way in _WAYS),
            1,
            name=tab.key,
        )
        for tab in tabs
    ]
    return Items((first, *shown), (_state(state),) if state else (), gap=0)


def _state(forms: Sequence[str]) -> Item:
    """The state, as long as there is room for it."""
    close: list[Pieces] = [[(told(form), "ok")] for form in forms]
    apart: list[Pieces] = [[(" ", ""), *form] for form in close]
    at = min(1, len(apart) - 1)
    usual = {"titles": apart[at], "brief": close[-1]}
    least: list[Pieces] = [
        usual.get(way.second, apart[0] if way.before else []) for way in _WAYS
    ]
    return Item((*least, *apart, *close), _LAST_TO_GO, name=STATE)


def _form_of_tab(tab: Tab, way: _Way, *, is_here: bool) -> Pieces:
    """A tab in one of the ways."""
    is_brief = tab.is_second and way.second not in {"titles", "brief"}
    if is_brief and not (is_here and way.letters is None):
        return [(f"{way.before}{tab.key} ", "tab_empty")] if way.second else []
    short = tab.brief if way.second == "brief" and tab.brief else tab.short
    title = told(short if way.is_short and short else tab.title)[: way.letters]
    if is_brief:
        return [(f"{way.before}{tab.key} {title} ", "tab_here")]
    text = f"{title}{_count_of_tab(tab, way)} " if title else ""
    if is_here:
        return [(f"{way.before}{tab.key} {text}", "tab_here")]
    is_flaw = tab.is_problem and tab.amount
    tone = "tab_empty" if tab.amount == 0 else "warning" if is_flaw else "muted"
    return [(f"{way.before}{tab.key} ", "tab_empty"), (text, tone)]


def _count_of_tab(tab: Tab, way: _Way) -> str:
    """The count, padded so that the tabs after it stay in their places."""
    if not way.slot and not tab.is_problem:
        return ""
    is_told = tab.amount is not None and (tab.amount or way.slot)
    return f" {brief(tab.amount or 0) if is_told else '':<{way.slot or _NARROW_SLOT}}"


# Hints: keys and what they do, dimmed if not possible now.

_ALWAYS = 100


class Key(Struct, frozen=True):
    """A key."""

    looks: str
    word: str
    """What it does."""
    is_possible: bool = True
    """Whether it is possible now; the reason why not is shown when it is pressed."""


def hints(
    keys: Sequence[Key], right: Sequence[Key], *, in_colour: bool = True
) -> Items:
    """Keys with their actions; those on the right stay, of the others the first.

    What is not possible is dimmed, and without colours in brackets.
    """
    shown = enumerate(keys if in_colour else map(_bracketed, keys))
    ranked = [_hint(key, -number) for number, key in shown]
    return Items(tuple(ranked), tuple(_hint(key, _ALWAYS) for key in right))


def _bracketed(key: Key) -> Key:
    bracketed = replace(key, looks=f"({key.looks}", word=f"{key.word})")
    return key if key.is_possible else bracketed


def _hint(key: Key, rank: int) -> Item:
    looks, word = told(key.looks), f" {told(key.word)}"
    tones = ("key", "muted") if key.is_possible else ("faint", "faint")
    return Item(([(looks, tones[0]), (word, tones[1])],), rank, name=key.looks)


# The status of a view: counts, marks, undo, running job.

_COUNTS, _UNDO, _JOB, _MARKS = 1, 2, 8, 9
"""The order in which items are dropped."""


def status(
    counts: Mapping[str, int],
    marked: tuple[int, int] = (0, 0),
    undo: tuple[int, str] = (0, ""),
    job: str = "",
    right: str = "",
    brief_job: str = "",
) -> Items:
    """The counts of each stage or word, marks, undo and the running job.

    In a narrow bar, the right side is dropped first, marks and the job last.
    """
    left = [_count(word, counts[word]) for word in sorted(counts, key=_in_life)]
    if marked[0]:
        number, hidden = marked
        more = f", {hidden} not listed" if hidden else ""
        short = f"✓ {number}" + (f" ({hidden})" if hidden else "")
        left.append(plain(f"✓ {number} marked{more}", "marked", _MARKS, short))
    if undo[0]:
        left.append(plain(f"↶ {undo[0]} {undo[1]}", "arrow", _UNDO, f"↶{undo[0]}"))
    if job:
        left.append(plain(told(job), "strong", _JOB, told(brief_job)))
    ends = (plain(told(right), "ok", 0),) if right else ()
    return Items(tuple(left), ends)


STAGE = "stage"
"""The prefix of the names of stages and statuses in reports."""

_LIFE = [*(stage for stage in GLYPHS if stage != "archived"), *STATUSES]


def _in_life(word: str) -> int:
    """The place of a stage or status in the life of a record; other words are last."""
    return _LIFE.index(word) if word in _LIFE else len(_LIFE)


def _count(word: str, count: int) -> Item:
    """A count, with the glyph of its word if it has one."""
    known = STATUSES.get(word)
    glyph = GLYPHS.get(word) or (known and known.glyph)
    if not glyph:
        return plain(f"{count} {told(word)}", "muted", _COUNTS)
    tone = word if word in GLYPHS or known is None else known.tone
    short = [(glyph, tone), (str(count), "muted")]
    long = [(f"{glyph} ", tone), (f"{count} {STAGE_WORDS.get(word, word)}", "muted")]
    return Item((long, short), _COUNTS, name=f"{STAGE}:{word}")


# The health of stores: a bar, and the number of problems by severity.

_SIGNS = {"error": "✗", "warning": "⚠", "note": "i"}
_TONES = {"error": "error", "warning": "warning", "note": "muted"}
_WIDTH = 12
_LEVELS = "▁▂▃▄▅▆▇█"
_DAYS = 14
"""The most days whose scores are drawn."""


def health(
    severities: Mapping[str, int],
    mendable: int,
    memories: int | None = None,
    before: Sequence[tuple[str, int]] = (),
) -> Items:
    """The bar above a view of problems; `before` are the days and scores so far.

    Without the number of memories, as for a part of the problems, it has no score.
    """
    bar = [] if memories is None else _score(score(severities, memories))
    counts = [
        plain(f"{_SIGNS[name]} {_so_many(count, name)}", _TONES[name], 5 - rank)
        for rank, name in enumerate(_SIGNS)
        if (count := severities.get(name, 0))
    ]
    mend = [plain(f"{mendable} can be fixed", "ok", 1)] if mendable else []
    whole = [Item((bar, [bar[0], bar[-2]]), 9)] if bar else [plain("", "", 9)]
    return Items((*whole, *counts, *mend), _past(before))


def _score(points: int) -> list[Piece]:
    """A score as a bar and a number."""
    filled = round(_WIDTH * points / BEST)
    tone = "ok" if points >= BEST - 10 else "warning" if points >= _WIDTH else "error"
    return [
        (" health", "muted"),
        (" ", ""),
        ("━" * filled, tone),
        ("─" * (_WIDTH - filled), "faint"),
        (f" {points}", tone),
        (f" of {BEST}", "faint"),
    ]


def _past(before: Sequence[tuple[str, int]]) -> tuple[Item, ...]:
    """The scores of the last days as a small plot; none for a single day."""
    scores = before[-_DAYS:]
    if len(scores) < 2:  # noqa: PLR2004  # one day is no history
        return ()
    day, first = scores[0]
    steps = len(_LEVELS) - 1
    drawn = "".join(_LEVELS[steps * points // BEST] for _, points in scores)
    return (Item(([(drawn, "muted"), (f" {first} on {day}", "muted")],), 0),)


def _so_many(count: int, name: str) -> str:
    return f"{count} {name}" if count == 1 else f"{count} {name}s"
