"""Editing a record in the user's editor, without losing what was typed."""

import argparse
import sys

from msgspec import Struct

from store.derive.texts import conflict_marks, difference, merged, merged_cleanly
from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import Changeable, Form
from store.edits.recovery import beside
from store.errors import (
    NothingFoundError,
    NotPossibleError,
    RecollectError,
    WrongUseError,
)
from store.library import Library
from store.records.intents import Rewrite
from store.records.reports import Change, Plan, Step
from tui.cli.apply import (
    LINES,
    agree,
    answered,
    can_be_asked,
    do,
    given,
    leave,
    needs_consent,
    show,
    show_aside,
    tell_aside,
)
from tui.cli.session import Session
from tui.output.reports import title, write_plans
from tui.terminal.programs import Editor, EditorError
from tui.terminal.streams import complain, is_for_a_person

_SHORT = 8
"""Characters of a ref used in a file name; a title there would reveal more."""

_NO = frozenset({"n", "no"})


_WHOSE = "Keep [m]ine, [t]heirs, edit [b]oth, or Return to decide later: "

EXISTS = "An unsaved draft exists; to continue: {} (--discard deletes it)"
_UNDECIDED = "Conflict markers (<<<<<<<) are left; resolve them first."
_BOTH = "Another program changed it meanwhile; both changes were merged."


def editor_of(session: Session, instead: str) -> Editor:
    """The user's editor; raises WrongUseError if it needs a terminal and has none.

    `instead` names the options that need no editor.
    """
    editor = Editor.of(session.machine.environment)
    if editor.needs_terminal and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise WrongUseError(
            f"The editor {editor.words[0]!r} needs a terminal; use {instead}."
        )
    return editor


def discard(
    library: Library, session: Session, arguments: argparse.Namespace, name: str
) -> None:
    """Delete the unsaved drafts of a file with some name."""
    drafts = [one for one in library.journal.drafts() if one.is_of(name)]
    if not drafts:
        raise NothingFoundError("No unsaved draft.")
    action = f"discard {len(drafts)} draft{'s' * (len(drafts) > 1)}"
    if arguments.dry_run:
        show_aside(session, [action])
        return
    for one in drafts:
        library.journal.drop_draft(one.name)
    tell_aside(action, [], session)


class Editing(Struct):
    """An edit of a record's text in an editor."""

    library: Library
    session: Session
    arguments: argparse.Namespace
    record: Changeable
    form: Form
    is_kept: bool = False
    """Whether a draft was saved."""
    draft: str = ""
    """The name of the draft until the text is saved."""

    def run(self) -> Change | None:
        """Edit the record, repeatedly if it cannot be saved yet, and save it."""
        if self.arguments.discard:
            discard(self.library, self.session, self.arguments, self._name)
            return None
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
        """The text to start with: the draft if `--draft` is given, else the record.

        Without `--draft`, an existing draft is kept and a new one is saved beside it.
        """
        drafts = [one for one in self.library.journal.drafts() if one.is_of(self._name)]
        if not drafts or not self.arguments.draft:
            self.draft = beside(self._name, drafts)
            if drafts:
                complain(EXISTS.format(self._again))
            return self.form.raw
        kept = drafts[0]
        self.draft = kept.name
        if kept.was is None or kept.was == self.form.raw:
            return kept.raw
        self.session.warn("Another program changed it since; both texts were merged.")
        return merged(kept.was, kept.raw, self.form.raw)

    def _edited(self, text: bytes) -> bytes:
        """The text after the user has edited it."""
        file: str | None = self.arguments.file
        if file is not None:
            return given(file)
        try:
            editor = editor_of(self.session, "--from FILE")
            return editor.edit(text, self._name, self._keep_quietly)
        except EditorError as error:
            if error.is_idle and text == self.form.raw:
                complain(str(error))
                return text
            made = error.made or text
            if made != self.form.raw:
                self._keep(made)
            raise

    def _save(self, text: bytes) -> Change | None:
        """Replace the record's text; the saved draft is dropped."""
        if text == self.form.raw:
            if self.is_kept:
                self.library.journal.drop_draft(self.draft)
            leave(f"edit {self.record.ref}", [], self.session)
            return None
        if len(conflict_marks(text)) > len(conflict_marks(self.form.raw)):
            raise NotPossibleError(_UNDECIDED)
        intent = Rewrite(was=self.form.raw, raw=text)
        planned = self.library.plans.plan(intent, [self.record])
        if self.arguments.dry_run:
            show([planned.plan], self.session)
            return None
        agree(self.library, self.arguments, [planned])
        is_shown = needs_consent([planned]) and not self.arguments.yes
        if is_for_a_person() and not self.session.json and not is_shown:
            write_plans([planned.plan], coloured=True)
        change = do(self.library, self.session, planned)
        self.library.journal.drop_draft(self.draft)
        return change

    def _settled(self, mine: bytes, error: ChangedOnDiskError) -> bytes | None:
        """The text to save after another program has changed the file.

        None if the other program's version stays. Raises the error again if the user
        cannot be asked or wants to decide later.
        """
        was, self.form = self.form.raw, self.library.plans.form(self.record)
        theirs = self.form.raw
        both = merged_cleanly(was, mine, theirs)
        if both is not None:
            complain(_BOTH)
            return both
        they_made = _difference("Their changes", was, theirs)
        if self.arguments.file is not None or not can_be_asked():
            _show(they_made)
            raise error
        complain(str(error))
        _show(_difference("Your changes", was, mine), they_made)
        match answered(_WHOSE)[:1].casefold():
            case "m":
                return mine
            case "t":
                return None
            case "b":
                return self._edited(merged(was, mine, theirs))
            case _:
                raise error

    def _goes_on(self, error: RecollectError) -> bool:
        """Whether the user can fix the error and wants to edit again."""
        is_mendable = isinstance(error, NotPossibleError)
        if not is_mendable or self.arguments.file is not None or not can_be_asked():
            return False
        complain(str(error))
        return answered("Edit again? [Y/n] ").casefold() not in _NO

    def _keep_quietly(self, text: bytes) -> None:
        """Save a draft while the editor is still open."""
        self.is_kept = True
        self.library.journal.keep_draft(
            self.draft,
            text,
            self.form.raw,
            title=title(self.record),
            store=self.record.store,
        )

    def _keep(self, text: bytes) -> None:
        """Save a draft and print the command to continue with it."""
        self._keep_quietly(text)
        complain(f"Saved as a draft; to continue: {self._again}")

    @property
    def _again(self) -> str:
        """The command that continues with the draft."""
        return f"recollect edit {self.record.ref} --draft"

    @property
    def _name(self) -> str:
        """The name of the edited file, which contains no path."""
        kind, _, name = (self.record.ref or "record").partition(":")
        return f"{kind}-{name[:_SHORT]}{self.form.suffix}"


def _show(*plans: Plan) -> None:
    write_plans(plans, coloured=sys.stderr.isatty(), to=sys.stderr, most=LINES)


def _difference(action: str, before: bytes, after: bytes) -> Plan:
    """One side's changes to a text, as a plan to show."""
    was, now = (raw.decode("utf-8", "surrogateescape") for raw in (before, after))
    step = Step(path="text", before=was, after=now, diff=difference("text", was, now))
    return Plan(action=action, steps=(step,), warnings=())
