"""A bar: one row that tells what its items tell, as far as there is room."""

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from widgets.bars.items import Items, Shown, arranged
from widgets.lines.pieces import broken, strip, width_of
from widgets.styles.brush import Brush
from widgets.styles.palette import DARK, Palette


class Bar(Widget):
    """Shows items; reports which of them is clicked."""

    DEFAULT_CSS = "Bar { height: 1; }"

    ALLOW_SELECT = False

    palette: reactive[Palette] = reactive(DARK)
    """What the tones of the items look like."""

    items: reactive[Items] = reactive(Items())
    """What the bar tells."""

    @dataclass
    class Clicked(Message):
        """An item was clicked that has a name."""

        bar: "Bar"
        name: str

        @property
        def control(self) -> "Bar":
            """The bar, as selectors of handlers want it."""
            return self.bar

    def render_line(self, y: int) -> Strip:
        """The row; one that cannot be drawn says so."""
        width = self.size.width
        base = self.rich_style if self.palette.base is None else self.palette.base
        brush = Brush(self.palette, base + self.palette.style("bar"))
        if y:
            return Strip.blank(width, brush.base)
        try:
            pieces = [piece for one in self._shown() for piece in one.pieces]
            return strip(pieces, width, brush)
        except Exception as error:  # noqa: BLE001  # raised here it would end the program
            return broken(error, width, brush)

    def on_click(self, event: events.Click) -> None:
        """Report the item that was clicked."""
        at = event.get_content_offset(self)
        x = at.x if at else -1
        for one in self._shown():
            x -= width_of(one.pieces)
            if x < 0:
                if one.name and at:
                    self.post_message(self.Clicked(self, one.name))
                return

    def _shown(self) -> list[Shown]:
        return arranged(self.items, self.size.width)
