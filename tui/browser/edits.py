"""Create and edit texts; backups and drafts."""

import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from textual.app import SuspendNotSupported

from store.derive.texts import merged, merged_cleanly
from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import Form
from store.errors import (
    AmbiguousError,
    NothingFoundError,
    NotPossibleError,
    NotWrittenError,
    RecollectError,
)
from store.findings import Json
from store.kinds.pages import Document
from store.library import Library, Record
from store.records.intents import Append, Create, Intent, Return, Rewrite
from store.search.tree import Named
from tui.browser.dialogs import Dialogs
from tui.browser.display import Part
from tui.browser.lists import Lists
from tui.browser.plans import Plans
from tui.browser.popups import changes as questions
from tui.browser.popups.palette import stores_menu
from tui.browser.popups.question import Writing, is_editable
from tui.browser.session import Journal, Session
from tui.browser.status import Status
from tui.browser.targets import (
    SECONDS,
    Bulk,
    Target,
    bulk,
    hunks,
    parts,
    seconds,
    short,
    without,
)
from tui.output.reports import title
from tui.terminal.programs import Editor, EditorError

# Creating memories, and appending entries to logs.

_CLAIMS = "kind:claim"
"""The term in a query that shows claims."""


def _named(name: str, typed: str) -> dict[str, Json]:
    """A typed text as the value of a field; nothing if it is empty."""
    text = typed.strip()
    if not text:
        return {}
    return {name: seconds(text) if name == SECONDS else text}


# Editing: a record is edited as text, previewed and saved; drafts keep every version.

_SHORT = 8
"""Characters of a ref used in the name of a file."""

_KEPT = "Not saved. Your text is saved as a draft; press e to continue."
_THEIRS = "Kept theirs. Your text is saved as a draft; press e to continue."
_UNCHANGED = "No changes."
_BOTH = "Another program changed this too. The text has both changes."


class Text(Struct, frozen=True):
    """A record being edited."""

    target: Target
    form: Form
    """The text given to the editor."""
    raw: bytes
    """The edited text."""
    draft: str = ""
    """The name of its draft if it differs from `name`; a record may have several."""

    @property
    def name(self) -> str:
        """The name of the edited file; a title would reveal more to others."""
        kind, _, name = self.target.ref.partition(":")
        return f"{kind}-{name[:_SHORT]}{self.form.suffix}"

    @property
    def kept_as(self) -> str:
        """The name of its draft."""
        return self.draft or self.name

    @property
    def of(self) -> dict[str, str | None]:
        """The title and the store of the record, saved with its draft."""
        return {"title": self.target.title, "store": self.target.store or None}

    @property
    def is_same(self) -> bool:
        """Whether the text is unchanged."""
        return self.raw == self.form.raw


def ref_of(name: str) -> str:
    """The start of the record's ref, from the name of its file."""
    kind, _, rest = name.partition("-")
    return f"{kind}:{rest.partition('.')[0]}"


