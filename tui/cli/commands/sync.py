"""`recollect sync`: bring the catalogue up to date, and say what that took.

With `--events` it is the child that a browser starts: progress and reports go to stdout
as JSON Lines, so that reading never shares a process with the screen.
"""

import argparse
import os
import sys

from store.errors import RecollectError, WrongUseError
from store.library import Library
from store.records.reports import SyncReport
from tui.cli.progress import progress
from tui.cli.session import Session
from tui.faces.json_lines import write_json

_NICE = 10
"""How much a child that goes on watching gives way: a key press comes first."""


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Read what moved."""
    if session.no_sync:
        raise WrongUseError("sync reads the stores, and --no-sync says not to.")
    if arguments.events:
        _run_for_a_browser(arguments, session)
        return
    with session.library_as_it_is() as library:
        with progress(lines=True) as tell:
            report = library.sync(tell)
        _tell(report, session)
        if arguments.watch:
            _watch(library, session)


def _run_for_a_browser(arguments: argparse.Namespace, session: Session) -> None:
    """Tell of everything in events, of what is in the way too."""
    from tui.cli.events import Events, say  # noqa: PLC0415  # not for reports
    from tui.cli.listener import Listener, Nobody  # noqa: PLC0415  # the same

    try:
        with session.library_as_it_is() as library:
            listener = Listener() if arguments.watch else Nobody()
            events = Events(library, listener, arguments.since)
            if not arguments.watch:
                events.look()
                return
            os.nice(_NICE)
            events.look()
            from store.watching.watcher import Watcher  # noqa: PLC0415  # rows come first

            with Watcher(library.chosen, session.machine.environment) as watcher:
                while watcher.wait(listener):
                    with watcher.look():
                        events.look()
    except RecollectError as error:
        say("failed", message=str(error))
        raise


def _watch(library: Library, session: Session) -> None:
    """Go on for ever, and tell whenever something moved."""
    from store.watching.watcher import Watcher  # noqa: PLC0415  # for this alone
    from tui.cli.listener import Nobody  # noqa: PLC0415  # the same

    with Watcher(library.chosen, session.machine.environment) as watcher:
        while watcher.wait(Nobody()):
            with watcher.look():
                report = library.sync()
            if report.changed or report.removed:
                _tell(report, session)


def _tell(report: SyncReport, session: Session) -> None:
    """Say what a sync came to, at once."""
    if session.json:
        write_json([report])
    else:
        sys.stdout.write(f"{_sentence(report)}\n")
        sys.stdout.flush()


def _sentence(report: SyncReport) -> str:
    """The report in words."""
    if not report.changed and not report.removed:
        return f"{report.files} files, none moved ({report.seconds:.2f} s)."
    return (
        f"{report.changed} of {report.files} files read "
        f"({report.bytes / 1_000_000:.1f} MB), {report.removed} gone, "
        f"{report.records} records, {report.problems} problems "
        f"({report.seconds:.2f} s)."
    )
