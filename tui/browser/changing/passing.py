"""Conversations taken to another status, as far as their own program does the same."""

from collections.abc import Sequence

from store.library import Library
from tui.browser.changing.restoring import Restoring

Turn = tuple[str, Sequence[str]]
"""A status that can be had, and what its program makes happen then."""


class Passing(Restoring):
    """Carries out what moves conversations on."""

    def action_transit(self) -> None:
        """Choose to which status what is marked or here is taken."""
        self.begin_flow(self._transit())

    async def _transit(self) -> None:
        from store.records.intents import Transit

        targets = await self.targets()
        names = [one.ref for one in targets]
        turns = await self.changes.ask(lambda library: _turns(library, names))
        menu = self.popups.changing.turns_menu(turns)
        picker = self.popups.Picker("to which status?", menu, self.palette)
        status = await self.asked(picker)
        if status is not None:
            await self.change(Transit(status=status), targets)


def _turns(library: Library, names: Sequence[str]) -> list[Turn]:
    """Where all of them may go; raises NotPossibleError where that is nowhere."""
    from store.edits.refusals import NotPossibleError
    from store.records.conversation import STATUSES
    from store.records.intents import Transit
    from tui.browser.changing.bulk import bulk

    found: list[Turn] = []
    reasons: list[NotPossibleError] = []
    for status in STATUSES:
        try:
            planned = bulk(library, Transit(status=status), names)
        except NotPossibleError as error:
            reasons.append(error)
        else:
            found.append((status, planned.plan.warnings))
    if not found:
        raise reasons[0]
    return found
