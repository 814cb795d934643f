"""`recollect redo`: make the change again that was taken back last."""

import argparse

from tui.cli.changing.carrying import show, tell, telling_conflicts
from tui.cli.changing.journal import journal
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Redo a change."""
    with journal(session, arguments) as library:
        if arguments.dry_run:
            show([library.redo_plan().plan], session)
            return
        with telling_conflicts():
            change = library.redo(is_permitted=True)
        tell(change, session)
