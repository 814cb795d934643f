"""A work put together as a draft: backups, memories, index, in a safe order."""

from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from store.edits.draft import AppendStep, Draft, FileStep, Marking, ModeStep
from store.files.jsonl.behind import MOST, behind
from store.formats.agent_memory.layout import BACKUP, INDEX, LOCK
from store.formats.agent_memory.scribe.backups import backup_steps
from store.formats.agent_memory.scribe.held import Holder
from store.formats.agent_memory.scribe.indexing import index_step, taken_now
from store.formats.agent_memory.scribe.limiting import keep_within
from store.formats.agent_memory.scribe.work import Work


class Manner(Struct, frozen=True, kw_only=True):
    """What else holds for a draft."""

    is_grave: bool = False
    backs_up: bool = True
    """Whether the store gets a backup of its own of what is rewritten."""
    removes: tuple[str, ...] = ()
    """Files that go as a whole."""
    replaces: tuple[FileStep, ...] = ()
    """Files that are made anew as a whole."""
    marks: tuple[Marking, ...] = ()
    """What the program has to remember, for the format cannot say it."""
    action: str = ""
    """What the change is, where the intent alone does not say it."""
    count: int = 0
    """How many memories it is about, where none was named."""


USUAL = Manner()


def drafted(action: str, work: Work, manner: Manner = USUAL) -> Draft:
    """The draft that a work comes to; raises NotPossibleError where a limit is met."""
    steps = [*steps_of(work, manner), *_mode_steps(work)]
    return Draft(
        action=manner.action or action,
        steps=tuple(steps),
        warnings=tuple(dict.fromkeys(work.warnings)),
        is_grave=manner.is_grave,
        lock=LOCK,
        marks=manner.marks,
        count=manner.count,
    )


def steps_of(
    work: Work, manner: Manner = USUAL, root: Path | None = None
) -> list[FileStep | AppendStep]:
    """The steps in one store: what is made, what is changed, what goes, the index."""
    now = cache(partial(taken_now, work))
    keep_within(work, now, _touched(work, manner))
    whole = [step for step in manner.replaces if step.before != step.after]
    made = [*whole, *_file_steps(work, manner)]
    saved = _backups(work, made) if manner.backs_up else []
    is_told = any(step.path == INDEX for step in manner.replaces)
    changed = partial(_changed, work, manner)
    index = None if is_told else index_step(work, now, changed)
    added = _added_to(work)
    steps = sorted([*saved, *added, *made], key=_order)
    steps += [index] if index else []
    return [replace(step, root=root) for step in steps]


def _mode_steps(work: Work) -> list[ModeStep]:
    return [
        ModeStep(path=path, before=before, after=after)
        for path, before, after in work.modes
    ]


def _touched(work: Work, manner: Manner) -> list[str]:
    """The files that are other than before."""
    changed = [path for path, file in work.files.items() if _is_changed(file)]
    replaced = [step.path for step in manner.replaces]
    return list(dict.fromkeys([*changed, *work.grown, *replaced, *manner.removes]))


def _changed(work: Work, manner: Manner) -> dict[str, bytes | None]:
    """All that these hold then."""
    changed: dict[str, bytes | None] = {
        path: work.after(path) for path in _touched(work, Manner())
    }
    changed |= {step.path: step.after for step in manner.replaces}
    return changed | dict.fromkeys(manner.removes)


def _added_to(work: Work) -> list[AppendStep]:
    """A step for each file to which lines are only added."""
    steps = (behind(work.root, path, lines) for path, lines in work.grown.items())
    return [step for step in steps if step is not None]


def _file_steps(work: Work, manner: Manner) -> list[FileStep]:
    """A step for each file whose memories changed; files that grow come first."""
    for path in [path for path, lines in work.grown.items() if _are_many(lines)]:
        work.file(path)
    files = [file for file in work.files.values() if _is_changed(file)]
    files.sort(key=lambda file: file.is_rewritten)
    steps = [
        FileStep(path=file.path, before=file.before, after=file.after)
        for file in files
        if file.path not in manner.removes
    ]
    return steps + [
        FileStep(path=path, before=work.bytes_of(path), after=None)
        for path in manner.removes
    ]


def _backups(work: Work, steps: Sequence[FileStep]) -> list[FileStep]:
    """Backups of what is not only added to."""
    saved: list[FileStep] = []
    for step in steps:
        whole = step.before is not None and not step.path.startswith(f"{BACKUP}/")
        grows = (step.after or b"").startswith(step.before or b"")
        if step.before is not None and whole and not grows:
            saved += backup_steps(
                work.root, step.path, step.before, work.now, work.limits
            )
    return saved


def _are_many(lines: Sequence[bytes]) -> bool:
    """Whether lines are too much to be written at once."""
    return sum(map(len, lines)) + 2 * len(lines) >= MOST


def _is_changed(file: Holder) -> bool:
    return file.after != (file.before or b"")


def _order(step: FileStep | AppendStep) -> int:
    """What is made, then what is changed, then what goes."""
    if isinstance(step, AppendStep):
        return 0
    if step.after is None:
        return 2
    return 0 if step.before is None else 1
