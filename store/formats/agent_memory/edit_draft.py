"""Files kept within their limits; the draft of a change, with backups and index."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from store.edits.draft import MOST, AppendStep, Draft, FileStep, ModeStep
from store.errors import NotPossibleError
from store.formats.agent_memory.edit_files import Held, LinesFile, Work, instant_like
from store.formats.agent_memory.format import (
    ARCHIVE,
    BACKUP,
    BYTES,
    INDEX,
    IS_HARD,
    KINDS,
    LOCK,
    STEM_OF,
    backup_of,
    is_archive,
    kind_of,
)
from store.formats.agent_memory.index import Kept, index_edit
from store.formats.agent_memory.reports import due, least_used
from store.formats.markdown import counted, listed
from store.formats.port import entries_of
from store.times import moment_of, parse

# Memories archived and unarchived.


def put_away(work: Work, memories: Sequence[Held]) -> None:
    """Move memories to the archive of this quarter; those of version 1.0 are flagged.

    A line moves unchanged, except for its flag if it has one; none is added,
    so that an unarchived memory is the same, byte for byte.
    """
    for held in memories:
        if held.is_archived:
            continue
        if held.is_in_document:
            work.set(held, ("archived",), True)  # noqa: FBT003 - a value of JSON
            continue
        flag(work, held, archived=True)
        work.add(archive_file(held.home, work.now), held.home, work.take(held))


def bring_back(work: Work, memories: Sequence[Held]) -> None:
    """Move memories out of the archive, to the end of the file for their kind."""
    for held in memories:
        flag(work, held, archived=False)
        if held.is_archived:
            raw = work.take(held)
            work.add(work.live_file(held.home), held.home, raw)


def flag(work: Work, held: Held, *, archived: bool) -> None:
    """Set the flag of an archived memory, if it has one."""
    if held.thing.get("archived") is not None:
        work.set(held, ("archived",), archived)


def archive_file(kind: str, now: int) -> str:
    """The archive file of this quarter of the year."""
    moment = moment_of(now)
    quarter = (moment.month + 2) // 3
    name = f"{STEM_OF[kind]}_{moment.year:04d}_Q{quarter}.jsonl"
    return f"{ARCHIVE}/{moment.year:04d}/{name}"


# At a limit: nothing more is written, or old memories are archived.

_NAMED = 3

_SURVEYED = 4 * 1024 * 1024
"""The largest file in which the least used memories are sought for a warning."""

_SMALLEST = len(b'{"id":1}')


def relieve(work: Work, kind: str, path: str) -> None:
    """Archive what exceeds a limit: due memories first, then the least used."""
    old = _due_in(work, path)
    told = {id(one.memory) for one in old}
    rest = [
        one
        for one in least_used(work.taken, kind)
        if one.path == path and id(one.memory) not in told
    ]
    _make_room(work, [*old, *rest], kind, path)


def _keep_within(work: Work, kind: str, path: str) -> None:
    """Keep a file within its limit; raises NotPossibleError.

    At a soft limit, memories due for archiving are archived too, as far as needed.
    """
    if not _is_over(work, kind, path):
        return
    archives = not IS_HARD[kind] and work.limits.enable_auto_archival
    most = counted(work.limits.most(kind), "memory", "memories")
    sentence = f"{path} would exceed its limit of {most} in {BYTES[kind]:,} bytes."
    if not IS_HARD[kind] and not archives and work.size(path) > _SURVEYED:
        work.warnings.append(sentence)
        return
    if archives:
        _make_room(work, _due_in(work, path), kind, path)
        if not _is_over(work, kind, path):
            return
    sentence += f" Least used: {_named(least_used(work.taken, kind))}."
    if IS_HARD[kind]:
        raise NotPossibleError(f"{sentence} Archive some first.")
    work.warnings.append(sentence)


def _due_in(work: Work, path: str) -> list[Kept]:
    found = due(work.taken, work.now)
    return [one.kept for one in found if one.kept.path == path]


def _make_room(work: Work, old: Sequence[Kept], kind: str, path: str) -> None:
    """Archive memories, in this order, until there is room."""
    too_many, too_large = _too_much(work, kind, path)
    lines = {one.memory.line for one in old}
    held = {one.line: one for one in work.file(path).held if one.line in lines}
    chosen: list[Kept] = []
    for one in old:
        if len(chosen) >= too_many and too_large <= 0:
            break
        chosen.append(one)
        too_large -= len(work.file(path).raw(held[one.memory.line or 0]))
    if chosen:
        put_away(work, [held[one.memory.line or 0] for one in chosen])
        sentence = f"{path} is at its limit, so old memories are archived: "
        work.warnings.append(f"{sentence}{_named(chosen)}.")


def _is_over(work: Work, kind: str, path: str) -> bool:
    """Whether a file would exceed its limit; judged by its size alone if possible."""
    most, size = work.limits.most(kind), work.size(path)
    if size > BYTES[kind]:
        return True
    return size // _SMALLEST > most and _too_much(work, kind, path)[0] > 0


def _too_much(work: Work, kind: str, path: str) -> tuple[int, int]:
    """How many memories, and how many bytes, a file would have beyond its limit."""
    after, most = work.after(path), work.limits.most(kind)
    at_most = after.count(b"\n") + 1 + after.count(b"}{") + after.count(b"} {")
    memories = len(LinesFile(path, after).held) if at_most > most else at_most
    return memories - most, len(after) - BYTES[kind]


def _grows(work: Work, path: str) -> bool:
    file = work.files.get(path)
    return path in work.grown or (
        file is not None and len(file.after) > len(file.before or b"")
    )


def _named(memories: Sequence[Kept]) -> str:
    return listed([f"“{one.memory.title}”" for one in memories], _NAMED)


# The draft: backups, memories, the index, in a safe order.

_SESSION = 12 * 3600 * 1_000_000
"""A backup younger than this, in microseconds, is of the same session: many quick
changes do not push older backups out."""

_UNREADABLE = (
    f"{INDEX} is damaged and stays as it is. Run `recollect rebuild index` to fix it."
)


def drafted(action: str, work: Work) -> Draft:
    """The draft of a change; raises NotPossibleError at a limit."""
    modes = [
        ModeStep(path=path, before=was, after=now) for path, was, now in work.modes
    ]
    return Draft(
        action=work.action or action,
        steps=(*steps_of(work), *modes),
        warnings=tuple(dict.fromkeys(work.warnings)),
        is_grave=work.is_grave,
        lock=LOCK,
        marks=tuple(work.marks),
        count=work.count,
    )


def steps_of(work: Work, root: Path | None = None) -> list[FileStep | AppendStep]:
    """The steps in one store: new and grown files, then changed, then removed ones."""
    touched = dict.fromkeys([*_changed(work), *work.grown, *work.replaced])
    for kind in KINDS:
        for path in touched:
            is_live = kind_of(path) == kind and not is_archive(path)
            if is_live and _grows(work, path):
                _keep_within(work, kind, path)
    for path, lines in list(work.grown.items()):
        if sum(map(len, lines)) + 2 * len(lines) >= MOST:
            work.file(path)
    made = [*_replacements(work), *_changes(work)]
    saved = [one for step in made for one in _backups(work, step)]
    index = None if INDEX in work.replaced else _index_step(work)
    appended = [step for path in work.grown if (step := work.step(path))]
    steps = sorted([*saved, *appended, *made], key=_order)
    return [replace(step, root=root) for step in [*steps, *([index] if index else [])]]


def files_after(work: Work) -> dict[str, bytes | None]:
    """The bytes of every touched file after the change; None if it is removed."""
    paths = [*_changed(work), *work.grown]
    return {path: work.after(path) for path in paths} | work.replaced


def _changed(work: Work) -> list[str]:
    files = work.files.values()
    return [file.path for file in files if file.after != (file.before or b"")]


def _replacements(work: Work) -> Iterator[FileStep]:
    for path, after in work.replaced.items():
        before = work.bytes_of(path)
        if before != after:
            yield FileStep(path=path, before=before, after=after)


def _changes(work: Work) -> list[FileStep]:
    """A step for each file whose memories changed; files that only grow come first."""
    paths = [path for path in _changed(work) if path not in work.replaced]
    files = sorted(map(work.file, paths), key=lambda file: file.is_rewritten)
    return [
        FileStep(path=file.path, before=file.before, after=file.after) for file in files
    ]


def _order(step: FileStep | AppendStep) -> int:
    if isinstance(step, AppendStep):
        return 0
    if step.after is None:
        return 2
    return 0 if step.before is None else 1


def _backups(work: Work, step: FileStep) -> list[FileStep]:
    """A backup of what is not only added to; the oldest ones of the file are removed.

    Only names of the exact form that is written here are ever removed.
    """
    path, before = step.path, step.before
    grows = before is None or (step.after or b"").startswith(before)
    if grows or path.startswith(f"{BACKUP}/") or not work.backs_up:
        return []
    name = path.rpartition("/")[2]
    form = re.compile(re.escape(name) + r"\.backup\.\d{8}_\d{6}")
    names = sorted(entry.name for entry in entries_of(work.root, BACKUP))
    kept = [f"{BACKUP}/{one}" for one in names if form.fullmatch(one)]
    if not work.limits.backup_enabled or any(_is_young(one, work.now) for one in kept):
        return []
    new = f"{BACKUP}/{name}.backup.{moment_of(work.now):%Y%m%d_%H%M%S}"
    too_many = kept[: max(0, len(kept) + 1 - work.limits.max_backups)]
    return [
        FileStep(path=new, before=None, after=before),
        *(
            FileStep(path=old, before=work.bytes_of(old), after=None)
            for old in too_many
        ),
    ]


def _is_young(backup: str, now: int) -> bool:
    when = backup_of(backup).when
    micros = parse(when).micros if when else None
    return micros is not None and abs(now - micros) < _SESSION


def _index_step(work: Work) -> FileStep | None:
    """The step that updates the index; None if nothing in it changes.

    Without an index, not all files need to be read.
    """
    raw = work.bytes_of(INDEX)
    if raw is None:
        return None
    after = work.taken.with_files(files_after(work))
    remake = index_edit(work.taken, after, lambda like: instant_like(like, work.now))
    if remake is None:
        return None
    made = remake(raw)
    if made == raw:
        work.warnings.append(_UNREADABLE)
        return None
    return FileStep(path=INDEX, before=raw, after=made, remake=remake)
