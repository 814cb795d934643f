"""The hand that makes, changes and removes one file."""

from contextlib import suppress

from msgspec import Struct

from store.edits.doing.bench import Bench
from store.edits.doing.stage import Stage, Versions
from store.edits.kept.blobs import name_of
from store.edits.kept.deeds import FileDeed
from store.files.replacing import (
    Manner,
    Replacement,
    Seen,
    Spot,
    publish,
    seen_at,
    swap,
    tidy,
    withdraw,
)
from store.files.replacing.overwriting import is_torn, overwrite


class FileHand(Struct, frozen=True):
    """Works at one deed; all it does raises what replacing a file raises."""

    bench: Bench
    number: int
    deed: FileDeed

    def do(self) -> Manner:
        """Do all of it; nothing of it has been done."""
        deed = self.deed
        before, after = self._images()
        if before is not None and after is not None:
            time = deed.restores.mtime_ns if deed.restores else None
            wanted = Replacement(self._place(), deed.temp, before, after, time)
            return swap(wanted, self.bench.care(self.number))
        if after is not None:
            for folder in deed.folders:
                self.bench.ground(deed.root).make(folder)
            publish(self._place(), deed.temp, after, deed.restores, deed.mode)
        elif before is not None:
            care = self.bench.care(self.number)
            withdraw(self._place(), deed.temp, before, care)
            self._clear()
        return Manner.AT_ONCE

    def stage(self) -> Stage:
        """How far it is."""
        seen, _ = self.now()
        name = name_of(seen.raw) if seen else None
        if name == self.deed.after:
            return Stage.AFTER
        if name == self.deed.before:
            return Stage.BEFORE
        if seen and self.number in self.bench.overwritten:
            before, after = self._images()
            if is_torn(seen.raw, before or b"", after or b""):
                return Stage.TORN
        return Stage.FOREIGN

    def finish(self) -> None:
        """Do what is left of it, after it was begun."""
        stage = self.stage()
        if stage is Stage.BEFORE:
            self.do()
        elif stage is Stage.TORN:
            self._mend()
        if self.deed.after is None:
            self._clear()

    def tidy(self) -> None:
        """Do away with what an attempt left that broke off."""
        spot = self._spot()
        if spot:
            care = self.bench.care(self.number)
            tidy(spot, self.deed.temp, *self._images(), care)

    def versions(self) -> list[Versions]:
        """The file as it was, should be and is."""
        seen, _ = self.now()
        now = seen.raw if seen else None
        return [Versions(self.deed.path, *self._images(), now)]

    def now(self) -> tuple[Seen | None, tuple[str, ...]]:
        """What is there, and the folders that it would need and that are missing."""
        spot = self._spot()
        if spot is None:
            return None, self.bench.ground(self.deed.root).missing(self.deed.path)
        return seen_at(spot), ()

    def _images(self) -> tuple[bytes | None, bytes | None]:
        return self.bench.image(self.deed.before), self.bench.image(self.deed.after)

    def _place(self) -> Spot:
        return self.bench.ground(self.deed.root).spot(self.deed.path)

    def _spot(self) -> Spot | None:
        """Where the file is; None where its folder is missing."""
        with suppress(FileNotFoundError):
            return self._place()
        return None

    def _mend(self) -> None:
        """Overwrite once more a file that was left torn."""
        seen, _ = self.now()
        _, after = self._images()
        time = self.deed.restores.mtime_ns if self.deed.restores else None
        if seen and after is not None:
            overwrite(self._place(), seen.raw, after, time)

    def _clear(self) -> None:
        """Remove the folders that were made for a file, as far as they are empty."""
        for folder in reversed(self.deed.folders):
            with suppress(OSError):
                self.bench.ground(self.deed.root).unmake(folder)
