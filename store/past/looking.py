"""Look back at stores: make each of them as it was, and read them all."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from store.catalogue.database import Catalogue
from store.catalogue.differences import Difference, differences
from store.catalogue.sync import sync
from store.discover import Found
from store.errors import UnreadableError
from store.past.format import AsOf
from store.past.lookback import Lookback
from store.past.making import Maker, Remade, unreadable
from store.records.reports import Progress

_CATALOGUE = "catalogue.db"


def read(
    stores: tuple[Remade, ...],
    now: Path,
    folder: Path,
    gap: int,
    report: Callable[[Progress], None],
) -> Lookback:
    """Read stores that were made as they were, and hold them against those of now."""
    place = folder / _CATALOGUE
    then = [Found(one.store.path, AsOf(one.store.format, one.then)) for one in stores]
    with closing(Catalogue(place)) as catalogue, catalogue.in_use() as connection:
        sync(connection, then, report, gap)
    found = differences(place, now, [one.path for one in then])
    if any(one.doubtful for one in stores):
        found["problems"] = Difference()
    return Lookback(place, stores, found)


def remade(maker: Maker, stores: Sequence[Found]) -> Iterator[Remade]:
    """The stores as they were, one after the other."""
    for found in stores:
        try:
            yield maker.remake(found)
        except UnreadableError as error:
            yield unreadable(found, error, maker.at, maker.folder)
