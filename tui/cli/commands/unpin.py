"""`recollect unpin REF…`: let memories fade again, and conversations go."""

import argparse

from store.records.intents import Pin
from tui.cli.changing.carrying import carry_out_each, changing
from tui.cli.changing.naming import chosen
from tui.cli.changing.vaulting import release
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Unpin memories; a conversation that was copied is let go."""
    with changing(session, arguments) as library:
        records = chosen(library, session, arguments.refs, arguments, Pin.word)
        rest = release(library, session, arguments, records)
        carry_out_each(library, session, arguments, Pin(pins=False), rest)
