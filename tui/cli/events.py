"""What `sync --events` says on stdout, an object a line, to the browser that reads it.

```
progress done total     how far reading is
waiting  done           another process is reading; so many files it has come to
done     … move moved   the report; the stores that moved, and what of them
failed   message        what went wrong, in a sentence
```
"""

import os
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from store.errors import CatalogueBusyError, RecollectError
from store.library import Library, Move, Progress
from store.records.reports import SyncReport
from store.watching.notices import Ending
from tui.faces.json_lines import as_object, encoded

_PATIENCE = 0.3
"""Seconds that a look may take before anybody is told how far it is."""

_TURN = 0.1
"""Seconds between two looks at whether another process is done."""


class Events:
    """Looks at the stores, and tells of it."""

    def __init__(self, library: Library, listener: Ending, since: int | None) -> None:
        """What moved after `since` is told of; None: what moves from now on."""
        self._library = library
        self._listener = listener
        self._seen = library.newest_move() if since is None else since
        self._failure = ""
        self._is_first = True
        self._began = 0.0

    def look(self) -> None:
        """Read what moved, and tell what that came to where it came to anything."""
        self._began = time.monotonic()
        try:
            report = self._read()
            moves = self._library.moves(self._seen)
        except RecollectError as error:
            self._fail(error)
            return
        if moves or self._is_first or self._failure:
            self._seen = moves[-1].number if moves else self._seen
            self._tell(report, moves)
        self._is_first, self._failure = False, ""

    def _read(self) -> SyncReport:
        """Read what moved, or wait until another process has."""
        while True:
            try:
                return self._library.sync(self._progress, waits=False)
            except CatalogueBusyError:
                if self._is_worth_telling():
                    say("waiting", done=self._library.files())
                time.sleep(_TURN)

    def _progress(self, progress: Progress) -> None:
        if self._is_worth_telling():
            say("progress", done=progress.done, total=progress.total)

    def _is_worth_telling(self) -> bool:
        """Whether anybody waits for this look; where nobody is left, it ends here."""
        if self._listener.is_set():
            os._exit(0)  # an exception would wait for the readers to end their batches
        return self._is_first or time.monotonic() - self._began > _PATIENCE

    def _tell(self, report: SyncReport, moves: Sequence[Move]) -> None:
        kinds: defaultdict[Path, set[str]] = defaultdict(set)
        for move in moves:
            kinds[move.store].update(move.kinds)
        moved = [{"store": str(s), "kinds": sorted(k)} for s, k in kinds.items()]
        say("done", **as_object(report), move=self._seen, moved=moved)

    def _fail(self, error: RecollectError) -> None:
        """Say what is in the way, once."""
        if str(error) != self._failure:
            self._failure = str(error)
            say("failed", message=self._failure)


def say(event: str, **what: object) -> None:
    """One event, at once."""
    sys.stdout.buffer.write(encoded({"event": event, **what}) + b"\n")
    sys.stdout.buffer.flush()
