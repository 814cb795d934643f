"""`recollect archive REF…`: put records away."""

import argparse

from store.errors import WrongUseError
from store.records.intents import Archive
from tui.cli.changing.carrying import carry_out, carry_out_each, changing
from tui.cli.changing.naming import chosen
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Archive records, or what is due in the one store that knows of such a thing."""
    if arguments.due and (arguments.refs or arguments.query is not None):
        raise WrongUseError("What is due is told by the store, not by REF or --query.")
    with changing(session, arguments) as library:
        if arguments.due:
            carry_out(library, session, arguments, library.plan(Archive()))
            return
        records = chosen(library, session, arguments.refs, arguments, Archive.word)
        carry_out_each(library, session, arguments, Archive(), records)
