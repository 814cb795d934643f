"""Undo and redo: which changes, how, for how long, and whether everything is there."""

import os
import stat
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from store.derive.texts import merged_cleanly
from store.edits.backups import Workspace
from store.edits.deeds import Deed, FileDeed, in_order
from store.edits.draft import Draft, Remake
from store.edits.journal import ChangeFolder, Entry, Kind, Operation, State, new_id
from store.edits.transaction import Work
from store.errors import BackupLostError, NotPossibleError, UnreadableError
from store.files.beneath import Root
from store.files.locks import Holder
from store.files.replace import publish
from store.files.writable import WritableRoot, seen_at
from store.machine import LARGEST, make_private

# The history of changes, with their undos and redos.

Stores = Collection[Path] | None
"""The roots of the stores whose changes are wanted; None for all stores."""


class Chain(Struct, frozen=True):
    """One change, followed by its undos and redos."""

    operations: tuple[Operation, ...]
    places: tuple[int, ...]
    """Their positions among all operations."""

    @property
    def first(self) -> Operation:
        """The change itself."""
        return self.operations[0]

    @property
    def last(self) -> Operation:
        """The latest operation; reversing it means undoing or redoing the change."""
        return self.operations[-1]

    @property
    def is_undone(self) -> bool:
        """Whether the change is undone at present."""
        return self.last.kind is Kind.UNDO


