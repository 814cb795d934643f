"""Look back at stores: make each of them as it was, and read them all."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from store.catalogue.database import Catalogue
from store.catalogue.differences import Difference, differences
from store.catalogue.reader import Reader
from store.catalogue.sync import Progress, sync
from store.discover import Found
from store.errors import UnreadableError
from store.past.format import AsOf
from store.past.lookback import Lookback
from store.past.making import Maker, Remade, unreadable
from store.provenance.made import Past

_CATALOGUE = "catalogue.db"
_MIRRORS = "stores"


def remake(
    reader: Reader,
    stores: Sequence[Found],
    pasts: tuple[Past, Sequence[Past]],
    at: int,
    folder: Path,
) -> tuple[Remade, ...]:
    """The stores as they were; `pasts` are what transcripts tell, and all others."""
    maker = Maker(reader, *pasts, at, folder / _MIRRORS)
    return tuple(_remade(maker, stores))


def read(
    remade: tuple[Remade, ...],
    now: Path,
    folder: Path,
    gap: int,
    report: Callable[[Progress], None],
) -> Lookback:
    """Read stores that were made as they were, and hold them against those of now."""
    place = folder / _CATALOGUE
    stores = [Found(one.store.path, AsOf(one.store.format, one.then)) for one in remade]
    with closing(Catalogue(place)) as catalogue, catalogue.in_use() as connection:
        sync(connection, stores, report, gap)
    found = differences(place, now, [one.path for one in stores])
    if any(one.doubtful for one in remade):
        found["problems"] = Difference()
    return Lookback(place, remade, found)


def _remade(maker: Maker, stores: Sequence[Found]) -> Iterator[Remade]:
    for found in stores:
        try:
            yield maker.remake(found)
        except UnreadableError as error:
            yield unreadable(found, error, maker.at, maker.folder)
