"""The lines for who is new here, above the bars; they go by themselves."""

from collections.abc import Sequence

from rich.cells import cell_len
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from widgets.columns.cells import fit, told
from widgets.lines.pieces import strip
from widgets.styles.brush import Brush
from widgets.styles.palette import DARK, Palette

BETWEEN = " · "
"""Stands between the parts of a line; the last ones go where there is no room."""


class FirstStrip(Widget):
    """As many rows as there are lines; without lines it is not there."""

    DEFAULT_CSS = """
    FirstStrip { height: 3; background: $panel; display: none; }
    FirstStrip.told { display: block; }
    """

    ALLOW_SELECT = False

    palette: reactive[Palette] = reactive(DARK)
    """What it looks like."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  # as every widget has it
        super().__init__(id=id)
        self._lines: Sequence[str] = ()
        self._tone = ""

    def show(self, lines: Sequence[str], tone: str = "muted") -> None:
        """Tell these lines; none hides the strip."""
        self._lines, self._tone = lines, tone
        self.set_class(bool(lines), "told")
        self.styles.height = len(lines)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One of the lines."""
        base = self.rich_style if self.palette.base is None else self.palette.base
        line = self._lines[y] if y < len(self._lines) else ""
        width = self.size.width
        pieces = fit([(f" {_shortened(told(line), width - 1)}", self._tone)], width)
        return strip(pieces, width, Brush(self.palette, base))


def _shortened(line: str, width: int) -> str:
    """A line without its last parts, as long as there is no room for all of them."""
    while cell_len(line) > width and BETWEEN in line:
        line = line.rpartition(BETWEEN)[0]
    return line
