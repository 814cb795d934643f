"""A room: the list of a view, what stands above it, and the commands of both.

A command is sought from the pane that has the focus outwards, so that what is
particular to a view is a method of its room and nobody else's.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.widget import Widget

from tui.browser.data.desk import Desk
from tui.browser.data.found import Found
from tui.browser.panes import list_of
from tui.commands.scopes import Scope
from widgets.bars.bar import Bar
from widgets.bars.items import Items, plain
from widgets.columns.table import Table


class Room(Container):
    """A list that fills the view; subclasses put something above it."""

    DEFAULT_CSS = """
    Room { layout: vertical; height: 1fr; width: 1fr; }
    Room > Table { height: 1fr; width: 1fr; }
    Room > .divider { display: none; }
    """

    @dataclass
    class Asked(Message):
        """Another query shall be asked, as what stands above the list writes it."""

        text: str

    holding: ClassVar[Scope] = Scope.LIST
    """The scope of the list's keys."""

    is_by_time: ClassVar[bool] = False
    """Whether words in the query leave the order of time as it is."""

    def __init__(self, kind: str) -> None:
        super().__init__(id=f"room-{kind}")
        self.kind = kind
        self.table = self.listed()
        self._divider = Bar(classes="divider")

    @property
    def needs_list(self) -> bool:
        """Whether nothing is left to look at where the list is empty."""
        return True

    def listed(self) -> Table[Any]:
        """The list itself."""
        return list_of(self.kind)

    def above(self) -> Iterable[Widget]:
        """What stands above the list."""
        return ()

    def compose(self) -> ComposeResult:
        """What stands above, and the list."""
        yield from self.above()
        yield self._divider
        yield self.table

    def divide(self, found: Found) -> None:
        """Say so where nothing is what was asked for, and what follows is near it."""
        self._divider.display = found.is_similar
        told = f" no exact match · {len(found.rows)} similar "
        self._divider.items = Items((plain(told, "warning", 0),))

    async def shown(self, found: Found, desk: Desk) -> None:
        """Another result is shown: bring what stands above it up to date.

        Questions are put to the desk, so that the list never waits for the answers.
        """
