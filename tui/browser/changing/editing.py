"""A record edited as text: in the editor, then shown, then saved; nothing is lost."""

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace
from textual.app import SuspendNotSupported

from store.errors import RecollectError
from tui.browser.changing.adding import Adding

if TYPE_CHECKING:
    from store.edits.port import Form
    from tui.browser.changing.bulk import Bulk
    from tui.browser.changing.targets import Target

_SHORT = 8
"""Characters of a ref that tell one file from another."""

_KEPT = "Not saved; e goes on with what you wrote."


class Text(Struct, frozen=True):
    """A record that is being edited, and how far one is with it."""

    target: "Target"
    form: "Form"
    """What an editor is given of it."""
    raw: bytes
    """What was made of that."""
    draft: str = ""
    """What it is kept under, where that is not its name: there may be several."""

    @property
    def name(self) -> str:
        """What the edited file is called; a title would tell others more."""
        kind, _, name = self.target.ref.partition(":")
        return f"{kind}-{name[:_SHORT]}{self.form.suffix}"

    @property
    def kept_as(self) -> str:
        """What it is kept under until it is saved."""
        return self.draft or self.name

    @property
    def is_same(self) -> bool:
        """Whether nothing was made of it."""
        return self.raw == self.form.raw


def ref_of(name: str) -> str:
    """The beginning of the ref of the record that such a file is a text of."""
    kind, _, rest = name.partition("-")
    return f"{kind}:{rest.partition('.')[0]}"


