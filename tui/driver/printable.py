"""No character that a terminal would act on leaves as text: the last of two layers.

Where text is read they are made visible; here nothing may be left of them. They take
no room where Textual lays text out, so they are dropped without moving anything.
"""

import re
from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

_ACTS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Controls, what turns the direction of writing, what hides, lone surrogates."""

_REPLACEMENT = "\ufffd"


@lru_cache(maxsize=4096)
def printable(text: str) -> str:
    """The text without what a terminal would act on; as wide as before."""
    if text.isascii() and text.isprintable():
        return text
    return _ACTS.sub(_harmless, text)


def _harmless(found: re.Match[str]) -> str:
    """Something of the same width: nothing, mostly."""
    return _REPLACEMENT * cell_len(found[0])


class Printable(LineFilter):
    """Lines as they may be shown: printable, and without links that one cannot see."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Take out what is not to be shown."""
        del background
        return [
            Segment(printable(text), _unlinked(style), control)
            for text, style, control in segments
        ]


def _unlinked(style: Style | None) -> Style | None:
    return style.update_link(None) if style and style.link else style
