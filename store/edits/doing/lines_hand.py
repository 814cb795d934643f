"""The hand that puts lines behind the last of a file, and takes them away."""

from msgspec import Struct

from store.edits.doing.bench import Bench
from store.edits.doing.stage import Stage, Versions
from store.edits.kept.deeds import LinesDeed
from store.files.replacing import (
    THERE,
    Fate,
    Manner,
    Seen,
    Spot,
    append,
    cut,
    fate,
    is_shared,
    seen_at,
    without,
)

_PUT = {Fate.AWAY: Stage.BEFORE, Fate.TORN: Stage.TORN} | dict.fromkeys(
    THERE, Stage.AFTER
)
_TAKEN = {Fate.LAST: Stage.BEFORE, Fate.AWAY: Stage.AFTER, Fate.TORN: Stage.TORN}


class LinesHand(Struct, frozen=True):
    """Works at one deed; all it does raises what changing a file raises."""

    bench: Bench
    deed: LinesDeed

    def do(self) -> Manner:
        """Do all of it; nothing of it has been done."""
        deed = self.deed
        if deed.takes:
            cut(self._spot(), deed.end, deed.lines, deed.mtime_ns)
        else:
            append(self._spot(), deed.end, deed.lines)
        return Manner.AT_ONCE

    def stage(self) -> Stage:
        """How far it is."""
        try:
            found = fate(self._spot(), self.deed.end, self.deed.lines)
        except FileNotFoundError:
            return Stage.FOREIGN
        return (_TAKEN if self.deed.takes else _PUT).get(found, Stage.FOREIGN)

    def finish(self) -> None:
        """Do what is left of it, after it was begun: half of a line goes first."""
        deed, stage = self.deed, self.stage()
        if stage is Stage.TORN:
            cut(self._spot(), deed.end, deed.lines, deed.mtime_ns)
        if stage is Stage.BEFORE or (stage is Stage.TORN and not deed.takes):
            self.do()

    def tidy(self) -> None:
        """Nothing is left beside the file by an attempt that broke off."""

    def versions(self) -> list[Versions]:
        """The file as it was, should be and is; its end alone where only that is known.

        Nothing is kept of what stands before its end, for nothing of that is changed.
        """
        end, lines = self.deed.end, self.deed.lines
        seen = self.seen()
        now = seen.raw if seen else None
        was = end.tail
        if now is not None and self._reaches(now):
            was = now[: end.size]
        elif now is not None:
            now = now[-len(end.tail) - len(lines) :]
        before, after = was, was + lines
        if self.deed.takes:
            before, after = after, before
        return [Versions(self.deed.path, before, after, now)]

    def seen(self) -> Seen | None:
        """The whole file; None where there is none."""
        try:
            return seen_at(self._spot())
        except FileNotFoundError:
            return None

    def without(self, raw: bytes) -> bytes | None:
        """A file that the lines are in without them; None where they are not."""
        return without(raw, self.deed.end, self.deed.lines)

    def can_be_cut(self) -> bool:
        """Whether they stand last, and no other program has the file open."""
        return self.stage() is Stage.BEFORE and not is_shared(self._spot())

    def _reaches(self, raw: bytes) -> bool:
        """Whether all that was before the lines may stand there still."""
        end = self.deed.end
        return len(raw) >= end.size and raw[: end.size].endswith(end.tail)

    def _spot(self) -> Spot:
        return self.bench.ground(self.deed.root).spot(self.deed.path)
