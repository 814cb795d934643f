"""The lines for who is new here, above the bars; they go by themselves."""

from collections.abc import Sequence

from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from widgets.columns.cells import told
from widgets.lines.pieces import strip
from widgets.styles.brush import Brush
from widgets.styles.palette import DARK, Palette


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

    def show(self, lines: Sequence[str]) -> None:
        """Tell these lines; none hides the strip."""
        self._lines = lines
        self.set_class(bool(lines), "told")
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One of the lines."""
        base = self.rich_style if self.palette.base is None else self.palette.base
        line = told(self._lines[y]) if y < len(self._lines) else ""
        return strip(
            [(f" {line}", "muted")], self.size.width, Brush(self.palette, base)
        )
