"""A file as it is: every byte that is not to be seen stands there as a mark."""

import re
from collections.abc import Iterator
from itertools import groupby

from store.clean import clean
from widgets.reader.bodies import Body
from widgets.reader.hits import marked
from widgets.reader.look import Look
from widgets.reader.runs import Run, TextLine, single
from widgets.reader.wrapping import wrap_anywhere

_UNDECODED = re.compile("[\udc80-\udcff]+")
_FIRST = 0xDC00
_PART = 1000
"""Characters that are looked at together."""


class Raw(Body):
    """Bytes, line by line; controls and what hides are marked, joiners too."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def lines(self, look: Look) -> Iterator[TextLine]:
        """Its lines; one that lacks its end says so."""
        at = 0
        while at < len(self._data):
            end = self._data.find(b"\n", at)
            line = self._data[at : end if end >= 0 else None]
            runs = marked(_runs(line), look.needles) if look.needles else _runs(line)
            yield from wrap_anywhere(runs, look.width)
            at = len(self._data) if end < 0 else end + 1
        if not self._data:
            yield single("The file is empty.", "faint")
        elif not self._data.endswith(b"\n"):
            yield single("(no newline at the end)", "faint")


def _runs(line: bytes) -> Iterator[Run]:
    """A line in runs: what is seen as it is, and marks for all else."""
    text = line.decode("utf-8", "surrogateescape")
    for at in range(0, len(text), _PART):
        part = text[at : at + _PART]
        if part.isprintable():
            yield Run(clean(part))
        else:
            yield from _marked(part)


def _marked(part: str) -> Iterator[Run]:
    """A part that holds what is not to be seen."""
    for is_seen, characters in groupby(part, lambda one: _mark(one) == one):
        if is_seen:
            yield Run(clean("".join(characters)))
        else:
            yield Run("".join(map(_mark, characters)), "control")


def _mark(character: str) -> str:
    """A character, or what stands for it."""
    if _UNDECODED.match(character):
        return f"⟨{ord(character) - _FIRST:02X}⟩"
    return "␉" if character == "\t" else clean(character)
