"""The rooms of the graph: memories, and the edges between them."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Container
from textual.widget import Widget
from textual.widgets import ContentSwitcher

from tui.browser.data.desk import Desk
from tui.browser.data.found import Found
from tui.browser.rooms.room import Room
from tui.commands.scopes import Scope
from widgets.bars.bar import Bar
from widgets.bars.items import Item, Items
from widgets.columns.cells import told

if TYPE_CHECKING:
    from tui.browser.facets.standing import Stand

_TYPE = "type"


class MemoryRoom(Room):
    """Memories."""

    holding = Scope.MEMORIES


class EdgeRoom(Room):
    """Edges, and above them how many there are of each type; a click asks for one."""

    holding = Scope.EDGES
    _text = ""

    def above(self) -> Iterable[Widget]:
        """The types."""
        self._types = Bar(classes="types")
        return (self._types,)

    def on_mount(self) -> None:
        """A row has two titles: on a wide screen the reader is beneath the list."""
        switcher = self.screen.query_one("#lists", ContentSwitcher)
        self.watch(switcher, "current", self._share)

    def _share(self, current: str | None) -> None:
        body = self.screen.query_one("#body", Container)
        body.set_class(current == self.id, "by-ends")

    async def shown(self, found: Found, desk: Desk) -> None:
        """Count the types of what is listed."""
        counted = await desk.ask(
            lambda library: library.facets(self.kind, found.tree, (_TYPE,))
        )
        self._text = found.wish.text
        self._types.items = Items(_items(counted.get(_TYPE, ()), self._text, self.kind))

    @on(Bar.Clicked, ".types")
    def _type_clicked(self, event: Bar.Clicked) -> None:
        from store.search.language.editing import toggled

        event.stop()
        text = toggled(self._text, [self.kind], _TYPE, event.name, negated=False)
        self.post_message(self.Asked(text))


def _items(
    counted: Sequence[tuple[str, int]], text: str, kind: str
) -> tuple[Item, ...]:
    """A type and its count each, the most frequent first; what is asked stands out."""
    from tui.browser.facets.standing import Standing

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


def _tone(stand: "Stand") -> str:
    from tui.browser.facets.standing import Stand

    return {Stand.ASKED: "strong arrow", Stand.EXCLUDED: "struck muted"}.get(
        stand, "arrow"
    )
