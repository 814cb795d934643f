"""The command `bench`: all measures, and how well search finds what is there."""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from store import demo
from tests.bench.baseline import Measure
from tests.bench.browser import measure_browser
from tests.bench.changes import measure_changing, measure_lines
from tests.bench.conversations import (
    measure_answers,
    measure_commands,
    measure_rows,
    measure_search,
    measure_sync,
)
from tests.bench.memories import measure_graph, measure_letters, measure_reading
from tests.bench.search import Score, compare_over, table
from tests.bench.stores import VOCABULARY
from tests.bench.transcripts import Shape, make_transcripts, shape_of
from tui.cli.session import Session
from tui.output.text import write_json
from tui.start import HOME
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
        rows, of_rows = folder / "rows", folder / "rows-cache" / "catalogue.db"
        yield from measure_rows(rows, of_rows, _ROWS * memories)
        talk = folder / "projects"
        make_transcripts(talk, megabytes * 1_000_000)
        yield from _measure_talk(talk, folder, VOCABULARY)
        yield from measure_commands(folder)


_ROWS = 10
"""Entries of a database for each memory of a store."""


def measure_screen() -> Iterator[Measure]:
    """Measure the browser over the sample stores, in a temporary folder."""
    with temporary_folder() as folder:
        demo.write(folder / "samples", datetime.now(UTC))
        yield from measure_browser(folder / "samples", folder / "home")


def measure_on(place: Path, shape: Shape) -> Iterator[Measure]:
    """Measure with the files in some folder, which are only read."""
    words = [word for word, _ in shape.words.most_common()]
    with temporary_folder() as folder:
        yield from _measure_talk(place, folder, words)


def _measure_talk(place: Path, folder: Path, words: Sequence[str]) -> Iterator[Measure]:
    """Sync and search transcripts, with caches in a folder."""
    catalogue, cache = folder / "talk-cache" / "catalogue.db", folder / "watched-cache"
    yield from measure_sync(place, catalogue, cache)
    if len(words) >= _ENOUGH:
        yield from measure_answers(place, catalogue, words)
        yield from measure_search(place, cache, " ".join(words[:2]))


_ENOUGH = 100
"""The words that queries of every kind need."""


# The answer, as lines or as one document.

_SMALL = 0.01
"""Seconds from which times are shown without decimals."""


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Measure, and print each result at once, or as JSON when all is measured."""
    measures: Iterator[Measure] = iter(())
    shapes: dict[str, Shape] = {}
    scores: Iterable[Score] = ()
    if arguments.on:
        place = Path(arguments.on)
        shapes["there"] = shape_of(place)
        measures = measure_on(place, shapes["there"])
    elif arguments.what == "browser":
        measures = measure_screen()
    else:
        scores = compare_over(session.paths)
        if arguments.what is None:
            measures = measure(arguments.memories, arguments.megabytes)
    if session.json:
        write_json([{"measures": list(measures), "scores": list(scores)}])
        return
    if arguments.on or arguments.what is None:
        shapes |= _others(min(_SAMPLE, 10 * arguments.megabytes))
    for name, shape in shapes.items():
        _print([f"transcripts {name}:", *(f"  {line}" for line in shape.report())])
    _print(map(_line, measures))
    if not arguments.on and arguments.what != "browser":
        _print(_titled(scores))


_SAMPLE = 50
"""Megabytes of transcripts, whose shape is stable from here on."""


def _others(megabytes: int) -> dict[str, Shape]:
    """The shapes of generated transcripts, and of real ones beside the project."""
    corpus = HOME.parent / "shared" / "corpus" / "claude"
    with temporary_folder() as folder:
        make_transcripts(folder, megabytes * 1_000_000)
        shapes = {"as generated": shape_of(folder)}
    return shapes | ({"in the corpus": shape_of(corpus)} if corpus.is_dir() else {})


def _titled(scores: Iterable[Score]) -> Iterator[str]:
    """The table with its title."""
    yield "positions of known records in the results, by kind of query:"
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
        f"limit {_amount(figure.bound, figure.unit)}: {verdict}"
    )


def _amount(value: float, unit: str) -> str:
    """A value with its unit."""
    if unit == "s":
        return f"{value * 1000:.{1 if value < _SMALL else 0}f} ms"
    return f"{value / 1_000_000:.0f} MB"
