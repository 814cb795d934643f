"""What the catalogue holds of a measure beside what a list shows."""

from collections.abc import Mapping

import orjson

from store.catalogue.reader import Reader
from store.findings import Json


def measured(reader: Reader, ref: str) -> Mapping[str, Json]:
    """What else the line of a measure says."""
    row = reader.ask("SELECT fields FROM measures WHERE ref = ?", (ref,)).fetchone()
    return orjson.loads(row["fields"])
