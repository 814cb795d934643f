"""The command `sync`: read the stores, watch them, report progress."""

import argparse
import os
import select
import stat
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from store.discover import watched
from store.errors import (
    CatalogueBusyError,
    CatalogueUnusableError,
    NothingFoundError,
    RecollectError,
    WrongUseError,
)
from store.library import Library, Move, Progress
from store.records.reports import SyncReport
from store.watch import Ending, Watcher
from tui.cli.session import Session, progress
from tui.output.text import as_object, encoded, write_json

# The events that `sync --events` prints for the browser, one JSON object per line.
#
#   progress  done total         progress of the sync
#   waiting   done               another process is syncing; the files it has read
#   done      … move moved       the report, the last move, the stores that changed
#   failed    message index      the error; whether the index cannot be written

_PATIENCE = 0.3
"""Seconds that a sync may take before progress is reported."""

_TURN = 0.1
"""Seconds between two checks whether another process has finished."""


class Events:
    """Syncs the stores and reports that as events."""

    def __init__(self, library: Library, listener: Ending, since: int | None) -> None:
        """Report moves after `since`, or those from now on."""
        self._library = library
        self._listener = listener
        self._seen = library.index.newest_move() if since is None else since
        self._failure = ""
        self._is_first = True
        self._began = 0.0

    def look(self) -> None:
        """Sync, and report the result if anything changed."""
        self._began = time.monotonic()
        try:
            report = self._read()
            moves = self._library.index.moves(self._seen)
        except RecollectError as error:
            self._fail(error)
            return
        if moves or self._is_first or self._failure:
            self._seen = moves[-1].number if moves else self._seen
            self._tell(report, moves)
        self._is_first, self._failure = False, ""

    def _read(self) -> SyncReport:
        """Sync, or wait until another process has done so."""
        while True:
            try:
                return self._library.sync(self._progress, waits=False)
            except CatalogueBusyError:
                if self._is_worth_telling():
                    say("waiting", done=self._library.lists.files())
                time.sleep(_TURN)

    def _progress(self, progress: Progress) -> None:
        if self._is_worth_telling():
            say("progress", done=progress.done, total=progress.total)

    def _is_worth_telling(self) -> bool:
        """Whether to report progress; ends the process if the listener is gone."""
        if self._listener.is_set():
            os._exit(0)  # an exception would wait for the readers' batches
        return self._is_first or time.monotonic() - self._began > _PATIENCE

    def _tell(self, report: SyncReport, moves: Sequence[Move]) -> None:
        kinds: defaultdict[Path, set[str]] = defaultdict(set)
        for move in moves:
            kinds[move.store].update(move.kinds)
        moved = [{"store": str(s), "kinds": sorted(k)} for s, k in kinds.items()]
        say("done", **as_object(report), move=self._seen, moved=moved)

    def _fail(self, error: RecollectError) -> None:
        """Report an error, once."""
        if str(error) != self._failure:
            self._failure = str(error)
            _say_failed(error)


def _say_failed(error: RecollectError) -> None:
    is_index = isinstance(error, CatalogueUnusableError)
    say("failed", message=str(error), index=is_index)


def say(event: str, **what: object) -> None:
    """Print one event and flush it."""
    sys.stdout.buffer.write(encoded({"event": event, **what}) + b"\n")
    sys.stdout.buffer.flush()


# The process that started this one; when it ends, so does this one.

_ALL = 65536


class Nobody:
    """Used if it does not matter whether anyone listens."""

    def is_set(self) -> bool:
        """Always False."""
        return False


class Listener:
    """The other end of stdin, if that is a pipe or a socket.

    The system closes it when the process that holds it ends, for whatever reason. A
    terminal, a file or a closed stdin says nothing about a listener.
    """

    def __init__(self) -> None:
        self._descriptor = _pipe()
        self._is_gone = False

    def is_set(self) -> bool:
        """Whether the other end is closed."""
        while self._descriptor is not None and not self._is_gone:
            readable, _, _ = select.select([self._descriptor], [], [], 0)
            if not readable:
                break
            self._is_gone = not os.read(self._descriptor, _ALL)
        return self._is_gone


def _pipe() -> int | None:
    """The file descriptor of stdin if it is a pipe or a socket."""
    if sys.stdin is None:
        return None
    try:
        descriptor = sys.stdin.fileno()
        mode = os.fstat(descriptor).st_mode
    except (OSError, ValueError):
        return None
    return descriptor if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) else None


# `recollect sync`: bring the catalogue up to date and report what was read.
#
# With `--events` this is the child process of a browser: it prints progress and reports
# as JSON Lines, so that reading never shares a process with the screen.

_NICE = 10
"""Niceness of a child that watches: key presses in the browser come first."""


def run_sync(arguments: argparse.Namespace, session: Session) -> None:
    """Read what changed."""
    if session.no_sync:
        raise WrongUseError("--no-sync can't be combined with sync.")
    if arguments.events and arguments.again is not None:
        raise WrongUseError("--again can't be combined with --events.")
    if arguments.events:
        _run_for_a_browser(arguments, session)
        return
    with session.library_as_it_is() as library:
        again = _again(library, arguments.again)
        with progress(lines=True) as tell:
            report = library.sync(tell, again=again)
        _tell(report, session)
        if arguments.watch:
            _watch(library, session)


def _again(library: Library, paths: Sequence[str] | None) -> Sequence[Path]:
    """The paths to read again from the start; raises NothingFoundError for others."""
    if paths is None:
        return ()
    found = [Path(path).expanduser().resolve() for path in paths]
    for path in found:
        if not any(_is_near(path, store) for store in library.stores.chosen):
            raise NothingFoundError(f"{path} isn't in any of the stores.")
    return found or [Path("/")]


def _is_near(path: Path, store: Path) -> bool:
    """Whether a path may hold files of a store; some files are beside their store."""
    return store.is_relative_to(path) or path.is_relative_to(store.parent)


def _run_for_a_browser(arguments: argparse.Namespace, session: Session) -> None:
    """Sync and report everything, including errors, as events."""
    try:
        with session.library_as_it_is(has_spares=False) as library:
            listener = Listener() if arguments.watch else Nobody()
            events = Events(library, listener, arguments.since)
            if not arguments.watch:
                events.look()
                return
            os.nice(_NICE)
            events.look()
            with Watcher(
                watched(library.stores.found), session.machine.environment
            ) as watcher:
                while watcher.wait(listener):
                    with watcher.look():
                        events.look()
    except RecollectError as error:
        _say_failed(error)
        raise


def _watch(library: Library, session: Session) -> None:
    """Watch forever and report each change."""
    with Watcher(watched(library.stores.found), session.machine.environment) as watcher:
        while watcher.wait(Nobody()):
            with watcher.look():
                report = library.sync()
            if report.changed or report.removed:
                _tell(report, session)


def _tell(report: SyncReport, session: Session) -> None:
    """Print the result of a sync at once."""
    if session.json:
        write_json([report])
    else:
        sys.stdout.write(f"{_sentence(report)}\n")
        sys.stdout.flush()


def _sentence(report: SyncReport) -> str:
    """The report as a sentence."""
    if not report.changed and not report.removed:
        return f"{report.files} files, none changed ({report.seconds:.2f} s)."
    return (
        f"{report.changed} of {report.files} files read "
        f"({report.bytes / 1_000_000:.1f} MB), {report.removed} deleted, "
        f"{report.records} records, {report.problems} problems "
        f"({report.seconds:.2f} s)."
    )
