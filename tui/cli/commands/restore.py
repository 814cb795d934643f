"""`recollect restore REF…`: bring records back that were put away."""

import argparse

from store.records.intents import Archive
from tui.cli.changing.carrying import carry_out_each, changing
from tui.cli.changing.naming import chosen
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Restore records."""
    with changing(session, arguments) as library:
        records = chosen(library, session, arguments.refs, arguments, Archive.word)
        carry_out_each(library, session, arguments, Archive(archives=False), records)
