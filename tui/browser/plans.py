"""A change planned, confirmed, applied and reported."""

import asyncio
from collections.abc import Coroutine, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from store.errors import ReadOnlyError, RecollectError
from store.library import Record
from store.records.reports import Change
from tui.browser.bars import VIEWS
from tui.browser.targets import Bulk, bulk, edge_of, targets_of, told
from tui.browser.worker import Aim, GoneError
from tui.commands.registry import REGISTRY

if TYPE_CHECKING:
    from store.edits.plan import Planned
    from store.records.intents import Intent
    from store.records.reports import Past
    from tui.browser.app import Browser
    from tui.browser.targets import Target

# Changes: planned, previewed if necessary, applied and reported.
#
# A change that can be undone is applied at once; one that cannot, or that is large, is
# previewed first. The user is never asked twice about the same change.

_MANY = 10
"""Number of records from which a change is previewed."""

READ_ONLY = "Read-only. Press ! to allow edits."


class Plans:
    """Plans and applies changes."""

    def __init__(self, browser: "Browser") -> None:
        self._browser = browser
        self.undoable = 0
        """Number of changes that can be undone."""
        self.redoable = 0
        """Number of changes that can be redone."""
        self.elsewhere = 0
        """Number of changes in stores that are not open."""
        self.undoes_everywhere = False
        """Whether undo, redo and the change log cover stores that are not open."""
        self.half_done: Sequence[Past] = ()
        """The half-done changes of the open stores."""
        self.drafts = 0
        """Number of unsaved drafts."""
        self.aim = Aim(kind=VIEWS[0].kind)
        """The records that the operation applies to."""
        self.notes: tuple[str, ...] = ()
        """Notes of changes that are not shown yet."""

    def read_only(self, store: str) -> str:
        """Why a store is read-only; empty if it is not."""
        if self._browser.session.library.access.is_read_only:
            return "This session is read-only."
        if self._browser.session.kept.may_change(store):
            return ""
        if store in self._browser.session.stores_on_screen:
            return READ_ONLY
        name = self._browser.session.names.get(store, store)
        return f"{name} is read-only. Open it and press ! to allow edits."

    async def recall(self) -> None:
        """Count earlier changes, and mention unsaved texts."""
        await self.count_changes()
        if self.drafts:
            texts = "draft" if self.drafts == 1 else "drafts"
            keys = self._browser.commands.keyed.keys(
                self._browser.commands.scope, REGISTRY.command("drafts")
            )
            told = f" · {keys[0]} continue" if keys else ""
            self._browser.status.message = f"{self.drafts} unsaved {texts}{told}"
        self._browser.status.tell()

    async def knows_record(self, command: str) -> bool:
        """Load what is possible with the record at the cursor; False if it is gone."""
        before = self.here
        await self.know_record()
        await self._ask_again(command)
        return before is None or _is_same(before, self.here)

    @property
    def here(self) -> Record | None:
        """The record at the cursor."""
        listing = self._browser.lists.listings.get(self._browser.lists.kind)
        return listing.table.at_cursor if listing else None

    async def know_record(self) -> None:
        """Open the record at the cursor if the cursor has not rested long enough.

        A list that arrives meanwhile opens it again, which is waited for as well.
        """
        record, reader = self.here, self._browser.reader
        opened = reader.opened
        if record is None or (opened and _is_same(opened.record, record)):
            return
        reader.rest_over()
        opening = None
        while reader.task is not None and opening is not reader.task:
            opening = reader.task
            await asyncio.wait([opening])

    async def _ask_again(self, command: str) -> None:
        """Check again whether a command is possible, as that may have changed."""
        opened = self._browser.reader.opened
        why_not = REGISTRY.command(command).guard(self._browser.commands.situation)
        if opened and opened.record.ref and why_not in opened.possible.values():
            name = opened.record.ref
            possible = await self._browser.session.change_worker.ask(
                lambda library: library.plans.possible(name)
            )
            self._browser.reader.opened = replace(opened, possible=possible)

    async def targets(self) -> "Sequence[Target]":
        """The records that were marked or at the cursor when the flow started."""
        return await self._browser.session.ask(partial(targets_of, aim=self.aim))

    async def pointed_at(self) -> "Sequence[Target]":
        """The edge at the cursor if the links are focused, else the targets.

        Raises GoneError if it was removed.
        """
        ref = self.aim.edge
        if not ref:
            return await self.targets()
        edge = await self._browser.session.ask(lambda library: edge_of(library, ref))
        if edge is None:
            raise GoneError(1)
        return [edge]

    async def change(
        self,
        intent: "Intent",
        targets: "Sequence[Target]",
        *,
        shows: bool = False,
        is_agreed: bool = False,
    ) -> Sequence[Change]:
        """Plan a change, preview it if necessary, and apply it.

        `shows` forces the preview; `is_agreed` means that the user has already agreed.
        """
        names = [target.ref for target in targets]
        planned = await self.planned(intent, names)
        if not planned.plans:
            self._browser.status.message = "Nothing to change."
            self._browser.status.tell()
            return ()
        self.refuse_where_read_only(planned.plans)
        is_much = len(names) >= _MANY or bool(planned.others)
        is_asked = shows or planned.is_grave or is_much
        if is_asked and not is_agreed and not await self.is_wanted(planned):
            return ()
        done = await self.carry_out_all(planned.plans)
        titles = _titles(targets, planned)
        self._browser.status.message = told_of(told(intent, titles), planned, done)
        await self.changed()
        if len(done) == len(planned.plans):
            await self.went_on(intent)
        return [one for one in done if isinstance(one, Change)]

    async def planned(self, intent: "Intent", names: Sequence[str]) -> Bulk:
        """The plan of a change."""
        return await self._browser.session.change_worker.ask(
            lambda library: bulk(library, intent, names)
        )

    async def carry_out_all(
        self, plans: "Sequence[Planned]"
    ) -> Sequence[Change | RecollectError]:
        """Apply changes in order until one fails; the last element is the error then.

        If the first one fails, its error is raised.
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

    async def carry_out(self, planned: "Planned") -> Change:
        """Apply a change if the user allows writing."""
        self.refuse_where_read_only([planned])
        self._browser.session.unpinned.clear()
        change = await self._browser.session.change_worker.ask(
            lambda library: library.changes.apply(planned)
        )
        self.notes += change.notes
        return change

    def refuse_where_read_only(self, plans: "Sequence[Planned]") -> None:
        """Raise ReadOnlyError if a store is read-only."""
        for store in (root for one in plans for root in one.roots):
            why_not = self.read_only(str(store))
            if why_not:
                raise ReadOnlyError(why_not)

    async def is_wanted(self, planned: Bulk) -> bool:
        """Show a plan, and its diff if requested; returns whether to apply it."""
        plan, questions = planned.plan, self._browser.dialogs.popups.changing
        while True:
            answer = await self._browser.dialogs.asked(
                questions.plan_question(plan, self._browser.layout.palette)
            )
            if answer == "diff":
                shown = questions.diff_question(plan, self._browser.layout.palette)
                answer = await self._browser.dialogs.asked(shown)
                if answer != "do":
                    continue
            return answer == "do"

    async def put_in_place(self, planned: "Planned", told: str, idle: str) -> None:
        """Preview a change and apply it if the user agrees.

        `told` is the message afterwards, `idle` the message if there is nothing to
        change.
        """
        if planned.is_idle:
            self._browser.status.message = idle
            self._browser.status.tell()
            return
        self.refuse_where_read_only([planned])
        if await self.is_wanted(Bulk([planned])):
            await self.carry_out(planned)
            self._browser.status.message = f"{told} · u undo"
            await self.changed()

    async def changed(self) -> None:
        """Update the screen after a change and clear the marks."""
        self._browser.status.message = " · ".join(
            [self._browser.status.message, *dict.fromkeys(self.notes)]
        )
        self.notes = ()
        self._browser.lists.table.marks.replace(())
        await self._browser.live.look_again()
        self._browser.reader.rest_over()
        await self.count_changes()
        self._browser.status.tell()

    @property
    def undone_stores(self) -> Sequence[Path] | None:
        """The stores that undo, redo and the change log cover; None for all stores."""
        if self.undoes_everywhere:
            return None
        return [Path(store) for store in self._browser.session.stores_on_screen]

    async def past(self) -> "Sequence[Past]":
        """All changes in the journal, newest first."""
        return await self._browser.session.change_worker.ask(
            lambda library: library.journal.past()
        )

    async def newest_undoable(self) -> str | None:
        """The change that undo would reverse next; None if there is none."""
        past = await self._browser.session.change_worker.ask(
            lambda library: library.journal.past(stores=self.undone_stores)
        )
        return next((one.change for one in past if not one.undone), None)

    async def count_changes(self) -> None:
        """Update the numbers of changes and drafts."""
        past = await self.past()
        here = self._browser.session.stores_on_screen
        is_wide = self.undoes_everywhere
        covered = [one for one in past if is_wide or not here.isdisjoint(one.stores)]
        done, session = sum(not one.undone for one in covered), self._browser.session
        self.undoable = done + len(session.pinned)
        self.redoable = len(covered) - done + len(session.unpinned)
        self.elsewhere = len(past) - len(covered)
        self.drafts = len(
            await self._browser.session.change_worker.ask(
                lambda library: library.journal.drafts()
            )
        )
        self.half_done = [
            past
            for past in await self._browser.session.change_worker.ask(
                lambda library: library.journal.half_done()
            )
            if not here.isdisjoint({past.store, *(c.store for c in past.conflicts)})
        ]

    def begin(self, doing: Coroutine[Any, Any, None]) -> None:
        """Start an operation on the records that are marked or at the cursor now."""
        if not self._browser.dialogs.is_flowing:
            self.aim = self._browser.lists.aim_now()
        self._browser.dialogs.begin(doing)

    async def went_on(self, intent: "Intent") -> None:
        """Let a review go on after a change."""
        if self._browser.session.review:
            await self._browser.parts.review.changed_by(intent)


def _is_same(before: Record, now: Record | None) -> bool:
    """Whether the cursor is still on the same record, even if that has changed."""
    return now is not None and (now.ref == before.ref if before.ref else now == before)


def told_of(what: str, planned: Bulk, done: Sequence[Change | RecollectError]) -> str:
    """The message after a change: what was done, what was left out, how to undo."""
    if isinstance(done[-1], RecollectError):
        so_far = sum(one.count for one in planned.plans[: len(done) - 1])
        return f"{so_far} of {planned.count} done, then: {done[-1]} · u undo"
    left = f" · {len(planned.others)} left out" if planned.others else ""
    times = f" ({len(done)} times)" if len(done) > 1 else ""
    return f"{what}{left} · u undo{times}"


def _titles(targets: "Sequence[Target]", planned: Bulk) -> list[str]:
    """The titles of the changed records."""
    left = {one.ref for one, _ in planned.others}
    return [one.title for one in targets if one.ref not in left]
