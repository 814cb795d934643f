"""What was there before, put in place again; and what was written and never saved."""

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from store.errors import AmbiguousError, NothingFoundError
from store.library import Library, Record
from tui.browser.changing.editing import Editing, ref_of

if TYPE_CHECKING:
    from tui.browser.changing.targets import Target

_SAID = "It says that already."


class Restoring(Editing):
    """Carries out what concerns backups and drafts."""

    def action_backups(self) -> None:
        """Choose what a record said before, and see what putting it back would do."""
        self.begin_flow(self._backups())

    async def _backups(self) -> None:
        target = (await self.targets())[0]
        if _is_backup(target.record):
            await self._return(target)
            return
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
        planned = await self.changes.ask(
            lambda library: library.plan_return(target.ref, chosen)
        )
        await self.put_in_place(planned, "put back", _SAID)

    async def _return(self, target: "Target") -> None:
        """Put a backup that its store keeps where it was made from."""
        from store.records.intents import Return

        planned = await self.changes.ask(
            lambda library: library.plan(Return(), [target.ref])
        )
        await self.put_in_place(planned, f"put back {target.title}", _SAID)

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
        if target is not None and chosen is not None:
            await self.edit_text(target, chosen)


def _is_backup(record: Record) -> bool:
    """Whether it is itself what its store kept of a file."""
    from store.records.document import Document

    return isinstance(record, Document) and record.category == "backup"


def _drafted(library: Library, names: list[str]) -> "dict[str, Target]":
    """The records that drafts are of, as far as they are still there."""
    from store.edits.refusals import NotPossibleError
    from tui.browser.changing.targets import Target
    from tui.faces.hits import title

    found: dict[str, Target] = {}
    for name in names:
        with suppress(AmbiguousError, NothingFoundError, NotPossibleError):
            (record,) = library.changeable([ref_of(name)])
            if record.ref:
                told = title(record) or record.ref
                found[name] = Target(record.ref, told, record.store, record)
    return found
