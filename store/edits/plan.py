"""Plans: the diff and the warnings of a change, before anything is written."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from store.derive.texts import difference, hidden, note
from store.edits.draft import (
    SAVED,
    AppendStep,
    Draft,
    FileStep,
    Marking,
    ModeStep,
    RowStep,
)
from store.edits.draft import Step as DraftStep
from store.errors import UnreadableError
from store.files.beneath import Root
from store.files.writable import shown_mode
from store.findings import Json
from store.kinds.problems import Problem
from store.records.reports import Plan, Step

BACKUP = "backup"
"""Part of the path of the copies that a store makes of rewritten files."""

_OWN_BACKUPS = ".backup/"
"""The folder of those copies that the store itself deletes again."""


class Left(NamedTuple):
    """A problem that a change does not fix."""

    problem: Problem
    reason: str
    """Why not, in a sentence."""


NO_VERSION = "No earlier version of this file is known."
"""Why a lost file is not restored."""


class Planned(Struct, frozen=True, kw_only=True, dict=True):
    """A change that could be made: its draft, and what it would do."""

    draft: Draft
    root: Path
    """The store of the change."""
    word: str
    """The word of its intent: `pin`, `tag`, …"""
    refs: tuple[str, ...] = ()
    """The records that it affects."""
    titles: tuple[str, ...] = ()
    """Their titles, in the same order; none if they are unknown."""
    count: int = 0
    """How many these are; problems have no refs."""
    memory: Path | None = None
    """The file in which the program saves marks that the store has no field for."""
    left: tuple[Left, ...] = ()
    """The problems that could not be fixed."""

    @cached_property
    def plan(self) -> Plan:
        """What it would do, file by file; computed on first use."""
        copied = _copied(self.draft.steps)
        whole = (_whole(step, self.root) for step in self.draft.steps)
        roots = [getattr(step, "root", None) for step in self.draft.steps]
        home = self.root if any(roots) else None
        steps = [*(_step(step, copied, home) for step in whole), *self._marking]
        return Plan(
            action=self.draft.action,
            steps=tuple(_moved([step for step in steps if step.diff])),
            warnings=self.draft.warnings,
            refs=self.refs,
            titles=_titles(self),
            count=max(self.count, len(self.refs)),
        )

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to change."""
        changes = (
            isinstance(step, AppendStep) or step.before != step.after
            for step in self.draft.steps
        )
        return not (any(changes) or self.draft.marks)

    @property
    def _marking(self) -> Iterator[Step]:
        """The marks to save, shown as a step on the program's own file."""
        marks = self.draft.marks
        if marks and self.memory:
            gone = "".join(_mark(one, self.root) for one in marks if not one.is_set)
            new = "".join(_mark(one, self.root) for one in marks if one.is_set)
            yield _as_step(str(self.memory), gone or None, new or None)

    @property
    def places(self) -> list[tuple[Path, str]]:
        """The files that it writes, each as its store and its path there."""
        return [(_root(step) or self.root, step.path) for step in self.draft.steps]

    @property
    def roots(self) -> tuple[Path, ...]:
        """The stores that it writes to, the store of the change first.

        None if it only saves conversations, which are copied to the program's folder.
        """
        marks = self.draft.marks
        if marks and not self.draft.steps and all(one.name == SAVED for one in marks):
            return ()
        return tuple(dict.fromkeys((self.root, *(root for root, _ in self.places))))


def together(planned: Sequence[Planned]) -> list[Planned]:
    """Join the same change in several stores into one, as far as possible.

    Changes to databases stay separate, and so do changes that write the same file.
    """
    filed = [one for one in planned if _is_of_files(one) and not one.is_idle]
    places = [place for one in filed for place in set(one.places)]
    if len(filed) <= 1 or len(set(places)) < len(places):
        return list(planned)
    others = [one for one in planned if not _is_of_files(one)]
    left = tuple(one for each in planned if each not in others for one in each.left)
    return [replace(_joined(filed), left=left), *others]


def _is_of_files(planned: Planned) -> bool:
    return not any(isinstance(step, RowStep) for step in planned.draft.steps)


