"""`recollect return REF [BACKUP]`: put in place again what was kept."""

import argparse

from store.records.intents import Return
from tui.cli.changing.carrying import carry_out, changing
from tui.cli.changing.consent import needs_consent
from tui.cli.session import Session
from tui.cli.terminal import is_for_a_person
from tui.faces.plan import write_plans


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Return to a backup of a record, or to one that the store itself kept."""
    with changing(session, arguments) as library:
        if arguments.backup is None:
            planned = library.plan(Return(), [arguments.ref])
        else:
            planned = library.plan_return(arguments.ref, arguments.backup)
        is_shown = session.json or arguments.dry_run or needs_consent([planned])
        if is_for_a_person() and not is_shown:
            write_plans([planned.plan], coloured=True)
        carry_out(library, session, arguments, planned)
