"""Changes to what is marked, or to what the cursor is on, each with a key."""

from functools import partial
from typing import TYPE_CHECKING

from tui.browser.changing.planning import Planning

if TYPE_CHECKING:
    from store.records.intents import Intent, Retag
    from tui.browser.changing.fields import Field


class Changing(Planning):
    """Carries out what changes memories."""

    def action_pin(self) -> None:
        """Pin what is marked or here; take the pin away where all have it."""
        self.begin_flow(self._pin())

    async def _pin(self) -> None:
        from store.records.intents import Pin

        targets = await self.targets()
        pins = not all(getattr(one.record, "pinned", False) for one in targets)
        await self.change(Pin(pins=pins), targets)

    def action_archive(self) -> None:
        """Put away what is marked or here; bring it back where all of it is away."""
        self.begin_flow(self._archive())

    async def _archive(self) -> None:
        from store.records.intents import Archive

        targets = await self.targets()
        away = all(getattr(one.record, "archived", False) for one in targets)
        await self.change(Archive(archives=not away), targets)

    def action_touch(self) -> None:
        """Count what is marked or here as recalled."""
        self.begin_flow(self._touch())

    async def _touch(self) -> None:
        from store.records.intents import Touch

        await self.change(Touch(), await self.targets())

    def action_delete(self) -> None:
        """Delete for good what is marked or here."""
        self.begin_flow(self._delete())

    async def _delete(self) -> None:
        from store.records.intents import Delete

        targets = await self.pointed_at()
        planned = await self.planned(Delete(), [one.ref for one in targets])
        self.refuse_where_read_only(planned.plans)
        question = self.popups.changing.deletion(
            planned.plan, f"delete {planned.count}", self.palette
        )
        if await self.asked(question) == "do":
            await self.change(Delete(), targets, is_agreed=True)

    def action_rename(self) -> None:
        """Call what is here otherwise."""
        self.begin_flow(self._rename())

    async def _rename(self) -> None:
        from store.records.intents import Rename

        target = (await self.targets())[0]
        wanted = self.popups.changing.titling(target.title)
        typed = await self.asked(self.popups.Prompt(wanted, self.palette))
        if typed is not None and typed.strip() != target.title:
            await self.change(Rename(title=typed.strip()), [target])

    def action_tag(self) -> None:
        """Add tags to what is marked or here, or take some away."""
        self.begin_flow(self._tag())

    async def _tag(self) -> None:
        from tui.browser.changing.typed import retagging

        targets = await self.targets()
        known = await self.ask(lambda library: library.values(["memories"], "tags"))
        wanted = self.popups.changing.tagging([one.record for one in targets], known)
        typed = await self.asked(self.popups.Prompt(wanted, self.palette))
        if typed is not None:
            await self.change(retagging(typed), targets)

    def action_edit_fields(self) -> None:
        """Change one field of what is marked or here."""
        self.begin_flow(self._edit_fields())

    async def _edit_fields(self) -> None:
        from tui.browser.changing.fields import check, fields_of

        targets = await self.pointed_at()
        first = targets[0].ref
        full, possible = await self.ask(
            lambda library: (library.show(first), library.possible(first))
        )
        is_called = len(targets) == 1 and not possible.get("rename")
        fields = fields_of(full, is_called=is_called)
        menu = self.popups.changing.fields_menu(fields)
        name = await self.asked(self.popups.Picker("edit", menu, self.palette))
        field = next((one for one in fields if one.name == name), None)
        if field is None:
            return
        wanted = self.popups.changing.field_prompt(field, partial(check, field))
        typed = await self.asked(self.popups.Prompt(wanted, self.palette))
        if typed is not None and (typed != field.text or len(targets) > 1):
            await self.change(_intent(field, typed), targets)


def _intent(field: "Field", typed: str) -> "Intent":
    """What it comes to that something was typed for a field."""
    from store.records.intents import Rename, Set
    from tui.browser.changing.fields import value_of

    if field.name == "title":
        return Rename(title=typed.strip())
    if field.name == "tags":
        return _retag(field, typed)
    return Set(name=field.name, value=value_of(field, typed))


def _retag(field: "Field", typed: str) -> "Retag":
    from store.records.intents import Retag

    before, after = field.text.split(), typed.replace(",", " ").split()
    return Retag(
        add=tuple(tag for tag in after if tag not in before),
        remove=tuple(tag for tag in before if tag not in after),
    )
