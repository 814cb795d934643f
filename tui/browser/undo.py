"""Undo and redo, in the stores on the screen or in all of them."""

from collections.abc import Sequence

from store.edits.plan import Planned
from store.errors import RecollectError
from store.kinds.problems import Problem
from store.records.reports import Change, Past
from tui.browser.dialogs import Dialogs
from tui.browser.display import Part
from tui.browser.lists import Lists
from tui.browser.plans import Plans
from tui.browser.popups import changes as questions
from tui.browser.session import Journal, Session
from tui.browser.status import Status
from tui.browser.targets import Bulk, short

_REDONE = "redone"
_UNDONE = "undone"
_LATER = "A later change builds on it: {}. Undo that first."


class Undo(Part):
    """Undo, redo, the change log, and write access."""

    session: Session
    status: Status
    dialogs: Dialogs
    lists: Lists
    plans: Plans
    journal: Journal

    async def undo(self) -> None:
        """Undo the newest change, or resolve a half-done one."""
        if self.journal.half_done:
            await self.resolve()
            return
        stores = self.journal.stores
        planned = await self.session.ask_changes(
            lambda library: library.changes.undo_plan(stores=stores)
        )
        self.plans.refuse_where_read_only([planned])
        undone = await self.session.ask_changes(
            lambda library: library.changes.undo(stores=stores)
        )
        await self._taken_back(undone, _UNDONE)

    async def resolve(self, change: str | None = None) -> None:
        """Show both versions and do what the user decides.

        `change` selects one of several half-done changes.
        """
        if change is None and len(self.journal.half_done) > 1:
            menu = questions.half_done_menu(self.journal.half_done)
            change = await self.dialogs.pick("half-done changes", menu)
            if change is None:
                return
        left = (one for one in self.journal.half_done if change in {None, one.change})
        past = next(left, None)
        if past is None:
            self.status.say("Another process already resolved this change.")
            return
        question = questions.resolve_question(past, self.dialogs.palette)
        match await self.dialogs.asked(question):
            case "mine":
                await self._resolved(past, mine=True)
            case "theirs":
                await self._resolved(past, mine=False)
            case "dismiss":
                await self.session.ask_changes(
                    lambda library: library.changes.dismiss(past.change)
                )
                self.status.message = f"dismissed: {past.action}"
                await self.plans.changed()
            case _:
                pass

    async def _resolved(self, past: Past, *, mine: bool) -> None:
        name = past.change
        planned = await self.session.ask_changes(
            lambda library: library.changes.resolve_plan(name, mine=mine)
        )
        self.plans.refuse_where_read_only([planned])
        change = await self.session.ask_changes(
            lambda library: library.changes.resolve(name, mine=mine)
        )
        word = "finished" if mine else "kept theirs:"
        self.status.message = f"{word} {past.action}{' · u undo' if change else ''}"
        self.plans.notes += change.notes if change else ()
        await self.plans.changed()

    async def has_decided(self, change: str) -> bool:
        """Ask the user to resolve a half-done change; returns whether it is known."""
        await self.journal.count()
        is_known = change in {past.change for past in self.journal.half_done}
        if is_known:
            try:
                await self.resolve(change)
            except RecollectError as error:
                await self.dialogs.show_trouble(str(error), ())
        return is_known

    async def redo(self) -> None:
        """Redo the last change that was undone."""
        stores = self.journal.stores
        planned = await self.session.ask_changes(
            lambda library: library.changes.redo_plan(stores=stores)
        )
        self.plans.refuse_where_read_only([planned])
        redone = await self.session.ask_changes(
            lambda library: library.changes.redo(stores=stores)
        )
        await self._taken_back(redone, _REDONE)

    async def widen(self) -> None:
        """Toggle whether undo, redo and the change log cover all stores."""
        self.journal.undoes_everywhere = not self.journal.undoes_everywhere
        await self.journal.count()
        where = "all stores" if self.journal.undoes_everywhere else "the open stores"
        self.status.message = f"Undo and redo now cover {where}."

    async def _taken_back(self, change: Change, word: str) -> None:
        said = change.action.removeprefix("undo ").removeprefix("redo ")
        again = "^r redo" if word is _UNDONE else "u undo"
        self.status.message = f"{word}: {short(said)} · {again}"
        self.plans.notes += change.notes
        await self.plans.changed()
        await self._go_to(change)

    async def _go_to(self, change: Change) -> None:
        """Move the cursor to what has changed, if that is listed."""
        listing, paths = self.lists.listing, change.paths
        if change.refs and await listing.go_to(change.refs[0]):
            return
        table = self.lists.table
        page = table.rows.page(table.first, table.first + table.sheet.room)
        rows = (at for at, one in enumerate(page, table.first) if _is_in(one, paths))
        if (row := next(rows, None)) is not None:
            table.to(row)

    async def change_log(self) -> None:
        """Choose a change and preview undoing it."""
        past: list[Past] = await self.session.ask_changes(
            lambda library: library.journal.past(stores=self.journal.stores)
        )
        menu = questions.log_menu(past)
        chosen = await self.dialogs.pick("changes", menu, verb="undo")
        while chosen is not None:
            chosen = await self._undo_chosen(chosen)

    async def _undo_chosen(self, change: str) -> str | None:
        """Preview undoing a change, and undo it if the user agrees.

        Returns the later change that has to be undone first, if the user wants that.
        """
        planned: Planned
        planned, later = await self.session.ask_changes(
            lambda library: (
                library.changes.undo_plan(change),
                library.changes.built_on(change),
            )
        )
        self.plans.refuse_where_read_only([planned])
        notes = [_LATER.format(later[1])] if later else []
        plan = Bulk([planned], notes=notes).plan(self.session.names)
        question = questions.undo_question(
            plan, self.dialogs.palette, is_possible=not later
        )
        answer = await self.dialogs.asked(question)
        if answer == "do":
            undone = await self.session.ask_changes(
                lambda library: library.changes.undo(change=change)
            )
            await self._taken_back(undone, _UNDONE)
        return later[0] if later and answer == "later" else None

    async def allow_changes(self) -> None:
        """Toggle read-only for the open stores."""
        stores = await self.session.ask(
            lambda library: [one for one in library.lists.stores() if one.writable]
        )
        chosen = [
            one
            for one in stores
            if not self.session.stores or one.path in self.session.stores
        ]
        library = self.session.library
        if not chosen and len(self.session.names) < len(library.stores.chosen):
            self.status.message = "The stores are still being read. Press ! again."
        elif not chosen:
            self.status.message = "recollect only reads these stores; nothing to allow."
        elif self.session.read_only():
            self.status.message = self.session.read_only()
        else:
            allows = not all(self.session.kept.may_change(one.path) for one in chosen)
            self.status.message = self.session.kept.permit(
                {one.path: one.name for one in chosen},
                changes=allows,
                among=len(self.session.stores_on_screen),
            )
        await self.journal.count()
        self.session.know_names(
            await self.session.ask(lambda library: library.lists.names())
        )
        self.status.tell()


def _is_in(record: object, paths: Sequence[str]) -> bool:
    """Whether it is a problem of one of some files; problems have no names."""
    return isinstance(record, Problem) and record.path in paths
