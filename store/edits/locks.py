"""Locks of stores while they are changed: ours taken and cleared, others respected."""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

from store.edits.backups import Workspace
from store.edits.journal import ChangeFolder, Operation, event
from store.errors import LockedError, RecollectError
from store.files.beneath import Root, quoted
from store.files.locks import HeldError, Holder, Lock
from store.files.writable import WritableRoot
from store.machine import LARGEST, pid_of
from store.resource import Closing

# Write nothing while another program's lock is present.


def refuse_if_locked(operation: Operation, workspace: Workspace) -> None:
    """Raise LockedError if such a lock is present and recent enough."""
    for root in sorted(operation.stores):
        for name, counts in operation.foreign_locks:
            age = _age(workspace.writable(root), name)
            if age is not None and age < counts:
                path = quoted(name)
                sentence = f"Another program is using the store, according to {path}"
                raise LockedError(f"{sentence}; nothing was written.")


def _age(writable: WritableRoot, path: str) -> float | None:
    """How many seconds ago a file was written; None if there is no file."""
    try:
        spot = writable.entry(path)
        about = spot.stat()
    except FileNotFoundError:
        return None
    return time.time() - about.st_mtime


# The stores' own locks: held while files are written, and never left behind.


class Held(Closing):
    """The locks that an operation holds."""

    def __init__(self) -> None:
        """No locks at first."""
        self._stack = ExitStack()
        self._locks: list[Lock] = []

    def add(self, lock: Lock) -> None:
        """Add a lock, to be released with the others."""
        self._locks.append(self._stack.enter_context(lock))

    @property
    def notes(self) -> list[str]:
        """Messages about locks that were taken over."""
        return [lock.taken_over for lock in self._locks if lock.taken_over]

    def refresh(self) -> None:
        """Renew the locks that were last renewed long ago."""
        for lock in self._locks:
            lock.refresh()

    def close(self) -> None:
        """Release all locks."""
        self._stack.close()


def hold(
    held: Held, workspace: Workspace, folder: ChangeFolder, operation: Operation
) -> None:
    """Take the locks that an operation needs.

    Raises LockedError, and what opening a store raises.
    """
    for root, name in sorted(operation.locks):
        try:
            lock = Lock(workspace.writable(root).entry(name), _pids(folder, root, name))
        except HeldError as error:
            raise LockedError(f"{error} Nothing was written.") from error
        held.add(lock)


def clear_locks(folder: ChangeFolder) -> list[str]:
    """Remove the locks that a process of ours left behind when it died.

    After a power loss, such a lock file may be empty.
    """
    known = {lock for each in folder.operations().values() for lock in each.locks}
    return [message for lock in sorted(known) for message in _cleared(folder, *lock)]


def _cleared(folder: ChangeFolder, root: Path, name: str) -> Iterator[str]:
    gone = _pids(folder, root, name)
    with suppress(OSError, RecollectError):
        with Root(root) as opened:
            blob = opened.read(name, limit=LARGEST)
        holder = Holder(blob.raw, blob.stamp.mtime_ns / 1e9, time.time())
        is_ours = not blob.raw.strip() or pid_of(blob.raw) in gone
        if is_ours and holder.claim(gone) is None:
            resume(folder, _users(folder, root, name)[-1])
            with WritableRoot(root) as writable, Lock(writable.entry(name), gone):
                pass
            yield f"Removed the stale lock {root / name}."


def _pids(folder: ChangeFolder, root: Path, name: str) -> set[int]:
    """Our processes that ever held a lock; if one is gone, its lock is stale."""
    users = _users(folder, root, name)
    return {pid for each in users for pid in (each.pid, *each.resumed_by)}


def _users(folder: ChangeFolder, root: Path, name: str) -> list[Operation]:
    operations = folder.operations().values()
    return [each for each in operations if (root, name) in each.locks]


def resume(folder: ChangeFolder, operation: Operation) -> None:
    """Record this process in the journal before it takes over a stale lock.

    If it is killed as well, the next process knows that the lock is ours.
    """
    if os.getpid() not in operation.resumed_by:
        folder.journal.append(event(operation, "resumed", pid=os.getpid()))
