"""Rooms: a list and the widgets above it; the rooms of memories, edges and problems."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import Struct
from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.events import Mount
from textual.widget import Widget
from textual.widgets import ContentSwitcher

from store.clean import clean
from store.kinds.messages import Message as Said
from store.kinds.pages import Document
from store.kinds.problems import Problem
from store.library import sorts
from store.search.edit import toggled
from tui.browser.bars import BY_KIND
from tui.browser.display import Display
from tui.browser.filters import Stand, Standing
from tui.browser.worker import Found, Worker, summed_up
from tui.commands.command import Scope
from widgets.bars import Bar, Item, Items, health, plain
from widgets.memory_table import MEDIUM, SMALL, EdgeTable, MemoryTable
from widgets.problems import ProblemTable
from widgets.rows import Key
from widgets.sheet import Notice, Pieces, Sheet
from widgets.table import OPEN, Column, Table, fit_path, told, toned

if TYPE_CHECKING:
    from tui.browser.layout import Layout
    from tui.browser.lists import Lists
    from tui.browser.session import Session
    from tui.browser.status import Status
    from tui.output.cells import Column as Face


# The lists of records.

_REF = "Ref"
"""A column that is not needed because there is a cursor."""

_GAP = 2
_LEAST = 20
"""Minimum cells for each column without a fixed width."""

_TITLE = "Title"
"""The column that is shown in every width."""

_WHEN = "when"
"""The column of the time by which each kind is sorted by default."""

_SORTS = {
    "class": "event_class",
    "duration": "duration_s",
    "errors": "tool_errors",
    "session": "session",
    "size": "text_bytes",
    "where": "path",
}
"""Sort fields of columns with a different title."""


Names = Callable[[], Mapping[str, str]]
"""Returns the names of the stores, by path."""


def list_of(kind: str, names: Names = dict) -> Table[Any]:
    """The list of a kind of record.

    Kinds without a list of their own have the same columns as on the command line.
    """
    sheet = Sheet(id=f"list-{kind}")
    match kind:
        case "memories":
            return MemoryTable(sheet)
        case "edges":
            return EdgeTable(sheet)
        case "problems":
            return ProblemTable(sheet)
        case "messages":
            return Table(sheet, _MESSAGES)
        case _:
            return Table(sheet, _columns(kind, names))


def _columns(kind: str, names: Names) -> Iterator[Column[Any]]:
    """The columns of the command line, each with the width from which it is shown."""
    from tui.output.columns import columns_for  # noqa: PLC0415  # rarely needed

    faces = [face for face in columns_for(kind) if face.title != _REF]
    shared = [face for face in faces if not face.width and not face.is_spare]
    first = next((face for face in shared if face.title == _TITLE), shared[0])
    taken = _LEAST * len(shared)
    for face in faces:
        taken += face.width + _GAP if face.width else 0
        least = MEDIUM * 2 if face.is_spare else taken if face.width else SMALL
        yield _column(kind, face, 0 if face is first else least, names)


def _column(kind: str, face: "Face", least: int, names: Names) -> Column[Any]:
    """A column that is shown from a minimum width of the pane."""
    title = face.title.lower()
    first, *others = sorts(kind)
    name = first if title == _WHEN else _SORTS.get(title, title)

    def cell(record: object, width: int) -> Pieces:
        text = face.cell(record)
        if isinstance(record, Document) and face.is_path:
            text = _within_store(record, names())
        shown = fit_path(text, width) if face.is_path else text
        return [(shown, face.style(record) and "muted")]

    return Column(
        name if name in (first, *others) else "",
        title,
        cell,
        ((least, face.width or OPEN),),
        gap=_GAP,
        is_right=face.right,
    )


def _within_store(document: Document, names: Mapping[str, str]) -> str:
    """The path of a document after the name of its store, if there are several."""
    name = names.get(document.store, "") if len(names) > 1 else ""
    return clean(f"{name}/{document.path}" if name else document.path)


# Messages: when, what kind, and the text.

_TO_THE_MINUTE = len("2026-02-14 10:30")


def _when(message: Said, width: int) -> Pieces:
    return [(told(message.at).replace("T", " ")[:width], "muted")]


_kind = toned(lambda message: told(message.kind).replace("_", " "), "muted")
_text = toned(lambda message: told(message.text.lstrip().partition("\n")[0]), "title")

_MESSAGES = (
    Column("at", "when", _when, ((SMALL, _TO_THE_MINUTE),)),
    Column("kind", "kind", _kind, ((MEDIUM, 12),), gap=2),
    Column("", "text", _text, gap=2),
)
"""The columns of messages; the text takes the width."""


# A room: the list of a view, the widgets above it, and the commands of both.
#
# Commands of a view are methods of its room, or of what the room holds.


class Given(Struct, frozen=True):
    """The parts that every room works with."""

    display: Display
    session: "Session"
    layout: "Layout"
    status: "Status"
    lists: "Lists"


class Room(Container):
    """A list that fills the view; subclasses add widgets above it."""

    DEFAULT_CSS = """
    Room { layout: vertical; height: 1fr; width: 1fr; }
    Room > Sheet { height: 1fr; width: 1fr; }
    """

    class Asked(Notice):
        """A widget above the list has changed the query."""

        text: str

    holding: ClassVar[Scope] = Scope.LIST
    """The scope of the list."""

    is_wide: ClassVar[bool] = False
    """Whether rows need the whole width, so that the reader is below the list."""

    is_text: ClassVar[bool] = False
    """Whether what it lists has a text and no links worth a pane."""

    is_by_time: ClassVar[bool] = False
    """Whether the list stays in chronological order if the query has words."""

    def __init__(self, kind: str, given: Given) -> None:
        super().__init__(id=f"room-{kind}")
        self.kind = kind
        self._display, self._session = given.display, given.session
        self._layout, self._status = given.layout, given.status
        self._lists = given.lists
        self.face = self.listed()
        """How the list looks."""
        self.face.label = BY_KIND[kind].label
        self.table = self.face.lines

    def listed(self) -> Table[Any]:
        """A new list."""
        return list_of(self.kind, lambda: self._session.names)

    def above(self) -> Iterable[Widget]:
        """The widgets above the list."""
        return ()

    def compose(self) -> ComposeResult:
        """The widgets above the list, then the list."""
        yield from self.above()
        yield self.table.sheet

    @on(Mount)
    def share_when_shown(self) -> None:
        """Divide the screen again whenever this room or another is shown."""
        switcher = self.screen.query_one("#lists", ContentSwitcher)
        self.watch(switcher, "current", self.share)

    @property
    def is_shown(self) -> bool:
        """Whether this room is shown, not another one."""
        return self.screen.query_one("#lists", ContentSwitcher).current == self.id

    def share(self) -> None:
        """A hook called when a room is shown, to divide the screen."""

    def focus_beside(self, step: int) -> bool:
        """Move the focus within the room; returns whether it did."""
        del step
        return False

    def steps_back(self) -> bool:
        """Go one step back within the room; returns whether there was one."""
        return False

    def shared_query(self, text: str) -> str:
        """The part of a query that other views use as well."""
        return text

    def divide(self, found: Found) -> None:
        """A hook called with a new result, before anything is counted."""

    async def shown(self, found: Found, worker: Worker) -> None:
        """Update the widgets above the list for a new result.

        Questions go to `worker`, so that the list never waits for them.
        """


# The rooms of memories and of edges.

_TYPE = "type"


class MemoryRoom(Room):
    """The list of memories."""

    holding = Scope.MEMORIES


class EdgeRoom(Room):
    """Edges, with the count of each type above them; a click filters by type."""

    holding = Scope.EDGES
    is_wide = True
    _text = ""

    async def go_to_side(self, side: str) -> None:
        """Go to the memory at one end of an edge."""
        edge = self.table.at_cursor
        ref = edge and (edge.to if side == "to" else edge.from_)
        if ref:
            await self._lists.go("memories", ref, "")

    def above(self) -> Iterable[Widget]:
        """The types of edges."""
        self._types = Bar(classes="types")
        return (self._types,)

    async def shown(self, found: Found, worker: Worker) -> None:
        """Count the types of the listed edges."""
        counted = await worker.ask(
            lambda library: library.search.facets(self.kind, found.tree, (_TYPE,)),
            ("types", found.wish),
        )
        self._text = found.wish.text
        self._types.items = Items(_items(counted.get(_TYPE, ()), self._text, self.kind))

    @on(Bar.Clicked, ".types")
    def _type_clicked(self, event: Bar.Clicked) -> None:
        event.stop()
        text = toggled(self._text, [self.kind], _TYPE, event.name, negated=False)
        self.post_message(self.Asked(text))


def _items(
    counted: Sequence[tuple[str, int]], text: str, kind: str
) -> tuple[Item, ...]:
    """The types with their counts, most frequent first; required ones stand out."""
    standing = Standing(text, kind)
    return tuple(
        Item(
            (
                [
                    (" " if number == 0 else "", ""),
                    (told(name), _tone(standing.to_value(_TYPE, name))),
                    (f" {count}", "muted"),
                ],
            ),
            -number,
            name=name,
        )
        for number, (name, count) in enumerate(counted)
    )


def _tone(stand: Stand) -> str:
    return {Stand.ASKED: "strong arrow", Stand.EXCLUDED: "struck muted"}.get(
        stand, "arrow"
    )


# The rooms of messages and of problems.


class MessageRoom(Room):
    """The list of messages."""

    is_text = True


class HealthRoom(Room):
    """Problems, with a health score above them."""

    holding = Scope.PROBLEMS
    is_wide = is_text = True

    face: ProblemTable
    """How the list looks."""

    def listed(self) -> ProblemTable:
        """The list, with equal problems on one line."""
        return ProblemTable(Sheet(id=f"list-{self.kind}"))

    def above(self) -> Iterable[Widget]:
        """The health score."""
        self._score = Bar(classes="score")
        return (self._score,)

    @on(ProblemTable.FoldAsked)
    def _fold_asked(self, event: ProblemTable.FoldAsked) -> None:
        """Unfold or fold a line.

        The browser does it: reports of a list end at the room if the room caused them.
        """
        event.stop()
        is_folded = self.face.folding.is_open(event.key)
        self._display.call_later(self._fold, event.key, is_folded=is_folded)

    async def fold(self, folded: bool) -> None:  # noqa: FBT001  # as in the command's action
        """Unfold the line at the cursor, or fold the one that it is below."""
        key, folding = self.table.cursor_key, self.face.folding
        line = folding.above(key) or key if folded else key
        if line is None or folding.is_open(line) is not folded:
            word = "fold" if folded else "unfold"
            self._status.message = f"Nothing to {word} here."
        else:
            await self._fold(line, is_folded=folded)

    async def _fold(self, key: Key, *, is_folded: bool) -> None:
        """Show or hide the problems of a line."""
        folding = self.face.folding
        if is_folded:
            self.table.to_key(key)
            folding.fold(key)
        else:
            folding.unfold(key, await self._below(key))
        self._lists.listing.show_keys(folding.lines)

    async def _below(self, key: Key) -> Sequence[int]:
        group = self.face.folding.group(key)
        first = self.table.at_cursor
        if group is None:
            return ()
        if not group.is_summed_up or not isinstance(first, Problem):
            return group.rows
        return await self._session.ask(lambda library: summed_up(library, first))

    async def shown(self, found: Found, worker: Worker) -> None:
        """Count the listed problems by severity, and those that can be fixed."""
        counted = await worker.ask(
            lambda library: library.search.facets(
                self.kind, found.tree, ("severity", "fix")
            ),
            ("severities", found.wish),
        )
        severities = dict(counted.get("severity", ()))
        mendable = sum(count for _, count in counted.get("fix", ()))
        lookback = self._session.lookback
        if lookback and not lookback.is_certain:
            self._score.items = Items((plain(_NO_SCORE, "muted", 1),))
            return
        if self._lists.text:
            self._score.items = health(severities, mendable)
            return
        memories = await worker.ask(lambda library: library.lists.count("memories"))
        scores = await worker.ask(lambda library: library.index.scores())
        before = [(one.day, one.score) for one in scores]
        self._score.items = health(severities, mendable, memories, before)


_NO_SCORE = " No score: only damage in files known from that day is listed."
