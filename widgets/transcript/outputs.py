"""What programs write, and code: colours of the one left out, blanks kept."""

import re
from collections.abc import Iterator

from store.clean import clean
from widgets.plans.diff import diff_lines
from widgets.reader.bodies import Body
from widgets.reader.chunks import chunks
from widgets.reader.hits import marked
from widgets.reader.look import Look
from widgets.reader.runs import Run, TextLine, single
from widgets.reader.wrapping import wrap, wrap_anywhere

_COLOUR = re.compile(r"\x1b\[[0-9;:]*m")
"""What tells a terminal to change colours; it says nothing to a reader."""


class Output(Body):
    """What a program wrote."""

    def __init__(self, text: str, tone: str = "") -> None:
        self._text = text
        self._tone = tone

    def lines(self, look: Look) -> Iterator[TextLine]:
        """Its lines; those that are too long go on beneath."""
        for chunk in chunks(self._text):
            shown = clean(_COLOUR.sub("", chunk), multiline=True).removesuffix("\n")
            for line in shown.split("\n"):
                if len(line) <= look.width and line.isascii() and not look.needles:
                    yield single(line, self._tone)
                else:
                    yield from self._wrapped(line, look)

    def _wrapped(self, line: str, look: Look) -> Iterator[TextLine]:
        """A line that may be too long, or hold what is looked for."""
        said = line.lstrip(" ")
        indent = (Run(line[: min(len(line) - len(said), look.width // 2)]),)
        runs = marked([Run(said, self._tone)], look.needles)
        yield from wrap(runs, look.width, indent, indent)


class Code(Body):
    """Code, in its colours where it is read at leisure."""

    def __init__(self, text: str, language: str = "") -> None:
        self._text = text
        self._language = language

    def lines(self, look: Look) -> Iterator[TextLine]:
        """Its lines."""
        shown = clean(self._text, multiline=True).removesuffix("\n")
        runs = marked(look.coloured(shown, self._language), look.needles)
        yield from wrap_anywhere(runs, look.width)


class Diff(Body):
    """What was changed."""

    def __init__(self, diff: str) -> None:
        self._diff = diff

    def lines(self, look: Look) -> Iterator[TextLine]:
        """Its lines, each with its sign."""
        yield from diff_lines(self._diff, look)


INDENT = Run("  ")
GUIDE = Run("  │ ", "faint")
"""What stands before the lines of what was unfolded."""


class Indented(Body):
    """A body that stands a little to the right, or behind something."""

    def __init__(self, body: Body, prefix: Run = INDENT) -> None:
        self._body = body
        self._prefix = prefix

    def lines(self, look: Look) -> Iterator[TextLine]:
        """The lines of the body; what stands before them is no part of its text."""
        prefix = self._prefix
        wide = len(prefix.text)
        inner = look._replace(width=max(look.width - wide, 1))
        for line in self._body.lines(inner):
            yield line._replace(runs=(prefix, *line.runs), margin=line.margin + wide)
