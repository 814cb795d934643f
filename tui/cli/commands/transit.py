"""`recollect transit [REF] STATUS`: take a conversation to another status."""

import argparse

from store.records.intents import Transit
from tui.cli.changing.carrying import carry_out, changing
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Take a conversation there, or what is ready in the one store that can."""
    intent = Transit(status=arguments.status, summary=arguments.summary)
    with changing(session, arguments) as library:
        names = [] if arguments.ref is None else [arguments.ref]
        carry_out(library, session, arguments, library.plan(intent, names))
