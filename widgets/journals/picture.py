"""A picture: a few rows that are drawn together."""

from abc import abstractmethod
from collections.abc import Sequence

from textual.strip import Strip

from widgets.bars.bar import Bar
from widgets.lines.pieces import Pieces, broken, strip
from widgets.styles.brush import Brush

ROWS = 5
"""How many rows high bars are."""


class Picture(Bar):
    """Draws its rows when one of them is wanted, and all anew when it was changed."""

    DEFAULT_CSS = "Picture { height: 7; }"

    @abstractmethod
    def rows(self, width: int) -> Sequence[Pieces]:
        """What it shows, from top to bottom."""

    def render_line(self, y: int) -> Strip:
        """One of its rows; one that cannot be drawn says so."""
        width = self.size.width
        base = self.rich_style if self.palette.base is None else self.palette.base
        brush = Brush(self.palette, base)
        try:
            rows = self.rows(width)
            return strip(rows[y] if y < len(rows) else (), width, brush)
        except Exception as error:  # noqa: BLE001  # raised here it would end the program
            return broken(error, width, brush)
