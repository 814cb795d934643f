"""A page as far as it is laid out, and what can be walked to in it: hits and links."""

from collections.abc import Iterator
from itertools import islice
from time import monotonic
from typing import NamedTuple

from widgets.reader.hits import HIT
from widgets.reader.runs import Target, TextLine


class Hit(NamedTuple):
    """Where something was found."""

    line: int
    start: int
    """The first character of it in that line."""
    end: int


class Link(NamedTuple):
    """A link, and the line that it begins in; the target is one object throughout."""

    line: int
    target: Target


class Laid:
    """Lines that are there, and those that are still to come."""

    def __init__(self, lines: Iterator[TextLine]) -> None:
        self.lines: list[TextLine] = []
        self.hits: list[Hit] = []
        self.links: list[Link] = []
        self.is_done = False
        self._rest = lines

    def reach(self, count: int) -> None:
        """Lay out until there are so many lines, or no more."""
        missing = count - len(self.lines)
        if missing > 0 and not self.is_done:
            came = list(islice(self._rest, missing))
            for line in came:
                self._add(line)
            self.is_done = len(came) < missing

    def reach_text(self, characters: int) -> int:
        """Lay out until so many characters came before a line; tells which it is."""
        before = position = 0
        while before < characters:
            self.reach(position + 1)
            if position >= len(self.lines):
                break
            before += len(self.lines[position].text) + 1
            position += 1
        return position

    def text_before(self, position: int) -> int:
        """How many characters come before a line, an end of line counted as one."""
        return sum(len(line.text) + 1 for line in self.lines[:position])

    def work(self, seconds: float) -> None:
        """Lay out for some time."""
        until = monotonic() + seconds
        while not self.is_done and monotonic() < until:
            self.reach(len(self.lines) + 100)

    def _add(self, line: TextLine) -> None:
        number, at = len(self.lines), 0
        is_hit = False
        for run in line.runs:
            end = at + len(run.text)
            self._link(number, run.target)
            found = HIT in run.tone.split()
            if found and is_hit:
                self.hits[-1] = self.hits[-1]._replace(end=end)
            elif found:
                self.hits.append(Hit(number, at, end))
            is_hit, at = found, end
        self.lines.append(line)

    def _link(self, number: int, target: Target | None) -> None:
        """Note a link where it begins."""
        is_known = bool(self.links) and self.links[-1].target is target
        if target is not None and not is_known:
            self.links.append(Link(number, target))
