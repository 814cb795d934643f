"""The measurements: what is measured, against which floor, and what is owed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from store import demo
from tui import start
from tui.bench.floors import best, once, python
from tui.bench.graph import measure_graph
from tui.bench.measure import Measure
from tui.bench.talk import measure_talk
from tui.temporary import temporary_folder

_DEPENDENCIES = (
    "import filelock, frontmatter, orjson, platformdirs, rapidfuzz, sqlite3, yaml"
)


def measure(memories: int, megabytes: int) -> Iterator[Measure]:
    """Measure with so many memories and transcripts, in a folder that goes again."""
    with temporary_folder() as folder:
        yield from measure_graph(folder, memories)
        yield from measure_talk(folder, megabytes)
        yield _list_command(folder)


def _list_command(folder: Path) -> Measure:
    floor = python(_DEPENDENCIES)
    samples = folder / "samples"
    demo.write(samples, datetime.now(UTC))
    command = [sys.executable, "-P", start.__file__, "list", "memories"]
    variables = {
        **os.environ,
        "XDG_CACHE_HOME": str(folder / "cache"),
        "RECOLLECT_STORES": str(samples),
    }

    def run() -> None:
        subprocess.run(  # noqa: S603  # the program itself
            command, check=True, env=variables, capture_output=True
        )

    once(run)
    return Measure(
        name="recollect list, whole process, sample stores looked over",
        value=best(run),
        unit="s",
        floor="importing what it depends on",
        floor_value=floor,
        bound=2 * floor,
    )
