"""The position of each line of a transcript, with estimated heights out of view."""

from array import array
from collections import OrderedDict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import count
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from store.clean import clean
from store.text import regex
from widgets.page import Body, blocks_for, diff_lines
from widgets.reader import Laid
from widgets.text import (
    Look,
    Run,
    Target,
    TextLine,
    chunks,
    marked,
    single,
    wrap,
    wrap_anywhere,
)

# The content of a transcript: messages with parts that can be selected.

Head = Callable[[Look, bool], TextLine]
"""Draws the line that is always shown; its argument is whether the part is open."""

SAID, THOUGHT, CALL, FAILED, NOTE, MARK = (
    "said",
    "thought",
    "call",
    "failed",
    "note",
    "mark",
)
"""The kinds of parts: text, thoughts, calls, failed calls, asides, links."""


class Part(Struct, frozen=True):
    """A piece of a message that is selected, folded and copied as a unit."""

    key: str
    """Unique among the parts of its message."""
    kind: str
    """Its kind."""
    head: Head | None = None
    """Its single line if it can be folded; None if it is always shown in full."""
    body: Body | None = None
    """Its content, shown beneath the head if open."""
    is_whole: bool = True
    """Whether the body is complete; otherwise opening it requests the rest."""
    target: Target | None = None
    """Its link target."""
    text: str = ""
    """The text that is copied, and searched while it is folded."""

    @property
    def can_fold(self) -> bool:
        """Whether there is anything to fold."""
        return self.head is not None and self.body is not None


class Entry(Struct, frozen=True):
    """One message."""

    key: int
    """Its unique key."""
    parts: tuple[Part, ...] = ()
    """Its parts; empty if they are shown elsewhere."""
    before: tuple[Body, ...] = ()
    """What precedes it: a silence, a divider, the speaker."""
    note: str = ""
    """The note in the head of the pane: its time."""
    name: str = ""
    """Its name for other programs."""

    def with_parts(self, parts: Mapping[str, Part]) -> "Entry":
        """The message with some parts replaced, by key."""
        known = tuple(parts.get(part.key, part) for part in self.parts)
        return replace(self, parts=known)


class Folds(Struct):
    """The open parts: a default, and exceptions."""

    all_open: bool = False
    others: set[tuple[int, str]] = field(default_factory=set[tuple[int, str]])
    """The parts that differ from the default."""

    def is_open(self, entry: Entry, part: Part) -> bool:
        """Whether a part is open; one without a head always is."""
        return part.head is None or self.all_open != (
            (entry.key, part.key) in self.others
        )

    def toggle(self, entry: Entry, part: Part) -> None:
        """Toggle a part."""
        self.others ^= {(entry.key, part.key)}

    def set_all(self, *, are_open: bool) -> None:
        """Open or close everything."""
        self.all_open = are_open
        self.others.clear()


# Program output without its colours, and code; blanks are preserved.

_COLOUR = regex(r"\x1b\[[0-9;:]*m")
"""Terminal colour codes, which are not shown."""


