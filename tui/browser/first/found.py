"""What was found on this machine, and where was looked in vain."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from store.clean import clean
from store.formats.port import Format
from store.records.reports import StoreReport
from tui.browser.first.counting import counted

_KINDS = ("memories", "edges", "conversations", "events", "episodes", "messages")
"""What a store is told by: the first two of these that it holds."""

_TOLD = 2

_READ_ONLY = "All are opened read-only; ! allows changes, and each can be undone."


def welcome(
    stores: Sequence[StoreReport], formats: Iterable[Format], home: Path
) -> tuple[str, ...]:
    """The lines of a first start: each store with what it holds, then the rest."""
    found = [_row(store, home) for store in stores]
    present = {store.format for store in stores}
    missing = [
        ("·", form.name, form.usually, "not found")
        for form in formats
        if form.usually and form.name not in present
    ]
    heading = "These stores were found:" if found else "No store was found."
    return (heading, "", *_aligned([*found, *missing]), "", _READ_ONLY)


def _row(store: StoreReport, home: Path) -> tuple[str, ...]:
    """A store: its name, its place, how much it holds."""
    counts = ((kind, int(getattr(store, kind))) for kind in _KINDS)
    held = [counted(count, kind) for kind, count in counts if count][:_TOLD]
    name, place = clean(store.name), clean(_short(store.path, home))
    return ("✓", name, place, " · ".join(held) or "empty so far")


def _short(path: str, home: Path) -> str:
    """A path, the home folder as people write it."""
    below = Path(path)
    return f"~/{below.relative_to(home)}" if below.is_relative_to(home) else path


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Rows in columns."""
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell + " " * (width - cell_len(cell))
            for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]
