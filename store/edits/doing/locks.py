"""The stores' own locks: held while files are written, and never left behind."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

from store.closing import Closing
from store.edits.doing.hands import Hands
from store.edits.kept.operation import Operation
from store.edits.kept.workshop import Workshop
from store.edits.refusals import LockedError
from store.errors import RecollectError
from store.files.beneath import Root
from store.files.lock_holder import LARGEST, pid_of
from store.files.locking import HeldError, Lock
from store.files.locking.holder import Holder
from store.files.replacing import Ground


class Held(Closing):
    """The locks that an operation holds."""

    def __init__(self) -> None:
        """None at first."""
        self._stack = ExitStack()
        self._locks: list[Lock] = []

    def add(self, lock: Lock) -> None:
        """Let go of it with the others."""
        self._locks.append(self._stack.enter_context(lock))

    @property
    def notes(self) -> list[str]:
        """What there is to say about them."""
        return [lock.taken_over for lock in self._locks if lock.taken_over]

    def refresh(self) -> None:
        """Say that they are still held, if it was long ago that it was said."""
        for lock in self._locks:
            lock.refresh()

    def close(self) -> None:
        """Let go of all."""
        self._stack.close()


def hold(held: Held, hands: Hands, workshop: Workshop, operation: Operation) -> None:
    """Take the locks that an operation needs.

    Raises LockedError, and what opening a store raises.
    """
    for root, name in sorted(operation.locks):
        try:
            lock = Lock(hands.ground(root).entry(name), _pids(workshop, root, name))
        except HeldError as error:
            raise LockedError(f"{error} Nothing was written.") from error
        held.add(lock)


def clear_locks(workshop: Workshop) -> list[str]:
    """Remove the locks that a process of ours left when it died.

    What it wrote into one may be lost with the power, so that it says nothing.
    """
    known = {lock for each in workshop.operations().values() for lock in each.locks}
    return [told for lock in sorted(known) for told in _cleared(workshop, *lock)]


def _cleared(workshop: Workshop, root: Path, name: str) -> Iterator[str]:
    gone = _pids(workshop, root, name)
    with suppress(OSError, RecollectError):
        with Root(root) as opened:
            blob = opened.read(name, limit=LARGEST)
        holder = Holder(blob.raw, blob.stamp.mtime_ns / 1e9, time.time())
        is_ours = not blob.raw.strip() or pid_of(blob.raw) in gone
        if is_ours and holder.claim(gone) is None:
            with Ground(root) as ground, Lock(ground.entry(name), gone):
                pass
            yield f"The lock {root / name} had been left behind; it is removed."


def _pids(workshop: Workshop, root: Path, name: str) -> set[int]:
    """The processes of ours that ever held a lock; who of them is gone left it."""
    operations = workshop.operations().values()
    return {each.pid for each in operations if (root, name) in each.locks}
