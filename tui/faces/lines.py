"""Lines with styles: as they are into a pipe, coloured at a terminal."""

import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Line(NamedTuple):
    """A line of text that is fit to show."""

    text: str
    """What it says, without line feeds."""
    style: str = ""
    """Its colour, where it has one."""
    folded: bool = False
    """Whether a terminal shows no more of it than fits its width."""


def joined(lines: Iterable[Line]) -> str:
    """The text of lines."""
    return "\n".join(line.text for line in lines)


def write_lines(lines: Iterable[Line], *, coloured: bool) -> None:
    """Print lines one after another."""
    for text in _coloured(lines) if coloured else (line.text for line in lines):
        sys.stdout.buffer.write(f"{text}\n".encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def _coloured(lines: Iterable[Line]) -> Iterator[str]:
    """Lines as a terminal shows them; rich is loaded only where one has a style."""
    for line in lines:
        if line.style or line.folded:
            from tui.faces.styled import styled  # noqa: PLC0415  # rich is slow

            yield styled(line.text, line.style, folded=line.folded)
        else:
            yield line.text
