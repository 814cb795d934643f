"""`recollect list KIND [QUERY]`: the records of a kind that a query finds."""

import argparse
from collections.abc import Iterator
from itertools import chain

from store.errors import WrongUseError
from store.library import Library, Page, Record, sorts
from store.search.language.tree import EVERYTHING, Node
from store.search.nearest import nearest
from tui.cli.answer import answer_list
from tui.cli.at_once import answering
from tui.cli.query import complain_of_unknown, understood, with_saved
from tui.cli.session import Session
from tui.cli.terminal import complain

_CLASSED = "events"


def run(arguments: argparse.Namespace, session: Session) -> None:
    """List the records of a kind."""
    kind: str = arguments.kind
    if arguments.as_kei and kind != _CLASSED:
        raise WrongUseError(f"--as-kei is about events; {kind} have none.")
    words = with_saved(arguments.query, arguments.saved, session.places)
    query = understood(words, [kind])
    page = Page(
        sort=_sort(kind, arguments.sort),
        reverse=arguments.reverse,
        limit=arguments.limit,
        offset=arguments.offset,
    )
    with answering(session, query, [kind]) as (library, unread):
        found = library.page(
            kind, page, upstream=arguments.as_kei, query=query, unread=unread
        )
        if query != EVERYTHING:
            found = _or_nearly(
                library, kind, query, page, found, is_all_read=not unread
            )
        answer_list(
            kind,
            found,
            json=session.json,
            nothing=f"No {kind} here." if query == EVERYTHING else f"No {kind} match.",
        )


def _or_nearly(  # noqa: PLR0913  # a list, what is asked of it, and what that found
    library: Library,
    kind: str,
    query: Node,
    page: Page,
    found: Iterator[Record],
    *,
    is_all_read: bool,
) -> Iterator[Record]:
    """What was found; where nothing is, what is like it, and a word about that."""
    first = next(found, None)
    if first is not None:
        yield from chain((first,), found)
    elif not library.count(kind, query):
        if is_all_read:
            complain_of_unknown(library, [kind], query)
        near = list(library.nearly(kind, query))
        if near:
            complain(f"No exact match; {len(near)} similar.")
        end = None if page.limit is None else page.offset + page.limit
        yield from near[page.offset : end]


def _sort(kind: str, field: str | None) -> str | None:
    """The field to sort by; one that is not there is named with the nearest one."""
    fields = sorts(kind)
    if field is None or field in fields:
        return field
    raise WrongUseError(
        f"{kind} cannot be sorted by {field!r}; "
        f"did you mean {nearest(field, fields)!r}? There are: {', '.join(fields)}."
    )
