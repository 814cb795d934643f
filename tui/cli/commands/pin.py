"""`recollect pin REF…`: keep memories from fading, and conversations from going."""

import argparse

from store.records.intents import Pin
from tui.cli.changing.carrying import carry_out_each, changing
from tui.cli.changing.naming import chosen
from tui.cli.changing.vaulting import keep
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Pin memories; a conversation that its agent removes some day is copied."""
    with changing(session, arguments) as library:
        records = chosen(library, session, arguments.refs, arguments, Pin.word)
        rest = keep(library, session, arguments, records)
        carry_out_each(library, session, arguments, Pin(), rest)
