"""`recollect stores`: what is found, where, of which format, how much, what is new."""

import argparse

from store.keeping.looked import last_looks, look
from tui.cli.answer import answer_list
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """List the stores, or what is new in them since the last look."""
    with session.library() as library:
        if arguments.new:
            library.look_since(last_looks(session.places))
            news = library.news()
            answer_list("news", news, json=session.json, nothing="No store.")
        else:
            stores = library.stores()
            answer_list("stores", stores, json=session.json, nothing="No store.")
        if arguments.seen:
            look(session.places, library.chosen, library.now)
