"""The measurements: what is measured, against which floor, and what is owed."""

from collections.abc import Iterator

from tui.bench.answers import measure_answers
from tui.bench.changing import measure_changing
from tui.bench.commands import measure_commands
from tui.bench.graph import measure_graph
from tui.bench.letters import measure_letters
from tui.bench.lines import measure_lines
from tui.bench.measure import Measure
from tui.bench.reading import measure_reading
from tui.bench.talk import measure_talk
from tui.temporary import temporary_folder


def measure(memories: int, megabytes: int) -> Iterator[Measure]:
    """Measure with so many memories and transcripts, in a folder that goes again."""
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