def _joined(planned: Sequence[Planned]) -> Planned:
    """One change to several stores; each is locked in its own way."""
    drafts = [one.draft for one in planned]
    first, count = planned[0], sum(one.count for one in planned)
    verb = first.draft.action.partition(" ")[0]
    noun = "problems" if verb == "fix" else "records"
    what = f"{verb} {count} {noun}" if count else first.draft.action
    draft = replace(
        first.draft,
        action=f"{what} in {len(planned)} stores",
        lock=None,
        locks=tuple(lock for one in planned for lock in _locks(one)),
        foreign_locks=tuple(
            dict.fromkeys(lock for one in drafts for lock in one.foreign_locks)
        ),
        steps=tuple(step for one in planned for step in _rooted(one, first.root)),
        warnings=tuple(warning for draft in drafts for warning in draft.warnings),
        is_grave=any(draft.is_grave for draft in drafts),
        marks=tuple(mark for one in planned for mark in _marks(one, first.root)),
        moves=tuple(
            replace(move, root=move.root or one.root)
            for one in planned
            for move in one.draft.moves
        ),
    )
    refs = tuple(ref for one in planned for ref in one.refs)
    titles = tuple(title for one in planned for title in _titles(one))
    return replace(first, draft=draft, refs=refs, titles=titles, count=count)


def _titles(planned: Planned) -> tuple[str, ...]:
    """A title for each ref, empty if unknown."""
    return planned.titles or ("",) * len(planned.refs)


def _locks(planned: Planned) -> Iterator[tuple[Path, str]]:
    """The locks that a change takes, each with its store."""
    own = dict(planned.draft.locks)
    for root in planned.roots:
        name = own.get(root, planned.draft.lock)
        if name:
            yield root, name


def _rooted(planned: Planned, root: Path) -> Iterator[DraftStep]:
    """The steps of a change, as seen from another store."""
    for step in planned.draft.steps:
        is_elsewhere = planned.root != root and _root(step) is None
        if is_elsewhere and not isinstance(step, RowStep):
            yield replace(step, root=planned.root)
        else:
            yield step


def _root(step: DraftStep) -> Path | None:
    """The store that a step writes to, if it is another one."""
    return None if isinstance(step, RowStep) else step.root


def _marks(planned: Planned, root: Path) -> Iterator[Marking]:
    """The marks of a change, as seen from another store."""
    for mark in planned.draft.marks:
        is_elsewhere = planned.root != root and mark.root is None
        yield replace(mark, root=planned.root) if is_elsewhere else mark


def _mark(mark: Marking, root: Path) -> str:
    """A mark as a line."""
    place = mark.path if mark.id is None else f"{mark.path}#{mark.id}"
    return f"{mark.name}: {(mark.root or root) / place}\n"


def _whole(step: DraftStep, root: Path) -> FileStep | RowStep | ModeStep:
    """Show appended lines as the whole file, with and without them.

    The file is only read for display; if it cannot be, its known end is shown.
    """
    if not isinstance(step, AppendStep):
        return step
    before = step.end.tail
    with suppress(UnreadableError), Root(step.root or root) as opened:
        raw = opened.read(step.path, limit=step.end.size).raw
        before = raw if raw.endswith(before) else before
    return FileStep(
        path=step.path,
        before=before,
        after=before + step.lines,
        root=step.root,
        shown=step.shown,
    )


def _copied(steps: Sequence[DraftStep]) -> dict[bytes, str]:
    """The files that are rewritten or removed, by their current content."""
    files = [step for step in steps if isinstance(step, FileStep)]
    return {step.before: step.path for step in files if step.before}


