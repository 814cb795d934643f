"""Write the changed cells in as few bytes as possible."""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from tui.driver.screen import PLAIN, Abilities, Frame, Look, Row, reach, transition

# The shortest way to move the cursor.

_FEEDS = 3
"""Further down than this, an absolute position is always shorter."""


def move(row: int | None, column: int | None, to_row: int, to_column: int) -> str:
    """The shortest sequence that moves the cursor; None means an unknown position.

    A line feed is always sent with a carriage return, because it depends on the user's
    settings whether a line feed alone returns to column 0.
    """
    ways = [_place(to_row, to_column)]
    if row == to_row:
        if column == to_column:
            return ""
        ways += [f"\r{_along(0, to_column)}", f"\x1b[{to_column + 1}G"]
        if column is not None:
            ways.append(_along(column, to_column))
    elif row is not None:
        down = to_row - row
        if 0 < down < _FEEDS:
            ways.append("\r\n" * down + _along(0, to_column))
        if column == to_column:
            ways.append(_steps(down, "B") if down > 0 else _steps(-down, "A"))
    return min(ways, key=len)


def _place(row: int, column: int) -> str:
    if column:
        return f"\x1b[{row + 1};{column + 1}H"
    return f"\x1b[{row + 1}H" if row else "\x1b[H"


def _along(column: int, to_column: int) -> str:
    """A move within a line."""
    steps = to_column - column
    if steps >= 0:
        return _steps(steps, "C")
    return min("\b" * -steps, _steps(-steps, "D"), key=len)


def _steps(count: int, direction: str) -> str:
    if not count:
        return ""
    return f"\x1b[{count if count > 1 else ''}{direction}"


# Detect scrolling: how far lines moved, and which ones.

_FEWEST = 3
"""The fewest lines that must have moved together."""


class Scroll(Struct, frozen=True):
    """A block of lines that moved."""

    top: int
    """The first line of the block, before and after."""
    bottom: int
    """The last line of the block."""
    lines: int
    """The number of lines it moved up; negative for down."""

    def applied(self, rows: Sequence[Row]) -> list[Row]:
        """The lines of a terminal after this scroll; new lines are unknown."""
        block = list(rows[self.top : self.bottom + 1])
        new = [Row.unknown(len(block[0].text))] * abs(self.lines)
        stays = block[max(self.lines, 0) :][: len(block) - len(new)]
        block = [*stays, *new] if self.lines > 0 else [*new, *stays]
        return [*rows[: self.top], *block, *rows[self.bottom + 1 :]]


def find_scroll(shown: Sequence[Row], wanted: Sequence[Row]) -> Scroll | None:
    """The scroll that explains most of the changed lines, if there is one."""
    is_text, text = _texts(shown), _texts(wanted)
    changed = [
        number
        for number, line in enumerate(text)
        if line.strip() and line != is_text[number]
    ]
    places: dict[str, int | None] = {}
    for number, line in enumerate(is_text):
        places[line] = None if line in places else number
    votes = Counter(
        place - number for number in changed if (place := places.get(text[number]))
    )
    votes.pop(0, None)
    lines, count = max(votes.items(), key=lambda vote: vote[1], default=(0, 0))
    if count < _FEWEST:
        return None
    moved = [number for number in changed if places.get(text[number]) == number + lines]
    return Scroll(
        top=min(moved[0], moved[0] + lines),
        bottom=max(moved[-1], moved[-1] + lines),
        lines=lines,
    )


def _texts(rows: Sequence[Row]) -> list[str]:
    return ["".join(row.text) for row in rows]


# Write to the terminal as tersely as possible.

_WORTH_ERASING = 9
"""Fewer blanks than this are written, not erased and skipped."""