class Output(Body):
    """The output of a program."""

    def __init__(self, text: str, tone: str = "") -> None:
        self._text = text
        self._tone = tone

    def lines(self, look: Look) -> Iterator[TextLine]:
        """Its lines, with long ones wrapped."""
        for chunk in chunks(self._text):
            shown = clean(_COLOUR.sub("", chunk), multiline=True).removesuffix("\n")
            for line in shown.split("\n"):
                if len(line) <= look.width and line.isascii() and not look.needles:
                    yield single(line, self._tone)
                else:
                    yield from self._wrapped(line, look)

    def _wrapped(self, line: str, look: Look) -> Iterator[TextLine]:
        """A line that may be too long, or contain search words."""
        said = line.lstrip(" ")
        indent = (Run(line[: min(len(line) - len(said), look.width // 2)]),)
        runs = marked([Run(said, self._tone)], look.needles)
        yield from wrap(runs, look.width, indent, indent)


class Code(Body):
    """Code, highlighted when zoomed."""

    def __init__(self, text: str, language: str = "") -> None:
        self._text = text
        self._language = language

    def lines(self, look: Look) -> Iterator[TextLine]:
        """Its lines."""
        shown = clean(self._text, multiline=True).removesuffix("\n")
        runs = marked(blocks_for(look).coloured(shown, self._language), look.needles)
        yield from wrap_anywhere(runs, look.width)


class Diff(Body):
    """A diff."""

    def __init__(self, diff: str) -> None:
        self._diff = diff

    def lines(self, look: Look) -> Iterator[TextLine]:
        """Its lines, each with its sign."""
        yield from diff_lines(self._diff, look)


INDENT = Run("  ")
GUIDE = Run("  │ ", "faint")
"""The prefix of unfolded lines."""


class Indented(Body):
    """A body that is indented, or has a prefix."""

    def __init__(self, body: Body, prefix: Run = INDENT) -> None:
        self._body = body
        self._prefix = prefix

    def lines(self, look: Look) -> Iterator[TextLine]:
        """The lines of the body; the prefix is not part of the text."""
        prefix = self._prefix
        wide = len(prefix.text)
        inner = replace(look, width=max(look.width - wide, 1))
        for line in self._body.lines(inner):
            yield replace(line, runs=(prefix, *line.runs), margin=line.margin + wide)


# The heights of many messages; estimated for those not seen yet.

_CHUNK = 256
"""Messages whose heights are summed together."""


class Heights:
    """A number of lines per message, with fast sums."""

    def __init__(self, count: int, guess: int) -> None:
        self._guess = guess
        self._each = array("i", [guess]) * count
        self._sums: list[int] = []
        self._sum_up(0)

    def __len__(self) -> int:
        return len(self._each)

    def __getitem__(self, at: int) -> int:
        return self._each[at]

    def __setitem__(self, at: int, lines: int) -> None:
        self._sums[at // _CHUNK] += lines - self._each[at]
        self._each[at] = lines

    @property
    def total(self) -> int:
        """The total number of lines."""
        return sum(self._sums)

    def before(self, at: int) -> int:
        """The number of lines before a message."""
        chunk = at // _CHUNK
        return sum(self._sums[:chunk]) + sum(self._each[chunk * _CHUNK : at])

    def find(self, line: int) -> tuple[int, int]:
        """The message at a line, and the index of the line in it.

        After the last line, this is the number of messages, and 0.
        """
        chunk = 0
        for lines in self._sums:
            if line < lines:
                break
            line -= lines
            chunk += 1
        for at, lines in enumerate(self._chunk(chunk), chunk * _CHUNK):
            if line < lines:
                return at, line
            line -= lines
        return len(self), 0

    def next(self, at: int) -> int:
        """The first message from a position on with any lines; else the end."""
        while at < len(self) and not self._each[at]:
            at += 1 if at % _CHUNK or self._sums[at // _CHUNK] else _CHUNK
        return min(at, len(self))

    def previous(self, at: int) -> int:
        """The last message up to a position with any lines; else -1."""
        while at >= 0 and not self._each[at]:
            is_last = at % _CHUNK == _CHUNK - 1
            at -= _CHUNK if is_last and not self._sums[at // _CHUNK] else 1
        return max(at, -1)

    def extend(self, count: int) -> None:
        """Set the number of messages; new ones get the estimated height."""
        before = len(self)
        del self._each[count:]
        self._each.extend([self._guess] * (count - before))
        self._sum_up(min(before, count) // _CHUNK)

    def show_only(self, shown: bytes) -> None:
        """Give the estimated height to messages whose byte is set, and 0 to others."""
        guesses = bytes([0]) + bytes([self._guess]) * 255
        self._each = array("i", iter(shown.translate(guesses)))
        self._sum_up(0)

    def _sum_up(self, first: int) -> None:
        """Compute the sums of all chunks from one on."""
        chunks = range(first, -(-len(self) // _CHUNK))
        self._sums[first:] = [sum(self._chunk(chunk)) for chunk in chunks]

    def _chunk(self, chunk: int) -> "array[int]":
        return self._each[chunk * _CHUNK : (chunk + 1) * _CHUNK]


# Messages laid out, each part as far as needed.

AT_ONCE = 40
"""Lines of a part laid out at once; the rest follows on scrolling."""

_MORE = single("  ⋯", "faint")
"""A placeholder for lines to come."""

_SERIALS = count()


class LaidPart:
    """A part as far as it is laid out."""

    def __init__(self, part: Part, look: Look, *, is_open: bool) -> None:
        self.part = part
        self.is_open = is_open
        self.laid = Laid(_lines(part, look, is_open=is_open))
        self.laid.reach(AT_ONCE)

    @property
    def height(self) -> int:
        """The number of lines so far, plus one placeholder for the rest."""
        return len(self.laid.lines) + (not self.laid.is_done)

    def line(self, number: int) -> TextLine:
        """One of its lines."""
        lines = self.laid.lines
        return lines[number] if number < len(lines) else _MORE


class LaidEntry:
    """A message as far as it is laid out."""

    def __init__(
        self, entry: Entry, look: Look, folds: Folds, kinds: Container[str]
    ) -> None:
        """Leave out parts of other kinds, and what precedes an empty message."""
        self.serial = next(_SERIALS)
        """A unique number among all messages laid out."""
        self.entry = entry
        shown = [part for part in entry.parts if part.kind in kinds]
        self.parts = [
            LaidPart(part, look, is_open=folds.is_open(entry, part)) for part in shown
        ]
        before = entry.before if shown or not entry.parts else ()
        self.before = [line for body in before for line in body.lines(look)]

    @property
    def height(self) -> int:
        """The number of lines so far."""
        return len(self.before) + sum(part.height for part in self.parts)

    def start(self, part: int) -> int:
        """The index of a part's first line."""
        heights = (one.height for one in self.parts[:part])
        return len(self.before) + sum(heights)

    def place(self, line: int) -> tuple[int, int]:
        """The part at a line, and the index of the line in it.

        The lines before the message are part -1.
        """
        if line < len(self.before):
            return -1, line
        line -= len(self.before)
        for number, part in enumerate(self.parts):
            if line < part.height:
                return number, line
            line -= part.height
        return len(self.parts), line

    def line(self, number: int) -> TextLine:
        """One of its lines."""
        part, line = self.place(number)
        return self.before[line] if part < 0 else self.parts[part].line(line)

    def reach(self, line: int) -> bool:
        """Lay out more of a part if a line is near the end of what is laid out.

        Returns whether there are more lines than before.
        """
        number, within = self.place(line)
        if not 0 <= number < len(self.parts):
            return False
        laid = self.parts[number].laid
        known = len(laid.lines)
        if laid.is_done or within < known - 1:
            return False
        laid.reach(known + AT_ONCE)
        return True


def _lines(part: Part, look: Look, *, is_open: bool) -> Iterator[TextLine]:
    if part.head is not None:
        yield part.head(look, is_open)
    if part.body is not None and is_open:
        yield from part.body.lines(look)


# The position of each line of a transcript: exact in view, estimated elsewhere.
#
# A place is a message and one of its lines, so that nothing moves on the screen when
# estimates further up turn out wrong.

GUESS = 2
"""The estimated lines of a message not seen yet."""

_BLOCK = 64
"""Messages that are loaded and dropped together."""

_KEPT_BLOCKS = 24
_KEPT_LAID = 600

EVERYTHING = frozenset({"said", "thought", "call", "failed", "note", "mark"})
"""All kinds of parts."""


class Place(NamedTuple):
    """A line of a message."""

    at: int
    line: int


class Row(NamedTuple):
    """A row of the screen: a message and one of its lines."""

    at: int
    line: int
    laid: LaidEntry | None
    """The message laid out; None until it is loaded."""


class Layout:
    """Lays out messages on demand, and drops those not used for long."""

    def __init__(self, count: int = 0) -> None:
        self.look = Look(0)
        self.folds = Folds()
        self.kinds: Container[str] = EVERYTHING
        self._shown: bytes | None = None
        self.heights = Heights(count, GUESS)
        self._blocks: OrderedDict[int, list[Entry | None]] = OrderedDict()
        self._laid: OrderedDict[int, LaidEntry] = OrderedDict()

    def __len__(self) -> int:
        return len(self.heights)

    def entry(self, at: int) -> Entry | None:
        """A message, if it is loaded."""
        block = self._blocks.get(at // _BLOCK)
        if block is None:
            return None
        self._blocks.move_to_end(at // _BLOCK)
        return block[at % _BLOCK] if at % _BLOCK < len(block) else None

    def missing(self, first: int, last: int) -> range:
        """The messages to load so that a range is complete."""
        blocks = range(max(first, 0) // _BLOCK, -(-min(last, len(self)) // _BLOCK))
        wanted = [one for one in blocks if one not in self._blocks]
        if not wanted:
            return range(0)
        return range(wanted[0] * _BLOCK, min((wanted[-1] + 1) * _BLOCK, len(self)))

    def bring(self, first: int, entries: Sequence[Entry | None]) -> None:
        """Store whole blocks of messages, starting at a position."""
        for start in range(0, len(entries), _BLOCK):
            number = (first + start) // _BLOCK
            self._blocks[number] = list(entries[start : start + _BLOCK])
            self._blocks.move_to_end(number)
        for at in range(first, first + len(entries)):
            self._laid.pop(at, None)
        while len(self._blocks) > _KEPT_BLOCKS:
            self._blocks.popitem(last=False)

    def renew(self, first: int, entries: Sequence[Entry | None]) -> None:
        """Store only these messages; all others have to be loaded again."""
        self._blocks.clear()
        self._laid.clear()
        self.bring(first, entries)

    def replace(self, at: int, entry: Entry) -> None:
        """Replace a message, if it is still loaded."""
        block = self._blocks.get(at // _BLOCK)
        if block is not None and at % _BLOCK < len(block):
            block[at % _BLOCK] = entry
            self._laid.pop(at, None)

    def extend(self, count: int) -> None:
        """Set the number of messages; the last ones known before may have changed."""
        for block in [one for one in self._blocks if (one + 1) * _BLOCK >= len(self)]:
            del self._blocks[block]
        if self._shown is not None:
            self._shown = self._shown[:count].ljust(count, b"\1")
        self.heights.extend(count)
        self._laid.clear()

    def change(self, look: Look | None = None) -> None:
        """Lay everything out again, optionally with another look."""
        self.look = look or self.look
        self._laid.clear()

    def show_only(self, shown: bytes | None, kinds: Container[str]) -> None:
        """Show only some messages, given as a byte each, and parts of some kinds."""
        self.kinds = kinds
        self._shown = shown
        self._laid.clear()
        if shown is None:
            self.heights = Heights(len(self), GUESS)
        else:
            self.heights.show_only(shown)

    def laid(self, at: int) -> LaidEntry | None:
        """A message laid out; None if it is not loaded or not shown."""
        known = self._laid.get(at)
        if known is not None:
            self._laid.move_to_end(at)
            return known
        entry = self.entry(at)
        if entry is None or (self._shown is not None and not self._shown[at]):
            return None
        laid = self._laid[at] = LaidEntry(entry, self.look, self.folds, self.kinds)
        self.heights[at] = laid.height
        while len(self._laid) > _KEPT_LAID:
            self._laid.popitem(last=False)
        return laid

    def height(self, at: int) -> int:
        """The number of lines of a message; exact if it is loaded."""
        if self.heights[at]:
            self.laid(at)
        return self.heights[at]

    def reach(self, place: Place) -> bool:
        """Lay out what follows a line, unless done already."""
        laid = self._laid.get(place.at)
        if laid is None or not laid.reach(place.line):
            return False
        self.heights[place.at] = laid.height
        return True

    def down(self, place: Place, lines: int) -> Place:
        """The place some lines further down, at most the end."""
        at, line = place.at, place.line + lines
        while at < len(self):
            height = self.height(at)
            if line < height:
                return Place(at, line)
            line -= height
            at = self.heights.next(at + 1)
        return Place(len(self), 0)

    def up(self, place: Place, lines: int) -> Place:
        """The place some lines further up, at most the beginning."""
        at, line = place.at, place.line - lines
        while line < 0:
            at = self.heights.previous(at - 1)
            if at < 0:
                return Place(self.heights.next(0), 0)
            line += self.height(at)
        return Place(at, line)

    def rows(self, top: Place, count: int) -> list[Row]:
        """The rows from a place on, fewer at the end."""
        rows: list[Row] = []
        at, line = top
        while at < len(self) and len(rows) < count:
            height = self.height(at)
            laid = self.laid(at) if height else None
            last = min(height, line + count - len(rows))
            rows += (Row(at, number, laid) for number in range(line, last))
            at, line = self.heights.next(at + 1), 0
        return rows

    def distance(self, first: Place, last: Place, most: int) -> int:
        """The number of lines between two places, at most `most`."""
        at, line = first.at, -first.line
        while at < last.at and line < most:
            line += self.height(at)
            at = self.heights.next(at + 1)
        return min(line + last.line, most) if at >= last.at else most