class History:
    """All changes made, oldest first."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        """Only finished operations count."""
        self._chains: dict[str, Chain] = {}
        for place, operation in enumerate(operations):
            if operation.state is State.DONE:
                chain = self._chains.get(operation.change, Chain((), ()))
                self._chains[operation.change] = Chain(
                    (*chain.operations, operation), (*chain.places, place)
                )

    @property
    def chains(self) -> list[Chain]:
        """Each change with its undos and redos."""
        return list(self._chains.values())

    def named(self, change: str) -> Chain:
        """The change with an id, or with the beginning of one.

        Raises NotPossibleError.
        """
        found = [chain for name, chain in self._chains.items() if name == change] or [
            chain for name, chain in self._chains.items() if name.startswith(change)
        ]
        if len(found) != 1 or not change:
            what = "Several changes match" if found else "No change matches"
            raise NotPossibleError(f"{what} {change!r}.")
        return found[0]

    def to_undo(self, change: str | None) -> Chain:
        """The change to undo: the given one, or the last that is not undone."""
        if change is not None:
            chain = self.named(change)
            if chain.is_undone:
                raise NotPossibleError(f"{chain.first.action} is already undone.")
            return chain
        standing = [chain for chain in self.chains if not chain.is_undone]
        if not standing:
            raise NotPossibleError("There is nothing to undo.")
        return max(standing, key=_last_place)

    def later(self, chain: Chain) -> list[Chain]:
        """The changes since to the same files that are not undone, newest first."""
        files = files_of(chain)
        since = [
            one
            for one in self.chains
            if one.places[0] > chain.places[0]
            and not (one.is_undone or files.isdisjoint(files_of(one)))
        ]
        return sorted(since, key=_last_place, reverse=True)

    def to_redo(self) -> Chain:
        """The change that was undone last, unless another was made since."""
        newest = max((chain.places[0] for chain in self.chains), default=-1)
        undone = [
            chain
            for chain in self.chains
            if chain.is_undone and _last_place(chain) > newest
        ]
        if not undone:
            raise NotPossibleError("There is nothing to redo.")
        return max(undone, key=_last_place)


def files_of(chain: Chain) -> set[tuple[Path, str]]:
    """The files that a change is about, without derived ones."""
    deeds = chain.first.deeds
    return {(deed.root, deed.path) for deed in deeds if not deed.is_optional}


def _last_place(chain: Chain) -> int:
    return chain.places[-1]


# The operation that undoes or redoes another one.

Remaker = Callable[[Path, str], Remake | None]
"""How to rebuild a derived file of a store; None if it cannot be rebuilt."""


def reversal(
    folder: ChangeFolder,
    now: int,
    last: Operation,
    kind: Kind,
    remaker: Remaker | None,
) -> Work:
    """The work that undoes or redoes an operation.

    Raises UnreadableError and BackupLostError.
    """
    operation = replace(
        last,
        id=new_id(folder.operations(), now, f"{kind} {last.action}"),
        time=now,
        kind=kind,
        marks=tuple(mark.reversed for mark in last.marks),
        pid=os.getpid(),
        notes=(),
        settled={},
        overwritten=frozenset(),
    )
    with folder.workspace(operation) as workspace:
        deeds = reversed_deeds(last, workspace)
        remakes = {
            number: _remaking(deed, workspace, remaker)
            for number, deed in enumerate(deeds)
            if isinstance(deed, FileDeed) and deed.is_derived
        }
        return Work(replace(operation, deeds=deeds), workspace.images, remakes)


def reversed_deeds(operation: Operation, workspace: Workspace) -> tuple[Deed, ...]:
    """The deeds that undo an operation, last first as far as `in_order` allows.

    The stores are read as they are now. Raises UnreadableError and OSError.
    """
    hard = [deed for deed in reversed(operation.deeds) if not deed.is_optional]
    back = [*(deed.reversed() for deed in hard), *_derived(operation)]
    return tuple(deed.adjusted(workspace) for deed in in_order(back))


def reversed_draft(operation: Operation, workspace: Workspace) -> Draft:
    """The deeds that undo an operation as a draft, for display."""
    deeds = reversed_deeds(operation, workspace)
    steps = (step for deed in deeds for step in deed.steps(workspace))
    marks = tuple(mark.reversed for mark in operation.marks)
    return Draft(action=operation.action, steps=tuple(steps), marks=marks)


def _derived(operation: Operation) -> Iterator[FileDeed]:
    """The reverse of the derived files that were written, with their actual bytes."""
    for number, deed in enumerate(operation.deeds):
        pair = operation.settled.get(number)
        if isinstance(deed, FileDeed) and deed.is_derived and pair:
            yield replace(deed, before=pair[0], after=pair[1]).reversed()


def _remaking(deed: FileDeed, workspace: Workspace, remaker: Remaker | None) -> Remake:
    """How to undo the change of a derived file that others wrote meanwhile.

    The file is rebuilt if its format can do that. Otherwise our change is removed from
    it, unless it overlaps with theirs.
    """
    remake = remaker(deed.root, deed.path) if remaker else None
    before, after = workspace.image(deed.before), workspace.image(deed.after)

    def remade(now: bytes | None) -> bytes | None:
        made = remake(now) if remake else None
        if made is not None or None in (before, after, now):
            return made
        return merged_cleanly(before or b"", after or b"", now or b"")

    return remade


# How long changes can be undone, and what happens to older ones.

DAYS = 30
BYTES = 200 * 1024 * 1024
FEWEST = 50
"""How many operations are kept regardless of age and size."""

_DAY = 24 * 60 * 60 * 1_000_000


def retain(folder: ChangeFolder, now: int) -> None:
    """Drop the oldest changes if they are too old, or too large in total.

    Unfinished and half-done changes stay. Raises OSError.
    """
    operations = folder.operations()
    kept = _kept(operations, folder.blobs.sizes(), now)
    if len(kept) < len(operations):
        drop_but(folder, kept)
    for copy in _copies(folder):
        if now * 1000 - copy.stat().st_mtime_ns > DAYS * _DAY * 1000:
            copy.unlink()


def purge(folder: ChangeFolder) -> int:
    """Forget every finished change, and all bytes from before and after it.

    Unfinished and half-done changes stay, with what is needed to finish or undo them.
    Returns the number of bytes freed. Raises OSError.
    """
    folder.replaced.look()
    operations = folder.operations().values()
    waiting = (each for each in operations if each.is_open or each.is_undecided)
    freed = drop_but(folder, {each.id for each in waiting})
    for copy in _copies(folder):
        freed += copy.stat().st_size
        copy.unlink()
    return freed


def drop_but(folder: ChangeFolder, kept: set[str]) -> int:
    """Forget all other operations and their bytes; returns the bytes freed.

    The journal is rewritten first, so that it never lists an operation without bytes.
    """
    entries = [entry for entry in folder.journal.entries() if entry["id"] in kept]
    folder.journal.rewrite(entries)
    return folder.blobs.drop_but(_named(folder.operations().values(), entries))


def _named(operations: Iterable[Operation], entries: Iterable[Entry]) -> set[str]:
    """The digests of all bytes that are still needed."""
    names = {str(entry["blob"]) for entry in entries if "blob" in entry}
    for operation in operations:
        names.update(*(deed.blobs for deed in operation.deeds))
        for pair in operation.settled.values():
            names.update(name for name in pair or () if name is not None)
    return names


def _kept(
    operations: Mapping[str, Operation], sizes: Mapping[str, int], now: int
) -> set[str]:
    """The newest operations that are within the limits of age and total size.

    A change and its undo are kept or dropped together.
    """
    kept: set[str] = set()
    weight = 0
    for operation in reversed(list(operations.values())):
        names = set[str]().union(*(deed.blobs for deed in operation.deeds))
        weight += sum(sizes.get(name, 0) for name in names)
        is_old = now - operation.time > DAYS * _DAY
        is_waiting = operation.is_open or operation.is_undecided
        if len(kept) < FEWEST or is_waiting or not (is_old or weight > BYTES):
            kept.add(operation.change)
    return {name for name, each in operations.items() if each.change in kept}


def _copies(folder: ChangeFolder) -> list[Path]:
    """The full copies of databases."""
    return sorted((folder.path / "databases").glob("*.db"))


# Check that everything undo depends on is present and intact.


class Verdict(Struct, frozen=True, kw_only=True):
    """The result of one check."""

    name: str
    """What was checked, in a word."""
    message: str
    """The result as a sentence."""
    is_good: bool = True


def verify(folder: ChangeFolder) -> list[Verdict]:
    """Check the journal, every blob, a trial restore, permissions and locks.

    Changes nothing. Raises OSError if the checks cannot even be run.
    """
    operations = list(folder.operations().values())
    return [
        _journal(folder, operations),
        _backups(folder, operations),
        _restore(folder, operations),
        _permissions(folder.path),
        _locks(operations),
    ]


def _verdict(name: str, wrong: Sequence[str], told: str, good: str) -> Verdict:
    """The result of a check: `told` introduces the problems, if any."""
    message = f"{told}: {', '.join(wrong)}." if wrong else good
    return Verdict(name=name, message=message, is_good=not wrong)


def _journal(folder: ChangeFolder, operations: Sequence[Operation]) -> Verdict:
    counts = {
        "damaged lines": folder.journal.damaged,
        "unfinished changes": sum(each.is_open for each in operations),
    }
    faults = [f"{count} {what}" for what, count in counts.items() if count]
    known = f"{len(operations)} operation{'s' * (len(operations) != 1)}"
    return _verdict("journal", faults, "Journal", f"Journal OK ({known}).")


def _backups(folder: ChangeFolder, operations: Sequence[Operation]) -> Verdict:
    wanted = set[str]()
    wanted.update(*(deed.blobs for each in operations for deed in each.deeds))
    lost = [name for name in sorted(wanted) if not _is_sound(folder, name)]
    names = [name[:12] for name in lost]
    return _verdict(
        "backups", names, "Missing or damaged", f"Backups OK ({len(wanted)})."
    )


def _is_sound(folder: ChangeFolder, name: str) -> bool:
    try:
        folder.blobs.read(name)
    except BackupLostError:
        return False
    return True


def _restore(folder: ChangeFolder, operations: Sequence[Operation]) -> Verdict:
    """Restore the newest backup to a temporary folder, and compare."""
    names = [
        deed.before
        for operation in operations
        for deed in operation.deeds
        if isinstance(deed, FileDeed) and deed.before and folder.blobs.has(deed.before)
    ]
    if not names:
        return Verdict(name="restore", message="Nothing to restore yet.")
    trial = folder.path / "trial"
    make_private(trial)
    try:
        raw = folder.blobs.read(names[-1])
        with WritableRoot(trial) as writable:
            spot = writable.spot("restored")
            publish(spot, "restored.new", raw, None, 0o600)
            seen = seen_at(spot)
        is_good = seen is not None and seen.raw == raw
        message = "A backup was restored and compared."
    except (OSError, UnreadableError, BackupLostError) as error:
        is_good, message = False, f"A backup can't be restored: {error}"
    finally:
        for left in (*trial.iterdir(), trial):
            left.rmdir() if left.is_dir() else left.unlink()
    return Verdict(name="restore", message=message, is_good=is_good)


def _permissions(folder: Path) -> Verdict:
    """Check that the folder, which holds private memories, is for its owner alone.

    Files in limbo keep the mode that they had in their store, so they are skipped.
    """
    wrong = sorted(
        path.name
        for path in (folder, *folder.rglob("*"))
        if path.parent.name != "limbo" and _is_open_to_others(path.lstat())
    )
    told = "Readable or writable by other users"
    return _verdict("permissions", wrong, told, "Only you can read the undo files.")


def _is_open_to_others(about: os.stat_result) -> bool:
    return about.st_uid != os.geteuid() or bool(stat.S_IMODE(about.st_mode) & 0o077)


def _locks(operations: Sequence[Operation]) -> Verdict:
    locks = sorted({lock for operation in operations for lock in operation.locks})
    stale = [str(root / name) for root, name in locks if _is_stale(root, name)]
    return _verdict("locks", stale, "Stale locks", "No stale locks.")


def _is_stale(root: Path, name: str) -> bool:
    """Whether there is a lock file that no process holds."""
    try:
        with Root(root) as opened:
            blob = opened.read(name, limit=LARGEST)
    except UnreadableError:
        return False
    written = blob.stamp.mtime_ns / 1e9
    return Holder(blob.raw, written, time.time()).claim(()) is None
