"""`recollect delete REF…`: delete records for good; the journal can still undo it."""

import argparse

from store.records.intents import Delete
from tui.cli.changing.carrying import carry_out_each, changing
from tui.cli.changing.naming import chosen
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Delete records."""
    with changing(session, arguments) as library:
        records = chosen(library, session, arguments.refs, arguments, Delete.word)
        carry_out_each(library, session, arguments, Delete(), records)
