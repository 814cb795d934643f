"""`recollect demo`: sample stores that tell a story, to try everything out on."""

import argparse
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from store import demo
from store.errors import WrongUseError
from tui.cli.answer import answer_list
from tui.cli.commands.browse import browse
from tui.cli.session import Session
from tui.temporary import temporary_folder


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Make the stores, and browse them unless only making was asked for.

    The catalogue goes at the end, so that samples stay out of the real one.
    """
    now = datetime.fromtimestamp(session.now / 1_000_000, UTC)
    with _folder(arguments) as folder, temporary_folder() as apart:
        made = demo.write(folder, now)
        there = replace(
            session,
            paths=tuple(made),
            catalogue=apart / "catalogue.db",
            no_sync=False,
        )
        if arguments.make:
            _report(there)
        else:
            browse(there)


def _report(session: Session) -> None:
    """Say what was made."""
    with session.library() as library:
        answer_list("stores", library.stores(), json=session.json, nothing="Nothing.")


@contextmanager
def _folder(arguments: argparse.Namespace) -> Generator[Path]:
    """The folder that the user names, else one that goes when the program ends."""
    if arguments.folder:
        yield Path(arguments.folder).absolute()
    elif arguments.make:
        raise WrongUseError("--make needs a folder to make the stores in.")
    else:
        with temporary_folder() as temporary:
            yield temporary / "stores"
