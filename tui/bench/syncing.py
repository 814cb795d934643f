"""Bring a catalogue up to date, in this process or with its memory watched."""

import os
import subprocess
import sys
import time
from pathlib import Path

from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from tui import start

_LOOK_EVERY = 0.02


def sync(store: Path, catalogue: Path) -> None:
    """Read what moved."""
    with Library(catalogue, 0) as library:
        library.choose(beneath([store], FORMATS).stores)
        library.sync()


def peak_memory(store: Path, cache: Path) -> int | None:
    """Bytes that `recollect sync` and its readers take together at the most.

    None where the system does not tell what several processes share.
    """
    if not Path("/proc/self/smaps_rollup").exists():
        return None
    command = [sys.executable, "-P", start.__file__, "sync", "--json", "-s", str(store)]
    variables = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    peak = 0
    with subprocess.Popen(  # noqa: S603  # the program itself
        command, env=variables, stdout=subprocess.DEVNULL
    ) as process:
        while process.poll() is None:
            peak = max(peak, sum(_share(each) for each in _family(process.pid)))
            time.sleep(_LOOK_EVERY)
    return peak


def _family(process: int) -> list[int]:
    """A process and all that it started."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []
    return [process, *(pid for child in children for pid in _family(int(child)))]


def _share(process: int) -> int:
    """Bytes that a process takes, what it shares counted in part."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
