"""`recollect stores`: what is found, where, of which format, how much."""

import argparse

from tui.cli.answer import answer_list
from tui.cli.session import Session


def run(_arguments: argparse.Namespace, session: Session) -> None:
    """List the stores."""
    with session.library() as library:
        answer_list("stores", library.stores(), json=session.json, nothing="No store.")
