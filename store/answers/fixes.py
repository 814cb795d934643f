"""Plan several fixes of one store as one change, each based on the ones before."""

import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace

from store.agents import AGENTS, context_of
from store.answers.plans import CatalogueKnown
from store.catalogue import full_check
from store.catalogue.annotations import show_pins
from store.catalogue.database import open_in_memory
from store.catalogue.reader import Condition, Page, Reader, known_stores
from store.catalogue.sync import sync
from store.context import Surroundings
from store.discover import Found
from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import (
    AppendStep,
    Draft,
    FileMove,
    FileStep,
    ModeStep,
    Remake,
    Scribe,
    Step,
    in_turn,
)
from store.edits.plan import BACKUP, NO_VERSION, Left, Planned
from store.errors import NotPossibleError, RecollectError
from store.files.beneath import Amended, Blob, Root, Rooted, Stamp
from store.files.writable import ProtectedError, is_protected
from store.findings import Json, Severity
from store.formats.port import Format, FormatAround, OpenStore
from store.health import Complaint
from store.kinds import KINDS
from store.kinds.pages import DOCUMENTS
from store.kinds.problems import Problem
from store.records.answers import Double
from store.records.intents import Fix, Rebuild
from store.resource import Closing

# The full check, for which pages are rebuilt and compared.


def check_fully(
    connection: sqlite3.Connection,
    stores: Sequence[Found],
    doubles: Sequence[Double],
    now: int,
) -> None:
    """Run the checks that take long on each store."""
    rows = {store.path: store.row for store in known_stores(connection)}
    for found in stores:
        reader = Reader(connection, [rows[found.path]])
        here = [one for one in doubles if one.memory.store == str(found.path)]
        others = (
            *_outdated(reader, found, now),
            *_without_source(found, now),
            *_not_loaded(found),
        )
        full_check.check_fully(connection, found, here, now, others)


_LOADED = "core"
"""The generated page that agents load at their start."""

_GENERATED = b"(auto-generated)"
_HEAD = 200


def _outdated(reader: Reader, found: Found, now: int) -> Iterator[Complaint]:
    """The page that would list other memories if it was rebuilt now."""
    if _LOADED not in found.format.rebuilds:
        return
    known = CatalogueKnown(reader, now)
    try:
        with found.format.scribe(found.path) as scribe:
            draft = scribe.draft(Rebuild(name=_LOADED), (), known, now)
    except RecollectError:
        return
    for step in draft.steps:
        if not isinstance(step, FileStep) or not (step.before and step.after):
            continue
        if _GENERATED in step.before[:_HEAD]:
            there, anew = _listed(step.before), _listed(step.after)
            more, fewer = len(anew - there), len(there - anew)
            if more or fewer:
                yield Complaint(
                    code="core-outdated",
                    message=f"Out of date: a rebuild would add {more} "
                    f"{'line' if more == 1 else 'lines'} and remove {fewer}.",
                    path=step.path.encode(errors="surrogateescape"),
                    severity=Severity.NOTE,
                )


def _listed(page: bytes) -> frozenset[bytes]:
    """The lines of a page that list memories, however they are escaped."""
    lines = page.replace(b"\\", b"").splitlines()
    return frozenset(line.strip() for line in lines if line.startswith(b"- "))


_IMPORTS = "files"
"""The report of a database that compares what it read with the files on disk."""

_DIFFERENT: Mapping[Json, tuple[str, Severity]] = {
    "gone": ("gone; only the database still has their text", Severity.NOTE),
    "truncated": ("shorter than what was imported", Severity.WARNING),
}


