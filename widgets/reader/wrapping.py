"""Runs wrapped into lines, one line at a time: a page of a megabyte costs what is seen.

Prose breaks between words, and within those that are wider than the page; code breaks
anywhere.
"""

import re
from collections.abc import Iterable, Iterator

from rich.cells import cell_len, chop_cells

from widgets.reader.runs import BREAK, Run, Runs, TextLine, plain

_PARTS = re.compile(r"\n|[^\S\n]+|\S+")

_CHARACTERS_PER_CELL = 10

_LONGEST_WORD = 2000
"""Characters of a word that are measured: a longer one is wider than any page."""


class _Line:
    """A line that is being filled."""

    def __init__(
        self, first: Runs, rest: Runs, width: int, *, has_margin: bool = False
    ) -> None:
        """`first` stands before the first line, `rest` before all others."""
        self._prefix, self._rest, self._width = first, rest, max(width, 1)
        self._has_margin = has_margin
        self._runs: list[Run] = []
        self._used = 0

    @property
    def room(self) -> int:
        """How many cells are left."""
        prefix = sum(cell_len(run.text) for run in self._prefix)
        return max(self._width - prefix, 1) - self._used

    @property
    def is_empty(self) -> bool:
        """Whether nothing is in it yet."""
        return not self._runs

    def add(self, run: Run) -> None:
        """Put something at its end."""
        self._runs.append(run)
        self._used += cell_len(run.text)

    def end(self, joint: str) -> TextLine:
        """The line as it is; go on with the next."""
        prefix, self._prefix = self._prefix, self._rest
        runs, self._runs, self._used = (*prefix, *self._runs), [], 0
        return TextLine(runs, joint, len(plain(prefix)) if self._has_margin else 0)


def wrap(
    runs: Iterable[Run], width: int, first: Runs = (), rest: Runs = ()
) -> Iterator[TextLine]:
    """Prose in lines no wider than a width."""
    line = _Line(first, rest, width)
    blank: Run | None = None
    for word in _words(runs):
        lead = word[0]
        if lead.text == BREAK:
            yield line.end(BREAK)
            blank = None
        elif lead.text.isspace():
            blank = lead
        else:
            needed = sum(cell_len(run.text[:_LONGEST_WORD]) for run in word)
            gap = len(blank.text) if blank and not line.is_empty else 0
            if not line.is_empty and needed + gap > line.room:
                yield line.end(" " if blank else "")
            elif blank and gap:
                line.add(blank)
            blank = None
            yield from _put(line, word)
    yield line.end(BREAK)


def wrap_anywhere(
    runs: Iterable[Run], width: int, first: Runs = (), rest: Runs = ()
) -> Iterator[TextLine]:
    """Code in lines no wider than a width, every blank of it kept."""
    line = _Line(first, rest, width, has_margin=True)
    for run in runs:
        for number, text in enumerate(run.text.split(BREAK)):
            if number:
                yield line.end(BREAK)
            yield from _put(line, [run._replace(text=text)])
    yield line.end(BREAK)


def head(text: str, width: int) -> str:
    """As much of a text as fits, but never nothing."""
    if cell_len(text[:width]) == len(text[:width]) <= width:
        return text[:width]
    chopped = chop_cells(text[: width * _CHARACTERS_PER_CELL], width)
    return next((part for part in chopped if part), text[:1])


def _put(line: _Line, word: Iterable[Run]) -> Iterator[TextLine]:
    """Put a word into lines; one that is wider than a line breaks where it must."""
    for run in word:
        at = 0
        while at < len(run.text):
            if line.room <= 0:
                yield line.end("")
            part = head(run.text[at : at + line.room * _CHARACTERS_PER_CELL], line.room)
            if cell_len(part) > line.room and not line.is_empty:
                yield line.end("")
                continue
            line.add(run._replace(text=part))
            at += len(part)


def _words(runs: Iterable[Run]) -> Iterator[list[Run]]:
    """Words and what is between them; one word may be of several runs."""
    word: list[Run] = []
    for run in runs:
        for part in _PARTS.finditer(run.text):
            piece = run._replace(text=part[0])
            if not part[0].isspace():
                word.append(piece)
                continue
            if word:
                yield word
                word = []
            yield [piece]
    if word:
        yield word
