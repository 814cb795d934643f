"""Messages laid out: as many lines of each part as somebody came near to."""

from collections.abc import Container, Iterator
from itertools import count

from widgets.reader.laid import Laid
from widgets.reader.look import Look
from widgets.reader.runs import TextLine, single
from widgets.transcript.entry import Entry, Folds, Part

AT_ONCE = 40
"""Lines of a part that are laid out at once; the rest when somebody reads on."""

_MORE = single("  ⋯", "faint")
"""What stands where more lines will come."""

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
        """How many lines it takes so far; one more stands for those to come."""
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
        """Parts of other kinds are left out, and so is what stands before nothing."""
        self.serial = next(_SERIALS)
        """What tells it from whatever was laid out before."""
        self.entry = entry
        shown = [part for part in entry.parts if part.kind in kinds]
        self.parts = [
            LaidPart(part, look, is_open=folds.is_open(entry, part)) for part in shown
        ]
        before = entry.before if shown or not entry.parts else ()
        self.before = [line for body in before for line in body.lines(look)]

    @property
    def height(self) -> int:
        """How many lines it takes so far."""
        return len(self.before) + sum(part.height for part in self.parts)

    def start(self, part: int) -> int:
        """Which of its lines is the first of a part."""
        heights = (one.height for one in self.parts[:part])
        return len(self.before) + sum(heights)

    def place(self, line: int) -> tuple[int, int]:
        """The part that a line belongs to, and which of its lines that is.

        What stands before the message is part -1.
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
        """Lay out what comes next where that line is among the last known of its part.

        Tells whether there are more lines than before.
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
    """The lines of a part."""
    if part.head is not None:
        yield part.head(look, is_open)
    if part.body is not None and is_open:
        yield from part.body.lines(look)
