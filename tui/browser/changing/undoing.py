"""Taking back: the last change, the one that was taken back last, any of them."""

from functools import partial
from typing import TYPE_CHECKING

from store.library import Library
from tui.browser.changing.changing import Changing

if TYPE_CHECKING:
    from store.planning import Planned
    from store.records.reports import Change, Past

_REDONE = "done again"
_UNDONE = "undone"


class Undoing(Changing):
    """Carries out what takes changes back, and lets stores be changed at all."""

    def action_undo(self) -> None:
        """Take the last change back."""
        self.begin_flow(self._undo())

    async def _undo(self) -> None:
        planned = await self.changes.ask(Library.undo_plan)
        self.refuse_where_read_only([planned])
        await self._taken_back(await self.changes.ask(Library.undo), _UNDONE)

    def action_redo(self) -> None:
        """Make it again."""
        self.begin_flow(self._redo())

    async def _redo(self) -> None:
        planned = await self.changes.ask(Library.redo_plan)
        self.refuse_where_read_only([planned])
        await self._taken_back(await self.changes.ask(Library.redo), _REDONE)

    async def _taken_back(self, change: "Change", word: str) -> None:
        from tui.browser.changing.telling import short

        said = change.action.removeprefix("undo ").removeprefix("redo ")
        again = "^r does it again" if word is _UNDONE else "u undo"
        self.message = f"{word}: {short(said)} · {again}"
        await self.changed()

    def action_change_log(self) -> None:
        """Choose among all changes, and see what taking one back would do."""
        self.begin_flow(self._change_log())

    async def _change_log(self) -> None:
        from tui.browser.changing.bulk import Bulk

        past: list[Past] = await self.changes.ask(Library.changes)
        menu = self.popups.changing.log_menu(past)
        chosen = await self.asked(self.popups.Picker("changes", menu, self.palette))
        if chosen is None:
            return
        planned: Planned = await self.changes.ask(
            lambda library: library.undo_plan(chosen)
        )
        self.refuse_where_read_only([planned])
        question = self.popups.changing.undo_question(
            Bulk([planned]).plan, self.palette
        )
        if await self.asked(question) == "do":
            undone = await self.changes.ask(partial(Library.undo, change=chosen))
            await self._taken_back(undone, _UNDONE)

    def action_allow_changes(self) -> None:
        """Let the stores that are looked at be changed, or no longer."""
        self.begin_flow(self._allow_changes())

    async def _allow_changes(self) -> None:
        stores = await self.ask(
            lambda library: [one for one in library.stores() if one.writable]
        )
        chosen = [
            one.path for one in stores if not self.stores or one.path in self.stores
        ]
        if not chosen:
            self.message = "These stores are only ever looked at."
        elif self.library.is_read_only:
            self.message = "This session is read-only: nothing is changed."
        else:
            allows = not all(self.kept.may_change(path) for path in chosen)
            self.message = self.kept.permit(chosen, changes=allows)
        await self.count_changes()
        self.tell_access(await self.ask(Library.names))
        self.tell()
