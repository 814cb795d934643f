"""One change carried out completely or not at all, under the stores' locks."""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from store.edits.backups import Workspace
from store.edits.conflict import (
    Conflict,
    HalfDoneError,
    changed_on_disk,
    conflicts_of,
    reason,
    refuse_protected,
    stale,
    translated,
)
from store.edits.deeds import Deed, FileDeed, LinesDeed, ModeDeed, in_order, temporary
from store.edits.draft import (
    AppendStep,
    Draft,
    FileStep,
    ModeStep,
    Remake,
    RowStep,
    Stage,
)
from store.edits.journal import (
    ChangeFolder,
    Kind,
    Operation,
    Pair,
    State,
    begun,
    done,
    event,
    new_id,
)
from store.edits.locks import Held, hold, refuse_if_locked
from store.edits.rows import Columns, RowChange, RowsDeed, columns_of, raw_of
from store.edits.rows import present as row_now
from store.edits.rows import whole as whole_row
from store.errors import NotPossibleError, NotWrittenError, RecollectError
from store.files.replace import Method
from store.files.writable import ForeignError, Seen, seen_at


class Work(Struct, frozen=True):
    """An operation that has not started, and what it needs beyond the journal."""

    operation: Operation
    images: Mapping[str, bytes]
    remakes: Mapping[int, Remake] = field(default_factory=dict[int, Remake])


# Turn a draft into deeds, checking that the files are still as expected.

_OPEN = 0o666


def begin(
    folder: ChangeFolder, now: int, root: Path, draft: Draft, refs: tuple[str, ...]
) -> Work:
    """The work for a draft.

    Raises ChangedOnDiskError, LockedError, NotPossibleError, UnreadableError, and
    NotWrittenError if a derived file is write-protected.
    """
    refuse_protected(root, draft.steps)
    change = new_id(folder.operations(), now, draft.action)
    operation = Operation(
        id=change,
        time=now,
        kind=Kind.CHANGE,
        change=change,
        action=draft.action,
        refs=refs,
        root=root,
        deeds=(),
        foreign_locks=tuple((lock.path, lock.age) for lock in draft.foreign_locks),
        marks=draft.marks,
        pid=os.getpid(),
    )
    with folder.workspace(operation) as workspace:
        files = _files(root, draft, workspace)
        others = _others(root, draft, workspace)
        modes = _modes(root, [*files, *others], workspace)
        near = [file.seen.attributes.mode for file in files if file.seen]
        near += [deed.after for deed in others if isinstance(deed, ModeDeed)]
        made = {
            _deed(file, _mode(modes[file.root], near), workspace): file.step.remake
            for file in files
            if file.step.remake or file.step.before != file.step.after
        }
        images = workspace.images
    deeds = in_order([*made, *others])
    if not deeds and not draft.marks:
        raise NotPossibleError("No changes.")
    held = [deed for deed in deeds if not isinstance(deed, ModeDeed)]
    if len({(deed.root, deed.path) for deed in held}) < len(held):
        raise NotPossibleError("A file can't be changed twice at once.")
    own = dict(draft.locks)
    names = ((each, own.get(each, draft.lock)) for each in modes)
    locks = tuple((each, name) for each, name in names if name)
    remakes = {
        number: remake
        for number, deed in enumerate(deeds)
        if isinstance(deed, FileDeed) and (remake := made[deed])
    }
    return Work(replace(operation, deeds=tuple(deeds), locks=locks), images, remakes)


class _File(Struct, frozen=True):
    """A step, with the current state of its file."""

    step: FileStep
    root: Path
    seen: Seen | None
    missing: tuple[str, ...]


def _files(root: Path, draft: Draft, workspace: Workspace) -> list[_File]:
    """The files of a draft as they are now, if they are as the draft expects."""
    steps = (step for step in draft.steps if isinstance(step, FileStep))
    files = [_file(root, step, workspace) for step in steps]
    conflicts = [
        Conflict(
            root=file.root,
            path=file.step.path,
            base=file.step.before,
            ours=file.step.after,
            theirs=theirs,
        )
        for file in files
        if (theirs := file.seen.raw if file.seen else None) != file.step.before
        and file.step.remake is None
    ]
    if conflicts:
        raise changed_on_disk(conflicts)
    return files


def _file(root: Path, step: FileStep, workspace: Workspace) -> _File:
    root = (step.root or root).absolute()
    writable = workspace.writable(root)
    try:
        return _File(step, root, seen_at(writable.spot(step.path)), ())
    except FileNotFoundError:
        return _File(step, root, None, writable.missing(step.path))


