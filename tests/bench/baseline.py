"""Measures, and the least that the machine needs for the same task."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from math import ceil
from pathlib import Path
from statistics import median

import frontmatter
from msgspec import Struct

from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from tui import start

# A measurement, and its baseline from the same run.


class Measure(Struct, frozen=True, kw_only=True):
    """A measurement of the report."""

    name: str
    """What is measured."""
    value: float
    """The measured value."""
    unit: str
    """`s` for seconds, `B` for bytes."""
    floor: str
    """The baseline."""
    floor_value: float
    """The value of the baseline in the same run."""
    bound: float
    """The target in this run."""

    @property
    def ratio(self) -> float:
        """The value as a multiple of the baseline."""
        return self.value / self.floor_value

    @property
    def met(self) -> bool:
        """Whether the target is met."""
        return self.value <= self.bound


# Baselines: the least that the machine needs for each task.

_RUNS = 5
_MOST = 0.95


def best(task: Callable[[], object], runs: int = _RUNS) -> float:
    """The shortest of several runs in seconds, which is the least disturbed."""
    return min(_timed(task) for _ in range(runs))


def once(task: Callable[[], object]) -> float:
    """The seconds of a single run, for tasks that cannot be repeated."""
    return _timed(task)


def slow(times: Sequence[float]) -> float:
    """The 95th percentile."""
    return sorted(times)[ceil(_MOST * len(times)) - 1]


def usual(times: Sequence[float]) -> float:
    """The median: times of disks vary by a factor of a hundred."""
    return median(times)


def stat_walk(folder: Path) -> float:
    """The seconds to stat every file in a folder."""

    def walk() -> None:
        for place, _, names in os.walk(folder):
            for name in names:
                os.stat(f"{place}/{name}")  # noqa: PTH116  # the plain call is the baseline

    return best(walk)


def frontmatter_default(folder: Path) -> float:
    """The seconds that python-frontmatter needs for all files, by default."""
    paths = sorted(folder.rglob("*.md"))

    def parse() -> None:
        for path in paths:
            frontmatter.loads(path.read_text(encoding="utf-8"))

    return once(parse)


def python(code: str) -> float:
    """The seconds of a Python process that runs some code."""
    command = [sys.executable, "-c", code]
    return best(lambda: subprocess.run(command, check=True))  # our own code


def _timed(task: Callable[[], object]) -> float:
    began = time.perf_counter()
    task()
    return time.perf_counter() - began


# Syncing a catalogue, in this process or in another one whose memory is watched.

_LOOK_EVERY = 0.02


def sync(store: Path, catalogue: Path) -> None:
    """Read what changed."""
    with Library(catalogue, 0) as library:
        library.stores.choose(beneath([store], FORMATS).stores)
        library.sync()


def peak_memory(store: Path, cache: Path) -> int | None:
    """The peak memory of `recollect sync` and its readers together, in bytes.

    None if the system does not report shared memory of processes.
    """
    if not Path("/proc/self/smaps_rollup").exists():
        return None
    words = ("sync", "--json", "--store", str(store))
    command = [sys.executable, "-P", start.__file__, *words]
    variables = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    peak = 0
    with subprocess.Popen(  # the program itself
        command, env=variables, stdout=subprocess.DEVNULL
    ) as process:
        while process.poll() is None:
            peak = max(peak, sum(_share(each) for each in _family(process.pid)))
            time.sleep(_LOOK_EVERY)
    return peak


def _family(process: int) -> list[int]:
    """A process and all its descendants."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []
    return [process, *(pid for child in children for pid in _family(int(child)))]


def _share(process: int) -> int:
    """The memory of a process in bytes, with its share of shared memory."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
