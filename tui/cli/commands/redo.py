"""`recollect redo`: make the change again that was taken back last."""

import argparse

from store.errors import WrongUseError
from tui.cli.changing.carrying import tell
from tui.cli.changing.journal import journal
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Redo a change."""
    if arguments.dry_run:
        raise WrongUseError("redo does what `recollect history` tells of; see there.")
    with journal(session, arguments) as library:
        tell(library.redo(is_permitted=True), session)
