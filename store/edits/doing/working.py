"""The work that a draft asks for, or that takes an operation back."""

import os
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from store.derive.merging import merged_cleanly
from store.edits.doing.beginning import (
    Beginning,
    Placed,
    begin,
    lines_deeds,
    mode_deeds,
    placed,
    rows_deeds,
)
from store.edits.doing.carrying import Work
from store.edits.doing.hands import Hands
from store.edits.doing.undoing import Remaker, reversed_deeds
from store.edits.draft import AppendStep, Draft, FileStep, ModeStep, Remake, RowStep
from store.edits.kept.deeds import FileDeed
from store.edits.kept.operation import Kind, Operation
from store.edits.kept.workshop import Workshop
from store.edits.refusals import NotPossibleError


class Beginner(Struct, frozen=True):
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
            added = [step for step in draft.steps if isinstance(step, AppendStep)]
            lines = lines_deeds(root, added, hands)
            about_modes = [step for step in draft.steps if isinstance(step, ModeStep)]
            modes_told = mode_deeds(root, about_modes)
            touched = (
                *(place.root for place in places),
                *(each.root for each in (*lines, *modes_told)),
            )
            roots = sorted({root, *touched})
            modes = {each: hands.ground(each).path.stat().st_mode for each in roots}
            beginning = Beginning()
            about_rows = [step for step in draft.steps if isinstance(step, RowStep)]
            rows = rows_deeds(root, about_rows, beginning)
            begin(places, modes, [*lines, *rows, *modes_told], beginning)
        if not beginning.deeds and not draft.marks:
            raise NotPossibleError("Nothing would differ.")
        own = dict(draft.locks)
        names = ((each, own.get(each, draft.lock)) for each in roots)
        locks = tuple((each, name) for each, name in names if name)
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
                number: _remaking(deed, hands, remaker)
                for number, deed in enumerate(deeds)
                if isinstance(deed, FileDeed) and deed.is_derived
            }
            images = dict(hands.at_hand)
        return Work(replace(operation, deeds=deeds), images, remakes)

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


def _remaking(deed: FileDeed, hands: Hands, remaker: Remaker | None) -> Remake:
    """How a derived file is taken back that others wrote meanwhile.

    Anew, where its format can; else without what was done, where that lies apart from
    what they wrote.
    """
    remake = remaker(deed.root, deed.path) if remaker else None
    before, after = hands.image(deed.before), hands.image(deed.after)

    def remade(now: bytes | None) -> bytes | None:
        made = remake(now) if remake else None
        if made is not None or None in (before, after, now):
            return made
        return merged_cleanly(before or b"", after or b"", now or b"")

    return remade
