"""Changes to what is marked or at the cursor: planned, shown where grave, done, undone.

What can be taken back is done at once and told; what cannot, or is much at once, is
shown first. Nobody is asked twice about one thing.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from store.edits.refusals import ReadOnlyError
from store.library import Library
from store.planning import Planned
from store.records.intents import Archive, Delete, Intent, Pin, Rename, Retag, Set
from store.records.reports import Change
from tui.browser.changing.fields import Field, check, fields_of, value_of
from tui.browser.changing.flows import Flowing
from tui.browser.changing.targets import Target, targets_of
from tui.browser.changing.telling import told
from tui.browser.changing.typed import retagging
from tui.browser.data.desk import Desk
from tui.browser.telling import Happening
from tui.commands.situation import Situation

_MANY = 10
"""So many records are changed only once the plan was seen."""


class Changing(Flowing):
    """Carries out what changes memories."""

    undoable, redoable = 0, 0
    """How many changes can be taken back, and made again."""

    def on_mount(self) -> None:
        """A desk for changes: neither list nor reader waits for them."""
        self.changes = Desk(self.library)

    @property
    def situation(self) -> Situation:
        """How things stand."""
        return replace(
            super().situation,
            possible=self.opened.possible if self.opened else {},
            undoable=self.undoable,
            redoable=self.redoable,
            is_mendable=bool(getattr(self.table.at_cursor, "fix", None)),
        )

    async def on_unmount(self) -> None:
        """Let go of it."""
        await self.changes.close()

    async def on_ready(self) -> None:
        """Know what can be taken back from earlier days."""
        self.run_worker(self.count_changes(), group="changes")

    @property
    def happening(self) -> Happening:
        """What goes on, and how much of it can be taken back."""
        return super().happening._replace(undoable=self.undoable)

    async def targets(self) -> Sequence[Target]:
        """What is marked, or what the cursor is on."""
        table, kind = self.table, self.kind
        return await self.ask(
            lambda library: targets_of(library, kind, table.marks, table.at_cursor)
        )

    async def change(
        self, intent: Intent, targets: Sequence[Target], *, shows: bool = False
    ) -> Change | None:
        """Plan a change, show it where that is wanted, and carry it out."""
        names = [target.ref for target in targets]
        planned = await self.planned(intent, names)
        if planned.is_idle:
            self.message = "Nothing would be other than it is."
            self.tell()
            return None
        is_asked = shows or planned.draft.is_grave or len(names) >= _MANY
        if is_asked and not await self.is_wanted(planned):
            return None
        done = await self.carry_out(planned)
        self.message = f"{told(intent, [one.title for one in targets])} · u undo"
        await self.changed()
        await self.went_on(intent)
        return done

    async def went_on(self, intent: Intent) -> None:
        """What else is to be done once something was changed."""

    async def planned(self, intent: Intent, names: Sequence[str]) -> Planned:
        """What a change would do."""
        return await self.changes.ask(lambda library: library.plan(intent, names))

    async def carry_out(self, planned: Planned) -> Change:
        """Do what was planned, where the user allows that anything is written."""
        self.refuse_where_read_only(planned)
        return await self.changes.ask(lambda library: library.change(planned))

    def refuse_where_read_only(self, planned: Planned) -> None:
        """Nothing is written into a store before the user has allowed it."""
        for store in planned.roots:
            if not self.kept.may_change(str(store)):
                raise ReadOnlyError("This store is read-only here; ! allows changes.")

    async def is_wanted(self, planned: Planned) -> bool:
        """Show a plan, and where wanted its difference; whether it shall be done."""
        question = self.popups.changing.plan_question(planned.plan, self.palette)
        answer = await self.asked(question)
        while answer == "diff":
            question = self.popups.changing.diff_question(planned.plan, self.palette)
            answer = await self.asked(question)
        return answer == "do"

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

    def action_pin(self) -> None:
        """Pin what is marked or here; take the pin away where all have it."""
        self.begin_flow(self._pin())

    async def _pin(self) -> None:
        targets = await self.targets()
        pins = not all(getattr(one.record, "pinned", False) for one in targets)
        await self.change(Pin(pins=pins), targets)

    def action_archive(self) -> None:
        """Put away what is marked or here; bring it back where all of it is away."""
        self.begin_flow(self._archive())

    async def _archive(self) -> None:
        targets = await self.targets()
        away = all(getattr(one.record, "archived", False) for one in targets)
        await self.change(Archive(archives=not away), targets)

    def action_delete(self) -> None:
        """Delete for good what is marked or here."""
        self.begin_flow(self._delete())

    async def _delete(self) -> None:
        targets = await self.targets()
        word = f"delete {len(targets)}"
        wanted = self.popups.changing.deletion([one.title for one in targets], word)
        if await self.asked(self.popups.Prompt(wanted, self.palette)):
            await self.change(Delete(), targets, shows=True)

    def action_tag(self) -> None:
        """Add tags to what is marked or here, or take some away."""
        self.begin_flow(self._tag())

    async def _tag(self) -> None:
        targets = await self.targets()
        known = await self.ask(lambda library: library.values(["memories"], "tags"))
        wanted = self.popups.changing.tagging(targets[0].record, known)
        typed = await self.asked(self.popups.Prompt(wanted, self.palette))
        if typed is not None:
            await self.change(retagging(typed), targets)

    def action_edit_fields(self) -> None:
        """Change one field of what is marked or here."""
        self.begin_flow(self._edit_fields())

    async def _edit_fields(self) -> None:
        targets = await self.targets()
        first = targets[0].ref
        full = await self.ask(lambda library: library.show(first))
        fields = fields_of(full)
        menu = self.popups.changing.fields_menu(fields)
        name = await self.asked(self.popups.Picker("edit", menu, self.palette))
        field = next((one for one in fields if one.name == name), None)
        if field is None:
            return
        wanted = self.popups.changing.field_prompt(field, partial(check, field))
        typed = await self.asked(self.popups.Prompt(wanted, self.palette))
        if typed is not None and typed != field.text:
            await self.change(_intent(field, typed), targets)


def _intent(field: Field, typed: str) -> Intent:
    """What it comes to that something was typed for a field."""
    if field.name == "title":
        return Rename(title=typed.strip())
    if field.name == "tags":
        return _retag(field, typed)
    return Set(name=field.name, value=value_of(field, typed))


def _retag(field: Field, typed: str) -> Retag:
    before, after = field.text.split(), typed.replace(",", " ").split()
    return Retag(
        add=tuple(tag for tag in after if tag not in before),
        remove=tuple(tag for tag in before if tag not in after),
    )
