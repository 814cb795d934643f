"""Borders and scrollbars in ASCII, which Textual draws in glyphs of its own."""

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from widgets.styles.glyphs import ASCII


class InAscii(LineFilter):
    """Lines in which no glyph is left that a terminal may not know."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Put in what stands for each of them."""
        del background
        return [
            segment
            if segment.text.isascii()
            else Segment(segment.text.translate(ASCII), segment.style, segment.control)
            for segment in segments
        ]
