"""`recollect bench`: what the program takes on this machine, beside floors."""

import argparse
import sys

from tui.bench.measure import Measure
from tui.bench.measures import measure
from tui.cli.session import Session
from tui.faces.json_lines import write_json


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Measure and print, one line as soon as each figure is there."""
    for figure in measure(arguments.memories, arguments.megabytes):
        if session.json:
            write_json([figure])
        else:
            sys.stdout.write(_line(figure))
            sys.stdout.flush()


def _line(figure: Measure) -> str:
    verdict = "met" if figure.met else "missed"
    return (
        f"{figure.name}: {_amount(figure.value, figure.unit)} = {figure.ratio:.2f} × "
        f"{figure.floor} ({_amount(figure.floor_value, figure.unit)}); "
        f"owed {_amount(figure.bound, figure.unit)}: {verdict}\n"
    )


def _amount(value: float, unit: str) -> str:
    """A figure as people say it."""
    if unit == "s":
        return f"{value * 1000:.0f} ms"
    return f"{value / 1_000_000:.0f} MB"
