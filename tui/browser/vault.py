"""Conversations saved before they are deleted."""

from collections.abc import Sequence

from store.library import Library
from store.records.intents import Pin
from store.records.reports import KeptReport
from tui.browser.dialogs import Dialogs
from tui.browser.display import Part
from tui.browser.plans import Plans
from tui.browser.popups import changes as questions
from tui.browser.session import Session
from tui.browser.status import Status
from tui.browser.targets import Target, short

_SOON = 7
"""Conversations that expire within this many days are worth saving."""


class Vault(Part):
    """Conversations saved before they are deleted, without changing a store."""

    session: Session
    status: Status
    dialogs: Dialogs
    plans: Plans

    async def toggle(self, targets: Sequence[Target]) -> None:
        """Save conversations, or delete the copies if all are saved."""
        able = await self.session.ask_changes(
            lambda library: _keepable(library, targets)
        )
        names = [one.ref for one in able or targets]
        kept = await self.session.ask_changes(lambda library: _kept(library, names))
        if len(kept) < len(names):
            await self._keep_safe(able, names, len(targets) - len(able))
        else:
            await self._let_go(kept, names)

    async def _keep_safe(
        self, targets: Sequence[Target], names: Sequence[str], others: int
    ) -> None:
        await self.session.ask_changes(lambda library: library.vault.keep(names))
        told = _told([one.title for one in targets])
        left = f" · {others} left out" if others else ""
        self.status.message = f"pinned {told}{left} in your vault · u undo"
        await self.plans.changed()
        await self.plans.reviewed(Pin())

    async def _let_go(self, kept: Sequence[KeptReport], names: Sequence[str]) -> None:
        """Delete saved copies; asks first if a copy is the only one."""
        last = [one for one in kept if one.gone]
        if last:
            question = questions.last_question(last, self.dialogs.palette)
            if await self.dialogs.asked(question) != "drop":
                return
        done = await self.session.ask_changes(
            lambda library: library.vault.release(names)
        )
        told = _told([one.title for one in kept])
        self.status.message = f"unpinned {told}{' · u undo' if done.change else ''}"
        await self.plans.changed()
        await self.plans.reviewed(Pin(pins=False))

    async def rescue(self) -> None:
        """Save the conversations that expire next."""
        found = await self.session.ask_changes(
            lambda library: library.vault.endangered(_SOON)
        )
        if not found:
            self.status.message = f"Nothing unpinned expires within {_SOON} days."
            self.status.tell()
            return
        question = questions.rescue_question(found, self.dialogs.palette)
        if await self.dialogs.asked(question) != "do":
            return
        saved = await self.session.ask_changes(
            lambda library: library.vault.rescue(found)
        )
        told = _told([one.title for one in saved.kept])
        self.status.message = f"pinned {told}{' · u undo' if saved.change else ''}"
        again = await self.session.ask_changes(
            lambda library: library.vault.endangered(_SOON)
        )
        safe = {(one.store, one.path) for one in saved.kept}
        left = [one.title for one in again if (one.store, one.path) not in safe]
        if left:
            self.status.is_wrong = True
            self.status.message = f"Couldn't pin {_told(left)}: parts can't be read"
        await self.plans.changed()


def _keepable(library: Library, targets: Sequence[Target]) -> list[Target]:
    """The conversations whose transcripts are in an open store."""
    return [one for one in targets if library.plans.possible(one.ref).get("pin") == ""]


def _kept(library: Library, names: Sequence[str]) -> list[KeptReport]:
    return [kept for name in names for kept in library.vault.kept_of([name])]


def _told(titles: Sequence[str]) -> str:
    """The title of the conversation, or the number of conversations."""
    return (
        f"“{short(titles[0])}”" if len(titles) == 1 else f"{len(titles)} conversations"
    )
