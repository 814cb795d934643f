"""The screen as rows of cells, tracked by reading what Textual writes."""

import os
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from msgspec import Struct
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

from store.text import regex

# What a terminal supports, according to terminfo.

_SCROLLING = {"csr": b"\x1b[%i%p1%d;%p2%dr", "il": b"\x1b[%p1%dL", "dl": b"\x1b[%p1%dM"}
"""The required form of each scrolling capability."""


class Abilities(Struct, frozen=True):
    """Optional features of a terminal, beyond text, colours and cursor moves."""

    erases_to_background: bool = False
    """Erased cells get the current background, not the terminal's default."""
    scrolls: bool = False
    """Lines within margins can be inserted and deleted."""


def abilities_of_terminal() -> Abilities:
    """The abilities of the terminal in `TERM`; none if terminfo does not list it."""
    try:
        import curses  # noqa: PLC0415  # some builds of Python lack it
    except ImportError:
        return Abilities()
    try:
        curses.setupterm(os.environ.get("TERM", "dumb"), 2)
    except curses.error:
        return Abilities()
    return Abilities(
        erases_to_background=curses.tigetflag("bce") > 0,
        scrolls=all(curses.tigetstr(name) == way for name, way in _SCROLLING.items()),
    )


# Remove every character that a terminal would act on: the last of two layers.
#
# Where text is read, they are made visible; here none may be left. Textual gives them
# no width, so dropping them moves nothing.

