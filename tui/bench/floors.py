"""What the machine takes for the bare minimum of each task."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from math import ceil
from pathlib import Path
from statistics import median

import frontmatter

_RUNS = 5
_MOST = 0.95


def best(task: Callable[[], object], runs: int = _RUNS) -> float:
    """The shortest of several runs, in seconds: what the task takes undisturbed."""
    return min(_timed(task) for _ in range(runs))


def once(task: Callable[[], object]) -> float:
    """How long a task takes that can only be done once."""
    return _timed(task)


def slow(times: Sequence[float]) -> float:
    """What nineteen of twenty times do not exceed."""
    return sorted(times)[ceil(_MOST * len(times)) - 1]


def usual(times: Sequence[float]) -> float:
    """The time in the middle: what disks take differs a hundredfold."""
    return median(times)


def stat_walk(folder: Path) -> float:
    """Seconds to stat every file beneath a folder, and nothing else."""

    def walk() -> None:
        for place, _, names in os.walk(folder):
            for name in names:
                os.stat(f"{place}/{name}")  # noqa: PTH116  # the bare call is the floor

    return best(walk)


def frontmatter_default(folder: Path) -> float:
    """Seconds that python-frontmatter takes for all files, with its own loader."""
    paths = sorted(folder.rglob("*.md"))

    def parse() -> None:
        for path in paths:
            frontmatter.loads(path.read_text(encoding="utf-8"))

    return once(parse)


def python(code: str) -> float:
    """Seconds of a whole Python process that runs some code."""
    command = [sys.executable, "-c", code]
    return best(lambda: subprocess.run(command, check=True))  # noqa: S603  # our own


def _timed(task: Callable[[], object]) -> float:
    began = time.perf_counter()
    task()
    return time.perf_counter() - began
