"""The line in which a query is typed, coloured as it is meant."""

from collections.abc import Callable

from rich.highlighter import Highlighter
from rich.style import Style
from rich.text import Text
from textual.reactive import reactive

from tui.browser.asking.line_input import LineInput
from tui.browser.asking.understanding import Understanding
from widgets.styles.palette import DARK, Palette

_UNDERLINED = Style(underline=True)

_PLACEHOLDER = "words  tag:redis  is:orphan  strength<.2  created<7d"
"""What can be typed, for who has typed nothing yet."""

_STRUCK = "muted struck"
"""What other views understand."""


class _Colours(Highlighter):
    """Colours a text by what it comes to."""

    def __init__(self, line: "QueryInput") -> None:
        self._line = line

    def highlight(self, text: Text) -> None:
        """Colour what is understood, and mark what is not."""
        palette, understood = self._line.palette, self._line.understand(text.plain)
        for span, tones in understood.parts:
            text.stylize(palette.style(tones), *span)
        for complaint in understood.foreign:
            text.stylize(palette.style(_STRUCK), *complaint.span)
        for complaint in understood.bad:
            text.stylize(palette.style("error") + _UNDERLINED, *complaint.span)


class QueryInput(LineInput):
    """A query, coloured as it is understood."""

    palette: reactive[Palette] = reactive(DARK)
    """What the parts of the query look like."""

    def __init__(self, understand: Callable[[str], Understanding]) -> None:
        super().__init__(_PLACEHOLDER)
        self.highlighter = _Colours(self)
        self.understand = understand
