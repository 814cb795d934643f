"""`recollect tag REF… +TAG -TAG`: tags that records get, and tags that they lose."""

import argparse
from collections.abc import Sequence

from store.errors import WrongUseError
from store.records.intents import Retag
from tui.cli.changing.carrying import carry_out_each, changing
from tui.cli.changing.naming import chosen
from tui.cli.session import Session

_SIGNS = ("+", "-")


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Add tags and take tags away."""
    words: Sequence[str] = arguments.words
    names = [word for word in words if not word.startswith(_SIGNS)]
    tags = [word for word in words if word.startswith(_SIGNS)]
    if not tags or not all(tag[1:].strip() for tag in tags):
        raise WrongUseError("Which tags? Say +TAG to add one, -TAG to take one away.")
    intent = Retag(
        add=tuple(tag[1:] for tag in tags if tag[0] == "+"),
        remove=tuple(tag[1:] for tag in tags if tag[0] == "-"),
    )
    with changing(session, arguments) as library:
        records = chosen(library, session, names, arguments, Retag.word)
        carry_out_each(library, session, arguments, [intent], records)
