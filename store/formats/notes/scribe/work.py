"""One change of a folder of notes: its files, its indexes, and what cannot be told."""

from pathlib import Path

from store.edits.draft import Marking
from store.edits.port import Known
from store.files.beneath import Root
from store.files.markdown.job import Job
from store.formats.notes.scribe.indexes import Indexes
from store.formats.notes.scribe.note import Listed, listed, stamped

PINNED = "pinned"
"""What the mark is called that a pin leaves."""


class Work(Job):
    """What the parts of one change share."""

    def __init__(self, root: Root, known: Known, now: int) -> None:
        super().__init__(root, known, now, stamped)
        self.indexes = Indexes(self, self.bench)
        self.indexes.types = {
            memory.path: memory.type for memory in known.memories() if memory.type
        }
        self.marks: list[Marking] = []
        self.count = 0
        """How many notes it is about, where none was named."""

    def mark(self, path: str, *, is_set: bool, root: Path | None = None) -> None:
        """Have it remembered that a note is pinned, or that it is not any more."""
        self.marks.append(Marking(path=path, name=PINNED, is_set=is_set, root=root))

    def listed(self, path: str) -> Listed:
        """A note as an index lists it, from its file as it is by now."""
        return listed(self.bench.where(path), self.bench.read(path))
