"""Lines for pipes: one record a line, cells apart by tabs, nothing else."""

import sys
from collections.abc import Iterable

from tui.faces.columns import Listed, columns_for


def write_plain(kind: str, records: Iterable[Listed]) -> None:
    """Print each record as one line; cells hold neither tabs nor line feeds."""
    columns = columns_for(kind)
    for record in records:
        line = "\t".join((column.piped or column.cell)(record) for column in columns)
        sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "replace"))
    sys.stdout.buffer.flush()
