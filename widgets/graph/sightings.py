"""Where a record is told of, and what is like it though nothing links the two."""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import Struct
from textual.message import Message

from widgets.columns.cells import fit, told
from widgets.columns.types import code
from widgets.graph.arrow import Node
from widgets.lines.cursor_lines import CursorLines
from widgets.lines.pieces import Piece, Pieces, width_of
from widgets.lines.rows import Held, Key

_WHEN = 10
"""Cells for the day, or for how alike it is."""

_ROOMY = 32
"""Cells from which on both are told."""


class Sighting(Struct, frozen=True):
    """A record that tells of another one, or is like it."""

    node: Node
    kind: str
    """What kind of record it is."""
    when: str = ""
    """The day that it is of, where it is of one."""
    likeness: float | None = None
    """How alike it is, 0…1; None where it tells of the other."""

    @property
    def key(self) -> Key:
        """What tells it from all others."""
        return self.node.ref, self.likeness is None


class Sightings(CursorLines[Sighting]):
    """A row for each; reports where to go."""

    has_head = True

    @dataclass
    class Followed(Message):
        """Somebody wants to see the record in a row."""

        ref: str

    class Shown(Message):
        """There is room for it from now on."""

    def on_show(self) -> None:
        """It may have been out of view while records were opened."""
        self.post_message(self.Shown())

    def show(self, sightings: Sequence[Sighting]) -> None:
        """Show others."""
        self.set_rows(Held(sightings, key=lambda one: one.key), keeps=False)

    def head(self, width: int) -> Pieces:
        """How many there are of both."""
        rows = self.rows.page(0, self.count())
        alike = sum(one is not None and one.likeness is not None for one in rows)
        seen = self.count() - alike
        return fit(
            [(" seen in", "sorted"), (f" {seen} · {alike} alike", "head")], width
        )

    def draw(self, record: Sighting, width: int) -> Pieces:
        """When or how alike, what kind of thing, what it is called."""
        before: list[Piece] = [_kind(record)]
        if width >= _ROOMY:
            before = [*fit([_aside(record)], _WHEN), (" ", ""), *before]
        title = told(record.node.title) or told(record.node.ref)
        room = max(width - width_of(before) - 1, 0)
        return [*before, (" ", ""), *fit([(title, "title")], room)]

    def choose(self) -> None:
        """Ask to go there."""
        sighting = self.at_cursor
        if sighting is not None and sighting.node.ref:
            self.post_message(self.Followed(sighting.node.ref))


def _kind(record: Sighting) -> Piece:
    """The code of a memory's type; of anything else three letters of its kind."""
    if record.node.type is not None:
        return code(record.node.type)
    return told(record.kind)[:3].ljust(3), "muted"


def _aside(record: Sighting) -> Piece:
    if record.likeness is None:
        return told(record.when)[:_WHEN], "muted"
    return f"~ {record.likeness:.2f}", "arrow"
