"""Runs: text to be read, in a tone, and where it leads; and the lines made of them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Target(NamedTuple):
    """Where a piece of text leads."""

    kind: str
    """`link` as Markdown has it, `wiki` as [[this]], `image`, `ref` for a record."""
    text: str
    """What it names, as written."""


class Run(NamedTuple):
    """Some text."""

    text: str
    tone: str = ""
    target: Target | None = None


Runs = Sequence[Run]

BREAK = "\n"
"""The text of a run that ends a line."""


class TextLine(NamedTuple):
    """A line of a page."""

    runs: tuple[Run, ...]
    joint: str = BREAK
    """What comes between it and the next where both are copied: a line that was too
    long goes on after a blank, or after nothing."""
    margin: int = 0
    """How many characters at its beginning are left out of a copy: indented code."""
    is_heading: bool = False

    @property
    def text(self) -> str:
        """What it says."""
        return "".join(run.text for run in self.runs)


EMPTY = TextLine(())


def plain(runs: Iterable[Run]) -> str:
    """What runs say."""
    return "".join(run.text for run in runs)


def single(text: str, tone: str = "") -> TextLine:
    """A line of one run."""
    return TextLine((Run(text, tone),))
