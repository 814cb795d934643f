"""`recollect link REF REF --type TYPE`: lead from one memory to another."""

import argparse

from store.errors import WrongUseError
from store.records.intents import Relate
from tui.cli.changing.carrying import carry_out, changing
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Link two memories."""
    strength: float | None = arguments.strength
    if strength is not None and not 0 <= strength <= 1:
        raise WrongUseError(f"--strength is 0…1, not {strength:g}.")
    intent = Relate(type=arguments.type, strength=strength, context=arguments.context)
    with changing(session, arguments) as library:
        planned = library.plan(intent, [arguments.start, arguments.end])
        carry_out(library, session, arguments, planned)
