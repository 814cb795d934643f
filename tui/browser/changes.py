"""Pin, archive, delete, rename, tag, edit fields, set the status."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from store.errors import NotPossibleError
from store.kinds.conversations import STATUSES, Conversation
from store.library import Library
from store.records.intents import (
    Archive,
    Delete,
    Pin,
    Rename,
    Retag,
    Set,
    Touch,
    Transit,
)
from tui.browser.dialogs import Dialogs
from tui.browser.display import Part
from tui.browser.plans import Plans
from tui.browser.popups import changes as questions
from tui.browser.session import Session
from tui.browser.targets import bulk, check, fields_of, retagging, value_of
from tui.browser.vault import Vault

if TYPE_CHECKING:
    from store.records.intents import Intent
    from tui.browser.targets import Field


# Changes to the marked records or the one at the cursor.


class Changes(Part):
    """Changes to the marked records or the one at the cursor."""

    session: Session
    dialogs: Dialogs
    plans: Plans
    vault: Vault

    async def pin(self) -> None:
        """Pin the records, or unpin them if all are pinned; save conversations."""
        targets = await self.plans.targets()
        if all(isinstance(one.record, Conversation) for one in targets):
            await self.vault.toggle(targets)
            return
        pins = not all(getattr(one.record, "pinned", False) for one in targets)
        await self.plans.change(Pin(pins=pins), targets)

    async def archive(self) -> None:
        """Archive the records; unarchive them if all are archived."""
        targets = await self.plans.targets()
        away = all(getattr(one.record, "archived", False) for one in targets)
        await self.plans.change(Archive(archives=not away), targets)

    async def touch(self) -> None:
        """Mark the records as recalled."""
        await self.plans.change(Touch(), await self.plans.targets())

    async def delete(self) -> None:
        """Delete the records for good."""
        targets = await self.plans.pointed_at()
        refs = [one.ref for one in targets]
        planned = self.plans.announcing(await self.plans.planned(Delete(), refs))
        self.plans.refuse_where_read_only(planned.plans)
        question = questions.deletion(
            planned.plan(self.session.names), planned.count, self.dialogs.palette
        )
        if await self.dialogs.asked(question) == "do":
            await self.plans.change(Delete(), targets, is_agreed=True)

    async def rename(self) -> None:
        """Rename the record."""
        target = (await self.plans.targets())[0]
        wanted = questions.titling(target.title)

        async def rename(typed: str) -> None:
            if typed.strip() != target.title:
                await self.plans.change(Rename(title=typed.strip()), [target])

        await self.dialogs.act_on(wanted, rename)

    async def tag(self) -> None:
        """Add tags to the records, or remove some."""
        targets = await self.plans.targets()
        known = await self.session.ask(
            lambda library: library.search.values(["memories"], "tags")
        )
        wanted = questions.tagging([one.record for one in targets], known)

        async def retag(typed: str) -> None:
            await self.plans.change(retagging(typed), targets)

        await self.dialogs.act_on(wanted, retag)

    async def edit_fields(self) -> None:
        """Change one field of the records."""
        targets = await self.plans.pointed_at()
        first = targets[0].ref
        full, possible = await self.session.ask(
            lambda library: (library.records.show(first), library.plans.possible(first))
        )
        is_called = len(targets) == 1 and not possible.get("rename")
        fields = fields_of(full, is_called=is_called)
        menu = questions.fields_menu(fields)
        name = await self.dialogs.pick("edit", menu)
        field = next((one for one in fields if one.name == name), None)
        if field is None:
            return
        wanted = questions.field_prompt(field, partial(check, field))

        async def change(typed: str) -> None:
            if typed != field.text or len(targets) > 1:
                await self.plans.change(_intent(field, typed), targets)

        await self.dialogs.act_on(wanted, change)

    async def transit(self) -> None:
        """Choose a new status for the records."""
        targets = await self.plans.targets()
        names = [one.ref for one in targets]
        turns = await self.session.ask_changes(lambda library: _turns(library, names))
        menu = questions.turns_menu(turns)
        status = await self.dialogs.pick("set status", menu)
        if status is not None:
            await self.plans.change(Transit(status=status), targets)


def _intent(field: "Field", typed: str) -> "Intent":
    """The change that sets a field to the typed value."""
    if field.name == "title":
        return Rename(title=typed.strip())
    if field.name == "tags":
        return _retag(field, typed)
    return Set(name=field.name, value=value_of(field, typed))


def _retag(field: "Field", typed: str) -> Retag:
    before, after = field.text.split(), typed.replace(",", " ").split()
    return Retag(
        add=tuple(tag for tag in after if tag not in before),
        remove=tuple(tag for tag in before if tag not in after),
    )


# Status changes of conversations, as their own program makes them.

Turn = tuple[str, Sequence[str]]
"""A possible status, and the warnings about side effects."""


def _turns(library: Library, names: Sequence[str]) -> list[Turn]:
    """The statuses possible for all records; raises NotPossibleError if none is."""
    found: list[Turn] = []
    reasons: list[NotPossibleError] = []
    for status in STATUSES:
        try:
            planned = bulk(library, Transit(status=status), names)
        except NotPossibleError as error:
            reasons.append(error)
        else:
            found.append((status, planned.plan({}).warnings))
    if not found:
        raise reasons[0]
    return found