class Edits(Part):
    """New records, editing as text, backups and drafts."""

    session: Session
    status: Status
    lists: Lists
    dialogs: Dialogs
    plans: Plans
    journal: Journal

    async def new(self) -> None:
        """Create a memory, or append an entry if the view shows a log."""
        match self.lists.kind:
            case "episodes":
                await self.append("episode")
            case "measures":
                is_claim = _CLAIMS in self.lists.text
                await self.append("claim" if is_claim else "task")
            case _:
                await self._new_memory()

    async def _new_memory(self) -> None:
        store = await self._place(lambda library: library.plans.able("new"))
        if not store:
            return
        here = Named("store", (store,))
        facets = await self.session.ask(
            lambda library: library.search.facets("memories", here, ["type"])
        )
        kind = await self.dialogs.typed(questions.typing(facets.get("type", ())))
        if kind is None:
            return
        fields = {"type": kind.strip()} if kind.strip() else {}

        async def create(title: str) -> None:
            ref = await self._make(Create(title=title.strip(), fields=fields), store)
            self.status.message = f"created “{short(title)}” · e edit · u undo"
            if ref:
                await self.lists.go("memories", ref, "")
            self.status.tell()

        await self.dialogs.act_on(questions.titling("new memory"), create)

    async def append(self, kind: str) -> None:
        """Append an entry to a log: an episode, a task or a claim."""
        store = await self._place(lambda library: library.plans.appending(kind))
        if not store:
            return
        fields: dict[str, Json] = {}
        *asked, last = questions.entry_prompts(kind)
        for name, wanted in asked:
            typed = await self.dialogs.typed(wanted)
            if typed is None:
                return
            fields |= _named(name, typed)

        async def add(typed: str) -> None:
            entry = fields | _named(last[0], typed)
            await self._make(Append(kind=kind, fields=entry), store)
            self.status.say("added · u undo")

        await self.dialogs.act_on(last[1], add)

    async def _place(self, able_in: Callable[[Library], list[Path]]) -> str | None:
        """The store to add to: the only one that can, or one that the user chooses."""
        able = await self.session.ask_changes(able_in)
        stores = await self.session.ask(lambda library: list(library.lists.stores()))
        shown = [
            one
            for one in stores
            if Path(one.path) in able
            and (not self.session.stores or one.path in self.session.stores)
        ]
        if len(shown) == 1:
            return shown[0].path
        if not shown:
            self.status.say("None of these stores supports that.")
            return None
        menu = stores_menu(shown, ())[1:]
        return await self.dialogs.pick("choose a store", menu)

    async def _make(self, intent: Intent, store: str) -> str | None:
        """Create the record; returns its ref."""
        planned = await self.session.ask_changes(
            lambda library: library.plans.plan(intent, store=Path(store))
        )
        done = await self.plans.carry_out(planned)
        await self.plans.changed()
        return next(iter(done.refs), None)

    async def edit(self) -> None:
        """Edit the record at the cursor."""
        await self.edit_text((await self.plans.pointed_at())[0])

    async def edit_text(self, target: Target, draft: str = "") -> None:
        """Edit a record, starting from its newest draft or the given one."""
        try:
            await self._edit_on(target, draft)
        finally:
            await self.journal.count()

    async def _edit_on(self, target: Target, draft: str) -> None:
        form = await self._form(target)
        text = await self._take_up(Text(target, form, form.raw), draft)
        while text is not None:
            edited = await self._edited(text)
            if edited is None:
                self.status.say(_KEPT if await self._is_kept(text) else _UNCHANGED)
                return
            if edited.is_same:
                await self._drop(edited)
                self.status.say(_UNCHANGED)
                return
            text = await self._save(edited)

    async def _form(self, target: Target) -> Form:
        return await self.session.ask_changes(
            lambda library: library.plans.form(target.ref)
        )

    async def _take_up(self, text: Text, draft: str) -> Text | None:
        """The text to start with: the draft if the user wants it, else the record.

        Uses the newest draft if none is named.
        """
        found = await self.session.ask_changes(lambda library: library.journal.drafts())
        own = (one for one in found if one.is_of(text.name))
        kept = next((one for one in own if draft in {"", one.name}), None)
        if kept is None:
            return text
        text = replace(text, draft=kept.name)
        if kept.raw == text.raw:
            return text
        was = text.raw if kept.was is None else kept.was
        raw = kept.raw if was == text.raw else merged(was, kept.raw, text.raw)
        question = questions.draft_question(
            list(parts(was, kept.raw, text.raw)), kept.time, self.dialogs.palette
        )
        match await self.dialogs.asked(question):
            case "do":
                return replace(text, raw=raw)
            case "drop":
                await self._drop(text)
                return text
            case _:
                self.status.say(_KEPT)
                return None

    async def _is_kept(self, text: Text) -> bool:
        kept = await self.session.ask_changes(lambda library: library.journal.drafts())
        return any(one.name == text.kept_as for one in kept)

    async def _save(self, text: Text, note: str = "") -> Text | None:
        """Preview the changes and save them if the user agrees; always keep a draft.

        Returns the text to edit again, or None. `note` is shown above the changes.
        """
        await self._keep(text)
        try:
            intent, names = Rewrite(was=text.form.raw, raw=text.raw), [text.target.ref]
            planned = await self.session.ask_changes(
                lambda library: bulk(library, intent, names)
            )
            question = questions.save_question(
                planned.plan(self.session.names),
                text.form.raw,
                text.raw,
                note,
                self.dialogs.palette,
            )
            answer = await self.dialogs.asked(question)
            if answer in {"do", "mine"}:
                await self._saved(planned, text)
            elif answer == "revert":
                return await self._reverted(text)
        except ChangedOnDiskError:
            return await self._conflict(text)
        except RecollectError as error:
            question = questions.broken_question(str(error), self.dialogs.palette)
            answer = await self.dialogs.asked(question)
        if answer is None:
            self.status.say(_KEPT)
        return text if answer == "again" else None

    async def _saved(self, planned: Bulk, text: Text) -> None:
        await self.plans.carry_out_all(planned.plans)
        await self._drop(text)
        self.status.message = f"edited “{short(text.target.title)}” · u undo"
        await self.plans.changed()
        await self.plans.reviewed(Rewrite(was=text.form.raw, raw=text.raw))

    async def _reverted(self, text: Text) -> Text | None:
        """Revert one hunk and ask again."""
        found = hunks(text.form.raw, text.raw)
        menu = questions.hunks_menu(found)
        chosen = await self.dialogs.pick("revert a part", menu)
        if chosen is not None:
            text = replace(text, raw=without(text.form.raw, text.raw, chosen))
        if text.is_same:
            await self._drop(text)
            self.status.say("Everything reverted. Nothing to save.")
            return None
        return await self._save(text)

    async def _conflict(self, text: Text) -> Text | None:
        """Merge with what another program wrote, or ask the user if both conflict."""
        now = await self._form(text.target)
        both = merged_cleanly(text.form.raw, text.raw, now.raw)
        if both is not None:
            return await self._save(replace(text, form=now, raw=both), _BOTH)
        question = questions.conflict_question(
            text.target.title,
            list(parts(text.form.raw, text.raw, now.raw)),
            self.dialogs.palette,
        )
        match await self.dialogs.asked(question):
            case "mine":
                return await self._save(replace(text, form=now))
            case "both":
                both = merged(text.form.raw, text.raw, now.raw)
                edited = await self._edited(replace(text, form=now, raw=both))
                if edited is not None:
                    return await self._save(edited)
                self.status.say(_KEPT)
            case answer:
                self.status.say(_THEIRS if answer == "theirs" else _KEPT)
        return None

    async def _keep(self, text: Text) -> None:
        """Save a draft, so that nothing is lost whatever happens."""
        await self.session.ask_changes(
            lambda library: library.journal.keep_draft(
                text.kept_as, text.raw, text.form.raw, **text.of
            )
        )

    async def _drop(self, text: Text) -> None:
        """Delete the draft of a text that is saved or discarded."""
        await self.session.ask_changes(
            lambda library: library.journal.drop_draft(text.kept_as)
        )

    async def _edited(self, text: Text) -> Text | None:
        """Run the editor in the terminal; what it saves meanwhile becomes a draft.

        None if the text was edited on the screen and the user cancelled.
        """

        def keep(raw: bytes) -> None:
            with suppress(NotWrittenError):
                self.session.library.journal.keep_draft(
                    text.kept_as, raw, text.form.raw, **text.of
                )

        try:
            with self.dialogs.display.handed_over():
                raw = Editor.of(os.environ).edit(text.raw, text.name, keep)
        except EditorError as error:
            if error.made not in {None, text.form.raw}:
                await self._keep(replace(text, raw=error.made or b""))
            raise
        except SuspendNotSupported:
            raw = await self._written(text, keep)
        return None if raw is None else replace(text, raw=raw)

    async def _written(self, text: Text, keep: Callable[[bytes], None]) -> bytes | None:
        """Edit the text on the screen, because no editor can use the terminal."""
        try:
            shown = text.raw.decode()
        except UnicodeDecodeError:
            shown = None
        if shown is None or not is_editable(shown):
            raise EditorError(
                "This text can't be edited here without changing its bytes. Set EDITOR."
            )

        def keep_text(written: str) -> None:
            keep(written.encode())

        writing = Writing(text.target.title, shown, self.dialogs.palette, keep_text)
        given = await self.dialogs.asked(writing)
        return None if given is None else given.encode()

    async def backups(self) -> None:
        """Choose a backup and preview restoring it."""
        target = (await self.plans.targets())[0]
        if _is_backup(target.record):
            await self._return(target)
            return
        found = await self.session.ask_changes(
            lambda library: library.history.backups(target.ref)
        )
        if not found:
            self.status.say("No backups of this memory yet.")
            return
        menu = questions.backups_menu(found)
        chosen = await self.dialogs.pick("restore a backup", menu)
        if chosen is None:
            return
        planned = await self.session.ask_changes(
            lambda library: library.history.plan_return(target.ref, chosen)
        )
        await self.plans.put_in_place(planned, "restored the backup", _SAID)

    async def _return(self, target: Target) -> None:
        """Restore a backup that the store itself made."""
        planned = await self.session.ask_changes(
            lambda library: library.plans.plan(Return(), [target.ref])
        )
        await self.plans.put_in_place(planned, f"restored {target.title}", _SAID)

    async def drafts(self) -> None:
        """Choose a draft and continue editing it."""
        kept = await self.session.ask_changes(lambda library: library.journal.drafts())
        found = await self.session.ask(
            partial(_drafted, names=[one.name for one in kept])
        )
        titles = {name: target.title for name, target in found.items()}
        menu = questions.drafts_menu(kept, titles, self.session.stores_on_screen)
        chosen = await self.dialogs.pick("unsaved drafts", menu)
        target = found.get(chosen or "")
        if target is not None and chosen is not None:
            await self.edit_text(target, chosen)


# Backups and drafts.

_SAID = "Already identical to that backup."


def _is_backup(record: Record) -> bool:
    return isinstance(record, Document) and record.category == "backup"


def _drafted(library: Library, names: list[str]) -> dict[str, Target]:
    """The records of drafts, if they still exist."""
    found: dict[str, Target] = {}
    for name in names:
        with suppress(AmbiguousError, NothingFoundError, NotPossibleError):
            (record,) = library.plans.changeable([ref_of(name)])
            if record.ref:
                told = title(record) or record.ref
                found[name] = Target(record.ref, told, record.store, record)
    return found
