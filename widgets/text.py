"""Text with tones and links, wrapped into lines."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len, chop_cells
from textual.selection import Selection

from store.text import compared, regex
from widgets.sheet import CHARACTERS_PER_CELL, Piece

# Runs: text with a tone and a link target; and lines made of them.


class Target(Struct, frozen=True):
    """The target of a piece of text."""

    kind: str
    """`link` for Markdown, `wiki` for [[this]], `image`, or `ref` for a record."""
    text: str
    """The name, as written."""


class Run(Struct, frozen=True):
    """Some text."""

    text: str
    tone: str = ""
    target: Target | None = None


Runs = Sequence[Run]

BREAK = "\n"
"""The text of a run that ends a line."""


class TextLine(Struct, frozen=True):
    """A line of a page."""

    runs: tuple[Run, ...]
    joint: str = BREAK
    """The text between it and the next line in a copy.

    A wrapped line continues after a blank, or after nothing.
    """
    margin: int = 0
    """Characters at its start that are left out of a copy, as in indented code."""
    is_heading: bool = False

    @property
    def text(self) -> str:
        """Its text."""
        return "".join(run.text for run in self.runs)


EMPTY = TextLine(())


def plain(runs: Iterable[Run]) -> str:
    """The text of runs."""
    return "".join(run.text for run in runs)


def single(text: str, tone: str = "") -> TextLine:
    """A line of one run."""
    return TextLine((Run(text, tone),))


# Wrap runs into lines on demand, so that a long page only costs what is seen.
#
# Prose breaks between words, and inside words wider than the page; code breaks
# anywhere.

_PARTS = regex(r"\n|[^\S\n]+|\S+")

_LONGEST_WORD = 2000
"""Characters of a word that are measured; a longer one is wider than any page."""


class _Line:
    """A line being filled."""

    def __init__(
        self, first: Runs, rest: Runs, width: int, *, has_margin: bool = False
    ) -> None:
        """`first` precedes the first line, `rest` all others."""
        self._prefix, self._rest, self._width = first, rest, max(width, 1)
        self._has_margin = has_margin
        self._runs: list[Run] = []
        self._used = 0

    @property
    def room(self) -> int:
        """The number of cells left."""
        prefix = sum(cell_len(run.text) for run in self._prefix)
        return max(self._width - prefix, 1) - self._used

    @property
    def is_empty(self) -> bool:
        """Whether it is still empty."""
        return not self._runs

    def add(self, run: Run) -> None:
        """Append a run."""
        self._runs.append(run)
        self._used += cell_len(run.text)

    def end(self, joint: str) -> TextLine:
        """Finish the line, and continue with the next."""
        prefix, self._prefix = self._prefix, self._rest
        runs, self._runs, self._used = (*prefix, *self._runs), [], 0
        return TextLine(runs, joint, len(plain(prefix)) if self._has_margin else 0)


def wrap(
    runs: Iterable[Run], width: int, first: Runs = (), rest: Runs = ()
) -> Iterator[TextLine]:
    """Prose wrapped to a width."""
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
    """Code wrapped to a width, with all blanks preserved."""
    line = _Line(first, rest, width, has_margin=True)
    for run in runs:
        for number, text in enumerate(run.text.split(BREAK)):
            if number:
                yield line.end(BREAK)
            yield from _put(line, [replace(run, text=text)])
    yield line.end(BREAK)


def head(text: str, width: int) -> str:
    """The part of a text that fits, but at least one character."""
    if cell_len(text[:width]) == len(text[:width]) <= width:
        return text[:width]
    chopped = chop_cells(text[: width * CHARACTERS_PER_CELL], width)
    return next((part for part in chopped if part), text[:1])


def _put(line: _Line, word: Iterable[Run]) -> Iterator[TextLine]:
    """Add a word to lines; one wider than a line is broken."""
    for run in word:
        at = 0
        while at < len(run.text):
            if line.room <= 0:
                yield line.end("")
            part = head(run.text[at : at + line.room * CHARACTERS_PER_CELL], line.room)
            if cell_len(part) > line.room and not line.is_empty:
                yield line.end("")
                continue
            line.add(replace(run, text=part))
            at += len(part)


def _words(runs: Iterable[Run]) -> Iterator[list[Run]]:
    """Words and the blanks between them; a word may consist of several runs."""
    word: list[Run] = []
    for run in runs:
        for part in _PARTS.finditer(run.text):
            piece = replace(run, text=part[0])
            if not part[0].isspace():
                word.append(piece)
                continue
            if word:
                yield word
                word = []
            yield [piece]
    if word:
        yield word


# Groups of runs side by side, as many per line as fit.


def flow(groups: Sequence[Runs], width: int, gap: int = 3) -> Iterator[TextLine]:
    """The groups in lines; one wider than a line is wrapped."""
    line: list[Run] = []
    used = 0
    for group in groups:
        needed = cell_len(plain(group))
        if line and used + gap + needed > width:
            yield from wrap(line, width)
            line, used = [], 0
        if line:
            line.append(Run(" " * gap))
            used += gap
        line += group
        used += needed
    if line:
        yield from wrap(line, width)


# Lines cut at the edge instead of wrapped, which shows the structure of a text.

MORE = Run("…", "muted")
"""Marks a cut line."""


def cut(lines: Iterable[TextLine]) -> Iterator[TextLine]:
    """The first line of each group of wrapped lines."""
    goes_on = False
    for line in lines:
        if not goes_on:
            is_cut = line.joint != BREAK
            runs = (*line.runs, MORE) if is_cut else line.runs
            yield replace(line, runs=runs, joint=BREAK)
        goes_on = line.joint != BREAK


# Copy text from lines without the wrapping.

_TO_THE_END = -1
"""Textual's value for a span without an end."""


