"""`recollect search QUERY`: the best hits over everything that has text."""

import argparse

from store.errors import WrongUseError
from store.library import Page
from store.private import NotWrittenError
from store.search.language.tree import EVERYTHING
from tui.cli.at_once import answering
from tui.cli.meaning import meant
from tui.cli.query import complain_of_unknown, understood, with_saved
from tui.cli.session import Session
from tui.cli.terminal import complain, is_for_a_person


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Print what a query finds, best first."""
    words = with_saved(arguments.query, arguments.saved, session.places)
    query = understood(words, None)
    if query == EVERYTHING:
        raise WrongUseError("There is nothing to search for; try `recollect list`.")
    page = Page(limit=arguments.limit, offset=arguments.offset)
    with answering(session, query, ()) as (library, unread):
        near = meant(library, query, session)
        best = library.search(query, page, near=near, unread=unread)
        if not unread and (not best.total or best.is_similar):
            complain_of_unknown(library, (), query)
    from tui.faces import hits  # noqa: PLC0415  # only for hits

    if session.json:
        hits.write_json(best.hits, explained=arguments.explain)
    elif is_for_a_person():
        hits.write_lines(best.hits, explained=arguments.explain)
    else:
        hits.write_plain(best.hits, explained=arguments.explain)
    if best.is_similar:
        complain(f"No exact match; {best.total} similar.")
    elif not best.hits:
        nothing = "Nothing matches so far." if unread else "Nothing matches."
        complain("There are no more." if best.total else nothing)
    elif best.total > arguments.offset + len(best.hits):
        shown = f"{arguments.offset + 1}–{arguments.offset + len(best.hits)}"
        total = f"{best.total} or more" if best.is_more else best.total
        complain(f"{shown} of {total}; --limit N and --offset N show more.")
    _remember(" ".join(arguments.query), session)


def _remember(query: str, session: Session) -> None:
    """Keep the query for the next time; where that cannot be, it is asked anyway."""
    from store.keeping.history import remember  # noqa: PLC0415  # after the answer

    try:
        remember(session.places, query)
    except NotWrittenError as error:
        complain(str(error))
