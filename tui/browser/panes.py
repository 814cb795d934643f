"""The panes as keys reach them: what a command is called, and what a pane then does."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from store.library import sorts
from tui.browser.walked import Walked
from widgets.columns.column import OPEN, Column
from widgets.columns.edges import EdgeTable
from widgets.columns.memories import MEDIUM, SMALL, MemoryTable
from widgets.columns.table import Table
from widgets.graph.graph import Graph
from widgets.graph.sightings import Sightings
from widgets.lines.lines import Lines
from widgets.lines.pieces import Pieces
from widgets.reader.reader import Reader

if TYPE_CHECKING:
    from tui.faces.columns.column import Column as Face
    from tui.faces.columns.column import Listed

_REF = "Ref"
"""The column that the cursor makes unnecessary."""

_GAP = 2
_LEAST = 20
"""Cells that a column without a width has at least, before others get theirs."""

_TITLE = "Title"
"""The title of the column that is shown however little room there is."""

_WHEN = "when"
"""The title of the instant that each kind is usually ordered by."""

_SORTS = {
    "class": "event_class",
    "duration": "duration_s",
    "errors": "tool_errors",
    "session": "session",
    "size": "text_bytes",
    "where": "path",
}
"""What is sorted by beneath a title that is called otherwise."""


class ListKeys(Walked, Lines[Any]):
    """What keys do in a list."""

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
        super().__init__(_columns(kind), id=id)


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


class ReadingPane(Walked, Reader):
    """The reader as keys reach it."""

    def action_section(self, step: int) -> None:
        """Go to another heading."""
        self.section(step)

    def action_wrap(self) -> None:
        """Cut long lines, or wrap them again."""
        self.wrap()


class LinksPane(Walked, Graph):
    """The links of a record as keys reach them."""

    TAB = "links"
    """The tab of the reader in whose place it may stand."""

    def action_walk(self) -> None:
        """Go where the link at the cursor leads."""
        self.choose()

    @property
    def edge(self) -> str | None:
        """The ref of the edge at the cursor, where a link is one."""
        line = self.at_cursor
        return line.arrow.edge if line and line.arrow and not line.more else None

    def action_walk_back(self) -> None:
        """Go back to where one came from."""
        self.back()

    def action_unfold(self) -> None:
        """Show what lies beyond, or hide it again."""
        self.toggle()


class SeenPane(Walked, Sightings):
    """Where a record is told of, and what is like it, as keys reach it."""

    @property
    def is_in_view(self) -> bool:
        """Whether there is room for it on the screen."""
        return all(node.display for node in self.ancestors_with_self)

    def action_walk(self) -> None:
        """Go to the record at the cursor."""
        self.choose()

    def action_unfold(self) -> None:
        """Nothing lies folded up here."""


def _columns(kind: str) -> Iterator[Column[Any]]:
    """The command line's columns: those with a width where others have room besides."""
    from tui.faces.columns import columns_for

    faces = [face for face in columns_for(kind) if face.title != _REF]
    shared = [face for face in faces if not face.width and not face.is_spare]
    first = next((face for face in shared if face.title == _TITLE), shared[0])
    taken = _LEAST * len(shared)
    for face in faces:
        taken += face.width + _GAP if face.width else 0
        least = MEDIUM * 2 if face.is_spare else taken if face.width else SMALL
        yield _column(kind, face, 0 if face is first else least)


def _column(kind: str, face: "Face", least: int) -> Column[Any]:
    """A column, from a width of the pane on."""
    title = face.title.lower()
    first, *others = sorts(kind)
    name = first if title == _WHEN else _SORTS.get(title, title)

    def cell(record: "Listed", _width: int) -> Pieces:
        return [(face.cell(record), face.style(record) and "muted")]

    return Column(
        name if name in (first, *others) else "",
        title,
        cell,
        ((least, face.width or OPEN),),
        gap=_GAP,
        is_right=face.right,
    )
