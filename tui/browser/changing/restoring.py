"""What was there before, put in place again; and what was written and never saved."""

from contextlib import suppress
from functools import partial

from store.edits.refusals import NotPossibleError
from store.errors import AmbiguousError, NothingFoundError
from store.library import Library
from tui.browser.changing.bulk import Bulk
from tui.browser.changing.editing import Editing, ref_of
from tui.browser.changing.targets import Target
from tui.faces.hits import title


class Restoring(Editing):
    """Carries out what concerns backups and drafts."""

    def action_backups(self) -> None:
        """Choose what a record said before, and see what putting it back would do."""
        self.begin_flow(self._backups())

    async def _backups(self) -> None:
        target = (await self.targets())[0]
        found = await self.changes.ask(lambda library: library.backups(target.ref))
        if not found:
            self.message = "Nothing that was changed from here is kept of it."
            self.tell()
            return
        menu = self.popups.changing.backups_menu(found)
        picker = self.popups.Picker("as it was before", menu, self.palette)
        chosen = await self.asked(picker)
        if chosen is None:
            return
        planned = Bulk(
            [
                await self.changes.ask(
                    lambda library: library.plan_return(target.ref, chosen)
                )
            ]
        )
        if planned.plans[0].is_idle:
            self.message = "It says that already."
            self.tell()
            return
        self.refuse_where_read_only(planned.plans)
        if await self.is_wanted(planned):
            await self.carry_out_all(planned.plans)
            self.message = "put back · u undo"
            await self.changed()

    def action_drafts(self) -> None:
        """Choose among what was written and not saved, and go on with it."""
        self.begin_flow(self._drafts())

    async def _drafts(self) -> None:
        kept = await self.changes.ask(Library.unsaved)
        found = await self.ask(partial(_drafted, names=[one.name for one in kept]))
        titles = {name: target.title for name, target in found.items()}
        menu = self.popups.changing.drafts_menu(kept, titles)
        picker = self.popups.Picker("written and not saved", menu, self.palette)
        chosen = await self.asked(picker)
        target = found.get(chosen or "")
        if target is not None:
            await self.edit_text(target)


def _drafted(library: Library, names: list[str]) -> dict[str, Target]:
    """The records that drafts are of, as far as they are still there."""
    found: dict[str, Target] = {}
    for name in names:
        with suppress(AmbiguousError, NothingFoundError, NotPossibleError):
            (record,) = library.changeable([ref_of(name)])
            if record.ref:
                told = title(record) or record.ref
                found[name] = Target(record.ref, told, record.store, record)
    return found
