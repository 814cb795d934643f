"""What was changed, and what is kept of it, as people are told."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from store.edits.applied import paths_of
from store.edits.kept.blobs import Blobs
from store.edits.kept.deeds import FileDeed
from store.edits.kept.history import Chain, History
from store.edits.kept.operation import Operation, State
from store.records.reports import Backup, Past
from store.times import told_time


def past(history: History) -> list[Past]:
    """Every change, the newest first."""
    newest = sorted(history.chains, key=lambda chain: -chain.places[0])
    return [_past(chain) for chain in newest]


def unsettled(operations: Iterable[Operation]) -> list[Past]:
    """Every change that is left to people, the newest first."""
    left = [each for each in operations if each.state is State.UNSETTLED]
    return [_past(Chain((each,), (0,))) for each in reversed(left)]


def _past(chain: Chain) -> Past:
    change = chain.first
    return Past(
        change=change.id,
        at=told_time(change.time),
        action=change.action,
        store=str(change.root),
        refs=change.refs,
        paths=paths_of(change),
        undone=chain.is_undone,
    )


def backups(
    operations: Mapping[str, Operation], blobs: Blobs, root: Path, path: str
) -> list[Backup]:
    """A file as it was before each operation, the newest first."""
    wanted = os.path.realpath(root)
    sizes = blobs.sizes()
    return [
        Backup(
            backup=deed.before,
            change=operation.change,
            at=told_time(operation.time),
            action=operation.action,
            store=str(root),
            path=path,
            bytes=sizes[deed.before],
            kept=str(blobs.folder / deed.before),
        )
        for operation in reversed(list(operations.values()))
        for deed in operation.deeds
        if isinstance(deed, FileDeed)
        and deed.path == path
        and deed.before in sizes
        and os.path.realpath(deed.root) == wanted
    ]
