"""`recollect backups REF`: what a record's file was before it was changed."""

import argparse

from tui.cli.answer import answer_list
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """List the backups of a record's file, newest first."""
    with session.library() as library:
        answer_list(
            "backups",
            library.backups(arguments.ref),
            json=session.json,
            nothing="There is no backup of it.",
        )
