"""Wait until stores are worth another look."""

import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from store.closing import Closing
from store.discover import MACHINERY
from store.watching.mounts import is_untold, mounts
from store.watching.notices import Ending, Notices, Silence, SilentError
from store.watching.pace import Pace

_POLLED = 1.0
"""Seconds between two looks at the least, where the system tells of nothing."""

_TOLD = 30.0
"""The same, where it tells of everything but what gets lost."""

_FORCED = "WATCHFILES_FORCE_POLLING"
_NOT = frozenset({"", "0", "false", "disable", "disabled"})

_Identity = tuple[int, int]


class Watcher(Closing):
    """Watches folders by the system's notifications, and by the clock without them."""

    def __init__(self, folders: Sequence[Path], environment: Mapping[str, str]) -> None:
        """Nothing is watched before `wait` is called for the first time."""
        self._folders = folders
        self._is_forced = environment.get(_FORCED, "").lower() not in _NOT
        self._there: dict[Path, _Identity] | None = None
        self._notices: Notices | Silence = Silence()
        self._pace = Pace()
        self._least = 0.0

    @contextmanager
    def look(self) -> Generator[None]:
        """One look at the folders; the dearer it is, the rarer is the next."""
        with self._pace.look():
            yield

    def wait(self, ending: Ending) -> bool:
        """Wait until it is time for a look; False where it is time to end instead.

        What moved before the first call may go unseen, so that one returns at once.
        """
        if self._listen():
            return not ending.is_set()
        Silence().wait(self._pace.breath(), ending)
        until = time.monotonic() + self._pace.seconds(self._least)
        while (left := until - time.monotonic()) > 0 and not ending.is_set():
            if self._is_told(left, ending):
                break
        return not ending.is_set()

    def close(self) -> None:
        """Stop listening."""
        self._notices.close()

    def _is_told(self, seconds: float, ending: Ending) -> bool:
        """Whether something that matters moves within so long."""
        try:
            told = self._notices.wait(seconds, ending)
        except SilentError:
            self._fall_silent()
            return True
        return any(self._matters(path) for path in told)

    def _matters(self, path: Path) -> bool:
        """Whether a file is no part of machinery that lies in a store."""
        above = [folder for folder in self._folders if path.is_relative_to(folder)]
        return any(
            MACHINERY.isdisjoint(path.relative_to(folder).parts) for folder in above
        )

    def _listen(self) -> bool:
        """Listen to the folders that are there now, where they are not the same."""
        there = {folder: one for folder in self._folders if (one := _identity(folder))}
        if there == self._there:
            return False
        self._there = there
        self._notices.close()
        mounted = mounts()
        told = [
            folder
            for folder in there
            if not (self._is_forced or is_untold(folder, mounted))
        ]
        self._least = _TOLD if len(told) == len(self._folders) else _POLLED
        try:
            self._notices = Notices(_topmost(told)) if told else Silence()
        except SilentError:
            self._fall_silent()
        return True

    def _fall_silent(self) -> None:
        """Look by the clock from now on, until other folders are there."""
        self._notices.close()
        self._notices, self._least = Silence(), _POLLED


def _topmost(folders: Sequence[Path]) -> list[Path]:
    """The folders that lie in no other: what tells of one tells of all beneath."""
    return [
        folder
        for folder in folders
        if not any(other in folder.parents for other in folders)
    ]


def _identity(folder: Path) -> _Identity | None:
    """What tells a folder from another that takes its place; None where it is gone."""
    try:
        status = folder.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
