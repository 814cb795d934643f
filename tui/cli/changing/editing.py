"""A record that is being edited: until it is saved or given up, nothing is lost."""

import argparse
from dataclasses import dataclass

from store.edits.port import Changeable, Form
from store.edits.refusals import NotPossibleError
from store.errors import RecollectError
from store.library import Library
from store.records.intents import Rewrite
from tui.cli.changing.carrying import agree, do, leave, show
from tui.cli.changing.consent import answered, can_be_asked, needs_consent
from tui.cli.changing.editor import Editor, EditorError
from tui.cli.changing.given import given
from tui.cli.session import Session
from tui.cli.terminal import complain, is_for_a_person
from tui.faces.plan import write_plans

_SHORT = 8
"""Characters of a ref that tell one file from another; a title would tell more."""

_NO = frozenset({"n", "no"})


@dataclass(frozen=True, slots=True)
class Editing:
    """A record, and the text of it that an editor was given."""

    library: Library
    session: Session
    arguments: argparse.Namespace
    record: Changeable
    form: Form

    def run(self) -> None:
        """Have it edited, again where it does not do yet, and save it."""
        kept = self.library.kept_draft(self._name)
        text = self.form.raw
        if kept is not None and self.arguments.draft:
            text = kept
        elif kept is not None:
            complain(f"What was not saved is kept: {self._again}")
        while True:
            text = self._edited(text)
            try:
                self._save(text)
            except RecollectError as error:
                if not self._goes_on(error):
                    self._keep(text)
                    raise
            else:
                return

    def _edited(self, text: bytes) -> bytes:
        """What the user makes of a text."""
        file: str | None = self.arguments.file
        if file is not None:
            return given(file)
        try:
            return Editor.of(self.session.machine.environment).edit(text, self._name)
        except EditorError as error:
            made = error.made or text
            if made != self.form.raw:
                self._keep(made)
            raise

    def _save(self, text: bytes) -> None:
        """Put a text in the place of what the record says."""
        if text == self.form.raw:
            leave(f"edit {self.record.ref}", [], self.session)
            return
        intent = Rewrite(was=self.form.raw, raw=text)
        planned = self.library.plan(intent, [self.record])
        if self.arguments.dry_run:
            show([planned.plan], self.session)
            return
        agree(self.library, self.arguments, [planned])
        is_shown = needs_consent([planned]) and not self.arguments.yes
        if is_for_a_person() and not self.session.json and not is_shown:
            write_plans([planned.plan], coloured=True)
        do(self.library, self.session, planned)
        self.library.drop_draft(self._name)

    def _goes_on(self, error: RecollectError) -> bool:
        """Whether the user, who can mend what is wrong with it, wants to."""
        is_mendable = isinstance(error, NotPossibleError)
        if not is_mendable or self.arguments.file is not None or not can_be_asked():
            return False
        complain(str(error))
        return answered("Edit it again? [Y/n] ").casefold() not in _NO

    def _keep(self, text: bytes) -> None:
        """Keep what was typed, and say how to go on with it."""
        self.library.keep_draft(self._name, text)
        complain(f"What you wrote is kept: {self._again}")

    @property
    def _again(self) -> str:
        """The command that goes on with what is kept."""
        return f"recollect edit {self.record.ref} --draft"

    @property
    def _name(self) -> str:
        """What the edited file is called; what is in it goes by no path."""
        kind, _, name = (self.record.ref or "record").partition(":")
        return f"{kind}-{name[:_SHORT]}{self.form.suffix}"
