"""A change planned, confirmed, applied and reported."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from pathlib import PurePath
from typing import Any

from msgspec import field
from msgspec.structs import replace

from store.clean import clean
from store.edits.draft import FileStep
from store.edits.plan import Planned
from store.errors import ReadOnlyError, RecollectError
from store.library import Record
from store.records.intents import Intent, Move
from store.records.reports import Change
from tui.browser.bars import VIEWS
from tui.browser.dialogs import Dialogs
from tui.browser.display import Part
from tui.browser.lists import Lists
from tui.browser.reader import RecordReader
from tui.browser.session import NOT_ALLOWED, Journal, Session
from tui.browser.status import Status
from tui.browser.targets import Bulk, Target, bulk, edge_of, targets_of, told
from tui.browser.worker import Aim, GoneError

# Changes: planned, previewed if necessary, applied and reported.
#
# A change that can be undone is applied at once; one that cannot, or that is large, is
# previewed first. The user is never asked twice about the same change.

_MANY = 10
"""Number of records from which a change is previewed."""


class Plans(Part):
    """Plans and applies changes."""

    session: Session
    status: Status
    lists: Lists
    reader: RecordReader
    journal: Journal
    dialogs: Dialogs
    look_again: Callable[[], Awaitable[None]]
    """Updates the list after a change."""
    reviewed: Callable[[Intent], Awaitable[None]]
    """Lets a review go on after a change."""
    allow_changes: Callable[[], Awaitable[None]]
    """Allows edits in the open stores."""
    aim: Aim = field(default_factory=lambda: Aim(kind=VIEWS[0].kind))
    """The records that the operation applies to."""
    notes: tuple[str, ...] = ()
    """Notes of changes that are not shown yet."""

    async def recall(self, key: str) -> None:
        """Count earlier changes, and mention unsaved texts and the key for them."""
        await self.journal.count()
        if drafts := self.journal.drafts_here:
            texts = "draft" if drafts == 1 else "drafts"
            told = f" · {key} continue" if key else ""
            self.status.message = f"{drafts} unsaved {texts}{told}"
        self.status.tell()

    async def knows_record(self, why_not: Callable[[], str | None]) -> bool:
        """Load what is possible with the record at the cursor; False if it is gone.

        `why_not` is a command's guard: its reason may be out of date.
        """
        before = self.lists.here
        await self.know_record()
        await self._ask_again(why_not)
        return before is None or _is_same(before, self.lists.here)

    async def know_record(self) -> None:
        """Open the record at the cursor if the cursor has not rested long enough.

        A list that arrives meanwhile opens it again, which is waited for as well.
        """
        record, reader = self.lists.here, self.reader
        opened = reader.opened
        if record is None or (opened and _is_same(opened.record, record)):
            return
        reader.open()
        opening = None
        while reader.task is not None and opening is not reader.task:
            opening = reader.task
            await asyncio.wait([opening])

    async def _ask_again(self, why_not: Callable[[], str | None]) -> None:
        """Check again whether a command is possible, as that may have changed."""
        opened = self.reader.opened
        if opened and opened.record.ref and why_not() in opened.possible.values():
            name = opened.record.ref
            possible = await self.session.ask_changes(
                lambda library: library.plans.possible(name)
            )
            self.reader.opened = replace(opened, possible=possible)

    async def targets(self) -> Sequence[Target]:
        """The records that were marked or at the cursor when the flow started."""
        return await self.session.ask(partial(targets_of, aim=self.aim))

    async def pointed_at(self) -> Sequence[Target]:
        """The edge at the cursor if the links are focused, else the targets.

        Raises GoneError if it was removed.
        """
        ref = self.aim.edge
        if not ref:
            return await self.targets()
        edge = await self.session.ask(lambda library: edge_of(library, ref))
        if edge is None:
            raise GoneError(1)
        return [edge]

    async def change(
        self,
        intent: Intent,
        targets: Sequence[Target],
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
            self.status.say("Nothing to change.")
            return ()
        self.refuse_where_read_only(planned.plans)
        is_much = len(names) >= _MANY or bool(planned.others)
        is_asked = shows or planned.is_grave or is_much or bool(planned.unlisted)
        if is_asked and not is_agreed and not await self.is_wanted(planned):
            return ()
        done = await self.carry_out_all(planned.plans)
        titles = _titles(targets, planned)
        names = self.session.names
        to = names.get(intent.to, "") if isinstance(intent, Move) else ""
        where = f" to {clean(to)}" if to else _moved(planned.plans)
        what = f"{told(intent, titles)}{where}"
        self.status.message = told_of(what, planned, done)
        await self.changed()
        if len(done) == len(planned.plans):
            await self.reviewed(intent)
        return [one for one in done if isinstance(one, Change)]

    async def planned(self, intent: Intent, names: Sequence[str]) -> Bulk:
        """The plan of a change, and how many of its records the list does not show."""
        doing = partial(bulk, intent=intent, names=names)
        planned = await self.session.ask_changes(doing)
        return replace(planned, unlisted=self.aim.unlisted)

    async def carry_out_all(
        self, plans: Sequence[Planned]
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

    async def carry_out(self, planned: Planned) -> Change:
        """Apply a change if the user allows writing."""
        self.refuse_where_read_only([planned])
        change = await self.session.ask_changes(
            lambda library: library.changes.apply(planned)
        )
        self.notes += change.notes
        return change

    def refuse_where_read_only(self, plans: Sequence[Planned]) -> None:
        """Raise ReadOnlyError if a store is read-only."""
        if why_not := self.why_read_only(plans):
            raise ReadOnlyError(why_not)

    def why_read_only(self, plans: Sequence[Planned]) -> str:
        """Why one of the stores that plans change is read-only; empty if none is."""
        stores = (str(root) for one in plans for root in one.roots)
        reasons = (self.session.read_only(store) for store in stores)
        return next((reason for reason in reasons if reason), "")

    async def is_wanted(self, planned: Bulk) -> bool:
        """Show a plan, and its diff if requested; returns whether to apply it.

        While its stores are read-only it can't be applied, only be read.
        """
        dialogs, palette = self.dialogs, self.dialogs.palette
        questions, is_diff = dialogs.questions, False
        while True:
            why_not = self.why_read_only(planned.plans)
            notes = [why_not, *planned.notes] if why_not else planned.notes
            plan = replace(planned, notes=notes).plan(self.session.names)
            allow = questions.ALLOW if why_not == NOT_ALLOWED else ()
            ask = questions.diff_question if is_diff else questions.plan_question
            answer = await dialogs.asked(
                ask(plan, palette, allow if why_not else questions.DO)
            )
            if answer == "allow":
                await self.allow_changes()
            elif answer == "diff" or (is_diff and not answer):
                is_diff = not is_diff
            else:
                return answer == "do"

    async def put_in_place(self, planned: Planned, told: str, idle: str) -> None:
        """Preview a change and apply it if the user agrees.

        `told` is the message afterwards, `idle` the message if there is nothing to
        change.
        """
        if planned.is_idle:
            self.status.say(idle)
            return
        self.refuse_where_read_only([planned])
        if await self.is_wanted(Bulk([planned])):
            await self.carry_out(planned)
            self.status.message = f"{told} · u undo"
            await self.changed()

    async def changed(self) -> None:
        """Update the screen after a change and clear the marks."""
        notes = dict.fromkeys(self.notes)
        self.status.message = " · ".join([*notes, self.status.message])
        self.notes = ()
        self.lists.table.marks.replace(())
        await self.look_again()
        self.reader.open()
        await self.journal.count()
        self.status.tell()

    def begin(self, doing: Coroutine[Any, Any, None]) -> None:
        """Start an operation on the records that are marked or at the cursor now."""
        if not self.dialogs.is_flowing:
            self.aim = self.lists.aim_now()
        self.dialogs.begin(doing)


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


def _moved(plans: Sequence[Planned]) -> str:
    """The folder of its store that a change moves files to, if there is one."""
    steps = [
        step
        for one in plans
        for step in one.draft.steps
        if isinstance(step, FileStep) and step.root is None
    ]
    gone = {PurePath(one.path).name for one in steps if one.after is None}
    new = (PurePath(one.path) for one in steps if one.before is None)
    folders = {str(path.parent) for path in new if path.name in gone}
    return f", moved to {clean(folders.pop())}/" if len(folders) == 1 else ""


def _titles(targets: Sequence[Target], planned: Bulk) -> list[str]:
    left = {one.ref for one, _ in planned.others}
    return [one.title for one in targets if one.ref not in left]
