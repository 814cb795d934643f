"""The hand that changes who may use a file or a folder."""

from msgspec import Struct

from store.edits.doing.bench import Bench
from store.edits.doing.stage import Stage, Versions
from store.edits.kept.deeds import ModeDeed
from store.files.replacing import Manner, change_mode, mode_at, told_mode


class ModeHand(Struct, frozen=True):
    """Works at one deed; all it does raises what changing a mode raises."""

    bench: Bench
    deed: ModeDeed

    def do(self) -> Manner:
        """Do all of it; where a file that came back brought its mode, all is done."""
        deed = self.deed
        change_mode(self.bench.ground(deed.root), deed.path, deed.before, deed.after)
        return Manner.AT_ONCE

    def stage(self) -> Stage:
        """How far it is."""
        now = self._now()
        if now == self.deed.before:
            return Stage.BEFORE
        return Stage.AFTER if now == self.deed.after else Stage.FOREIGN

    def finish(self) -> None:
        """Do what is left of it, after it was begun."""
        if self.stage() is Stage.BEFORE:
            self.do()

    def tidy(self) -> None:
        """Nothing is left by an attempt that broke off."""

    def versions(self) -> list[Versions]:
        """The mode as it was, should be and is."""
        now, deed = self._now(), self.deed
        is_now = None if now is None else told_mode(now)
        before, after = told_mode(deed.before), told_mode(deed.after)
        return [Versions(deed.path or ".", before, after, is_now)]

    def _now(self) -> int | None:
        try:
            return mode_at(self.bench.ground(self.deed.root), self.deed.path)
        except FileNotFoundError:
            return None
