"""The transcripts that are removed next, by the rule that their agent goes by."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from store.answers.cleanup import kept_for
from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root
from store.vault.kept import Source, Version


class Endangered(NamedTuple):
    """A transcript, and when its agent may remove it."""

    source: Source
    size: int
    mtime_ns: int
    removed_at: int
    """In microseconds since 1970; what lies in the past may be gone at any time."""

    def is_in(self, version: Version | None) -> bool:
        """Whether it is kept as it is by now, where this is how it was kept last."""
        now = (self.size, self.mtime_ns)
        return version is not None and (version.size, version.mtime_ns) == now


def endangered(store: Path, until: int) -> list[Endangered]:
    """What may be removed from a store until an instant, the soonest first.

    Nothing, where nobody removes anything. Raises UnreadableError.
    """
    kept = kept_for(store)
    if kept is None:
        return []
    with Root(store) as root:
        found = [
            Endangered(
                Source(str(store), entry.path),
                entry.stamp.size,
                entry.stamp.mtime_ns,
                entry.stamp.mtime_ns // 1000 + kept,
            )
            for entry in _transcripts(root)
        ]
    due = [one for one in found if one.removed_at <= until]
    return sorted(due, key=lambda one: (one.removed_at, one.source))


def _transcripts(root: Root) -> Iterator[Entry]:
    """The transcripts of sessions, in the folders of their projects."""
    for folder in root.entries():
        if folder.kind is not Kind.FOLDER:
            continue
        try:
            entries = root.entries(folder.path)
        except UnreadableError:
            continue
        for entry in entries:
            if entry.kind is Kind.FILE and entry.name.endswith(".jsonl"):
                yield entry
