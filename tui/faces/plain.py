"""Lines for pipes: one record a line, cells apart by tabs, nothing else."""

import sys
from collections.abc import Iterable, Sequence

from tui.faces.columns import Column, Listed


def write_plain(columns: Sequence[Column], records: Iterable[Listed]) -> None:
    """Print each record as one line; cells hold neither tabs nor line feeds."""
    for record in records:
        line = "\t".join((column.piped or column.cell)(record) for column in columns)
        sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "replace"))
    sys.stdout.buffer.flush()
