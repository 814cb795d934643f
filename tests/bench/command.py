"""The command `bench`: all measures, and how well search finds what is there."""

import argparse
import sys
from collections.abc import Iterable, Iterator

from tests.bench.baseline import Measure
from tests.bench.changes import measure_changing, measure_lines
from tests.bench.conversations import measure_answers, measure_commands, measure_talk
from tests.bench.memories import measure_graph, measure_letters, measure_reading
from tests.bench.search import Score, compare_over, table
from tui.cli.session import Session
from tui.output.text import write_json
from tui.terminal.streams import temporary_folder

# All measurements.


def measure(memories: int, megabytes: int) -> Iterator[Measure]:
    """Run all measurements with generated stores in a temporary folder."""
    with temporary_folder() as folder:
        graph, its_catalogue = folder / "graph", folder / "graph-cache" / "catalogue.db"
        yield from measure_graph(graph, its_catalogue, memories)
        yield from measure_reading(graph, its_catalogue)
        yield from measure_letters(graph, its_catalogue)
        yield from measure_changing(graph, its_catalogue)
        lines, of_lines = folder / "lines", folder / "lines-cache" / "catalogue.db"
        yield from measure_lines(lines, of_lines, memories)
        talk, catalogue = folder / "projects", folder / "talk-cache" / "catalogue.db"
        cache = folder / "watched-cache"
        yield from measure_talk(talk, catalogue, cache, megabytes)
        yield from measure_answers(talk, catalogue, megabytes)
        yield from measure_commands(folder, talk, cache)


# The answer, as lines or as one document.

_SMALL = 0.01
"""Seconds from which times are shown without decimals."""


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Measure, and print each result at once, or as JSON when all is measured."""
    measures = measure(arguments.memories, arguments.megabytes)
    measures = measures if arguments.what is None else iter(())
    scores = compare_over(session.paths)
    if session.json:
        write_json([{"measures": list(measures), "scores": list(scores)}])
    else:
        _print(map(_line, measures))
        _print(_titled(scores))


def _titled(scores: Iterable[Score]) -> Iterator[str]:
    """The table with its title."""
    yield "how far up what one knows to be there is listed, by what is typed:"
    yield from table(scores)


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def _line(figure: Measure) -> str:
    verdict = "met" if figure.met else "missed"
    return (
        f"{figure.name}: {_amount(figure.value, figure.unit)} = {figure.ratio:.2f} × "
        f"{figure.floor} ({_amount(figure.floor_value, figure.unit)}); "
        f"owed {_amount(figure.bound, figure.unit)}: {verdict}"
    )


def _amount(value: float, unit: str) -> str:
    """A value with its unit."""
    if unit == "s":
        return f"{value * 1000:.{1 if value < _SMALL else 0}f} ms"
    return f"{value / 1_000_000:.0f} MB"
