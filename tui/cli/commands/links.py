"""`recollect links REF`: what a record points to and what points to it."""

import argparse

from tui.cli.answer import answer_list
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """List the links of a record."""
    with session.library() as now, session.back(now) as library:
        answer_list(
            "links",
            library.links(arguments.ref),
            json=session.json,
            nothing="Nothing is linked to it.",
        )
