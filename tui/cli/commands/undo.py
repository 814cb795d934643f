"""`recollect undo [CHANGE]`: take a change back."""

import argparse

from store.edits.refusals import NotPossibleError
from store.library import Library
from tui.cli.changing.carrying import show, tell, telling_conflicts
from tui.cli.changing.journal import journal, within
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Undo the newest change of those that are looked at, or the one that is named."""
    with journal(session, arguments) as library:
        change = arguments.change or _newest(session, library)
        if arguments.dry_run:
            show([library.undo_plan(change).plan], session)
            return
        with telling_conflicts():
            undone = library.undo(change, is_permitted=True)
        tell(undone, session)


def _newest(session: Session, library: Library) -> str | None:
    """The newest that stands where the user looks; None for the newest of all."""
    if not session.paths:
        return None
    for past in within(session, library):
        if not past.undone:
            return past.change
    raise NotPossibleError("There is nothing to undo there.")
