"""Whether everything that undo lives on is there and sound."""

import os
import stat
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from store.edits.kept.deeds import FileDeed, blobs_of
from store.edits.kept.operation import Operation, State
from store.edits.kept.workshop import Workshop
from store.edits.refusals import BackupLostError
from store.errors import UnreadableError
from store.files.beneath import Root
from store.files.lock_holder import LARGEST
from store.files.locking.holder import Holder
from store.files.replacing import Ground, publish, seen_at
from store.places import make_private


class Verdict(Struct, frozen=True, kw_only=True):
    """One thing that was looked at."""

    name: str
    """What was looked at, in a word."""
    message: str
    """The sentence that says how it is."""
    is_good: bool = True


def verify(workshop: Workshop) -> list[Verdict]:
    """Look at the journal, every blob, one restore, permissions and locks.

    Nothing is mended by it. Raises OSError where not even the look is possible.
    """
    operations = list(workshop.operations().values())
    return [
        _journal(workshop, operations),
        _backups(workshop, operations),
        _restore(workshop, operations),
        _permissions(workshop.folder),
        _locks(operations),
    ]


def _journal(workshop: Workshop, operations: Sequence[Operation]) -> Verdict:
    entries = workshop.journal.entries()
    counts = {
        "damaged lines": workshop.journal.damaged,
        "unfinished changes": sum(each.is_open for each in operations),
        "changes that somebody has to look at": sum(
            each.state is State.UNSETTLED for each in operations
        ),
        "writes of others that came too late": sum(
            entry["entry"] == "late" for entry in entries
        ),
    }
    faults = [f"{count} {what}" for what, count in counts.items() if count]
    told = ", ".join(faults) or f"{len(operations)} operations, all of them whole"
    return Verdict(
        name="journal", message=f"The journal holds {told}.", is_good=not faults
    )


def _backups(workshop: Workshop, operations: Sequence[Operation]) -> Verdict:
    wanted = set[str]()
    wanted.update(*(blobs_of(deed) for each in operations for deed in each.deeds))
    lost = [name for name in sorted(wanted) if not _is_sound(workshop, name)]
    told = ", ".join(name[:12] for name in lost)
    return Verdict(
        name="backups",
        message=f"Gone or damaged: {told}."
        if lost
        else f"All {len(wanted)} backups can be read.",
        is_good=not lost,
    )


def _is_sound(workshop: Workshop, name: str) -> bool:
    try:
        workshop.blobs.read(name)
    except BackupLostError:
        return False
    return True


def _restore(workshop: Workshop, operations: Sequence[Operation]) -> Verdict:
    """Put the newest backup where nobody needs it, and compare."""
    names = [
        deed.before
        for operation in operations
        for deed in operation.deeds
        if isinstance(deed, FileDeed)
        and deed.before
        and workshop.blobs.has(deed.before)
    ]
    if not names:
        return Verdict(name="restore", message="There is nothing to restore yet.")
    folder = workshop.folder / "trial"
    make_private(folder)
    try:
        raw = workshop.blobs.read(names[-1])
        with Ground(folder) as ground:
            spot = ground.spot("restored")
            publish(spot, "restored.new", raw, None, 0o600)
            seen = seen_at(spot)
        is_good = seen is not None and seen.raw == raw
        message = "A backup was put in place and compared."
    except (OSError, UnreadableError, BackupLostError) as error:
        is_good, message = False, f"A backup could not be put in place: {error}"
    finally:
        for left in (*folder.iterdir(), folder):
            left.rmdir() if left.is_dir() else left.unlink()
    return Verdict(name="restore", message=message, is_good=is_good)


def _permissions(folder: Path) -> Verdict:
    """What lies there are people's memories: it is for their owner alone.

    Files in limbo are what they were in their store.
    """
    wrong = sorted(
        path.name
        for path in (folder, *folder.rglob("*"))
        if path.parent.name != "limbo" and _is_open_to_others(path.lstat())
    )
    return Verdict(
        name="permissions",
        message=f"Others may read or write: {', '.join(wrong)}."
        if wrong
        else "Only you may read what is kept.",
        is_good=not wrong,
    )


def _is_open_to_others(about: os.stat_result) -> bool:
    return about.st_uid != os.geteuid() or bool(stat.S_IMODE(about.st_mode) & 0o077)


def _locks(operations: Sequence[Operation]) -> Verdict:
    locks = sorted({lock for operation in operations for lock in operation.locks})
    stale = [str(root / name) for root, name in locks if _is_stale(root, name)]
    told = ", ".join(stale)
    return Verdict(
        name="locks",
        message=f"Left behind: {told}." if stale else "No lock was left behind.",
        is_good=not stale,
    )


def _is_stale(root: Path, name: str) -> bool:
    """Whether a lock file is there that holds nobody back."""
    try:
        with Root(root) as opened:
            blob = opened.read(name, limit=LARGEST)
    except UnreadableError:
        return False
    written = blob.stamp.mtime_ns / 1e9
    return Holder(blob.raw, written, time.time()).claim(()) is None
