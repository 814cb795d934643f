"""The query bar, and what else changes the query or its order."""

from functools import partial

from textual.message import Message

from store.library import sorts
from store.search.edit import toggled
from tui.browser.display import Part
from tui.browser.facets import Facets
from tui.browser.filters import Toggled
from tui.browser.layout import Layout
from tui.browser.lists import Lists
from tui.browser.query_bar import QueryBar
from tui.browser.session import Session
from tui.browser.status import Status
from tui.browser.welcome import Welcome
from widgets.table import Table


class Queries(Part):
    """The query bar, and what else changes the query or its order."""

    session: Session
    layout: Layout
    status: Status
    lists: Lists
    facets: Facets
    welcome: Welcome

    def begin(self) -> None:
        """Focus the query bar."""
        self.facets.load_values()
        self.layout.query.begin()

    def take(self, event: Message) -> None:
        """Take what the query bar reports, and a query that a facet has changed."""
        match event:
            case Toggled():
                self.lists.ask_for(event.text)
            case QueryBar.Asked():
                self.asked(event)
            case QueryBar.Left():
                self.left(event)
            case QueryBar.Missed():
                self.status.say(event.told)
            case QueryBar.Moved():
                self.lists.when_listed(partial(self._move_cursor, event.rows))
            case _:
                pass

    def asked(self, event: QueryBar.Asked) -> None:
        """Update the list with every letter typed."""
        self.lists.text = event.text
        self.lists.look(keeps=False)

    def left(self, event: QueryBar.Left) -> None:
        """Focus the list and add the query to the history."""
        self.lists.table.sheet.focus()
        if event.is_accepted and event.text.strip():
            self.status.message = self.session.kept.remember(event.text)
            self.layout.query.know(earlier=self.session.kept.earlier())
        self.status.tell()

    async def _move_cursor(self, rows: int) -> None:
        self.lists.table.move(rows)

    def filter_by(self, field: str, value: str) -> None:
        """Add a value to the query, or remove it."""
        self.welcome.leave()
        lists = self.lists
        self.lists.ask_for(
            toggled(lists.text, [lists.kind], field, value, negated=False)
        )

    def sort_by(self, name: str | None) -> None:
        """Sort by a field; if the list is sorted by it already, reverse the order."""
        if name is not None:
            sorting = self.lists.order.chosen
            is_same = self.lists.order.name == name
            self.lists.order.sort(
                name, reverse=is_same and not (sorting and sorting.is_reversed)
            )

    def sort_asked(self, event: Table.SortAsked) -> None:
        """Sort by the column whose title was clicked."""
        if event.name in sorts(self.lists.kind):
            self.sort_by(event.name)
