"""What a large store of memories takes, and how that grows with it."""

from collections.abc import Iterator
from pathlib import Path

from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library, Page
from store.search.language.parsing import parse
from tui.bench.floors import best, frontmatter_default, once, stat_walk
from tui.bench.made import make_store
from tui.bench.measure import Measure
from tui.bench.syncing import sync

_TENTH = 10
_GROWTH = 11
"""How many times as long ten times the memories may take."""
_NOISE = 1.5
_LEAST = 0.002
"""How much longer something takes that takes the same: so many times, and seconds."""

_ASKED = "certificate socket"
_SHOWN = 50


def measure_graph(store: Path, catalogue: Path, memories: int) -> Iterator[Measure]:
    """Read a store of so many memories and their edges, and look at it again."""
    files = make_store(store, memories)
    floor = frontmatter_default(store)
    first = once(lambda: sync(store, catalogue))
    yield Measure(
        name=f"first sync of {files} files",
        value=first,
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
    tenth, other = tenth_of(store), tenth_of(catalogue)
    make_store(tenth, max(1, memories // _TENTH))
    floor = once(lambda: sync(tenth, other))
    yield Measure(
        name="first sync of ten times the memories",
        value=first,
        unit="s",
        floor="a tenth of them",
        floor_value=floor,
        bound=_GROWTH * floor,
    )
    floor = _query(tenth, other)
    yield Measure(
        name="a query over ten times the memories",
        value=_query(store, catalogue),
        unit="s",
        floor="a tenth of them",
        floor_value=floor,
        bound=_NOISE * floor + _LEAST,
    )


def tenth_of(path: Path) -> Path:
    """Where the store with a tenth of the memories lies, or its catalogue."""
    return path.with_name(f"tenth{path.suffix}")


def _query(store: Path, catalogue: Path) -> float:
    """Seconds to the first page of what a query finds."""
    query = parse(_ASKED, ["memories"], is_finished=True).tree
    page = Page(limit=_SHOWN)
    with Library(catalogue, 0) as library:
        library.choose(beneath([store], FORMATS).stores)
        return best(lambda: list(library.page("memories", page, query=query)))
