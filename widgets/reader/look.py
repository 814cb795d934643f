"""What the layout of a page depends on beside its text."""

from collections.abc import Iterable
from typing import NamedTuple

from widgets.reader.hits import Needles
from widgets.reader.runs import Run


class Look(NamedTuple):
    """How a page is to be laid out."""

    width: int
    """How wide its lines are at most."""
    needles: Needles = ()
    """What was looked for."""
    is_zoomed: bool = False
    """Whether it has the whole screen: code has colours then."""
    wraps: bool = True
    """Whether lines that are too long go on beneath; else they are cut."""

    def coloured(self, code: str, language: str) -> Iterable[Run]:
        """Code as runs."""
        if not self.is_zoomed:
            return [Run(code, "code")]
        from widgets.reader.fences import coloured  # noqa: PLC0415  # only what is read at leisure needs a lexer

        return coloured(code, language)
