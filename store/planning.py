"""Plans: what a change would do to the files of a store, told before it is done."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from store.derive.difference import difference, hidden, note
from store.edits.draft import (
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
from store.files.replacing import told_mode
from store.findings import Json
from store.records.reports import Plan, Step

_BACKUP = "backup"
"""Part of the path of every copy that a store keeps of what is rewritten."""

_OWN_BACKUPS = ".backup/"
"""Where such copies are kept that go again by themselves."""


class Planned(Struct, frozen=True, kw_only=True, dict=True):
    """A change that could be made: the draft of it, and what it would do."""

    draft: Draft
    root: Path
    """The store that it is made in."""
    word: str
    """The word of its intent: `pin`, `tag`, …"""
    refs: tuple[str, ...] = ()
    """The records that it is about."""
    count: int = 0
    """How many these are; problems have no refs of their own."""
    memory: Path | None = None
    """Where the program remembers what the store has no words for."""

    @cached_property
    def plan(self) -> Plan:
        """What it would do, file by file; worked out when somebody looks."""
        copied = _copied(self.draft.steps)
        whole = (_whole(step, self.root) for step in self.draft.steps)
        steps = [*(_step(step, copied) for step in whole), *self._marking]
        return Plan(
            action=self.draft.action,
            steps=tuple(step for step in steps if step.diff),
            warnings=self.draft.warnings,
        )

    @property
    def is_idle(self) -> bool:
        """Whether all is already as the change would have it."""
        return all(map(_is_idle, self.draft.steps)) and not self.draft.marks

    @property
    def _marking(self) -> Iterator[Step]:
        """What the program would remember besides, as the file that it does so in."""
        marks = self.draft.marks
        if marks and self.memory:
            gone = "".join(_mark(one, self.root) for one in marks if not one.is_set)
            new = "".join(_mark(one, self.root) for one in marks if one.is_set)
            yield _told(str(self.memory), gone or None, new or None)

    @property
    def places(self) -> list[tuple[Path, str]]:
        """The files that it writes, each by its store and its path there."""
        return [(_root(step) or self.root, step.path) for step in self.draft.steps]

    @property
    def roots(self) -> tuple[Path, ...]:
        """The stores that it writes into, the one that it is made in first."""
        return tuple(dict.fromkeys((self.root, *(root for root, _ in self.places))))


def together(planned: Sequence[Planned]) -> list[Planned]:
    """The same done in several stores as one change, where one can be made of it.

    A database is a change of its own, and so is each of those that write one file.
    """
    filed = [one for one in planned if _is_of_files(one) and not one.is_idle]
    places = [place for one in filed for place in set(one.places)]
    if len(filed) <= 1 or len(set(places)) < len(places):
        return list(planned)
    others = [one for one in planned if not _is_of_files(one)]
    return [_joined(filed), *others]


def _is_of_files(planned: Planned) -> bool:
    return not any(isinstance(step, RowStep) for step in planned.draft.steps)


def _joined(planned: Sequence[Planned]) -> Planned:
    """One change that is made in several stores; each is locked in its own way."""
    drafts = [one.draft for one in planned]
    first, count = planned[0], sum(one.count for one in planned)
    verb = first.draft.action.partition(" ")[0]
    what = f"{verb} {count} records" if count else first.draft.action
    draft = replace(
        first.draft,
        action=f"{what} in {len(planned)} stores",
        lock=None,
        locks=tuple(lock for one in planned for lock in _locks(one)),
        shuns=tuple(dict.fromkeys(shun for one in drafts for shun in one.shuns)),
        steps=tuple(step for one in planned for step in _rooted(one, first.root)),
        warnings=tuple(warning for draft in drafts for warning in draft.warnings),
        is_grave=any(draft.is_grave for draft in drafts),
        marks=tuple(mark for one in planned for mark in _marks(one, first.root)),
    )
    refs = tuple(ref for one in planned for ref in one.refs)
    return replace(first, draft=draft, refs=refs, count=count)


def _locks(planned: Planned) -> Iterator[tuple[Path, str]]:
    """The locks that a change takes, each with its store."""
    own = dict(planned.draft.locks)
    for root in planned.roots:
        name = own.get(root, planned.draft.lock)
        if name:
            yield root, name


def _rooted(planned: Planned, root: Path) -> Iterator[DraftStep]:
    """The steps of a plan, as they are told from another store."""
    for step in planned.draft.steps:
        is_elsewhere = planned.root != root and _root(step) is None
        if is_elsewhere and not isinstance(step, RowStep):
            yield replace(step, root=planned.root)
        else:
            yield step


def _root(step: DraftStep) -> Path | None:
    """The store that a step writes into, where that is another one."""
    return None if isinstance(step, RowStep) else step.root


def _marks(planned: Planned, root: Path) -> Iterator[Marking]:
    """The marks of a plan, likewise."""
    for mark in planned.draft.marks:
        is_elsewhere = planned.root != root and mark.root is None
        yield replace(mark, root=planned.root) if is_elsewhere else mark


def _mark(mark: Marking, root: Path) -> str:
    """A mark as a line."""
    place = mark.path if mark.id is None else f"{mark.path}#{mark.id}"
    return f"{mark.name}: {(mark.root or root) / place}\n"


def _is_idle(step: DraftStep) -> bool:
    """Whether a step changes nothing."""
    return not isinstance(step, AppendStep) and step.before == step.after


def _whole(step: DraftStep, root: Path) -> FileStep | RowStep | ModeStep:
    """Lines that are added, as the file with them and without them.

    Only what people look at is read; where that cannot be, they see how it ends.
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
    """The files that are rewritten or removed, by what they hold now."""
    files = [step for step in steps if isinstance(step, FileStep)]
    return {step.before: step.path for step in files if step.before}


