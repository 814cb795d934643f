"""Commands that list: list, stores."""

import argparse
from collections.abc import Iterator
from itertools import chain
from shutil import get_terminal_size

from store.errors import WrongUseError
from store.kinds import KINDS
from store.library import Library, Page, Record, sorts
from store.search.tree import EVERYTHING, Node
from store.state import last_looks, look
from store.text import guess
from tui.cli.session import (
    Session,
    answer_list,
    answering,
    complain_of_unknown,
    understood,
    with_saved,
)
from tui.terminal.streams import complain, is_for_a_person

# `recollect list KIND [QUERY]`: list the records that match a query.

_CLASSED = "events"
_FADES = "memories"


def run_list(arguments: argparse.Namespace, session: Session) -> None:
    """List the records of a kind."""
    kind: str = arguments.kind
    if arguments.as_kei and kind != _CLASSED:
        raise WrongUseError(f"--as-kei only applies to events, not to {kind}.")
    if arguments.forecast and kind != _FADES:
        raise WrongUseError(f"--forecast only applies to memories, not to {kind}.")
    words = with_saved(arguments.query, arguments.saved, session.places)
    query = understood(words, [kind])
    page = Page(
        sort=_sort(kind, arguments.sort),
        reverse=arguments.reverse,
        limit=arguments.limit,
        offset=arguments.offset,
    )
    if arguments.forecast:
        with session.library() as library:
            found = library.lists.forecast(arguments.forecast, page, query)
        answer_list("forecast", found, json=session.json, nothing="No memories match.")
        return
    with answering(session, query, [kind]) as (library, unread):
        found = library.lists.page(
            kind, page, upstream=arguments.as_kei, query=query, unread=unread
        )
        if query != EVERYTHING:
            found = _or_nearly(
                library, kind, query, page, found, is_all_read=not unread
            )
        end = "." if query == EVERYTHING else " match."
        more = "more " if page.offset else ""
        nothing = "" if page.limit == 0 else f"No {more}{kind}{end}"
        if session.json or not is_for_a_person():
            answer_list(kind, found, json=session.json, nothing=nothing)
            return
        from tui.output.columns import write_list  # noqa: PLC0415  # not for JSON

        names, sort = store_names(library), arguments.sort or ""
        if page.limit is None:
            write_list(kind, found, nothing=nothing, names=names, sort=sort)
            return
        rows = list(found)
        write_list(kind, rows, nothing=nothing, names=names, sort=sort)
        total = 0 if unread else library.lists.count(kind, query)
        if rows and total > page.offset + len(rows):
            tell_more(page.offset + 1, page.offset + len(rows), total)


def store_names(library: Library) -> dict[str, str]:
    """The names of the open stores by path, in short on a narrow terminal.

    None for a single store, which needs no name.
    """
    names = {one.path: one.name for one in library.lists.names()}
    if len(names) == 1 or get_terminal_size().columns >= _WIDE:
        return names if len(names) > 1 else {}
    return {
        path: name if len(name) <= _SHORT else f"{name[:4]}…{name[5 - _SHORT :]}"
        for path, name in names.items()
    }


_WIDE, _SHORT = 100, 10
"""The columns from which whole names have room, and the length of short ones."""


def tell_more(first: int, last: int, total: int | str) -> None:
    """Say which rows of how many are shown."""
    complain(f"{first}–{last} of {total}; for more, use --limit N and --offset N.")


def _or_nearly(  # the list, its query and its rows
    library: Library,
    kind: str,
    query: Node,
    page: Page,
    found: Iterator[Record],
    *,
    is_all_read: bool,
) -> Iterator[Record]:
    """The records found, or similar ones and a note about that."""
    first = next(found, None)
    if first is not None:
        yield from chain((first,), found)
        if is_all_read:
            complain_of_unknown(library, [kind], query, has_hits=True)
    elif not library.lists.count(kind, query):
        if is_all_read:
            complain_of_unknown(library, [kind], query)
        near = list(library.lists.nearly(kind, query))
        if near:
            complain(f"No exact match; {len(near)} similar.")
        end = None if page.limit is None else page.offset + page.limit
        yield from near[page.offset : end]


def _sort(kind: str, field: str | None) -> str | None:
    """The field to sort by; the error for an unknown one suggests the nearest."""
    fields = sorts(kind)
    if field is None or field in fields:
        return field
    raise WrongUseError(
        f"Can't sort {kind} by {field!r}{guess(field, fields)} "
        f"(choose from {', '.join(fields)})"
    )


# `recollect stores`: list stores with location, format and size, or what is new.


def run_stores(arguments: argparse.Namespace, session: Session) -> None:
    """List the stores, or what is new in them since the last session."""
    if arguments.seen:
        session.require_writable()
    with session.library() as library:
        if arguments.new:
            library.stores.look_since(last_looks(session.places))
            news = library.reports.news()
            if is_for_a_person() and not session.json:
                news = [one for one in news if any(getattr(one, k, 0) for k in KINDS)]
            nothing = "Nothing is new since your last session."
            answer_list("news", news, json=session.json, nothing=nothing)
        else:
            stores = library.lists.stores()
            answer_list("stores", stores, json=session.json, nothing="No stores.")
        if arguments.seen:
            look(session.places, library.stores.chosen, library.stores.now)
