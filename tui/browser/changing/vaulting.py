"""Conversations kept before their agent removes them, and let go again."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from store.library import Library
from tui.browser.changing.undoing import Undoing

if TYPE_CHECKING:
    from store.records.vault import KeptReport
    from tui.browser.changing.targets import Target

_SOON = 7
"""Days within which what is removed is worth a rescue."""


class Vaulting(Undoing):
    """Carries out what keeps conversations: no store is changed by that."""

    async def _pin(self) -> None:
        from store.records.conversation import Conversation

        targets = await self.targets()
        if not all(isinstance(one.record, Conversation) for one in targets):
            await super()._pin()
            return
        able = await self.changes.ask(lambda library: _keepable(library, targets))
        names = [one.ref for one in able or targets]
        kept = await self.changes.ask(lambda library: _kept(library, names))
        if len(kept) < len(names):
            await self._keep_safe(able, names, len(targets) - len(able))
        else:
            await self._let_go(kept, names)

    async def _keep_safe(
        self, targets: "Sequence[Target]", names: Sequence[str], others: int
    ) -> None:
        from store.records.intents import Pin

        await self.changes.ask(lambda library: library.keep(names))
        told = _told([one.title for one in targets])
        left = f" · {others} left out" if others else ""
        self.message = f"kept {told} in the vault{left} · p lets go"
        await self.changed()
        await self.went_on(Pin())

    async def _let_go(self, kept: "Sequence[KeptReport]", names: Sequence[str]) -> None:
        """Let go; what is nowhere else only once that was understood."""
        from store.records.intents import Pin

        last = [one for one in kept if one.gone]
        if last:
            question = self.popups.changing.last_question(last, self.palette)
            if await self.asked(question) != "do":
                return
        await self.changes.ask(lambda library: library.release(names))
        told = _told([one.title for one in kept])
        self.message = f"let go of {told}" if last else f"let go of {told} · p keeps it"
        await self.changed()
        await self.went_on(Pin(pins=False))

    def action_rescue(self) -> None:
        """Keep what the agent's own clean-up removes next."""
        self.begin_flow(self._rescue())

    async def _rescue(self) -> None:
        found = await self.changes.ask(lambda library: library.endangered(_SOON))
        if not found:
            self.message = f"Nothing that is not kept is removed within {_SOON} days."
            self.tell()
            return
        question = self.popups.changing.rescue_question(found, self.palette)
        if await self.asked(question) != "do":
            return
        kept = await self.changes.ask(lambda library: library.rescue(found))
        self.message = f"kept {_told([one.title for one in kept])} in the vault"
        again = await self.changes.ask(lambda library: library.endangered(_SOON))
        safe = {(one.store, one.path) for one in kept}
        left = [one.title for one in again if (one.store, one.path) not in safe]
        if left:
            self.is_wrong = True
            self.message = f"{_told(left)} cannot be read whole: not kept"
        await self.changed()


def _keepable(library: Library, targets: "Sequence[Target]") -> "list[Target]":
    """Those whose transcripts lie in a store that is looked at."""
    return [one for one in targets if library.possible(one.ref).get("pin") == ""]


def _kept(library: Library, names: Sequence[str]) -> "list[KeptReport]":
    """What is kept of some conversations, one by one."""
    return [kept for name in names for kept in library.kept_of([name])]


def _told(titles: Sequence[str]) -> str:
    """Which conversations these are."""
    from tui.browser.changing.telling import short

    return (
        f"“{short(titles[0])}”" if len(titles) == 1 else f"{len(titles)} conversations"
    )