def _step(
    step: FileStep | RowStep | ModeStep, copied: Mapping[bytes, str], home: Path | None
) -> Step:
    """A step of a draft for display; a file of another store has its full path.

    If any has, `home` is the store of the others, whose diffs have the full path too.
    """
    if isinstance(step, RowStep):
        before, after = _row(step.key, step.before), _row(step.key, step.after)
        return _as_step(f"{step.path}:{step.table}", before, after)
    path = step.path if step.root is None else str(step.root / step.path)
    name = path if home is None else str(home / path)
    if isinstance(step, ModeStep):
        before, after = (
            shown_mode(mode).decode() for mode in (step.before, step.after)
        )
        modes = f"{before[:-1]} → {after[5:-1]}"
        return replace(
            _as_step(path or ".", before, after), brief=f"{modes}  {name or '.'}\n"
        )
    planned = _as_step(name, _shown(step, step.before), _shown(step, step.after))
    diff = _briefly(name, step, copied) or planned.diff
    return replace(planned, path=path, diff=diff)


def _briefly(path: str, step: FileStep, copied: Mapping[bytes, str]) -> str | None:
    """A short note instead of a diff that is too long, or empty."""
    original, path = copied.get(step.after or b""), path.removeprefix("/")
    if BACKUP in path and step.before is None and original:
        return note("/dev/null", f"b/{path}", f"a copy of {original}")
    if step.path.startswith(_OWN_BACKUPS) and step.before is None:
        return note("/dev/null", f"b/{path}", "backup in the store, restored")
    if step.path.startswith(_OWN_BACKUPS) and step.after is None:
        return note(f"a/{path}", "/dev/null", "backup in the store, removed")
    is_hidden = step.shown is not None and step.before != step.after
    is_same = is_hidden and _shown(step, step.before) == _shown(step, step.after)
    return hidden(path) if is_same else None


def _shown(step: FileStep, raw: bytes | None) -> str | None:
    """The text of a file without its secrets; other bytes become lone surrogates."""
    if raw is None:
        return None
    shown = raw if step.shown is None else step.shown(raw)
    return shown.decode("utf-8", "surrogateescape")


def _as_step(path: str, before: str | None, after: str | None) -> Step:
    diff = difference(path, before, after)
    return Step(path=path, before=before, after=after, diff=diff)


_FEW = 10
"""The most removed files with a line by which a moved file is recognised."""


def _moved(steps: Sequence[Step]) -> Iterator[Step]:
    """The steps, with those of moved files as git shows them."""
    removed = {
        one.path: one for one in steps if one.after is None and _HUNK in one.diff
    }
    made = [one for one in steps if one.before is None and _HUNK in one.diff]
    sources = _sources(removed, made) if removed else {}
    for step in steps:
        if step.before is None and step.path in sources:
            yield replace(step, brief=_rename(removed[sources[step.path]], step))
        elif step.after is None and step.path in sources.values():
            yield replace(step, brief="")
        else:
            yield step


def _sources(removed: Mapping[str, Step], made: Sequence[Step]) -> dict[str, str]:
    """The old paths of moved files, which share most of their lines, by new path."""
    lines = {path: set((one.before or "").split("\n")) for path, one in removed.items()}
    owners = defaultdict[str, list[str]](list)
    for path, line in ((path, line) for path, own in lines.items() for line in own):
        owners[line].append(path)
    sources: dict[str, str] = {}
    for step in made:
        own = set((step.after or "").split("\n"))
        rare = (owners[line] for line in own if len(owners[line]) <= _FEW)
        nearest = Counter(path for paths in rare for path in paths).most_common(1)
        for path in (path for path, _ in nearest if path not in sources.values()):
            if 2 * len(own & lines[path]) > max(len(own), len(lines[path])):
                sources[step.path] = path
    return sources


_HUNK = "\n@@ "


def _rename(old: Step, new: Step) -> str:
    """The diff of a moved file."""
    name, new_name = old.diff.split("\n")[0][6:], new.diff.split("\n")[1][6:]
    diff = difference(name, old.before, new.after, new_name)
    root = "/" if "/" in (old.path[0], new.path[0]) else ""
    return f"rename from {root}{name}\nrename to {root}{new_name}\n{diff}"


def _row(key: Mapping[str, Json], row: Mapping[str, Json] | None) -> str | None:
    """A row of a database as text, one column per line."""
    if row is None:
        return None
    columns = {**key, **row}.items()
    return "".join(
        f"{column}: {json.dumps(value, ensure_ascii=False)}\n"
        for column, value in columns
    )