def _without_source(found: Found, now: int) -> Iterator[Complaint]:
    """Transcripts, the source of truth, that no longer have what a database read."""
    if _IMPORTS not in {
        one.name for one in found.format.reports if "on_disk" in one.columns
    }:
        return
    files: dict[tuple[Json, Json], list[Json]] = {}
    with suppress(RecollectError), found.format.open(found.path) as store:
        for row in store.ask(_IMPORTS, (), now):
            kind = row["database"], row["on_disk"]
            files.setdefault(kind, []).append(row["file"])
    for (database, state), several in files.items():
        if state in _DIFFERENT:
            what, severity = _DIFFERENT[state]
            more = len(several) - 1
            many = f" (and {more} other{'' if more == 1 else 's'})" if more else ""
            yield Complaint(
                code=f"transcript-{state}",
                message=f"Imported transcripts are {what}: {several[0]}{many}.",
                path=str(database).encode(errors="surrogateescape"),
                severity=severity,
            )


def _not_loaded(found: Found) -> Iterator[Complaint]:
    """What agents don't load of instructions: imports, and what is over a limit."""
    if not found.format.lies_among_others:
        return
    at = Surroundings(found.path, Path.home())
    seen: set[tuple[str, str]] = set()
    for part in chain.from_iterable(context_of(agent, at) for agent in AGENTS):
        path = Path(part.imported_by or part.path)
        is_cut = part.used is not None and (
            part.used > 1 or part.loaded_bytes < part.bytes
        )
        if not part.note or not (part.imported_by or is_cut):
            continue
        what = f"“{Path(part.path).name}”: {part.note}." if part.imported_by else ""
        message = f"Import of {what}" if what else f"For {part.agent}: {part.note}."
        if path.is_relative_to(found.path) and (str(path), part.path) not in seen:
            seen.add((str(path), part.path))
            yield Complaint(
                code="import-not-loaded" if what else "instructions-cut",
                message=message,
                path=str(path.relative_to(found.path)).encode(errors="surrogateescape"),
                severity=Severity.NOTE if what else Severity.WARNING,
            )


# Preview: the store after some changes, read into a separate index in memory.

_LARGEST = 256 * 1024 * 1024

OpenedT = TypeVar("OpenedT", OpenStore, Scribe)


class _Changed(FormatAround):
    """A format that reads its stores as if some of their files were changed."""

    editable = True

    def __init__(self, inner: Format, files: Amended) -> None:
        super().__init__(inner)
        self._files = files

    def open(self, path: Path) -> OpenStore:
        """Open the store for reading."""
        return self._amended(self.inner.open(path))

    def scribe(self, path: Path) -> Scribe:
        """Open the store to draft further changes."""
        return self._amended(self.inner.scribe(path))

    def _amended(self, opened: OpenedT) -> OpenedT:
        if isinstance(opened, Rooted):
            opened.amend(self._files)
        return opened


