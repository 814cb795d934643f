"""A record edited as text: in the editor, then shown, then saved; nothing is lost."""

import os

from textual.app import SuspendNotSupported

from store.edits.port import Form
from store.edits.refusals import ChangedOnDiskError
from store.errors import RecollectError
from store.planning import Planned
from store.records.intents import Rewrite
from tui.browser.changing.merged import difference_of, merged
from tui.browser.changing.relating import Relating
from tui.browser.changing.targets import Target
from tui.browser.changing.telling import short
from tui.cli.changing.editor import Editor, EditorError
from tui.manners.leaving import uninterrupted

_SHORT = 8
"""Characters of a ref that tell one file from another."""


class Editing(Relating):
    """Carries out what an editor is needed for."""

    def action_edit(self) -> None:
        """Edit the record at the cursor."""
        self.begin_flow(self._edit())

    async def _edit(self) -> None:
        target = (await self.targets())[0]
        form = await self.changes.ask(lambda library: library.form(target.ref))
        name = _name(target, form)
        draft = await self.changes.ask(lambda library: library.kept_draft(name))
        raw = form.raw if draft is None else draft
        while True:
            raw = await self._edited(form, raw, target)
            if raw == form.raw:
                self.message = "Nothing was changed."
                self.tell()
                return
            answer = await self._save(form, raw, target)
            if answer != "again":
                return

    async def _save(self, form: Form, raw: bytes, target: Target) -> str | None:
        """Show what changed, and save it where that is wanted; keep it in any case."""
        await self._keep(_name(target, form), raw)
        intent = Rewrite(was=form.raw, raw=raw)
        try:
            planned = await self.planned(intent, [target.ref])
            question = self.popups.changing.save_question(planned.plan, self.palette)
            answer = await self.asked(question)
            if answer == "do":
                await self._saved(planned, target, form)
        except ChangedOnDiskError as error:
            return await self._conflict(str(error), form, raw, target)
        except RecollectError as error:
            question = self.popups.changing.broken_question(str(error), self.palette)
            answer = await self.asked(question)
        if answer is None:
            self.message = "Not saved; e goes on with what you wrote."
            self.tell()
        return answer

    async def _saved(self, planned: Planned, target: Target, form: Form) -> None:
        await self.carry_out(planned)
        await self.changes.ask(lambda library: library.drop_draft(_name(target, form)))
        self.message = f"edited “{short(target.title)}” · u undo"
        await self.changed()

    async def _conflict(
        self, sentence: str, form: Form, raw: bytes, target: Target
    ) -> str | None:
        """Somebody wrote meanwhile: whose text shall stand?"""
        now = await self.changes.ask(lambda library: library.form(target.ref))
        mine, theirs = difference_of(form.raw, raw), difference_of(form.raw, now.raw)
        question = self.popups.changing.conflict_question(
            sentence, mine, theirs, self.palette
        )
        match await self.asked(question):
            case "mine":
                return await self._save(now, raw, target)
            case "theirs":
                await self.changes.ask(
                    lambda library: library.drop_draft(_name(target, form))
                )
                self.message = "Left as they wrote it."
            case "both":
                both = merged(form.raw, raw, now.raw)
                raw = await self._edited(now, both, target)
                return await self._save(now, raw, target)
            case _:
                self.message = "Not saved; e goes on with what you wrote."
        self.tell()
        return None

    async def _keep(self, name: str, raw: bytes) -> None:
        """What was written is there again at the next try, whatever comes."""
        await self.changes.ask(lambda library: library.keep_draft(name, raw))

    async def _edited(self, form: Form, raw: bytes, target: Target) -> bytes:
        """Hand the terminal over to the editor."""
        name = _name(target, form)
        try:
            with self.suspend(), uninterrupted(self):
                return Editor.of(os.environ).edit(raw, name)
        except EditorError as error:
            if error.made not in {None, form.raw}:
                await self._keep(name, error.made or b"")
            raise
        except SuspendNotSupported:
            return await self._written(raw, target)

    async def _written(self, raw: bytes, target: Target) -> bytes:
        """Edit it on the screen, where no editor can have the terminal."""
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            text = None
        if text is None or not self.popups.is_editable(text):
            raise EditorError("This cannot be edited on the screen byte for byte.")
        given = await self.asked(self.popups.Writing(target.title, text, self.palette))
        return raw if given is None else given.encode()


def _name(target: Target, form: Form) -> str:
    """What the edited file is called; a title would tell others more."""
    kind, _, name = target.ref.partition(":")
    return f"{kind}-{name[:_SHORT]}{form.suffix}"
