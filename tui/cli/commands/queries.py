"""`recollect queries`: saved queries, and those asked lately."""

import argparse

from store.errors import WrongUseError
from store.keeping.history import read_history
from store.keeping.saved import delete_query, save_query
from store.records.kept import KeptQuery
from store.settings.reading import read_settings
from tui.cli.answer import answer_list
from tui.cli.query import understood
from tui.cli.session import Session
from tui.cli.terminal import complain


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Save or forget a query, or list what is kept."""
    text = " ".join(arguments.query)
    if arguments.save is not None:
        understood(arguments.query, None)
        save_query(session.places, arguments.save, text)
        return
    if arguments.delete is not None:
        delete_query(session.places, arguments.delete)
        return
    if text:
        raise WrongUseError("A query is saved with --save NAME.")
    settings = read_settings(session.places)
    history = read_history(session.places)
    for notice in (*settings.complaints, history.notice):
        if notice:
            complain(notice)
    saved = [KeptQuery(query=q, name=name) for name, q in settings.queries.items()]
    asked = [KeptQuery(query=q, name=None) for q in reversed(history.queries)]
    answer_list(
        "queries",
        [*saved, *asked],
        json=session.json,
        nothing="No query is saved, and none was asked lately.",
    )