def _step(step: FileStep | RowStep | ModeStep, copied: Mapping[bytes, str]) -> Step:
    """A step of a draft, for people; a file of another store by its whole path."""
    if isinstance(step, RowStep):
        before, after = _row(step.key, step.before), _row(step.key, step.after)
        return _told(f"{step.path}:{step.table}", before, after)
    path = step.path if step.root is None else str(step.root / step.path)
    if isinstance(step, ModeStep):
        before, after = (told_mode(mode).decode() for mode in (step.before, step.after))
        return _told(path or ".", before, after)
    told = _told(path, _shown(step, step.before), _shown(step, step.after))
    return replace(told, diff=_briefly(path, step, copied) or told.diff)


def _briefly(path: str, step: FileStep, copied: Mapping[bytes, str]) -> str | None:
    """What is said in place of a diff that says too much, or nothing at all."""
    original = copied.get(step.after or b"")
    if _BACKUP in path and step.before is None and original:
        return note("/dev/null", f"b/{path}", f"{original} as it is now")
    if step.path.startswith(_OWN_BACKUPS) and step.before is None:
        return note("/dev/null", f"b/{path}", "a backup of the store's own comes back")
    if step.path.startswith(_OWN_BACKUPS) and step.after is None:
        return note(f"a/{path}", "/dev/null", "a backup of the store's own goes")
    is_hidden = step.shown is not None and step.before != step.after
    is_same = is_hidden and _shown(step, step.before) == _shown(step, step.after)
    return hidden(path) if is_same else None


def _shown(step: FileStep, raw: bytes | None) -> str | None:
    """The text of a file without what is secret in it."""
    return _text(raw if raw is None or step.shown is None else step.shown(raw))


def _told(path: str, before: str | None, after: str | None) -> Step:
    diff = difference(path, before, after)
    return Step(path=path, before=before, after=after, diff=diff)


def _text(raw: bytes | None) -> str | None:
    """The text of a file; bytes that are no UTF-8 come as lone surrogates."""
    return None if raw is None else raw.decode("utf-8", "surrogateescape")


def _row(key: Mapping[str, Json], row: Mapping[str, Json] | None) -> str | None:
    """A row of a database as text: a column a line."""
    if row is None:
        return None
    columns = {**key, **row}.items()
    return "".join(
        f"{column}: {json.dumps(value, ensure_ascii=False)}\n"
        for column, value in columns
    )
