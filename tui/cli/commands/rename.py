"""`recollect rename REF TITLE`: call a memory otherwise, wherever it is named."""

import argparse

from store.records.intents import Rename
from tui.cli.changing.carrying import carry_out, changing
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Rename a memory."""
    with changing(session, arguments) as library:
        planned = library.plan(Rename(title=arguments.title), [arguments.ref])
        carry_out(library, session, arguments, planned)
