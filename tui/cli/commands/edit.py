"""`recollect edit REF`: a record in the user's editor, as its file has it."""

import argparse

from tui.cli.changing.carrying import changing
from tui.cli.changing.editing import Editing
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Edit a record, and save what came of it."""
    with changing(session, arguments) as library:
        (record,) = library.changeable([arguments.ref])
        form = library.form(record)
        Editing(library, session, arguments, record, form).run()
