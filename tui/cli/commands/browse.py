"""`recollect [PATH…]`: look at stores."""

import argparse
import sys

from store.catalogue.reader import Page
from tui.cli.answer import answer_list
from tui.cli.session import Session
from tui.cli.terminal import is_for_a_person

_SHOWN = 15
"""How many memories stand for all of them."""


def run(_arguments: argparse.Namespace, session: Session) -> None:
    """Look at stores."""
    browse(session)


def browse(session: Session) -> None:
    """Open the browser, or print what it would begin with where there is no screen."""
    if session.json or not is_for_a_person() or not sys.stdin.isatty():
        _print(session)
        return
    from tui.browser.app import Browser  # noqa: PLC0415  # only who browses loads Textual

    with session.library_as_it_is() as library:
        Browser(library).run()


def _print(session: Session) -> None:
    """Show the stores, and the memories that were changed last."""
    with session.library() as library:
        answer_list("stores", library.stores(), json=session.json, nothing="No store.")
        answer_list(
            "memories",
            library.page("memories", Page(limit=_SHOWN)),
            json=session.json,
            nothing="No memory yet.",
        )
