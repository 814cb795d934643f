"""Field values for shell completion, read from the index without a sync.

The library would create a missing catalogue, replace a damaged one, and load every
format. Completing a word must do none of that.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from store.catalogue.query import values
from store.catalogue.reader import Reader, known_stores


def recalled_values(
    catalogue: Path,
    places: Iterable[Path],
    kinds: Sequence[str],
    field: str,
    beginning: str,
) -> list[tuple[str, int]]:
    """The values of a field that start with a prefix, most frequent first.

    `places` are the folders of the stores to use; without any, all stores are used.
    There are no values if the catalogue cannot be read.
    """
    try:
        with closing(_opened(catalogue)) as connection:
            reader = Reader(connection, _rows(connection, list(places)))
            return values(reader, kinds, field, beginning)
    except sqlite3.Error:
        return []


def _opened(catalogue: Path) -> sqlite3.Connection:
    """The catalogue, opened read-only."""
    address = f"{catalogue.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(address, uri=True, timeout=0)


def _rows(connection: sqlite3.Connection, places: Sequence[Path]) -> list[int]:
    """The row ids of the stores inside some folders."""
    return [
        known.row
        for known in known_stores(connection)
        if not places or any(known.path.is_relative_to(place) for place in places)
    ]
