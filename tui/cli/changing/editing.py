"""A record that is being edited: until it is saved or given up, nothing is lost."""

import argparse
import sys

from msgspec import Struct

from store.derive.difference import difference
from store.derive.merging import MARK, merged
from store.edits.kept.unsaved import beside
from store.edits.port import Changeable, Form
from store.edits.refusals import ChangedOnDiskError, NotPossibleError
from store.errors import RecollectError
from store.library import Library
from store.records.intents import Rewrite
from store.records.reports import Change, Plan, Step
from tui.cli.changing.carrying import agree, do, leave, show
from tui.cli.changing.consent import LINES, answered, can_be_asked, needs_consent
from tui.cli.changing.given import given
from tui.cli.session import Session
from tui.cli.terminal import complain, is_for_a_person
from tui.faces.plan import write_plans
from tui.manners.editor import Editor, EditorError

_SHORT = 8
"""Characters of a ref that tell one file from another; a title would tell more."""

_NO = frozenset({"n", "no"})


_WHOSE = "[m]ine, [t]heirs, [b]oth in the editor, or Return to decide later: "

_UNDECIDED = "It has marks where both texts differ and nobody has decided yet."


class Editing(Struct):
    """A record, and the text of it that an editor was given."""

    library: Library
    session: Session
    arguments: argparse.Namespace
    record: Changeable
    form: Form
    is_kept: bool = False
    """Whether anything of it was kept by now."""
    draft: str = ""
    """What it is kept under, until it is saved."""

    def run(self) -> Change | None:
        """Have it edited, again where it does not do yet, and save it."""
        text: bytes | None = self._edited(self._begun())
        while text is not None:
            try:
                return self._save(text)
            except ChangedOnDiskError as error:
                self._keep(text)
                text = self._settled(text, error)
            except RecollectError as error:
                if not self._goes_on(error):
                    self._keep(text)
                    raise
                text = self._edited(text)
        return None

    def _begun(self) -> bytes:
        """The text to begin with: what could not be saved, where that is asked for.

        Where it is not, that stays what it is, and this is kept beside it.
        """
        drafts = [one for one in self.library.unsaved() if one.is_of(self._name)]
        if not drafts or not self.arguments.draft:
            self.draft = beside(self._name, drafts)
            if drafts:
                complain(f"What was not saved is kept: {self._again}")
            return self.form.raw
        kept = drafts[0]
        self.draft = kept.name
        if kept.was is None or kept.was == self.form.raw:
            return kept.raw
        complain("It was changed since by others; both texts are put together.")
        return merged(kept.was, kept.raw, self.form.raw)

    def _edited(self, text: bytes) -> bytes:
        """What the user makes of a text."""
        file: str | None = self.arguments.file
        if file is not None:
            return given(file)
        try:
            editor = Editor.of(self.session.machine.environment)
            return editor.edit(text, self._name, self._keep_quietly)
        except EditorError as error:
            made = error.made or text
            if made != self.form.raw:
                self._keep(made)
            raise

    def _save(self, text: bytes) -> Change | None:
        """Put a text in the place of what the record says."""
        if text == self.form.raw:
            if self.is_kept:
                self.library.drop_draft(self.draft)
            leave(f"edit {self.record.ref}", [], self.session)
            return None
        if MARK in text and MARK not in self.form.raw:
            raise NotPossibleError(_UNDECIDED)
        intent = Rewrite(was=self.form.raw, raw=text)
        planned = self.library.plan(intent, [self.record])
        if self.arguments.dry_run:
            show([planned.plan], self.session)
            return None
        agree(self.library, self.arguments, [planned])
        is_shown = needs_consent([planned]) and not self.arguments.yes
        if is_for_a_person() and not self.session.json and not is_shown:
            write_plans([planned.plan], coloured=True)
        change = do(self.library, self.session, planned)
        self.library.drop_draft(self.draft)
        return change

    def _settled(self, mine: bytes, error: ChangedOnDiskError) -> bytes | None:
        """The text that is to stand, where somebody else wrote meanwhile.

        None where theirs stands; raises the error where nobody is there to decide.
        """
        was, self.form = self.form.raw, self.library.form(self.record)
        theirs = self.form.raw
        they_made = _difference("What they made of it", was, theirs)
        if self.arguments.file is not None or not can_be_asked():
            _show(they_made)
            raise error
        complain(str(error))
        _show(_difference("What you made of it", was, mine), they_made)
        match answered(_WHOSE)[:1].casefold():
            case "m":
                return mine
            case "t":
                self.library.drop_draft(self.draft)
                return None
            case "b":
                return self._edited(merged(was, mine, theirs))
            case _:
                raise error

    def _goes_on(self, error: RecollectError) -> bool:
        """Whether the user, who can mend what is wrong with it, wants to."""
        is_mendable = isinstance(error, NotPossibleError)
        if not is_mendable or self.arguments.file is not None or not can_be_asked():
            return False
        complain(str(error))
        return answered("Edit it again? [Y/n] ").casefold() not in _NO

    def _keep_quietly(self, text: bytes) -> None:
        """Keep what was saved while the editor is still open."""
        self.is_kept = True
        self.library.keep_draft(self.draft, text, self.form.raw)

    def _keep(self, text: bytes) -> None:
        """Keep what was typed, and say how to go on with it."""
        self._keep_quietly(text)
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


def _show(*plans: Plan) -> None:
    write_plans(plans, coloured=sys.stderr.isatty(), to=sys.stderr, most=LINES)


def _difference(action: str, before: bytes, after: bytes) -> Plan:
    """What one of two made of a text, as plans show it."""
    was, now = (raw.decode("utf-8", "surrogateescape") for raw in (before, after))
    step = Step(path="text", before=was, after=now, diff=difference("text", was, now))
    return Plan(action=action, steps=(step,), warnings=())
