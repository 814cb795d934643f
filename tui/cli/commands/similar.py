"""`recollect similar REF`: the memories most like one, linked to it or not."""

import argparse

from tui.cli.answer import answer_list
from tui.cli.session import Session
from tui.cli.terminal import complain


def run(arguments: argparse.Namespace, session: Session) -> None:
    """List what is like a memory, the most alike first."""
    with session.library() as library:
        found = library.similar(
            arguments.ref, arguments.limit, complain, unlinked=arguments.unlinked
        )
    answer_list("similar", found, json=session.json, nothing="Nothing is like it.")
