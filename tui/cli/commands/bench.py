"""`recollect bench`: what the program takes on this machine, beside floors."""

import argparse
import sys

from tui.bench.measures import Measure, measure
from tui.cli.session import Session
from tui.faces.json_lines import write_json


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Measure and print, one line as soon as each figure is there."""
    for figure in measure(arguments.memories):
        if session.json:
            write_json([figure])
        else:
            sys.stdout.write(_line(figure))
            sys.stdout.flush()


def _line(figure: Measure) -> str:
    verdict = "met" if figure.met else "missed"
    return (
        f"{figure.name}: {figure.seconds * 1000:.0f} ms = {figure.ratio:.2f} × "
        f"{figure.floor} ({figure.floor_seconds * 1000:.0f} ms); "
        f"owed {figure.bound * 1000:.0f} ms: {verdict}\n"
    )
