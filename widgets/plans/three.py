"""Three texts at once: what it was, what I made of it, what others made of it.

Only where they differ, each line with whose it is: that fits where three columns would
not.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from store.clean import clean
from widgets.reader.bodies import Body, Made
from widgets.reader.look import Look
from widgets.reader.runs import Run, TextLine, single
from widgets.reader.wrapping import wrap_anywhere

_WIDE = 8
_NOTHING = "(nothing)"


class Part(Struct, frozen=True, kw_only=True):
    """A place where the texts are not the same."""

    line: int
    """Where it begins in what it was, the first line being 1."""
    was: Sequence[str]
    mine: Sequence[str]
    theirs: Sequence[str]

    @property
    def told(self) -> tuple[str, str]:
        """Who changed it, and how much that matters."""
        if self.mine == self.theirs:
            return "both made the same of it", "muted"
        if self.mine == self.was:
            return "only they changed it", "muted"
        if self.theirs == self.was:
            return "only you changed it", "muted"
        return "both changed it", "warning"


def three_body(parts: Sequence[Part]) -> Body:
    """All places, one beneath the other, those that both changed first."""
    both = [one for one in parts if one.told[1] == "warning"]
    others = [one for one in parts if one.told[1] != "warning"]
    return Made(lambda look: _lines([*both, *others], look))


def _lines(parts: Sequence[Part], look: Look) -> Iterator[TextLine]:
    for part in parts:
        told, tone = part.told
        yield TextLine((Run(f"line {part.line}", "heading"), Run(f"  {told}", tone)))
        yield from _text("was", part.was, "muted", look)
        if part.mine != part.was:
            yield from _text("mine", part.mine, "ok", look)
        if part.theirs not in (part.was, part.mine):
            yield from _text("theirs", part.theirs, "arrow", look)
    if not parts:
        yield single("Both say the same.", "muted")


def _text(
    whose: str, lines: Sequence[str], tone: str, look: Look
) -> Iterator[TextLine]:
    """What one of them says; whose it is stands before its first line alone."""
    label = f"  {whose:<{_WIDE}}"
    for line in lines or (_NOTHING,):
        said = clean(line) if lines else line
        indent = (Run(label, "faint"),)
        yield from wrap_anywhere(
            [Run(said, tone if lines else "muted")],
            look.width,
            indent,
            (Run(" " * len(label)),),
        )
        label = " " * len(label)
