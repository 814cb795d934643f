"""`recollect return REF [BACKUP]`: put in place again what was kept."""

import argparse

from store.records.intents import Return
from tui.cli.changing.carrying import carry_out, changing
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Return to a backup of a record, or to one that the store itself kept."""
    with changing(session, arguments) as library:
        if arguments.backup is None:
            planned = library.plan(Return(), [arguments.ref])
        else:
            planned = library.plan_return(arguments.ref, arguments.backup)
        carry_out(library, session, arguments, planned)