def _deed(file: _File, mode: int, workspace: Workspace) -> FileDeed:
    return FileDeed(
        root=file.root,
        path=file.step.path,
        before=workspace.hold(file.step.before),
        after=workspace.hold(file.step.after),
        temp=temporary(),
        is_derived=file.step.remake is not None,
        folders=file.missing,
        about=file.seen.attributes if file.seen else None,
        mode=mode,
    )


def _modes(
    root: Path, changed: Iterable[_File | Deed], workspace: Workspace
) -> dict[Path, int]:
    """The modes of the folders of all stores that are changed."""
    roots = sorted({root, *(each.root for each in changed)})
    return {each: workspace.writable(each).path.stat().st_mode for each in roots}


def _mode(folder: int, others: Sequence[int]) -> int:
    """The most permissive mode a new file may have.

    The store's folder and the files being changed limit it, so that their content does
    not become readable to others.
    """
    mode = folder & _OPEN
    for other in others:
        mode &= other
    return mode | 0o600


def _others(root: Path, draft: Draft, workspace: Workspace) -> list[Deed]:
    """The deeds for all steps but those for files.

    Whether appended files and modes are as expected is checked before writing.
    """
    rows: dict[str, list[RowChange]] = {}
    deeds: list[Deed] = []
    for step in draft.steps:
        if isinstance(step, AppendStep):
            deeds.append(_lines((step.root or root).absolute(), step, workspace))
        elif isinstance(step, ModeStep) and step.before != step.after:
            deeds.append(
                ModeDeed(
                    root=(step.root or root).absolute(),
                    path=step.path,
                    before=step.before,
                    after=step.after,
                )
            )
        elif isinstance(step, RowStep):
            rows.setdefault(step.path, []).append(_row(root, step, workspace))
    return deeds + [
        RowsDeed(root=root, path=path, rows=tuple(changes))
        for path, changes in rows.items()
    ]


def _lines(root: Path, step: AppendStep, workspace: Workspace) -> LinesDeed:
    try:
        spot = workspace.writable(root).spot(step.path)
        about = spot.stat()
    except FileNotFoundError as error:
        was = step.end.tail
        conflict = Conflict(
            root=root, path=step.path, base=was, ours=was + step.lines, theirs=None
        )
        raise changed_on_disk([conflict]) from error
    return LinesDeed(
        root=root,
        path=step.path,
        size=step.end.size,
        tail=step.end.tail,
        lines=step.lines,
        mtime_ns=about.st_mtime_ns,
    )


def _row(root: Path, step: RowStep, workspace: Workspace) -> RowChange:
    before = None if step.before is None else columns_of(step.before)
    after = None if step.after is None else columns_of(step.after)
    if before is not None:
        before = _completed(root, step, before, after)
    return RowChange(
        table=step.table,
        key=step.key,
        before=workspace.hold(raw_of(before)),
        after=workspace.hold(raw_of(after)),
        triggers=step.triggers,
    )


def _completed(
    root: Path, step: RowStep, before: Columns, after: Columns | None
) -> Columns:
    """The current values of a row, so that its change can be undone.

    For a deleted row these are all its columns.
    """
    place = (root, step.path, step.table, columns_of(step.key))
    names = tuple({**before, **(after or {})})
    row = whole_row(*place) if after is None else row_now(*place, names)
    if row is not None and before.items() <= row.items():
        return row
    conflict = Conflict(
        root=root,
        path=f"{step.path}:{step.table}",
        base=raw_of(before),
        ours=raw_of(after),
        theirs=raw_of(row),
    )
    raise changed_on_disk([conflict])


# Carry out an operation, all or nothing.

_BEGUN = "It will be finished or undone at the next start."
_HALF_DONE = "The change is half done."


def carry_out(folder: ChangeFolder, work: Work) -> Operation:
    """Carry out an operation; it is durable when this returns.

    Raises ChangedOnDiskError, LockedError, NotWrittenError, UnreadableError, and
    OSError before it has started. Then nothing was changed, unless the message says
    otherwise.
    """
    operation = work.operation
    with folder.workspace(operation, work.images) as workspace, Held() as held:
        _check(workspace, operation)
        refuse_if_locked(operation, workspace)
        wanted = set[str]().union(*(deed.blobs for deed in operation.deeds))
        folder.blobs.keep_as({name: workspace.image(name) or b"" for name in wanted})
        try:
            folder.journal.append(begun(operation))
            hold(held, workspace, folder, operation)
            _check(workspace, operation)
        except (OSError, RecollectError) as error:
            with suppress(OSError):
                folder.journal.append(event(operation, "aborted"))
            raise translated(error) from error
        return _do(folder, work, workspace, held)


def _check(workspace: Workspace, operation: Operation) -> None:
    """Check all files before one is changed; raises ChangedOnDiskError."""
    for deed in operation.deeds:
        if not deed.is_optional and deed.stage(workspace) is not Stage.BEFORE:
            raise changed_on_disk(conflicts_of(operation.deeds, workspace))