_ACTS = regex(
    "[\x00-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Control characters, direction marks, invisible characters, lone surrogates."""

_REPLACEMENT = "\ufffd"


@lru_cache(maxsize=4096)
def printable(text: str) -> str:
    """The text without characters that a terminal would act on; of the same width."""
    if text.isascii() and text.isprintable():
        return text
    return _ACTS.sub(_harmless, text)


def _harmless(found: re.Match[str]) -> str:
    """A replacement of the same width, usually empty."""
    return _REPLACEMENT * cell_len(found[0])


class Printable(LineFilter):
    """Lines safe to show: printable, and without invisible links."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Remove what must not be shown."""
        del background
        return [
            Segment(printable(text), _unlinked(style), control)
            for text, style, control in segments
        ]


def _unlinked(style: Style | None) -> Style | None:
    return style.update_link(None) if style and style.link else style


# Split text into cells: characters with all that is joined to them.

_JOINER = "\u200d"
_FLAG_LETTERS = ("\U0001f1e6", "\U0001f1ff")

_CERTAIN = (
    " ~\u00a0\u00ac\u00ae\u02ff\u0370\u0482\u048a\u052f\u1e00\u1eff\u2010\u2027"
    "\u2030\u203b\u20a0\u20bf\u2190\u2193\u2200\u22ff\u2460\u24ff\u2500\u25a9"
    "\u25ac\u25b5\u25b7\u25bf\u25c1\u25fa\u2713\u2713\u2717\u271c\u2800\u28ff"
    "\u3041\u3096\u30a1\u30fa\u3400\u4dbf\u4e00\u9fff\uac00\ud7a3\uff01\uff60"
)
"""Characters of undisputed width: the first and last of each range.

Looked up here because compiling a pattern of them takes two milliseconds.
"""
_MARKS = ("\u0300", "\u036f")
"""Combining marks that every terminal puts on the character before."""


class Cells(NamedTuple):
    """A run of text as cells."""

    marks: str
    """Marks that belong to the character before the run."""
    cells: tuple[str, ...]
    """Each cluster in its first cell; its further cells are empty."""


@lru_cache(maxsize=4096)
def cells_of(text: str) -> Cells:
    """The cells of a run, each cluster as wide as Textual thinks it is."""
    marks, cells = "", list[str]()
    for cluster in _clusters(printable(text)):
        width = cell_len(cluster)
        if width:
            cells += [cluster, *[""] * (width - 1)]
        else:
            marks += cluster
    return Cells("".join(filter(unicodedata.combining, marks)), tuple(cells))


def _clusters(text: str) -> list[str]:
    """Characters with the marks, selectors and joined characters that follow."""
    clusters: list[str] = []
    for character in text:
        if clusters and _joins(clusters[-1], character):
            clusters[-1] += character
        else:
            clusters.append(character)
    return clusters


def _joins(cluster: str, character: str) -> bool:
    """Whether a character belongs to the cluster before it."""
    if not cell_len(character) or cluster.endswith(_JOINER):
        return True
    return _is_flag_letter(cluster) and _is_flag_letter(character)


def _is_flag_letter(cluster: str) -> bool:
    first, last = _FLAG_LETTERS
    return len(cluster) == 1 and first <= cluster <= last


@lru_cache(maxsize=4096)
def reach(cluster: str) -> int:
    """The most cells a cluster may take if its width is disputed, else 0."""
    if not cluster or _is_certain(cluster):
        return 0
    return 2 * len(cluster)


def _is_certain(cluster: str) -> bool:
    character, *marks = cluster
    at = bisect_left(_CERTAIN, character)
    first, last = _MARKS
    return (at % 2 == 1 or _CERTAIN[at : at + 1] == character) and all(
        first <= mark <= last for mark in marks
    )


# The look of a cell, and the shortest sequence from one look to another.

_OFF = {
    22: {1, 2},
    23: {3},
    24: {4, 21},
    25: {5, 6},
    27: {7},
    28: {8},
    29: {9},
    54: {51, 52},
    55: {53},
}
"""The codes that end attributes, and which ones."""

_ENDED_EVERYWHERE = {1: 22, 2: 22, 3: 23, 4: 24, 5: 25, 7: 27, 9: 29}
"""The codes that every terminal supports; ending anything else takes a reset."""

_ATTRIBUTES = {attribute for ended in _OFF.values() for attribute in ended}

_SEEN_ON_BLANKS = frozenset({4, 7, 9, 21, 51, 52, 53})
"""Lines and reversal, the only attributes visible on a blank besides its background."""

_NONE: frozenset[int] = frozenset()

_RESET = 0
_COMPONENTS = {2: 3, 5: 1}
"""How many numbers follow the type of an extended colour."""


class Look:
    """The attributes and colours of a cell; equal looks are the same object."""

    __slots__ = ("attributes", "background", "bare", "foreground")

    def __init__(
        self, attributes: frozenset[int], foreground: str, background: str
    ) -> None:
        """Colours are SGR parameters; empty for the terminal's default."""
        self.attributes = attributes
        self.foreground = foreground
        self.background = background
        self.bare = self if self._is_bare() else look(_NONE, "", background)
        """The part of the look that is visible on a blank."""

    @property
    def is_ground(self) -> bool:
        """Whether a blank of this look is plain background, as erasing leaves it."""
        return not self.bare.attributes

    def _is_bare(self) -> bool:
        if self.attributes & _SEEN_ON_BLANKS:
            return True
        return not self.attributes and not self.foreground


@lru_cache(maxsize=8192)
def look(attributes: frozenset[int], foreground: str, background: str) -> Look:
    """The unique look with these values."""
    return Look(attributes, foreground, background)


PLAIN = look(_NONE, "", "")
"""The look after a reset."""


@lru_cache(maxsize=8192)
def styled(before: Look, parameters: str) -> Look:
    """The look after an SGR sequence; unknown codes are ignored."""
    attributes = set(before.attributes)
    colours = {"3": before.foreground, "4": before.background}
    codes = iter([int(code or 0) for code in parameters.split(";")])
    for code in codes:
        if code == _RESET:
            attributes.clear()
            colours = {"3": "", "4": ""}
        elif code in _ATTRIBUTES:
            attributes.add(code)
        elif code in _OFF:
            attributes -= _OFF[code]
        else:
            colours.update(_colour(code, codes))
    return look(frozenset(attributes), colours["3"], colours["4"])


def _colour(code: int, following: Iterator[int]) -> dict[str, str]:
    """The colour that a code selects, by the digit for foreground or background."""
    tens, ones = divmod(code, 10)
    ground = {3: "3", 9: "3", 4: "4", 10: "4"}.get(tens)
    if ground is None:
        return {}
    if tens in {9, 10} or ones < 8:  # noqa: PLR2004  # the eight basic colours
        return {ground: str(code)}
    if ones == 9:  # noqa: PLR2004  # the terminal's default
        return {ground: ""}
    kind = next(following, 0)
    numbers = [str(next(following, 0)) for _ in range(_COMPONENTS.get(kind, 0))]
    return {ground: ";".join([str(code), str(kind), *numbers])} if numbers else {}


@lru_cache(maxsize=8192)
def transition(before: Look | None, after: Look) -> str:
    """The shortest SGR sequence from one look, or an unknown one, to another."""
    if before is after:
        return ""
    ways = [_anew(after)]
    if before and before.attributes - after.attributes <= _ENDED_EVERYWHERE.keys():
        ways.append(_onwards(before, after))
    return f"\x1b[{min(ways, key=len)}m"


def _anew(after: Look) -> str:
    """The parameters after a reset."""
    wanted = [*_codes(after.attributes), after.foreground, after.background]
    codes = [code for code in wanted if code]
    return ";".join(["0", *codes]) if codes else ""


def _onwards(before: Look, after: Look) -> str:
    """The parameters for the changes only."""
    gone = before.attributes - after.attributes
    ends = {_ENDED_EVERYWHERE[attribute] for attribute in gone}
    left = before.attributes.difference(*(_OFF[end] for end in ends))
    codes = [*_codes(ends), *_codes(after.attributes - left)]
    if before.foreground != after.foreground:
        codes.append(after.foreground or "39")
    if before.background != after.background:
        codes.append(after.background or "49")
    return ";".join(codes)


def _codes(codes: frozenset[int] | set[int]) -> list[str]:
    return [str(code) for code in sorted(codes)]


# A line of cells, as wanted or as shown.

_UNKNOWN = "\0"


class Row(Struct):
    """The content and look of each cell."""

    text: list[str]
    """Each cluster in its first cell; its further cells are empty."""
    looks: list[Look]
    """One for each cell."""

    @classmethod
    def blank(cls, width: int, look: Look = PLAIN) -> "Row":
        """A line of plain background."""
        return cls([" "] * width, [look] * width)

    @classmethod
    def unknown(cls, width: int) -> "Row":
        """A line that differs from every other."""
        return cls([_UNKNOWN] * width, [PLAIN] * width)

    def copy(self) -> "Row":
        """An independent copy."""
        return Row(self.text.copy(), self.looks.copy())

    def resized(self, width: int) -> "Row":
        """The same cells, cut or filled with background."""
        more = Row.blank(max(width - len(self.text), 0))
        text, looks = self.text[:width], self.looks[:width]
        row = Row(text + more.text, looks + more.looks)
        if width < len(self.text) and not self.text[width]:
            row.halve(width - 1)
        return row

    def halve(self, column: int) -> None:
        """Blank out a cluster of which a part was overwritten."""
        while not self.text[column] and column:
            self.text[column] = " "
            column -= 1
        self.text[column] = " "

    def end(self, column: int) -> int:
        """The first column from here on that is not the rest of a cluster."""
        while column < len(self.text) and not self.text[column]:
            column += 1
        return column

    def put(self, column: int, cells: str | tuple[str, ...], look: Look) -> None:
        """Overwrite cells, and blank out clusters cut at both ends."""
        end = column + len(cells)
        if column and not self.text[column]:
            self.halve(column - 1)
        cut = self.end(end) - end
        self.text[end : end + cut] = [" "] * cut
        self.text[column:end] = cells
        self.looks[column:end] = [look] * len(cells)

    def differences(self, wanted: "Row") -> list[int]:
        """The columns to write to get the wanted line."""
        columns = [
            column
            for column, (is_text, text, is_look, look) in enumerate(
                zip(self.text, wanted.text, self.looks, wanted.looks, strict=True)
            )
            if is_text != text
            or (is_look is not look and (text != " " or is_look.bare is not look.bare))
        ]
        if columns and any(map(reach, {*self.text, *wanted.text})):
            return self._spread(wanted, columns)
        return columns

    def _spread(self, wanted: "Row", columns: list[int]) -> list[int]:
        """Add cells that the terminal may have drawn as part of a cluster beside them.

        Rewriting such a cluster may cover the cells after it again.
        """
        changed, spread, taken = set(columns), list[int](), 0
        for column, (is_text, text) in enumerate(
            zip(self.text, wanted.text, strict=True)
        ):
            if column in changed or column < taken:
                spread.append(column)
                taken = max(taken, column + max(reach(is_text), reach(text)))
        return spread


# The screen as wanted at the end of an update.


class Frame(Struct, frozen=True):
    """An immutable screen; unchanged lines are the same objects as before."""

    rows: tuple[Row, ...]
    """The lines from top to bottom."""
    cursor: tuple[int, int]
    """Row and column, where an input method shows what is being composed."""
    generation: int
    """If it changes, what the terminal shows is unknown."""
    is_synchronized: bool
    """Whether the terminal supports synchronized updates."""


# The screen as Textual imagines it, tracked by reading what it writes.
#
# Textual moves the cursor, sets a style, writes text and resets the style, line by
# line. Nothing else is interpreted: any other escape sequence within a line can only
# come from displayed text, so its escape character is dropped and the rest is shown.

_PARTS = regex(
    r"(?:\x1b\[([\d;]*)([Hm])|(\n)|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)|\x1b)?"
    r"([^\x1b\n]*)"
)
"""A sequence or a line feed, and the text after it; links are skipped."""


class Grid:
    """The cells of the screen, the cursor, and the current look."""

    def __init__(self, width: int, height: int) -> None:
        """Start blank, like the alternate screen of a terminal."""
        self.width = width
        self.height = height
        self.row = 0
        self.column = 0
        self._look = PLAIN
        self._rows: list[Row] = [Row.blank(width)] * height
        self._own: set[int] = set()

    @property
    def cursor(self) -> tuple[int, int]:
        """The row and column of the cursor."""
        return self.row, min(self.column, self.width - 1)

    def rows(self) -> tuple[Row, ...]:
        """The current lines; later writes go to copies of them."""
        self._own.clear()
        return tuple(self._rows)

    def resize(self, width: int, height: int) -> None:
        """Resize, keeping the cells that still fit."""
        missing = max(height - self.height, 0)
        kept = [row.resized(width) for row in self._rows[:height]]
        self._rows = kept + [Row.blank(width)] * missing
        self._own.clear()
        self.width, self.height = width, height
        self._go(self.row, self.column)

    def write(self, data: str) -> None:
        """Apply an update."""
        for parameters, final, feed, text in _PARTS.findall(data):
            if final == "m":
                self._look = styled(self._look, parameters)
            elif final:
                self._go_to(parameters)
            elif feed:
                self._feed()
            if text:
                self._put(text)

    def erase(self, what: str, how: int) -> None:
        """Erase in the screen (`J`) or the line (`K`): after, before, or all."""
        at = self.row, self.column
        rows = range(self.height) if what == "J" else (self.row,)
        for number in rows:
            row = self._mine(number)
            columns = [
                column
                for column in range(self.width)
                if how == 2  # noqa: PLR2004  # all
                or (how == 1 and (number, column) <= at)
                or (how == 0 and (number, column) >= at)
            ]
            if columns:
                row.put(columns[0], " " * len(columns), self._look.bare)

    def _go_to(self, parameters: str) -> None:
        """Move the cursor; positions count from one, which is also the default."""
        row, _, column = parameters.partition(";")
        self._go(int(row or 1) - 1, int(column.partition(";")[0] or 1) - 1)

    def _go(self, row: int, column: int) -> None:
        """Move the cursor, limited to the screen."""
        self.row = max(0, min(row, self.height - 1))
        self.column = max(0, min(column, self.width - 1))

    def _feed(self) -> None:
        """Start the next line; at the bottom, everything moves up."""
        self.column = 0
        if self.row < self.height - 1:
            self.row += 1
            return
        self._rows = [*islice(self._rows, 1, None), Row.blank(self.width)]
        self._own = {number - 1 for number in self._own if number}

    def _put(self, text: str) -> None:
        """Write text at the cursor; the part beyond the end of the line is cut off."""
        if text.isascii() and text.isprintable():
            cells: str | tuple[str, ...] = text
        else:
            marks, cells = cells_of(text)
            if marks:
                self._mark(marks)
        cells = self._cut(cells)
        if cells:
            self._mine(self.row).put(self.column, cells, self._look)
            self.column += len(cells)

    def _cut(self, cells: str | tuple[str, ...]) -> str | tuple[str, ...]:
        """The cells that fit in the line; a cut cluster becomes blanks."""
        room = self.width - self.column
        if len(cells) <= room:
            return cells
        kept = list(cells[:room])
        if not cells[room]:
            while kept and not kept[-1]:
                kept.pop()
            kept[-1:] = [" "] * (room - len(kept) + 1)
        return tuple(kept)

    def _mark(self, marks: str) -> None:
        """Add marks to the cluster before the cursor."""
        row, column = self._mine(self.row), self.column - 1
        while column > 0 and not row.text[column]:
            column -= 1
        if column >= 0:
            row.text[column] += marks

    def _mine(self, number: int) -> Row:
        """A line that may be changed: copied once per update."""
        if number not in self._own:
            self._own.add(number)
            self._rows[number] = self._rows[number].copy()
        return self._rows[number]
