"""What transcripts take, as many megabytes as are wanted."""

from collections.abc import Iterator
from pathlib import Path

import orjson

from tui.bench.floors import best, once, stat_walk
from tui.bench.measure import Measure
from tui.bench.spoken import make_transcripts
from tui.bench.syncing import peak_memory, sync

_MOST_MEMORY = 250_000_000
_SHARE = 0.25


def measure_talk(
    store: Path, catalogue: Path, watched: Path, megabytes: int
) -> Iterator[Measure]:
    """Read transcripts of so many megabytes, and look at them again.

    They are read into a catalogue, and once more into a cache while that is watched.
    """
    size = megabytes * 1_000_000
    files = make_transcripts(store, size)
    floor = _parse_all(store)
    yield Measure(
        name=f"first sync of {megabytes} MB of transcripts, {files} files",
        value=once(lambda: sync(store, catalogue)),
        unit="s",
        floor="orjson.loads of every line",
        floor_value=floor,
        bound=3 * floor,
    )
    yield Measure(
        name="its catalogue",
        value=catalogue.stat().st_size,
        unit="B",
        floor="the transcripts",
        floor_value=size,
        bound=_SHARE * size,
    )
    floor = stat_walk(store)
    yield Measure(
        name=f"sync of {files} transcripts, none moved",
        value=best(lambda: sync(store, catalogue)),
        unit="s",
        floor="os.stat of every file",
        floor_value=floor,
        bound=1.5 * floor + 0.03,
    )
    memory = peak_memory(store, watched)
    if memory is not None:
        yield Measure(
            name="memory of that first sync, all processes together",
            value=memory,
            unit="B",
            floor="what is allowed",
            floor_value=_MOST_MEMORY,
            bound=_MOST_MEMORY,
        )


def _parse_all(store: Path) -> float:
    """Seconds to parse every line, and nothing else."""

    def parse() -> None:
        for path in store.rglob("*.jsonl"):
            with path.open("rb") as lines:
                for line in lines:
                    orjson.loads(line)

    return once(parse)
