"""The hands that carry out the deeds of one operation, and take them back."""

from collections.abc import Mapping
from pathlib import Path

from store.closing import Closing
from store.edits.doing.bench import Bench
from store.edits.doing.file_hand import FileHand
from store.edits.doing.lines_hand import LinesHand
from store.edits.doing.mode_hand import ModeHand
from store.edits.doing.row_hand import RowHand
from store.edits.doing.stage import Stage, Versions
from store.edits.kept.deeds import Deed, FileDeed, LinesDeed, ModeDeed
from store.edits.kept.operation import Operation
from store.edits.kept.workshop import Workshop
from store.files.replacing import (
    BusyError,
    ForeignError,
    Ground,
    Manner,
    ProtectedError,
    Seen,
)


class Hands(Closing):
    """Each deed by its number, for that is what its files in limbo go by."""

    def __init__(
        self,
        workshop: Workshop,
        operation: Operation,
        images: Mapping[str, bytes] | None = None,
    ) -> None:
        """`images` are bytes that are at hand; all others are read from the blobs."""
        self._bench = Bench(workshop, operation, images or {})
        self.touched: set[int] = set()
        """The deeds that something may have been done of."""

    def do(self, number: int, deed: Deed) -> Manner:
        """Do a deed that nothing has been done of."""
        self.touched.add(number)
        try:
            return self._on(number, deed).do()
        except (ForeignError, BusyError, ProtectedError):
            if number not in self._bench.overwritten:
                self.touched.discard(number)
            raise

    def stage(self, number: int, deed: Deed) -> Stage:
        """How far a deed is."""
        return self._on(number, deed).stage()

    def finish(self, number: int, deed: Deed) -> None:
        """Do what is left of a deed that was begun."""
        self._on(number, deed).finish()

    def tidy(self, number: int, deed: Deed) -> None:
        """Do away with what an attempt left that broke off."""
        self._on(number, deed).tidy()

    def versions(self, number: int, deed: Deed) -> list[Versions]:
        """What it is about as that was, should be and is."""
        return self._on(number, deed).versions()

    def now(self, deed: FileDeed) -> tuple[Seen | None, tuple[str, ...]]:
        """The file that is there, and the folders that it needs and that are not."""
        return FileHand(self._bench, 0, deed).now()

    def ground(self, root: Path) -> Ground:
        """A store, opened; raises UnreadableError."""
        return self._bench.ground(root)

    def image(self, name: str | None) -> bytes | None:
        """The bytes that go by a digest; raises BackupLostError."""
        return self._bench.image(name)

    def keep(self, raw: bytes | None) -> str | None:
        """Have some bytes at hand and among the blobs; raises OSError."""
        return self._bench.keep(raw)

    @property
    def at_hand(self) -> Mapping[str, bytes]:
        """The bytes that need not be read from the blobs."""
        return self._bench.at_hand

    def hold(self, raw: bytes) -> str:
        """Have some bytes at hand alone, and answer their digest."""
        return self._bench.hold(raw)

    def of_lines(self, deed: LinesDeed) -> LinesHand:
        """What works at lines, which more can be asked of."""
        return LinesHand(self._bench, deed)

    def close(self) -> None:
        """Let go of the stores; may be called again."""
        self._bench.close()

    def _on(self, number: int, deed: Deed) -> FileHand | LinesHand | ModeHand | RowHand:
        if isinstance(deed, FileDeed):
            return FileHand(self._bench, number, deed)
        if isinstance(deed, LinesDeed):
            return self.of_lines(deed)
        if isinstance(deed, ModeDeed):
            return ModeHand(self._bench, deed)
        return RowHand(self._bench, deed)