class Editing(Adding):
    """Carries out what an editor is needed for."""

    def action_edit(self) -> None:
        """Edit the record at the cursor."""
        self.begin_flow(self._edit())

    async def _edit(self) -> None:
        await self.edit_text((await self.pointed_at())[0])

    async def edit_text(self, target: "Target", draft: str = "") -> None:
        """Edit a record, from where one left off with it, or from one of its drafts."""
        try:
            await self._edit_on(target, draft)
        finally:
            await self.count_changes()

    async def _edit_on(self, target: "Target", draft: str) -> None:
        form = await self._form(target)
        text = await self._take_up(Text(target, form, form.raw), draft)
        while text is not None:
            text = await self._edited(text)
            if text.is_same:
                await self._drop(text)
                self.message = "Nothing was changed."
                self.tell()
                return
            text = await self._save(text)

    async def _form(self, target: "Target") -> "Form":
        return await self.changes.ask(lambda library: library.form(target.ref))

    async def _take_up(self, text: Text, draft: str) -> Text | None:
        """The text to begin with: what was written once and not saved, if one wants.

        The newest of several, where none is named.
        """
        from tui.browser.changing.merged import merged, parts

        found = await self.changes.ask(lambda library: library.unsaved())
        own = (one for one in found if one.is_of(text.name))
        kept = next((one for one in own if draft in {"", one.name}), None)
        if kept is None:
            return text
        text = replace(text, draft=kept.name)
        if kept.raw == text.raw:
            return text
        was = text.raw if kept.was is None else kept.was
        raw = kept.raw if was == text.raw else merged(was, kept.raw, text.raw)
        question = self.popups.changing.draft_question(
            list(parts(was, kept.raw, text.raw)), kept.time, self.palette
        )
        match await self.asked(question):
            case "do":
                return replace(text, raw=raw)
            case "drop":
                await self._drop(text)
                return text
            case _:
                self.message = _KEPT
                self.tell()
                return None

    async def _save(self, text: Text) -> Text | None:
        """Show what changed, and save it where that is wanted; keep it in any case.

        Answers the text that is edited on, or none.
        """
        from store.edits.refusals import ChangedOnDiskError
        from store.records.intents import Rewrite

        await self._keep(text)
        try:
            planned = await self.planned(
                Rewrite(was=text.form.raw, raw=text.raw), [text.target.ref]
            )
            question = self.popups.changing.save_question(planned.plan, self.palette)
            answer = await self.asked(question)
            if answer == "do":
                await self._saved(planned, text)
            elif answer == "revert":
                return await self._reverted(text)
        except ChangedOnDiskError:
            return await self._conflict(text)
        except RecollectError as error:
            question = self.popups.changing.broken_question(str(error), self.palette)
            answer = await self.asked(question)
        if answer is None:
            self.message = _KEPT
            self.tell()
        return text if answer == "again" else None

    async def _saved(self, planned: "Bulk", text: Text) -> None:
        from store.records.intents import Rewrite
        from tui.browser.changing.telling import short

        await self.carry_out_all(planned.plans)
        await self._drop(text)
        self.message = f"edited “{short(text.target.title)}” · u undo"
        await self.changed()
        await self.went_on(Rewrite(was=text.form.raw, raw=text.raw))

    async def _reverted(self, text: Text) -> Text | None:
        """Take one place of what was changed back, and ask again."""
        from tui.browser.changing.hunks import hunks, without

        found = hunks(text.form.raw, text.raw)
        menu = self.popups.changing.hunks_menu(found)
        picker = self.popups.Picker("leave as it was", menu, self.palette)
        chosen = await self.asked(picker)
        if chosen is not None:
            text = replace(text, raw=without(text.form.raw, text.raw, chosen))
        if text.is_same:
            await self._drop(text)
            self.message = "All of it is as it was."
            self.tell()
            return None
        return await self._save(text)

    async def _conflict(self, text: Text) -> Text | None:
        """Somebody wrote meanwhile: whose text shall stand?"""
        from tui.browser.changing.merged import merged, parts

        now = await self._form(text.target)
        question = self.popups.changing.conflict_question(
            text.target.title,
            list(parts(text.form.raw, text.raw, now.raw)),
            self.palette,
        )
        match await self.asked(question):
            case "mine":
                return await self._save(replace(text, form=now))
            case "theirs":
                await self._drop(text)
                self.message = "Left as they wrote it."
            case "both":
                both = merged(text.form.raw, text.raw, now.raw)
                text = await self._edited(replace(text, form=now, raw=both))
                return await self._save(text)
            case _:
                self.message = _KEPT
        self.tell()
        return None

    async def _keep(self, text: Text) -> None:
        """What was written is there again at the next try, whatever comes."""
        await self.changes.ask(
            lambda library: library.keep_draft(text.kept_as, text.raw, text.form.raw)
        )

    async def _drop(self, text: Text) -> None:
        """What was written is saved, or not wanted."""
        await self.changes.ask(lambda library: library.drop_draft(text.kept_as))

    async def _edited(self, text: Text) -> Text:
        """Hand the terminal over to the editor; what it saves is kept meanwhile."""
        from store.edits.refusals import NotWrittenError
        from tui.manners.editor import Editor, EditorError
        from tui.manners.leaving import handed_over

        def keep(raw: bytes) -> None:
            with suppress(NotWrittenError):
                self.library.keep_draft(text.kept_as, raw, text.form.raw)

        try:
            with handed_over(self):
                raw = Editor.of(os.environ).edit(text.raw, text.name, keep)
        except EditorError as error:
            if error.made not in {None, text.form.raw}:
                await self._keep(replace(text, raw=error.made or b""))
            raise
        except SuspendNotSupported:
            raw = await self._written(text)
        return replace(text, raw=raw)

    async def _written(self, text: Text) -> bytes:
        """Edit it on the screen, where no editor can have the terminal."""
        from store.edits.refusals import NotWrittenError
        from tui.manners.editor import EditorError

        try:
            shown = text.raw.decode()
        except UnicodeDecodeError:
            shown = None
        if shown is None or not self.popups.is_editable(shown):
            raise EditorError("This cannot be edited on the screen byte for byte.")

        def keep(written: str) -> None:
            with suppress(NotWrittenError):
                raw = written.encode()
                self.library.keep_draft(text.kept_as, raw, text.form.raw)

        writing = self.popups.Writing(text.target.title, shown, self.palette, keep)
        given = await self.asked(writing)
        return text.raw if given is None else given.encode()
