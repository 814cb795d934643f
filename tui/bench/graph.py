"""What a large store of memories takes."""

from collections.abc import Iterator
from pathlib import Path

from tui.bench.floors import best, frontmatter_default, once, stat_walk
from tui.bench.made import make_store
from tui.bench.measure import Measure
from tui.bench.syncing import sync


def measure_graph(folder: Path, memories: int) -> Iterator[Measure]:
    """Read a store of so many memories and their edges, and look at it again."""
    store, catalogue = folder / "graph", folder / "graph-cache" / "catalogue.db"
    files = make_store(store, memories)
    floor = frontmatter_default(store)
    yield Measure(
        name=f"first sync of {files} files",
        value=once(lambda: sync(store, catalogue)),
        unit="s",
        floor="python-frontmatter, default loader",
        floor_value=floor,
        bound=floor,
    )
    floor = stat_walk(store)
    yield Measure(
        name=f"sync of {files} files, none moved",
        value=best(lambda: sync(store, catalogue)),
        unit="s",
        floor="os.stat of every file",
        floor_value=floor,
        bound=1.5 * floor + 0.03,
    )
