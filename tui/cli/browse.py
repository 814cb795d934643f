"""Open the browser: `recollect PATH` and `recollect demo`."""

import argparse
import gc
import os
import shlex
import sys
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from store import demo
from store.errors import RecollectError, WrongUseError
from store.library import Page
from tui.cli.session import Session, answer_list
from tui.terminal.streams import (
    complain,
    has_screen,
    prepare,
    reset_terminal,
    temporary_folder,
)
from tui.themes import Options

# `recollect [PATH…]`: browse stores.


USUAL = Options()
"""The default appearance."""


def run_browse(arguments: argparse.Namespace, session: Session) -> None:
    """Browse stores, or reset the terminal."""
    given = vars(arguments)
    if given.get("reset_terminal"):
        reset_terminal()
        return
    browse(
        session,
        Options(
            theme=given.get("theme"),
            is_ascii=given.get("ascii", False),
            is_frugal=given.get("frugal", True),
        ),
    )


def browse(session: Session, looks: Options = USUAL) -> None:
    """Open the browser, or print the list of memories if there is no screen."""
    if session.json or not has_screen(os.environ):
        if not session.json and sys.stdout.isatty():
            complain(_why_no_browser(os.environ.get("TERM", "")))
        _print(session)
        return
    prepare(os.environ)
    session.reported.update(session.settings.complaints)
    with session.library_as_it_is() as library:
        gc.disable()  # until the first rows are shown
        from tui.browser.app import open_browser  # noqa: PLC0415  # the door to Textual

        kept = session.settings, session.places
        browser = open_browser(library, *kept, looks, reads=not session.no_sync)
    if browser.failure:
        raise RecollectError(browser.failure)
    if browser.return_code:
        raise SystemExit(browser.return_code)


def _why_no_browser(terminal: str) -> str:
    """Why only a list is shown."""
    if has_screen({"TERM": terminal}, sys.stdout):
        why = "standard input and error are not both a terminal"
    else:
        why = f"this terminal (TERM={terminal or 'not set'}) can't draw it"
    return f"No browser, because {why}; listing memories instead."


def _print(session: Session) -> None:
    """Print the same as `list memories`."""
    with session.library() as library:
        answer_list(
            "memories",
            library.lists.page("memories", Page()),
            json=session.json,
            nothing="No memories.",
        )


# `recollect demo`: browse sample stores.


def run_demo(arguments: argparse.Namespace, session: Session) -> None:
    """Write the sample stores, and browse them unless `--make` is given.

    The catalogue is temporary, so that samples stay out of the real one.
    """
    now = datetime.fromtimestamp(session.now / 1_000_000, UTC)
    with _folder(arguments) as folder, temporary_folder() as apart:
        made = demo.write(folder, now)
        there = replace(
            session, paths=tuple(made), catalogue=apart / "catalogue.db", no_sync=False
        )
        if arguments.folder is None:  # nothing of what goes away is remembered
            places = replace(session.places, state=apart / "state")
            there = replace(there, places=places)
        if arguments.make:
            _report(there)
            if not session.json:
                named = shlex.quote(str(folder))
                complain(f"To browse them: recollect {named}")
                complain(f"In commands: recollect -s {named} list")
        elif (
            arguments.folder is None and not session.json and not has_screen(os.environ)
        ):
            _report(there)
            complain("These samples are temporary; `recollect demo DIR` keeps them.")
        else:
            browse(there)


def _report(session: Session) -> None:
    """List the stores that were written."""
    with session.library() as library:
        answer_list(
            "stores", library.lists.stores(), json=session.json, nothing="No stores."
        )


@contextmanager
def _folder(arguments: argparse.Namespace) -> Generator[Path]:
    """The folder given by the user, else a temporary one that is deleted at exit."""
    if arguments.folder:
        yield Path(arguments.folder).absolute()
    elif arguments.make:
        raise WrongUseError("--make needs a target folder.")
    else:
        with temporary_folder() as temporary:
            yield temporary / "stores"
