"""The work that a draft asks for, or that takes an operation back."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

from store.edits.doing.beginning import Beginning, Placed, begin, placed, rows_deeds
from store.edits.doing.carrying import Work
from store.edits.doing.hands import Hands
from store.edits.doing.undoing import Remaker, reversed_deeds
from store.edits.draft import Draft, FileStep, RowStep
from store.edits.kept.deeds import FileDeed
from store.edits.kept.operation import Kind, Operation
from store.edits.kept.workshop import Workshop
from store.edits.refusals import NotPossibleError


@dataclass(frozen=True, slots=True)
class Beginner:
    """Makes operations that can begin at a moment."""

    workshop: Workshop
    known: Mapping[str, Operation]
    """All operations so far."""
    now: int

    def change(self, root: Path, draft: Draft, refs: tuple[str, ...]) -> Work:
        """The work that a draft asks for.

        Raises ChangedOnDiskError, LockedError, NotPossibleError, UnreadableError.
        """
        change = self._fresh(draft.action)
        operation = Operation(
            id=change,
            time=self.now,
            kind=Kind.CHANGE,
            change=change,
            action=draft.action,
            refs=refs,
            root=root,
            deeds=(),
            shuns=tuple((shunned.path, shunned.age) for shunned in draft.shuns),
            marks=draft.marks,
            pid=os.getpid(),
        )
        with Hands(self.workshop, operation) as hands:
            places = [
                self._placed(root, step, hands)
                for step in draft.steps
                if isinstance(step, FileStep)
            ]
            roots = sorted({root, *(place.root for place in places)})
            modes = {each: hands.ground(each).path.stat().st_mode for each in roots}
            beginning = Beginning()
            about_rows = [step for step in draft.steps if isinstance(step, RowStep)]
            rows = rows_deeds(root, about_rows, beginning)
            begin(places, modes, rows, beginning)
        if not beginning.deeds and not draft.marks:
            raise NotPossibleError("Nothing would differ.")
        locks = tuple((each, draft.lock) for each in roots if draft.lock)
        begun = replace(operation, deeds=tuple(beginning.deeds), locks=locks)
        return Work(begun, beginning.images, beginning.remakes)

    def reversal(
        self, last: Operation, kind: Kind, remaker: Remaker | None = None
    ) -> Work:
        """The work that takes an operation back.

        Raises UnreadableError and BackupLostError.
        """
        operation = replace(
            last,
            id=self._fresh(f"{kind} {last.action}"),
            time=self.now,
            kind=kind,
            marks=tuple(mark.reversed for mark in last.marks),
            pid=os.getpid(),
            notes=(),
            settled={},
            overwritten=frozenset(),
        )
        with Hands(self.workshop, operation) as hands:
            deeds = reversed_deeds(last, hands)
        remakes = {
            number: remake
            for number, deed in enumerate(deeds)
            if remaker and isinstance(deed, FileDeed) and deed.is_derived
            if (remake := remaker(deed.root, deed.path))
        }
        return Work(replace(operation, deeds=deeds), {}, remakes)

    def _placed(self, root: Path, step: FileStep, hands: Hands) -> Placed:
        where = root if step.root is None else step.root.absolute()
        return placed(where, step, hands.ground(where))

    def _fresh(self, action: str) -> str:
        """A name that no operation has yet; the same for the same at the same time."""
        number = 0
        while True:
            seed = f"{self.now} {len(self.known)} {number} {action}"
            name = blake2b(os.fsencode(seed), digest_size=4).hexdigest()
            if name not in self.known:
                return name
            number += 1
