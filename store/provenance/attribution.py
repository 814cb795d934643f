"""Which line of a text was made by which step on the way to it.

A step that edits is followed to the very lines that it touched. Of a whole text that
was written anew, the lines that stood there before keep whoever made them.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from msgspec import Struct
from rapidfuzz.distance import Indel

from store.provenance.replay import Edit

NOBODY = -1
"""The maker of lines that no step made."""

_MOST = 400_000_000
"""How many pairs of lines are compared at most; beyond that a text counts as new."""


class Line(NamedTuple):
    """A line, and the step that made it, by its number."""

    text: str
    maker: int


class Step(Struct, frozen=True):
    """A change of the text."""

    before: str | None
    """The text before; None where it is not known."""
    after: str | None
    """The text after; None where it is not known."""
    edits: tuple[Edit, ...] = ()
    """How the one became the other; nothing where it was written anew."""


def attribute(steps: Sequence[Step], text: str) -> list[Line]:
    """The lines of a text, each with the number of the step that made it."""
    lines: list[Line] = []
    for number, step in enumerate(steps):
        if step.before is not None:
            lines = _turned(lines, split(step.before), NOBODY)
        if step.after is not None:
            lines = _changed(lines, step, step.after, number)
    lines = _turned(lines, split(text), NOBODY)
    for number, step in reversed(list(enumerate(steps))):
        for edit in step.edits if step.after is None else ():
            _claim(lines, split(edit.new), number)
    return lines


def split(text: str) -> list[str]:
    """The lines of a text; the end of the last one begins no other."""
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def _changed(lines: list[Line], step: Step, after: str, maker: int) -> list[Line]:
    """The lines after a step; an edit is followed to where it was made."""
    text = step.before
    for edit in step.edits:
        if text is None or not edit.old or edit.is_everywhere:
            text = None
            break
        lines, text = _spliced(lines, text, edit, maker)
    return lines if text == after else _turned(lines, split(after), maker)


def _spliced(
    lines: list[Line], text: str, edit: Edit, maker: int
) -> tuple[list[Line], str]:
    """The lines with one edit made, and their text; what it did not touch stays."""
    at = text.index(edit.old)
    end = at + len(edit.old)
    first = text.rfind("\n", 0, at) + 1
    ended = text.find("\n", end)
    last = len(text) if ended < 0 else ended
    new = (text[first:at] + edit.new + text[end:last]).split("\n")
    if ended < 0 and not new[-1]:
        new.pop()
    start = text.count("\n", 0, first)
    stop = start + text.count("\n", first, last) + 1
    touched = _turned(lines[start:stop], new, maker)
    whole = text[:at] + edit.new + text[end:]
    return [*lines[:start], *touched, *lines[stop:]], whole


def _turned(lines: Sequence[Line], new: Sequence[str], maker: int) -> list[Line]:
    """Lines in place of others: those that stay keep their makers, new ones get one."""
    made = [Line(line, maker) for line in new]
    for at, new_at, size in _kept([line.text for line in lines], new):
        made[new_at : new_at + size] = lines[at : at + size]
    return made


def _kept(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """The stretches that stay: where they begin here and there, and how long."""
    head = _same(zip(old, new, strict=False))
    rest, others = old[head:], new[head:]
    tail = _same(zip(reversed(rest), reversed(others), strict=False))
    yield 0, 0, head
    yield len(old) - tail, len(new) - tail, tail
    if (len(rest) - tail) * (len(others) - tail) > _MOST:
        return
    for code in Indel.opcodes(rest[: len(rest) - tail], others[: len(others) - tail]):
        if code.tag == "equal":
            size = code.src_end - code.src_start
            yield code.src_start + head, code.dest_start + head, size


def _same(pairs: Iterable[tuple[str, str]]) -> int:
    """How many pairs are equal before the first that is not."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _claim(lines: list[Line], fragment: Sequence[str], maker: int) -> None:
    """Give lines that nobody made to an edit of whose result but this much is known."""
    if not any(fragment):
        return
    for start in range(len(lines) - len(fragment) + 1):
        stretch = lines[start : start + len(fragment)]
        if all(
            line == Line(text, NOBODY)
            for line, text in zip(stretch, fragment, strict=True)
        ):
            lines[start : start + len(fragment)] = [Line(t, maker) for t in fragment]
            return
