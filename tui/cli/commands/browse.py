"""`recollect [PATH…]`: look at stores."""

import argparse
import sys

from store.library import Page
from tui.cli.answer import answer_list
from tui.cli.session import Session
from tui.cli.terminal import is_for_a_person


def run(_arguments: argparse.Namespace, session: Session) -> None:
    """Look at stores."""
    browse(session)


def browse(session: Session) -> None:
    """Open the browser, or print its first list where there is no screen."""
    if session.json or not is_for_a_person() or not sys.stdin.isatty():
        _print(session)
        return
    from tui.browser.app import Browser  # noqa: PLC0415  # only who browses loads Textual

    with session.library_as_it_is() as library:
        browser = Browser(library, reads=not session.no_sync)
        browser.run()
    if browser.return_code:
        raise SystemExit(browser.return_code)


def _print(session: Session) -> None:
    """What `list memories` prints."""
    with session.library() as library:
        answer_list(
            "memories",
            library.page("memories", Page()),
            json=session.json,
            nothing="No memories here.",
        )
