"""Wait until stores have changed: notified by the system, or by polling."""

import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

from store.discover import MACHINERY
from store.resource import Closing
from store.text import regex

# How often to check by default: the more a check costs, the less often.

_SHARE = 250
"""The inverse of the CPU share that checks may use: less than half a percent."""

_BREATH = 2
"""The pause between successive checks, as a multiple of their duration."""

_LONGEST_BREATH = 1.0


class Pace:
    """Measures checks, and decides how long to wait for the next."""

    def __init__(self) -> None:
        self._took = 0.0
        self._worked = 0.0

    @contextmanager
    def look(self) -> Generator[None]:
        """Measure one check."""
        began, worked = time.monotonic(), time.process_time()
        try:
            yield
        finally:
            self._took = time.monotonic() - began
            self._worked = time.process_time() - worked

    def seconds(self, least: float) -> float:
        """How long to wait without notifications, at `least` so many seconds."""
        return max(least, self._worked * _SHARE)

    def breath(self) -> float:
        """How long to pause while files change all the time."""
        return min(self._took * _BREATH, _LONGEST_BREATH)


# File systems without notifications, because others write to them unseen.

_MOUNTS = Path("/proc/self/mountinfo")

_UNTOLD = frozenset(
    {
        *("9p", "afs", "ceph", "cifs", "coda", "fuse", "lustre", "ncpfs", "nfs"),
        *("nfs4", "ocfs2", "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs"),
    }
)
"""Types of file systems that change without notifications: on another machine, in
another system on this one, or by a program. The types `fuse.…` do so too."""

_ESCAPED = regex(r"\\([0-7]{3})")


class Mount(NamedTuple):
    """A file system and its mount point."""

    place: Path
    kind: str


def is_untold(folder: Path, mounts: Sequence[Mount]) -> bool:
    """Whether a folder may change without a notification."""
    above = [mount for mount in mounts if folder.is_relative_to(mount.place)]
    if not above:
        return False
    depth = max(len(mount.place.parts) for mount in above)
    kind = [m.kind for m in above if len(m.place.parts) == depth][-1]
    return kind in _UNTOLD or kind.startswith("fuse.")


def mounts() -> list[Mount]:
    """The mounted file systems; empty if the system has no such list."""
    try:
        text = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return []
    return understood(text)


def understood(text: str) -> list[Mount]:
    """The mounts in a list, in order; a later one hides an earlier one."""
    found: list[Mount] = []
    for line in text.split("\n"):
        place, dash, rest = line.partition(" - ")
        fields, kinds = place.split(" "), rest.split(" ")
        if dash and len(fields) > _PLACE:
            path = _ESCAPED.sub(lambda code: chr(int(code[1], 8)), fields[_PLACE])
            found.append(Mount(Path(path), kinds[0]))
    return found


_PLACE = 4
"""The index of the field with the mount point."""


# The system's notifications of changes below some folders, one burst at a time.

_STEP = 50
"""Milliseconds of silence that end a burst."""

_TURN = 0.25
"""Seconds between two checks whether to stop, without notifications."""

_BURST = 200
"""The most milliseconds for which one burst is collected."""


class Ending(Protocol):
    """A signal to stop waiting."""

    def is_set(self) -> bool:
        """Whether to stop."""
        ...


class SilentError(Exception):
    """There are no notifications for these folders, or no more."""


class Silence(Closing):
    """The replacement if there are no notifications: it only waits."""

    def wait(self, seconds: float, ending: Ending) -> frozenset[Path]:
        """Wait so many seconds, or until `ending` is set."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not ending.is_set():
            time.sleep(min(left, _TURN))
        return frozenset()

    def close(self) -> None:
        """Do nothing."""


class Notices(Closing):
    """The system's notifications; raises SilentError if not available."""

    def __init__(self, folders: Sequence[Path]) -> None:
        from watchfiles._rust_notify import RustNotify  # noqa: PLC0415  # only for watching

        def listen(*, forgives: bool) -> "RustNotify":
            return RustNotify(
                [str(folder) for folder in folders],
                debug=False,
                force_polling=False,
                poll_delay_ms=0,
                recursive=True,
                ignore_permission_denied=forgives,
            )

        try:
            try:
                self._told = listen(forgives=False)
            except PermissionError:
                self._told = listen(forgives=True)
        except (OSError, RuntimeError, UnicodeError) as error:
            raise SilentError(str(error)) from error

    def wait(self, seconds: float, ending: Ending) -> frozenset[Path]:
        """The files of the next burst; empty after the timeout."""
        try:
            told = self._told.watch(_BURST, _STEP, max(1, int(seconds * 1000)), ending)
        except RuntimeError as error:
            raise SilentError(str(error)) from error
        if isinstance(told, str):
            return frozenset()
        return frozenset(Path(path) for _, path in told)

    def close(self) -> None:
        """Stop listening."""
        self._told.close()


# Wait until stores should be checked again.

_POLLED = 1.0
"""The least seconds between two checks, without notifications."""

_TOLD = 30.0
"""The same with notifications, a few of which may be lost."""

_FORCED = "WATCHFILES_FORCE_POLLING"
_NOT = frozenset({"", "0", "false", "disable", "disabled"})

_Identity = tuple[int, int]


class Watcher(Closing):
    """Watches folders by notifications, or else by polling."""

    def __init__(self, folders: Sequence[Path], environment: Mapping[str, str]) -> None:
        """Watching starts with the first call of `wait`."""
        self._folders = folders
        self._is_forced = environment.get(_FORCED, "").lower() not in _NOT
        self._there: dict[Path, _Identity] | None = None
        self._notices: Notices | Silence = Silence()
        self._pace = Pace()
        self._least = 0.0

    @contextmanager
    def look(self) -> Generator[None]:
        """Measure a check of the folders; expensive checks become less frequent."""
        with self._pace.look():
            yield

    def wait(self, ending: Ending) -> bool:
        """Wait until it is time for a check; False if `ending` is set instead.

        The first call returns at once, as changes before it may have gone unnoticed.
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
        """Whether a relevant file changes within so many seconds."""
        try:
            told = self._notices.wait(seconds, ending)
        except SilentError:
            self._fall_silent()
            return True
        return any(self._matters(path) for path in told)

    def _matters(self, path: Path) -> bool:
        """Whether a file is outside the tool folders in a store."""
        above = [folder for folder in self._folders if path.is_relative_to(folder)]
        return any(
            MACHINERY.isdisjoint(path.relative_to(folder).parts) for folder in above
        )

    def _listen(self) -> bool:
        """Listen to the folders that exist now, if these have changed."""
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
        """Poll from now on, until other folders appear."""
        self._notices.close()
        self._notices, self._least = Silence(), _POLLED


def _topmost(folders: Sequence[Path]) -> list[Path]:
    """The folders that are not inside another one, as watching is recursive."""
    return [
        folder
        for folder in folders
        if not any(other in folder.parents for other in folders)
    ]


def _identity(folder: Path) -> _Identity | None:
    """The device and inode of a folder; None if it is gone."""
    try:
        status = folder.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
