"""`recollect [PATH…]`: look at stores."""

import argparse
import os

from store.errors import RecollectError
from store.library import Page
from store.settings.reading import read_settings
from tui.browsing import USUAL, Looks
from tui.cli.session import Session
from tui.manners.environment import prepare
from tui.manners.screen import has_screen


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Look at stores."""
    given = vars(arguments)
    if given.get("reset_terminal"):
        from tui.manners.resetting import reset_terminal  # noqa: PLC0415  # only here

        reset_terminal()
        return
    browse(
        session,
        Looks(
            theme=given.get("theme"),
            is_ascii=given.get("ascii", False),
            is_frugal=given.get("frugal", True),
        ),
    )


def browse(session: Session, looks: Looks = USUAL) -> None:
    """Open the browser, or print its first list where there is no screen."""
    if session.json or not has_screen(os.environ):
        _print(session)
        return
    prepare(os.environ)
    settings = read_settings(session.places)
    from tui.browser.kept import Kept  # noqa: PLC0415  # only who browses loads it
    from tui.browsing import open_browser  # noqa: PLC0415  # the same

    kept = Kept(settings, session.places)

    with session.library_as_it_is() as library:
        browser = open_browser(library, kept, looks, reads=not session.no_sync)
    if browser.failure:
        raise RecollectError(browser.failure)
    if browser.return_code:
        raise SystemExit(browser.return_code)


def _print(session: Session) -> None:
    """What `list memories` prints."""
    from tui.cli.answer import answer_list  # noqa: PLC0415  # where there is no screen

    with session.library() as library:
        answer_list(
            "memories",
            library.page("memories", Page()),
            json=session.json,
            nothing="No memories here.",
        )
