"""`recollect set REF… FIELD=VALUE…`: give fields of records other values."""

import argparse

from store.errors import WrongUseError
from store.records.intents import Set
from tui.cli.changing.assigning import parted, value_of
from tui.cli.changing.carrying import carry_out_each, changing
from tui.cli.changing.naming import chosen
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Set fields; what has nothing behind its sign is taken away."""
    names, pairs = parted(arguments.words)
    if not pairs:
        raise WrongUseError("A FIELD=VALUE is missing.")
    values = {name: value_of(text) if text else None for name, text in pairs}
    (name, value), *others = values.items()
    intent = Set(name=name, value=value, also=dict(others))
    with changing(session, arguments) as library:
        records = chosen(library, session, names, arguments, Set.word)
        carry_out_each(library, session, arguments, intent, records)
