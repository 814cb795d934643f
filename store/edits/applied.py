"""What the engine answers when something was done."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from store.edits.kept.blobs import Blobs
from store.edits.kept.deeds import FileDeed
from store.edits.kept.operation import Operation
from store.times import told_time


class Applied(Struct, frozen=True, kw_only=True):
    """What was done."""

    change: str
    """Names the change for undo."""
    at: str
    """When, ISO 8601 in UTC."""
    action: str
    root: Path
    refs: tuple[str, ...]
    paths: tuple[str, ...]
    """The files that were touched, relative to the store; those of others in full."""
    backup: Path | None
    """The folder in which the bytes from before are kept."""
    notes: tuple[str, ...]
    """What there is to say besides, a sentence each."""
    stale: tuple[tuple[Path, str], ...]
    """The derived files that could not be brought up to date, each with its store."""


def applied(operation: Operation, blobs: Blobs, told: Sequence[str] = ()) -> Applied:
    """The answer for an operation that was done; `told` was done before it."""
    deeds = operation.deeds
    has_backup = any(isinstance(deed, FileDeed) and deed.before for deed in deeds)
    return Applied(
        change=operation.change,
        at=told_time(operation.time),
        action=operation.action,
        root=operation.root,
        refs=operation.refs,
        paths=paths_of(operation),
        backup=blobs.folder if has_backup else None,
        notes=(*told, *operation.notes),
        stale=tuple(
            (deeds[number].root, deeds[number].path)
            for number, pair in operation.settled.items()
            if pair is None
        ),
    )


def paths_of(operation: Operation) -> tuple[str, ...]:
    """The files that it touched, relative to its store; those of others in full."""
    paths = (
        deed.path if deed.root == operation.root else str(deed.root / deed.path)
        for deed in operation.deeds
    )
    return tuple(dict.fromkeys(paths))
