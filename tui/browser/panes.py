"""The panes as keys reach them: what a command is called, and what a pane then does."""

from typing import Any

from tui.faces.columns import columns_for
from tui.faces.columns.column import Column as Face
from tui.faces.columns.column import Listed
from widgets.columns.column import OPEN, Column
from widgets.columns.edges import EdgeTable
from widgets.columns.memories import MEDIUM, MemoryTable
from widgets.columns.table import Table
from widgets.graph.graph import Graph
from widgets.lines.lines import Lines
from widgets.lines.pieces import Pieces
from widgets.reader.reader import Reader

_REF = "Ref"
"""The column that the cursor makes unnecessary."""


class ListKeys(Lines[Any]):
    """What keys do in a list."""

    def action_move(self, rows: int) -> None:
        """Move the cursor."""
        self.move(rows)

    def action_half_page(self, pages: int) -> None:
        """Move it by half of what is in view."""
        self.half_page(pages)

    def action_page(self, pages: int) -> None:
        """Move it by what is in view."""
        self.page(pages)

    def action_top(self) -> None:
        """Move it to the first row."""
        self.top()

    def action_bottom(self) -> None:
        """Move it to the last row."""
        self.bottom()

    def action_mark(self) -> None:
        """Mark the row, or take its mark away."""
        self.mark()

    def action_range(self, marks: bool) -> None:  # noqa: FBT001  # as the command says it
        """Begin or end a range."""
        self.mark_range(takes=not marks)

    def action_mark_all(self) -> None:
        """Mark all, or none."""
        self.mark_all()

    def action_invert_marks(self) -> None:
        """Mark what is not marked, and nothing else."""
        self.mark_others()

    def action_read(self) -> None:
        """Open the row."""
        self.choose()


class MemoryList(MemoryTable, ListKeys):
    """The list of memories."""


class EdgeList(EdgeTable, ListKeys):
    """The list of edges."""


class RecordList(Table[Any], ListKeys):
    """The list of any other kind, in the columns that the command line shows too."""

    def __init__(self, kind: str, *, id: str | None = None) -> None:  # noqa: A002  # as every widget has it
        shown = (face for face in columns_for(kind) if face.title != _REF)
        super().__init__([_column(face) for face in shown], id=id)


def list_of(kind: str) -> Table[Any]:
    """The list of a kind of record."""
    name = f"list-{kind}"
    match kind:
        case "memories":
            return MemoryList(id=name)
        case "edges":
            return EdgeList(id=name)
        case _:
            return RecordList(kind, id=name)


class ReadingPane(Reader):
    """The reader as keys reach it."""

    def action_move(self, lines: int) -> None:
        """Scroll."""
        self.move(lines)

    def action_half_page(self, pages: int) -> None:
        """Scroll by half of what is in view."""
        self.half_page(pages)

    def action_page(self, pages: int) -> None:
        """Scroll by what is in view."""
        self.page(pages)

    def action_top(self) -> None:
        """Scroll to the beginning."""
        self.top()

    def action_bottom(self) -> None:
        """Scroll to the end."""
        self.bottom()

    def action_section(self, step: int) -> None:
        """Go to another heading."""
        self.section(step)


class LinksPane(Graph):
    """The links of a record as keys reach them."""

    def action_move(self, rows: int) -> None:
        """Move the cursor."""
        self.move(rows)

    def action_half_page(self, pages: int) -> None:
        """Move it by half of what is in view."""
        self.half_page(pages)

    def action_page(self, pages: int) -> None:
        """Move it by what is in view."""
        self.page(pages)

    def action_top(self) -> None:
        """Move it to the first link."""
        self.top()

    def action_bottom(self) -> None:
        """Move it to the last one."""
        self.bottom()

    def action_walk(self) -> None:
        """Go where the link at the cursor leads."""
        self.choose()

    def action_walk_back(self) -> None:
        """Go back to where one came from."""
        self.back()

    def action_unfold(self) -> None:
        """Show what lies beyond, or hide it again."""
        self.toggle()


def _column(face: Face) -> Column[Any]:
    """A column of the command line's tables as one of a pane's."""
    least = MEDIUM * 2 if face.is_spare else MEDIUM if face.width else 0

    def cell(record: Listed, _width: int) -> Pieces:
        return [(face.cell(record), face.style(record) and "muted")]

    return Column(
        "",
        face.title.lower(),
        cell,
        ((least, face.width or OPEN),),
        gap=2,
        is_right=face.right,
    )
