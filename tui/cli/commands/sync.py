"""`recollect sync`: bring the catalogue up to date, and say what that took.

With `--events` it is the child that a browser starts: progress and the final report
go to stdout as JSON Lines, so that reading never shares a process with the screen.
"""

import argparse
import sys
import time

from store.errors import WrongUseError
from store.library import Progress
from store.records.reports import SyncReport
from tui.cli.progress import progress
from tui.cli.session import Session
from tui.faces.json_lines import as_object, encoded, write_json

_PAUSE = 1.0
"""Seconds between two looks, so that what is written in a burst is read once."""


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Read what moved."""
    if session.no_sync:
        raise WrongUseError("sync reads the stores, and --no-sync says not to.")
    with session.library_as_it_is() as library:
        if arguments.events:
            report = library.sync(_say_progress)
            _say("done", report)
            return
        with progress(lines=True) as tell:
            report = library.sync(tell)
        _tell(report, session)
        while arguments.watch:
            time.sleep(_PAUSE)
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


def _say_progress(progress_now: Progress) -> None:
    _say("progress", progress_now)


def _say(event: str, what: Progress | SyncReport) -> None:
    """One event, at once."""
    sys.stdout.buffer.write(encoded({"event": event, **as_object(what)}) + b"\n")
    sys.stdout.buffer.flush()


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
