"""`recollect bench`: what the program takes on this machine, beside floors.

`recollect bench search` tells only how well it finds what is there, beside others.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator

from tui.bench.finding.run import compare_over
from tui.bench.finding.score import Score
from tui.bench.finding.table import table
from tui.bench.measure import Measure
from tui.bench.measures import measure
from tui.cli.session import Session
from tui.faces.json_lines import write_json

_SMALL = 0.01
"""Seconds from which on tenths of a millisecond say nothing."""


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Measure and print, one line as soon as each figure is there."""
    if arguments.what is None:
        for figure in measure(arguments.memories, arguments.megabytes):
            if session.json:
                write_json([figure])
            else:
                _print([_line(figure)])
    scores = compare_over(session.paths)
    if session.json:
        write_json(scores)
    else:
        _print(_titled(scores))


def _titled(scores: Iterable[Score]) -> Iterator[str]:
    """The table, and what it is of."""
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
    """A figure as people say it."""
    if unit == "s":
        return f"{value * 1000:.{1 if value < _SMALL else 0}f} ms"
    return f"{value / 1_000_000:.0f} MB"
