"""What the hands have before them while they work on an operation."""

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from store.closing import Closing
from store.edits.kept.blobs import name_of
from store.edits.kept.entries import overwriting
from store.edits.kept.operation import Operation
from store.edits.kept.workshop import Workshop
from store.files.replacing import Care, Ground


class Bench(Closing):
    """The stores of an operation, each opened once, and the bytes that it is about."""

    def __init__(
        self, workshop: Workshop, operation: Operation, images: Mapping[str, bytes]
    ) -> None:
        """`images` are bytes that are at hand; all others are read from the blobs."""
        self.workshop, self.operation = workshop, operation
        self.overwritten = set(operation.overwritten)
        """The files that may be torn because they are overwritten in place."""
        self._images = dict(images)
        self._grounds: dict[Path, Ground] = {}

    def ground(self, root: Path) -> Ground:
        """A store, opened; raises UnreadableError."""
        if root not in self._grounds:
            self._grounds[root] = Ground(root)
        return self._grounds[root]

    def image(self, name: str | None) -> bytes | None:
        """The bytes that go by a digest; raises BackupLostError."""
        if name is None:
            return None
        if name not in self._images:
            self._images[name] = self.workshop.blobs.read(name)
        return self._images[name]

    @property
    def at_hand(self) -> Mapping[str, bytes]:
        """The bytes that need not be read from the blobs."""
        return self._images

    def hold(self, raw: bytes) -> str:
        """Have some bytes at hand alone, and answer their digest."""
        name = name_of(raw)
        self._images[name] = raw
        return name

    def keep(self, raw: bytes | None) -> str | None:
        """Have some bytes at hand and among the blobs; raises OSError."""
        if raw is None:
            return None
        name = name_of(raw)
        if name not in self._images:
            self.workshop.blobs.keep_as({name: raw})
            self._images[name] = raw
        return name

    def care(self, number: int) -> Care:
        """What is to be done while a file is replaced."""
        return Care(
            partial(self.workshop.limbo.put_away, self.operation.id, number),
            partial(self._overwriting, number),
        )

    def close(self) -> None:
        """Let go of the stores; may be called again."""
        while self._grounds:
            with suppress(OSError):
                self._grounds.popitem()[1].close()

    def _overwriting(self, number: int) -> None:
        if number not in self.overwritten:
            self.workshop.journal.append(overwriting(self.operation, number))
            self.overwritten.add(number)
