"""What a change is about: the records that are marked, or the one at the cursor."""

from collections.abc import Hashable, Iterable, Sequence

from msgspec import Struct

from store.library import Library, Record
from store.records.edge import Edge
from tui.faces.hits import title


class Target(Struct, frozen=True):
    """A record that shall be changed."""

    ref: str
    title: str
    store: str
    record: Record


def edge_of(library: Library, ref: str) -> Target | None:
    """The edge that goes by a ref."""
    row = library.number("edges", ref)
    found = library.numbered("edges", [row]).get(row) if row is not None else None
    if not isinstance(found, Edge):
        return None
    return Target(ref, f"{found.type} link", found.store, found)


def targets_of(
    library: Library, kind: str, marks: Iterable[Hashable], current: Record | None
) -> Sequence[Target]:
    """The marked ones in the order of the catalogue, or the one at the cursor."""
    rows = [row for row in marks if isinstance(row, int)]
    records = library.numbered(kind, rows) if rows else {}
    chosen = [records[row] for row in rows if row in records]
    if not rows and current is not None:
        chosen = [current]
    return [
        Target(record.ref, title(record), record.store, record)
        for record in chosen
        if record.ref
    ]
