"""The comparison over the sample stores, and over stores that somebody names."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from store import demo
from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from tui.bench.finding.compare import compare
from tui.bench.finding.ours import ours
from tui.bench.finding.score import Score
from tui.temporary import temporary_folder

_WRITTEN = datetime(2026, 3, 1, tzinfo=UTC)
"""When the samples are written: each time the same ones."""


def compare_over(places: Sequence[Path] = ()) -> Iterator[Score]:
    """How well each way finds what lies in the samples and in some other places."""
    with temporary_folder() as folder:
        samples = folder / "samples"
        demo.write(samples, _WRITTEN)
        now = int(_WRITTEN.timestamp()) * 1_000_000
        with Library(folder / "cache" / "catalogue.db", now) as library:
            library.choose(beneath([samples, *places], FORMATS).stores)
            library.sync()
            yield from compare(library, ours(library))
