"""How long it is kept what can be undone, and what becomes of the rest."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from store.edits.kept.deeds import blobs_of
from store.edits.kept.journal import Entry
from store.edits.kept.operation import Operation
from store.edits.kept.workshop import Workshop

DAYS = 30
BYTES = 200 * 1024 * 1024
FEWEST = 50
"""How many operations are kept, however old and large they are."""

_DAY = 24 * 60 * 60 * 1_000_000


def retain(workshop: Workshop, now: int) -> None:
    """Drop the oldest changes where they are too old, or too large together.

    What is not finished stays. Raises OSError.
    """
    operations = workshop.operations()
    kept = _kept(operations, workshop.blobs.sizes(), now)
    if len(kept) < len(operations):
        drop_but(workshop, kept)
    for copy in _copies(workshop):
        if now * 1000 - copy.stat().st_mtime_ns > DAYS * _DAY * 1000:
            copy.unlink()


def purge(workshop: Workshop) -> int:
    """Forget every change that is finished, and all bytes from before and after it.

    How many bytes that gave back. Raises OSError.
    """
    workshop.limbo.look()
    operations = workshop.operations().values()
    freed = drop_but(workshop, {each.id for each in operations if each.is_open})
    for copy in _copies(workshop):
        freed += copy.stat().st_size
        copy.unlink()
    return freed


def drop_but(workshop: Workshop, kept: set[str]) -> int:
    """Forget all other operations and their bytes; how many bytes that gave back.

    The journal goes first, so that no operation is told of that has no bytes.
    """
    entries = [entry for entry in workshop.journal.entries() if entry["id"] in kept]
    workshop.journal.rewrite(entries)
    return workshop.blobs.drop_but(_named(workshop.operations().values(), entries))


def _named(operations: Iterable[Operation], entries: Iterable[Entry]) -> set[str]:
    """The digests of all bytes that somebody may still ask for."""
    names = {str(entry["blob"]) for entry in entries if "blob" in entry}
    for operation in operations:
        names.update(*map(blobs_of, operation.deeds))
        for pair in operation.settled.values():
            names.update(name for name in pair or () if name is not None)
    return names


def _kept(
    operations: Mapping[str, Operation], sizes: Mapping[str, int], now: int
) -> set[str]:
    """The newest, as long as they are young enough, and few enough together.

    A change and what undid it are kept or dropped together.
    """
    kept: set[str] = set()
    weight = 0
    for operation in reversed(list(operations.values())):
        names = set[str]().union(*map(blobs_of, operation.deeds))
        weight += sum(sizes.get(name, 0) for name in names)
        is_old = now - operation.time > DAYS * _DAY
        if len(kept) < FEWEST or operation.is_open or not (is_old or weight > BYTES):
            kept.add(operation.change)
    return {name for name, each in operations.items() if each.change in kept}


def _copies(workshop: Workshop) -> list[Path]:
    """The databases that were copied as a whole."""
    return sorted((workshop.folder / "databases").glob("*.db"))
