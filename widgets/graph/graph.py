"""The graph around one record, to be walked."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.message import Message

from widgets.graph.arrow import Arrow, Node
from widgets.graph.drawn import drawn
from widgets.graph.ego import GraphLine, ego
from widgets.lines.cursor_lines import CursorLines
from widgets.lines.pieces import Pieces
from widgets.lines.rows import Held

NOBODY = Node(ref=None, title=None)
"""Nothing is in the middle."""


class Graph(CursorLines[GraphLine]):
    """Shows what leads to a record and where it leads; reports where to go."""

    has_head = True

    @dataclass
    class Followed(Message):
        """The record at the end of a link shall be the one in the middle."""

        graph: "Graph"
        ref: str

    @dataclass
    class WentBack(Message):
        """The record that was in the middle before shall be there again."""

        graph: "Graph"

    @dataclass
    class BeyondAsked(Message):
        """What lies beyond a record shall be shown: answer with `grow`."""

        graph: "Graph"
        ref: str

    @dataclass
    class MoreAsked(Message):
        """All links of one type shall be listed."""

        graph: "Graph"
        kind: str
        comes_in: bool

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  # as every widget has it
        super().__init__(id=id, classes=classes)
        self._center = NOBODY
        self._arrows: Sequence[Arrow] = ()
        self._grown: dict[str, Sequence[Arrow]] = {}

    def show(self, center: Node, arrows: Sequence[Arrow]) -> None:
        """Put a record in the middle; the cursor is where it leads."""
        is_same = center.ref == self._center.ref
        self._center, self._arrows = center, arrows
        if not is_same:
            self._grown.clear()
        self._fill(keeps=is_same)
        if not is_same:
            middle = sum(arrow.comes_in for arrow in arrows)
            self.to_key(())
            self.move(1 if middle < len(arrows) else -1)

    def grow(self, ref: str, arrows: Sequence[Arrow]) -> None:
        """Show what lies beyond a record, as much of it as there is room for."""
        before = self.count()
        self._grown[ref] = arrows
        self._fill(keeps=True)
        last = self.cursor + self.count() - before
        if last >= self.first + self.room:
            self.scroll_top(min(last + 1 - self.room, self.cursor))

    def draw(self, record: GraphLine, width: int) -> Pieces:
        """A line of the graph."""
        return drawn(record, width)

    def head(self, width: int) -> Pieces:
        """How many links there are."""
        del width
        if self._center == NOBODY:
            return [(" links", "sorted")]
        came = sum(arrow.comes_in for arrow in self._arrows)
        went = len(self._arrows) - came
        return [(" links", "sorted"), (f" {came} in · {went} out", "head")]

    def choose(self) -> None:
        """Ask to go where the link at the cursor leads, or for all like it."""
        line = self.at_cursor
        if line is None or line.arrow is None:
            return
        if line.more:
            arrow = line.arrow
            self.post_message(self.MoreAsked(self, arrow.kind, arrow.comes_in))
        elif line.node.ref:
            self.post_message(self.Followed(self, line.node.ref))

    def back(self) -> None:
        """Ask to go back."""
        self.post_message(self.WentBack(self))

    def toggle(self) -> None:
        """Show what lies beyond the link at the cursor, or hide it again."""
        line = self.at_cursor
        ref = line.node.ref if line and line.arrow and not line.more else None
        if ref is None or (line and line.is_again):
            return
        if self._grown.pop(ref, None) is None:
            self.post_message(self.BeyondAsked(self, ref))
        else:
            self._fill(keeps=True)

    def _fill(self, *, keeps: bool) -> None:
        is_nobody = self._center == NOBODY
        lines = [] if is_nobody else ego(self._center, self._arrows, self._grown)
        self.set_rows(Held(lines, key=lambda line: line.key), keeps=keeps)