class Preview(Closing):
    """Applies drafts in memory only, and finds the problems that remain then."""

    def __init__(
        self, found: Found, now: int, gap: int, pins: Mapping[str, Sequence[str]]
    ) -> None:
        self._files: dict[str, Blob | None] = {}
        self._steps: dict[str, list[Step]] = {}
        self._before: dict[str, bytes | None] = {}
        self._found = replace(found, format=_Changed(found.format, self._files))
        self._now, self._gap, self._pins = now, gap, pins
        self._connection = open_in_memory()
        self._root = Root(found.path)
        self._root.amended = self._files
        self.refresh()

    def refresh(self) -> None:
        """Read the files that the drafts have changed."""
        sync(self._connection, [self._found], lambda _: None, self._gap)
        show_pins(self._connection, self._pins)

    def problems(self) -> list[Problem]:
        """The remaining problems; those of summaries and indexes come last."""
        reader = self._reader()
        documents = {one.path for one in reader.page(DOCUMENTS, Page(), self._now)}
        view = KINDS["problems"]
        found = reader.page(view, Page(), self._now, Condition(view.is_single))
        ranks = {severity: rank for rank, severity in enumerate(Severity)}
        return sorted(
            (one for one in found if isinstance(one, Problem)),
            key=lambda one: (one.path in documents, ranks[Severity(one.severity)]),
        )

    def draft(self, intent: Fix, problems: Sequence[Problem], present: int) -> Draft:
        """The draft that fixes some problems, based on the drafts so far."""
        known = CatalogueKnown(self._reader(), self._now)
        with self._found.format.scribe(self._found.path) as scribe:
            draft = scribe.draft(intent, problems, known, present)
        for step in draft.steps:
            is_there = isinstance(step, FileStep) and step.before is not None
            if is_there and is_protected(self._found.path / step.path):
                # The engine would refuse it, and all the rest with it.
                raise NotPossibleError(str(ProtectedError(step.path)))
        return draft

    def apply(self, draft: Draft) -> None:
        """Apply a draft in memory."""
        for step in draft.steps:
            path = self._root.target(step.path) or step.path
            if isinstance(step, FileStep):
                self._before.setdefault(path, step.before)
                self._put(path, step.after)
            elif isinstance(step, AppendStep):
                before = self._root.read(path, limit=_LARGEST).raw
                self._before.setdefault(path, before)
                self._put(path, before + step.lines)
            self._steps.setdefault(path, []).append(step)

    def steps(self) -> tuple[Step, ...]:
        """All drafts combined into one step per file."""
        joined = [
            step
            for path, steps in self._steps.items()
            for step in self._joined(path, steps)
        ]
        copied = dict(self._copied())
        return tuple(sorted((_copying(one, copied) for one in joined), key=_order))

    def close(self) -> None:
        """Discard the preview."""
        self._root.close()
        self._connection.close()

    def _reader(self) -> Reader:
        return Reader(
            self._connection, [store.row for store in known_stores(self._connection)]
        )

    def _put(self, path: str, raw: bytes | None) -> None:
        """Set the content of a file, with a stamp that no real file has."""
        number = -1 - len(self._files) - sum(map(len, self._steps.values()))
        stamp = Stamp(len(raw or b""), time.time_ns(), number)
        self._files[path] = None if raw is None else Blob(raw, stamp, whole=True)

    def _joined(self, path: str, steps: Sequence[Step]) -> Iterator[Step]:
        """The steps of a file as one; none if the result is the original content."""
        modes = [step for step in steps if isinstance(step, ModeStep)]
        others = [step for step in steps if isinstance(step, FileStep | AppendStep)]
        if len(others) == 1:
            yield others[0]
        elif others:
            before, blob = self._before[path], self._files[path]
            after = blob and blob.raw
            if before != after:
                shown = next((step.shown for step in others if step.shown), None)
                yield FileStep(
                    path=path,
                    before=before,
                    after=after,
                    remake=_remake_of(others),
                    shown=shown,
                )
        if modes:
            yield replace(modes[0], after=modes[-1].after)

    def _copied(self) -> Iterator[tuple[bytes, bytes | None]]:
        """Content that files have only in between, with their original content."""
        for path, steps in self._steps.items():
            for step in steps[:-1]:
                if isinstance(step, FileStep) and step.after is not None:
                    yield step.after, self._before[path]


def _remake_of(steps: Sequence[FileStep | AppendStep]) -> Remake | None:
    """The function that rebuilds a derived file, if all its steps have one."""
    remakes = [step.remake for step in steps if isinstance(step, FileStep)]
    made = [remake for remake in remakes if remake]
    return in_turn(made) if len(made) == len(steps) else None


def _copying(step: Step, copied: Mapping[bytes, bytes | None]) -> Step:
    """A store's own backup, with the original content of the file."""
    if not isinstance(step, FileStep) or BACKUP not in step.path:
        return step
    is_copy = step.before is None and step.after in copied
    return replace(step, after=copied[step.after or b""]) if is_copy else step


def _order(step: Step) -> int:
    """The rank of a step: created, changed, derived, removed files, then modes."""
    if isinstance(step, ModeStep):
        return 4
    if not isinstance(step, FileStep):
        return 1
    if step.before is None:
        return 0
    if step.after is None:
        return 3
    return 2 if step.remake else 1