class Pen:
    """Tracks the cursor and the current look, and collects the output."""

    def __init__(self, abilities: Abilities) -> None:
        """Start with an unknown position and look."""
        self.row: int | None = None
        self.column: int | None = None
        self.look: Look | None = None
        self._abilities = abilities
        self._written: list[str] = []

    def copy(self) -> "Pen":
        """A copy with the same output, to try an alternative from here."""
        pen = Pen(self._abilities)
        pen.row, pen.column, pen.look = self.row, self.column, self.look
        pen._written = self._written.copy()
        return pen

    @property
    def length(self) -> int:
        """The length of the output since the last `take`."""
        return sum(map(len, self._written))

    def take(self) -> str:
        """The output since the last call."""
        written = "".join(self._written)
        self._written.clear()
        return written

    def say(self, sequence: str) -> None:
        """Write a sequence that does not affect cursor and look."""
        self._written.append(sequence)

    def go(self, row: int, column: int) -> None:
        """Move the cursor."""
        self.say(move(self.row, self.column, row, column))
        self.row, self.column = row, column

    def wear(self, look: Look) -> None:
        """Set the look for what is written next."""
        if look is not self.look:
            self.say(transition(self.look, look))
            self.look = look

    def writes_like(self, text: str, look: Look) -> bool:
        """Whether a cell would look right without a change of look."""
        if look is self.look or self.look is None:
            return look is self.look
        return text == " " and look.bare is self.look.bare

    def put(self, cells: Sequence[str], look: Look, width: int) -> None:
        """Write non-blank cells of the same look."""
        self.wear(look)
        if not any(map(reach, set(cells))):
            self._advance("".join(cells), len(cells), width)
            return
        for column, cluster in enumerate(cells):
            if cluster:
                after = column + 1
                while after < len(cells) and not cells[after]:
                    after += 1
                self._put_cluster(cluster, after - column, width)

    def _put_cluster(self, cluster: str, size: int, width: int) -> None:
        """Write a cluster; if its width is disputed, position absolutely after it."""
        if not reach(cluster):
            self._advance(cluster, size, width)
            return
        row, column = self._place()
        if size > 1:
            self._advance(" " * size, size, width)
            self.go(row, column)
        self.say(cluster)
        self.column = None
        if column + size < width:
            self.go(row, column + size)

    def blank(self, count: int, look: Look, width: int) -> None:
        """Write blanks, or erase them, which leaves the cursor before them."""
        if not self.writes_like(" ", look):
            self.wear(look)
        if count > _WORTH_ERASING and self.can_erase(look):
            self.say(f"\x1b[{count}X")
        else:
            self._advance(" " * count, count, width)

    def end_line(self, look: Look) -> None:
        """Erase to the end of the line."""
        if not self.writes_like(" ", look):
            self.wear(look)
        self.say("\x1b[K")

    def again(self, text: str) -> None:
        """Rewrite existing text, whose look is the current one."""
        self.say(text)
        _, column = self._place()
        self.column = column + len(text)

    def can_erase(self, look: Look) -> bool:
        """Whether erasing leaves the background that a blank of this look has."""
        if not look.is_ground:
            return False
        return self._abilities.erases_to_background or not look.background

    def clear(self) -> None:
        """Erase the whole screen to the terminal's default background."""
        self.wear(PLAIN)
        self.say("\x1b[2J")

    def scroll(self, top: int, bottom: int, lines: int) -> None:
        """Scroll lines up, or down if negative; new lines are unknown."""
        self.say(f"\x1b[{top + 1};{bottom + 1}r")
        self.row = self.column = None
        self.go(top, 0)
        count = "" if abs(lines) == 1 else abs(lines)
        self.say(f"\x1b[{count}{'M' if lines > 0 else 'L'}\x1b[r")
        self.row = self.column = None

    def _advance(self, text: str, cells: int, width: int) -> None:
        """Write text of a known width; after the last column the cursor is unknown."""
        self.say(text)
        _, column = self._place()
        self.column = column + cells if column + cells < width else None

    def _place(self) -> tuple[int, int]:
        """The cursor position, which must be known."""
        if self.row is None or self.column is None:
            raise RuntimeError("writing begins at a known place")
        return self.row, self.column


# Write the changed cells of a line.

_SKIP = 4
"""The most unchanged cells rewritten instead of moving over them."""

_WORTH_ENDING = 4
"""Fewer blanks than this at the end of a line are written, not erased."""


def write_row(number: int, row: Row, columns: Sequence[int], pen: Pen) -> None:
    """Write some columns of a line, given in ascending order."""
    width = len(row.text)
    for start, changed in _spans(columns):
        end = row.end(changed)
        _skip(number, row, start, pen)
        for begin, stop in _runs(row, start, end):
            text, look = row.text[begin:stop], row.looks[begin]
            pen.go(number, begin)
            if text[0] != " ":
                pen.put(text, look, width)
            elif stop == end and pen.can_erase(look) and _is_last(row, begin):
                pen.end_line(look)
                return
            else:
                pen.blank(len(text), look, width)