def copied(lines: Sequence[TextLine], selection: Selection) -> str:
    """The selected text, with wrapped lines joined and the indent of code left out."""
    parts: list[str] = []
    for number, line in enumerate(lines):
        span = selection.get_span(number)
        if span is None:
            continue
        start, end = span
        last = None if end == _TO_THE_END else end
        parts.append(line.text[max(start, line.margin) : last].rstrip())
        parts.append(line.joint)
    return "".join(parts[:-1]).rstrip(BREAK)


def selected(pieces: Sequence[Piece], span: tuple[int, int] | None) -> Sequence[Piece]:
    """Pieces with the selected characters in the selection's tone."""
    if span is None:
        return pieces
    start, end = span
    shown: list[Piece] = []
    at = 0
    for text, tone in pieces:
        first = min(max(start - at, 0), len(text))
        last = len(text) if end == _TO_THE_END else min(max(end - at, first), len(text))
        shown += [
            (text[:first], tone),
            (text[first:last], f"{tone} selected".strip()),
            (text[last:], tone),
        ]
        at += len(text)
    return [piece for piece in shown if piece[0]]


# Find search words in a page.

Needles = Sequence[str]
"""Search words and phrases, as typed."""

_MOST_HITS = 1000
"""The most hits highlighted in one paragraph."""

HIT = "hit"
"""The tone of hits."""


def marked(runs: Iterable[Run], needles: Needles) -> Iterator[Run]:
    """The runs, with hits in a separate tone."""
    if not needles:
        yield from runs
        return
    known = list(runs)
    spans = deque(found(plain(known), needles))
    at = 0
    for run in known:
        yield from _cut(run, at, spans)
        at += len(run.text)


def found(text: str, needles: Needles) -> list[tuple[int, int]]:
    """The positions of needles in a text, from left to right."""
    spans: set[tuple[int, int]] = set()
    for needle in needles:
        sought = compared(needle, needle)
        if not sought.strip():
            continue
        folded, places = _folded(text, needle)
        for match in islice(_pattern(sought).finditer(folded), _MOST_HITS):
            spans.add((places[match.start()], places[match.end() - 1] + 1))
    return sorted(spans)


def _folded(text: str, needle: str) -> tuple[str, Sequence[int]]:
    """A text folded for comparison, with the original position of each character."""
    if text.isascii():
        return compared(text, needle), range(len(text))
    forms = {character: compared(character, needle) for character in set(text)}
    characters = [forms[character] for character in text]
    places = [at for at, one in enumerate(characters) for _ in one]
    return "".join(characters), places


@lru_cache(64)
def _pattern(needle: str) -> re.Pattern[str]:
    """A needle as a pattern; a phrase may span lines."""
    return re.compile(r"\s+".join(map(re.escape, needle.split())))


def _cut(run: Run, at: int, spans: deque[tuple[int, int]]) -> Iterator[Run]:
    """A run at a position, split into hits and other parts.

    Spans that end in the run are removed, so that later runs do not check them again.
    """
    done, length = 0, len(run.text)
    while spans and spans[0][0] - at < length:
        start, end = spans[0]
        first, last = max(start - at, done), min(end - at, length)
        if first < last:
            if done < first:
                yield replace(run, text=run.text[done:first])
            tone = f"{run.tone} {HIT}".strip()
            yield replace(run, text=run.text[first:last], tone=tone)
            done = last
        if end - at > length:
            break
        spans.popleft()
    if done < length or not length:
        yield replace(run, text=run.text[done:])


# What the layout of a page depends on besides its text.


class Look(Struct, frozen=True):
    """How to lay out a page."""

    width: int
    """The most cells per line."""
    needles: Needles = ()
    """The search words."""
    is_zoomed: bool = False
    """Whether it fills the screen; then code is coloured."""
    wraps: bool = True
    """Whether long lines are wrapped; otherwise they are cut."""


# Split a long page into chunks, so that only what is read is parsed.
#
# A chunk ends at a blank line outside code fences, before an unindented line; failing
# that for long, at any line end.

_ENOUGH = 16_000
"""Characters after which a chunk ends at the next opportunity."""
_MOST = 2 * _ENOUGH
"""Characters after which it ends anyway."""

_FENCE = regex(r" {0,3}(`{3,}|~{3,})")


def chunks(text: str) -> Iterator[str]:
    """The text, chunk by chunk."""
    pieces: list[str] = []
    size = 0
    fence = ""
    is_blank = False
    for line in _lines(text):
        is_free = not fence and is_blank and not line[0].isspace()
        if size > _MOST or (size > _ENOUGH and is_free):
            yield "".join(pieces)
            pieces, size = [f"{fence}\n"] if fence else [], 0
        pieces.append(line)
        size += len(line)
        fence = _fence_after(line, fence)
        is_blank = line.isspace()
    yield "".join(pieces)


def _lines(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        yield text[at:end]
        at = end


def _fence_after(line: str, fence: str) -> str:
    """The open fence after a line, given the one before it."""
    found = _FENCE.match(line)
    if not found:
        return fence
    if not fence:
        return found[1]
    return "" if found[1].startswith(fence) else fence
