"""`recollect tag REF… +TAG -TAG`: tags that records get, and tags that they lose."""

import argparse
from collections.abc import Sequence

from store.records.intents import Retag
from tui.cli.changing.assigning import retagging
from tui.cli.changing.carrying import carry_out_each, changing
from tui.cli.changing.naming import chosen
from tui.cli.session import Session

_SIGNS = ("+", "-")


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Add tags and take tags away."""
    words: Sequence[str] = arguments.words
    names = [word for word in words if not word.startswith(_SIGNS)]
    tags = [word for word in words if word.startswith(_SIGNS)]
    intent = retagging(tags)
    with changing(session, arguments) as library:
        records = chosen(library, session, names, arguments, Retag.word)
        carry_out_each(library, session, arguments, intent, records)
