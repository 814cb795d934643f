"""Values as the catalogue recalls them, for an answer between two keystrokes.

The library makes a catalogue where there is none, sets a damaged one aside, and knows
every format. Whoever only completes a word must do none of that.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from store.catalogue.finding.values import values
from store.catalogue.reader import Reader, known_stores


def recalled_values(
    catalogue: Path,
    places: Iterable[Path],
    kinds: Sequence[str],
    field: str,
    beginning: str,
) -> list[tuple[str, int]]:
    """The values of a field that begin so, the most frequent first.

    `places` are where the stores lie that are looked at; without any, all are. There
    are no values where the catalogue cannot be read.
    """
    try:
        with closing(_opened(catalogue)) as connection:
            reader = Reader(connection, _rows(connection, list(places)))
            return values(reader, kinds, field, beginning)
    except sqlite3.Error:
        return []


def _opened(catalogue: Path) -> sqlite3.Connection:
    """The catalogue, to be read only."""
    address = f"{catalogue.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(address, uri=True, timeout=0)


def _rows(connection: sqlite3.Connection, places: Sequence[Path]) -> list[int]:
    """The stores that lie where the user looks."""
    return [
        known.row
        for known in known_stores(connection)
        if not places or any(known.path.is_relative_to(place) for place in places)
    ]
