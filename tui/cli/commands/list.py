"""`recollect list KIND`: the records of a kind, sorted and paged."""

import argparse

from store.errors import WrongUseError
from store.library import Page, sorts
from tui.cli.answer import answer_list
from tui.cli.nearest import nearest
from tui.cli.session import Session

_CLASSED = "events"


def run(arguments: argparse.Namespace, session: Session) -> None:
    """List the records of a kind."""
    kind: str = arguments.kind
    if arguments.as_kei and kind != _CLASSED:
        raise WrongUseError(f"--as-kei is about events; {kind} have none.")
    page = Page(
        sort=_sort(kind, arguments.sort),
        reverse=arguments.reverse,
        limit=arguments.limit,
        offset=arguments.offset,
    )
    with session.library() as library:
        answer_list(
            kind,
            library.page(kind, page, upstream=arguments.as_kei),
            json=session.json,
            nothing=f"No {kind} here.",
        )


def _sort(kind: str, field: str | None) -> str | None:
    """The field to sort by; one that is not there is named with the nearest one."""
    fields = sorts(kind)
    if field is None or field in fields:
        return field
    raise WrongUseError(
        f"{kind} cannot be sorted by {field!r}; "
        f"did you mean {nearest(field, fields)!r}? There are: {', '.join(fields)}."
    )