# Restore lost files, which is the same in all formats.


def plan_restored(
    lost: Sequence[Problem], text_of: Callable[[str, str], str | None]
) -> tuple[Planned | None, Sequence[Left]]:
    """The change that restores lost files of a store, and those without a version."""
    place, steps, left = Path(lost[0].store), list[FileStep](), list[Left]()
    with Root(place) as root:
        for problem in lost:
            text = text_of(problem.store, problem.path)
            if text is None:
                left.append(Left(problem, NO_VERSION))
                continue
            is_there = (place / problem.path).is_file()
            before = root.read(problem.path).raw if is_there else None
            raw = text.encode("utf-8", "surrogateescape")
            steps.append(FileStep(path=problem.path, before=before, after=raw))
    if not steps:
        return None, left
    what = steps[0].path if len(steps) == 1 else f"{len(steps)} lost files"
    draft = Draft(action=f"restore {what}", steps=tuple(steps), count=len(steps))
    planned = Planned(draft=draft, root=place, word=Fix.word, count=len(steps))
    return planned, left


# Fix one kind of problem after the other, until none is left that can be fixed.


def plan_fixes(
    problems: Sequence[Problem],
    way: str,
    plan: Callable[[Fix, Sequence[Problem]], Planned],
    preview: Callable[[], Preview],
    present: int,
) -> tuple[Planned | None, Sequence[Left]]:
    """The change that fixes problems of one store, if any, and what it leaves out.

    A single problem is planned like any other change, without a preview.
    """
    if len(problems) == 1:
        return _plan_one(problems[0], Fix(way=way), plan)
    with preview() as opened:
        draft, left = _Fixes(opened, way, present).plan(problems)
    if draft is None:
        return None, left
    titles = {one.ref: one.message for one in problems if one.ref}
    planned = Planned(
        draft=draft,
        root=Path(problems[0].store),
        word=Fix.word,
        refs=tuple(titles),
        titles=tuple(titles.values()),
        count=draft.count,
    )
    return planned, left


def _plan_one(
    problem: Problem,
    intent: Fix,
    plan: Callable[[Fix, Sequence[Problem]], Planned],
) -> tuple[Planned | None, Sequence[Left]]:
    try:
        planned = plan(intent, [problem])
    except (NotPossibleError, ChangedOnDiskError) as error:
        return None, [Left(problem, str(error))]
    if planned.is_idle:
        return None, [Left(problem, _why_idle(planned.draft))]
    return planned, ()


_ATTEMPTS = 3
"""How often a problem is fixed that appears again."""

_ROUNDS = 10
"""How often a kind of problem is fixed in one file, in which it keeps appearing."""

_STAYS = "The fix didn't help; edit the file by hand."

_Name = tuple[str, str, str | None, str]


def _name(problem: Problem) -> _Name:
    """The identity of a problem, which does not depend on its line."""
    return problem.code, problem.path, problem.ref, problem.message


_Place = tuple[str, str]


def _place(problem: Problem) -> _Place:
    """The kind of a problem, and its file."""
    return problem.code, problem.path


