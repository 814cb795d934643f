"""A change planned, shown where it is grave or much, carried out, and told.

What can be taken back is done at once and told; what cannot, or is much at once, is
shown first. Nobody is asked twice about one thing.
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from store.errors import RecollectError
from store.library import Library, Record
from tui.browser.changing.flows import Flowing
from tui.browser.data.desk import Desk
from tui.browser.panes import LinksPane
from tui.browser.telling import Happening
from tui.commands.command import Group
from tui.commands.registry import REGISTRY
from tui.commands.situation import Situation

if TYPE_CHECKING:
    from store.planning import Planned
    from store.records.intents import Intent
    from store.records.reports import Change
    from tui.browser.changing.bulk import Bulk
    from tui.browser.changing.targets import Target

_MANY = 10
"""So many records are changed only once the plan was seen."""

READ_ONLY = "This store is read-only here; ! allows changes."


class Planning(Flowing):
    """Plans changes and carries them out; which ones is for who inherits."""

    undoable, redoable = 0, 0
    """How many changes can be taken back, and made again."""

    drafts = 0
    """How many texts were written and not saved."""

    def on_mount(self) -> None:
        """A desk for changes: neither list nor reader waits for them."""
        self.changes = Desk(self.library)

    @property
    def situation(self) -> Situation:
        """How things stand."""
        listing = self._listings.get(self.kind)
        record = listing.table.at_cursor if listing else None
        return replace(
            super().situation,
            possible=self.opened.possible if self.opened else {},
            undoable=self.undoable,
            redoable=self.redoable,
            is_mendable=bool(getattr(record, "fix", None)),
            drafts=self.drafts,
            read_only=self.read_only(record.store) if record else "",
            is_conversation=_is_conversation(record),
        )

    def read_only(self, store: str) -> str:
        """Why a store may not be changed; nothing where the user has allowed it."""
        if self.library.is_read_only:
            return "This session is read-only: nothing is changed."
        return "" if self.kept.may_change(store) else READ_ONLY

    async def on_unmount(self) -> None:
        """Let go of the desk."""
        await self.changes.close()

    async def rows_seen(self) -> None:
        """Know what can be taken back from earlier days, and what was not saved."""
        await super().rows_seen()
        self.run_worker(self._recall, group="changes")

    async def _recall(self) -> None:
        await self.count_changes()
        if self.drafts:
            texts = "text was" if self.drafts == 1 else "texts were"
            keys = self.keyed.keys(self.scope, REGISTRY.command("drafts"))
            told = f" · {keys[0]} goes on" if keys else ""
            self.message = f"{self.drafts} {texts} written and not saved{told}"
        self.tell()

    @property
    def happening(self) -> Happening:
        """What goes on, and how much of it can be taken back."""
        return super().happening._replace(undoable=self.undoable)

    async def obey(self, command: str) -> None:
        """Carry a command out; what can be done is known of the record here."""
        if REGISTRY.command(command).group is Group.CHANGING:
            await self._know_record()
            await self._ask_again(command)
        await super().obey(command)

    async def _know_record(self) -> None:
        """Open the record at the cursor, where that has not rested long enough."""
        listing = self._listings.get(self.kind)
        record = listing.table.at_cursor if listing else None
        opened = self.opened.record.ref if self.opened else None
        if record is None or record.ref == opened:
            return
        self._rest_over()
        if self._open_task is not None:
            await asyncio.wait([self._open_task])

    async def _ask_again(self, command: str) -> None:
        """What was in the way when the record was opened may be gone by now."""
        opened = self.opened
        why_not = REGISTRY.command(command).guard(self.situation)
        if opened and opened.record.ref and why_not in opened.possible.values():
            name = opened.record.ref
            possible = await self.changes.ask(lambda library: library.possible(name))
            self.opened = replace(opened, possible=possible)

    async def targets(self) -> "Sequence[Target]":
        """What is marked, or what the cursor is on."""
        from tui.browser.changing.targets import targets_of

        table, kind = self.table, self.kind
        return await self.ask(
            lambda library: targets_of(library, kind, table.marks, table.at_cursor)
        )

    async def pointed_at(self) -> "Sequence[Target]":
        """The link that the cursor is on where links have the keys, else the same."""
        from tui.browser.changing.targets import edge_of

        pane = self.base.focused
        ref = pane.edge if isinstance(pane, LinksPane) else None
        edge = ref and await self.ask(lambda library: edge_of(library, ref))
        return [edge] if edge else await self.targets()

    async def change(
        self,
        intent: "Intent",
        targets: "Sequence[Target]",
        *,
        shows: bool = False,
        is_agreed: bool = False,
    ) -> "Sequence[Change]":
        """Plan a change, show it where that is wanted, and carry it out.

        `shows` has it shown in any case; `is_agreed` says that it was seen already.
        """
        from store.records.reports import Change
        from tui.browser.changing.telling import told

        names = [target.ref for target in targets]
        planned = await self.planned(intent, names)
        if not planned.plans:
            self.message = "Nothing would be other than it is."
            self.tell()
            return ()
        self.refuse_where_read_only(planned.plans)
        is_much = len(names) >= _MANY or bool(planned.others)
        is_asked = shows or planned.is_grave or is_much
        if is_asked and not is_agreed and not await self.is_wanted(planned):
            return ()
        done = await self.carry_out_all(planned.plans)
        titles = _titles(targets, planned)
        self.message = told_of(told(intent, titles), planned, done)
        await self.changed()
        if len(done) == len(planned.plans):
            await self.went_on(intent)
        return [one for one in done if isinstance(one, Change)]

    async def went_on(self, intent: "Intent") -> None:
        """What else is to be done once something was changed."""

    async def planned(self, intent: "Intent", names: Sequence[str]) -> "Bulk":
        """What a change would do."""
        from tui.browser.changing.bulk import bulk

        return await self.changes.ask(lambda library: bulk(library, intent, names))

    async def carry_out_all(
        self, plans: "Sequence[Planned]"
    ) -> "Sequence[Change | RecollectError]":
        """Do one after the other until one fails; the failure is the last then.

        Where it is the first that fails, it is raised.
        """
        done: list[Change | RecollectError] = []
        for one in plans:
            try:
                done.append(await self.carry_out(one))
            except RecollectError as error:
                if not done:
                    raise
                return [*done, error]
        return done

    async def carry_out(self, planned: "Planned") -> "Change":
        """Do what was planned, where the user allows that anything is written."""
        self.refuse_where_read_only([planned])
        return await self.changes.ask(lambda library: library.change(planned))

    def refuse_where_read_only(self, plans: "Sequence[Planned]") -> None:
        """Nothing is written into a store before the user has allowed it."""
        from store.edits.refusals import ReadOnlyError

        for store in (root for one in plans for root in one.roots):
            why_not = self.read_only(str(store))
            if why_not:
                raise ReadOnlyError(why_not)

    async def is_wanted(self, planned: "Bulk") -> bool:
        """Show a plan, and its difference as often as wanted; whether it is done."""
        plan, questions = planned.plan, self.popups.changing
        while True:
            answer = await self.asked(questions.plan_question(plan, self.palette))
            if answer == "diff":
                shown = questions.diff_question(plan, self.palette)
                answer = await self.asked(shown)
                if answer != "do":
                    continue
            return answer == "do"

    async def put_in_place(self, planned: "Planned", told: str, idle: str) -> None:
        """Show what a change would do, and do it where that is wanted.

        `told` is what is said of it then, `idle` where nothing is left to be done.
        """
        from tui.browser.changing.bulk import Bulk

        if planned.is_idle:
            self.message = idle
            self.tell()
            return
        self.refuse_where_read_only([planned])
        if await self.is_wanted(Bulk([planned])):
            await self.carry_out(planned)
            self.message = f"{told} · u undo"
            await self.changed()

    async def changed(self) -> None:
        """Show what is there now; marks have done their work."""
        self.table.set_marks(())
        await self._look_again()
        self._rest_over()
        await self.count_changes()
        self.tell()

    async def count_changes(self) -> None:
        """Know how much can be taken back."""
        past = await self.changes.ask(Library.changes)
        self.undoable = sum(not one.undone for one in past)
        self.redoable = len(past) - self.undoable
        self.drafts = len(await self.changes.ask(Library.unsaved))


def _is_conversation(record: Record | None) -> bool:
    from store.records.conversation import Conversation

    return isinstance(record, Conversation)


def told_of(
    what: str, planned: "Bulk", done: "Sequence[Change | RecollectError]"
) -> str:
    """What was done, what was left, and how it is taken back."""
    if isinstance(done[-1], RecollectError):
        so_far = sum(one.count for one in planned.plans[: len(done) - 1])
        return f"{so_far} of {planned.count} done, then: {done[-1]} · u undo"
    left = f" · {len(planned.others)} left out" if planned.others else ""
    times = f" ({len(done)} times)" if len(done) > 1 else ""
    return f"{what}{left} · u undo{times}"


def _titles(targets: "Sequence[Target]", planned: "Bulk") -> list[str]:
    """What those are called that something was done to."""
    left = {one.ref for one, _ in planned.others}
    return [one.title for one in targets if one.ref not in left]
