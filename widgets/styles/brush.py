"""A brush: a palette upon the colours that a line has already."""

from typing import NamedTuple

from rich.style import Style

from widgets.styles.palette import NOWHERE, Palette


class Brush(NamedTuple):
    """What the pieces of one line are painted with."""

    palette: Palette
    """What tones look like."""
    base: Style
    """What they lie upon."""
    cursor: str = NOWHERE
    """Where the cursor is, as this line sees it."""

    def style(self, tones: str) -> Style:
        """The style of a piece."""
        return self.base + self.palette.style(tones, self.cursor)
