"""Groups of runs beside one another, as many in a line as there is room for."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from widgets.reader.runs import Run, Runs, TextLine, plain
from widgets.reader.wrapping import wrap


def flow(groups: Sequence[Runs], width: int, gap: int = 3) -> Iterator[TextLine]:
    """The groups in lines; one that is wider than a line breaks where it must."""
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
