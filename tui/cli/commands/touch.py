"""`recollect touch REF…`: note that memories were recalled."""

import argparse

from store.records.intents import Touch
from tui.cli.changing.carrying import carry_out_each, changing
from tui.cli.changing.naming import chosen
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Count records as recalled, once more and now, as their own program does."""
    with changing(session, arguments) as library:
        records = chosen(library, session, arguments.refs, arguments, Touch.word)
        carry_out_each(library, session, arguments, Touch(), records)