class _Fixes:
    """Plans fixes one kind after the other, each based on the ones before."""

    def __init__(self, preview: Preview, way: str, present: int) -> None:
        self._preview = preview
        self._way, self._present = way, present
        self._codes = frozenset[str]()
        self._attempts = Counter[_Name | _Place]()
        self._drafts: list[Draft] = []
        self._stays: set[_Name | _Place] = set()
        self._unseen: set[_Name] = set()
        """Fixed problems that the preview doesn't show: of a file's mode, or found by
        the full check alone."""

    def plan(self, problems: Sequence[Problem]) -> tuple[Draft | None, Sequence[Left]]:
        """The one change that all fixes add up to, if any, and what it leaves out."""
        self._codes = frozenset(problem.code for problem in problems)
        wanted = {(_name(one), one.line) for one in problems}
        checked = [one for one in problems if one.code in full_check.CODES]
        found = [*self._preview.problems(), *checked]
        todo = [one for one in found if (_name(one), one.line) in wanted]
        others = {_name(one) for one in found if (_name(one), one.line) not in wanted}
        count = len(todo)
        found = todo
        while todo:
            self._fix([one for one in todo if one.code == todo[0].code])
            hidden = others | self._unseen
            found = [
                one
                for one in (*self._preview.problems(), *checked)
                if one.code in self._codes and _name(one) not in hidden
            ]
            todo = [
                one
                for one in found
                if self._stays.isdisjoint((_name(one), _place(one)))
            ]
        left = [Left(one, self._reason(one)) for one in found]
        names = {name for name, _ in wanted}
        stay = sum(_name(one.problem) in names for one in left)
        if not any(draft.steps for draft in self._drafts):
            return None, left
        return self._joined(count - stay), left

    def _fix(self, problems: Sequence[Problem]) -> None:
        """Draft the fix for one kind of problem, and apply it in memory."""
        able, draft = self._able(problems)
        if draft is None:
            return
        names = {_name(problem) for problem in able}
        places = {_place(problem) for problem in able}
        self._attempts.update([*names, *places])
        self._stays |= {one for one in names if self._attempts[one] >= _ATTEMPTS}
        self._stays |= {one for one in places if self._attempts[one] >= _ROUNDS}
        if able[0].code in full_check.CODES and (draft.steps or self._drafts):
            self._unseen |= names
        elif not draft.steps:
            self._stays |= names
        elif all(isinstance(step, ModeStep) for step in draft.steps):
            self._unseen |= names
        self._drafts.append(draft)
        self._preview.apply(draft)
        self._preview.refresh()

    def _able(self, problems: Sequence[Problem]) -> tuple[list[Problem], Draft | None]:
        """The problems that can be fixed together, and the draft that fixes them."""
        try:
            return list(problems), self._draft(problems)
        except (NotPossibleError, ChangedOnDiskError):
            if len(problems) == 1:
                self._stays.add(_name(problems[0]))
                return [], None
        half = len(problems) // 2
        first, second = self._able(problems[:half]), self._able(problems[half:])
        if not (first[0] and second[0]):
            return first if first[0] else second
        both = [*first[0], *second[0]]
        try:
            return both, self._draft(both)
        except (NotPossibleError, ChangedOnDiskError):
            return first

    def _reason(self, problem: Problem) -> str:
        """Why a problem remains."""
        try:
            draft = self._draft([problem])
        except (NotPossibleError, ChangedOnDiskError) as error:
            return str(error)
        return _STAYS if draft.steps else _why_idle(draft)

    def _draft(self, problems: Sequence[Problem]) -> Draft:
        intent = Fix(way=self._way)
        return self._preview.draft(intent, problems, self._present)

    def _joined(self, count: int) -> Draft:
        """The drafts as one change."""
        warnings = (warning for draft in self._drafts for warning in draft.warnings)
        return replace(
            self._drafts[0],
            action=f"fix {count} problem{'' if count == 1 else 's'}",
            steps=self._preview.steps(),
            warnings=tuple(dict.fromkeys(warnings)),
            is_grave=any(draft.is_grave for draft in self._drafts),
            marks=tuple(mark for draft in self._drafts for mark in draft.marks),
            moves=_moves_of(self._drafts),
            count=count,
        )


def _moves_of(drafts: Sequence[Draft]) -> tuple[FileMove, ...]:
    """Where files are after all drafts, each with its original path."""
    places: dict[str, str] = {}
    for move in (move for draft in drafts for move in draft.moves):
        first = next((old for old, new in places.items() if new == move.path), None)
        places[first or move.path] = move.new
    return tuple(FileMove(path=old, new=new) for old, new in places.items())


def _why_idle(draft: Draft) -> str:
    """Why a fix changes nothing."""
    return " ".join(draft.warnings) or _STAYS