def _is_last(row: Row, column: int) -> bool:
    """Whether the rest of the line is blank, of one background, and worth erasing."""
    rest = row.text[column:]
    if len(rest) < _WORTH_ENDING or "".join(rest).strip(" "):
        return False
    bare = row.looks[column].bare
    return all(look.bare is bare for look in row.looks[column:])


def _spans(columns: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The start and end of each run of adjacent columns."""
    start = previous = -1
    for column in columns:
        if column != previous + 1 or start < 0:
            if start >= 0:
                yield start, previous + 1
            start = column
        previous = column
    if start >= 0:
        yield start, previous + 1


def _skip(number: int, row: Row, start: int, pen: Pen) -> None:
    """Move to a column, rewriting a few cells in between if they look the same."""
    at = pen.column
    if pen.row != number or at is None or not 0 < start - at <= _SKIP:
        return
    between = row.text[at:start]
    alike = all(map(pen.writes_like, between, row.looks[at:start]))
    if alike and "".join(between).isascii():
        pen.again("".join(between))


def _runs(row: Row, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Parts of a span with the same look: blanks, and words one blank apart."""
    text, looks = row.text, row.looks
    while start < end:
        look, stop = looks[start], start + 1
        if text[start] == " ":
            bare = look.bare
            while stop < end and text[stop] == " " and looks[stop].bare is bare:
                stop += 1
        else:
            while stop < end and looks[stop] is look:
                if text[stop] == " " and (stop + 1 == end or text[stop + 1] == " "):
                    break
                stop += 1
        yield start, stop
        start = stop


# Update a terminal from what it shows to a new frame, in few bytes.

_WORTH_SCROLLING = 200
"""Smaller updates are not checked for scrolling."""

_WORTH_SYNCHRONIZING = 1000
"""Smaller updates reach the terminal in one piece anyway."""

_BLOCKS = 2
"""The most blocks that scroll at once: a list, and the text beside it."""


class Painter:
    """Tracks what the terminal shows."""

    def __init__(self, abilities: Abilities) -> None:
        """Start without knowing what the terminal shows."""
        self._abilities = abilities
        self._pen = Pen(abilities)
        self._shown: Sequence[Row] = ()
        self._generation = -1

    def paint(self, frame: Frame) -> str:
        """The output that makes the terminal show a frame."""
        if frame.generation != self._generation:
            self._begin(frame)
        self._pen = self._cheapest(frame.rows)
        self._pen.go(*frame.cursor)
        self._shown = frame.rows
        text = self._pen.take()
        if frame.is_synchronized and len(text) > _WORTH_SYNCHRONIZING:
            return f"\x1b[?2026h{text}\x1b[?2026l"
        return text

    def _begin(self, frame: Frame) -> None:
        """Clear the screen, whatever it shows."""
        self._generation = frame.generation
        self._pen = Pen(self._abilities)
        self._pen.clear()
        self._shown = [Row.blank(len(row.text)) for row in frame.rows]

    def _cheapest(self, wanted: Sequence[Row]) -> Pen:
        """Write the differences, scrolling first if that is shorter."""
        shown, pen = self._shown, self._pen
        cheapest = _write(shown, wanted, pen)
        for _ in range(_BLOCKS if self._abilities.scrolls else 0):
            if cheapest.length < _WORTH_SCROLLING:
                break
            scroll = find_scroll(shown, wanted)
            if not scroll:
                break
            pen = pen.copy()
            pen.scroll(scroll.top, scroll.bottom, scroll.lines)
            shown = scroll.applied(shown)
            scrolled = _write(shown, wanted, pen)
            if scrolled.length >= cheapest.length:
                break
            cheapest = scrolled
        return cheapest


def _write(shown: Sequence[Row], wanted: Sequence[Row], pen: Pen) -> Pen:
    """A copy of a pen that has written the differences."""
    pen = pen.copy()
    for number, (is_row, row) in enumerate(zip(shown, wanted, strict=True)):
        if is_row is not row and is_row != row:
            write_row(number, row, is_row.differences(row), pen)
    return pen