def _do(
    folder: ChangeFolder, work: Work, workspace: Workspace, held: Held
) -> Operation:
    is_over = False
    try:
        finished = _deeds(work, workspace, held)
        folder.remember(finished)
        is_over = True
        folder.journal.append(done(finished), lasts=not _is_evident(finished))
    except (OSError, RecollectError) as error:
        operation = work.operation
        conflicts = conflicts_of(operation.deeds, workspace)
        end = take_back(folder, operation, workspace, is_over=is_over)
        why = reason(error, conflicts)
        if end is State.UNSETTLED:
            sentence = f"{why} {_HALF_DONE}"
            raise HalfDoneError(sentence, conflicts, operation.id) from error
        if end is State.BEGUN:
            raise NotWrittenError(f"{why} {_BEGUN}") from error
        raise translated(error, conflicts) from error
    return finished


def _is_evident(finished: Operation) -> bool:
    """Whether the files alone prove that it is done, whatever others write there.

    This is so for appended lines: they are durable, and are found wherever they are.
    """
    added = (isinstance(one, LinesDeed) and not one.takes for one in finished.deeds)
    return all(added) and not finished.marks


def _deeds(work: Work, workspace: Workspace, held: Held) -> Operation:
    settled: dict[int, Pair | None] = {}
    notes = held.notes
    for number, deed in enumerate(work.operation.deeds):
        held.refresh()
        if isinstance(deed, FileDeed) and deed.is_derived:
            remake = work.remakes.get(number)
            settled[number], why = _derive(workspace, deed, remake)
            if why:
                notes.append(stale(deed.path, why))
        elif deed.start(workspace) is Method.IN_PLACE:
            notes.append(f"{deed.path} was overwritten in place, not atomically.")
    is_all = len(settled) == len(work.operation.deeds) and not work.operation.marks
    if settled and is_all and not any(settled.values()):
        # These files are the change itself.
        raise NotWrittenError(" ".join([*notes, "Nothing was written."]))
    return replace(
        work.operation, state=State.DONE, notes=tuple(notes), settled=settled
    )


# Update a derived file, as far as other programs allow.

ATTEMPTS = 5
"""How often a file is rebuilt because another program wrote it meanwhile."""


def _derive(
    workspace: Workspace, deed: FileDeed, remake: Remake | None
) -> tuple[Pair | None, str]:
    """Write a derived file; None if that failed and the file stays, and why."""
    why = "Another program keeps changing it."
    try:
        for _ in range(ATTEMPTS):
            wanted = _wanted(workspace, deed, remake)
            if wanted is None:
                return None, "Another program has changed it."
            pair = wanted.before, wanted.after
            if wanted.before == wanted.after:
                return pair, ""
            with suppress(ForeignError):
                wanted.start(workspace)
                return pair, ""
    except (OSError, RecollectError) as error:
        why = reason(error)
    with suppress(OSError, RecollectError):
        deed.tidy(workspace)
    return None, why


def _wanted(
    workspace: Workspace, deed: FileDeed, remake: Remake | None
) -> FileDeed | None:
    """The deed for the file as it is now; None if it cannot be rebuilt."""
    seen, _ = deed.now(workspace)
    raw = seen.raw if seen else None
    before = workspace.keep(raw)
    if before in {deed.before, deed.after}:
        return replace(deed, before=before)
    made = remake(raw) if remake else None
    if made is None:
        return None
    return replace(deed, before=before, after=workspace.keep(made))


# Undo an operation that failed.


def take_back(
    folder: ChangeFolder,
    operation: Operation,
    workspace: Workspace,
    *,
    is_over: bool = False,
) -> State:
    """Undo what was done; returns the resulting state, BEGUN if that failed too.

    With `is_over`, everything was done and only the last entry may be missing. Then it
    is undone only if the journal records this first, as a crash could otherwise leave
    it half undone.
    """
    try:
        folder.journal.append(event(operation, "back"))
    except OSError:
        if is_over:
            return State.BEGUN
    try:
        results = [_is_undone(workspace, deed) for deed in reversed(operation.deeds)]
        is_whole = all(results)
        folder.remember(operation, is_back=True)
        end = "aborted" if is_whole else "unsettled"
        folder.journal.append(event(operation, end))
    except (OSError, RecollectError):
        return State.BEGUN
    return State.ABORTED if is_whole else State.UNSETTLED


def _is_undone(workspace: Workspace, deed: Deed) -> bool:
    """Undo one deed; False if another program has changed its file since."""
    if deed.target not in workspace.touched:
        return True
    deed.tidy(workspace)
    back = deed.reversed()
    if back.stage(workspace) is Stage.FOREIGN:
        return deed.is_optional
    back.finish(workspace)
    return True
