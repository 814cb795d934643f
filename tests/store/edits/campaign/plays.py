"""A kind of change of a format, to be made in stores of its own, undone and redone."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from store.edits.draft import Draft, FileStep, Marking
from tests.store.edits.campaign.acts import Act
from tests.store.edits.campaign.harness import Tree, hard, performed
from tests.store.edits.campaign.kinds import Kind
from tests.store.edits.campaign.shim import Fault, Shim
from tests.store.edits.trial import Trial, tree
from tests.store.formats.changed_stores import Changed

STRIDE = 47 * int(os.environ.get("RECOLLECT_TEST_STRIDE", "61"))
"""Every how many-th call fails, in each way; there are about a thousand."""


class Stand(Trial):
    """A store, and another beside it; what the program remembers is no matter here."""

    def _remember(self, root: Path, marks: Sequence[Marking], now: int) -> None:
        """Elsewhere it is seen that marks stand and fall with the files."""

    def both(self) -> Tree:
        """All that lies in either store."""
        stores = (self.root, self.root.with_name("other"))
        return hard(
            {
                f"{root.name}/{name}": here
                for root in stores
                for name, here in tree(root).items()
                if name != ".lock"
            }
        )


class Play:
    """A kind of change, and what it makes of the stores when all goes well."""

    def __init__(self, folder: Path, kind: Kind) -> None:
        self._first, self.place = folder / "first", folder / "at"
        kind.make(self._first / "store")
        kind.empty(self._first / "other")
        self.set()
        root = self.place / "store"
        with Changed(root, kind.format, folder / "own") as store:
            intent, records = kind.ask(store)
            self.draft: Draft = store.plan(intent, *records).draft
        self.acts: list[Act] = [
            lambda trial: trial.engine.apply(trial.root, self.draft),
            lambda trial: trial.engine.undo(),
            lambda trial: trial.engine.redo(),
        ]
        self.derived = {
            f"{(step.root or root).name}/{step.path}"
            for step in self.draft.steps
            if isinstance(step, FileStep) and step.remake
        }
        self.expected = self._rehearsed()

    def set(self) -> Stand:
        shutil.rmtree(self.place, ignore_errors=True)
        shutil.copytree(self._first, self.place, symlinks=True)
        return Stand.again(self.place)

    def plain(self, found: Tree) -> Tree:
        """All but what the change stands without."""
        return {name: one for name, one in found.items() if name not in self.derived}

    def faults(self) -> list[tuple[Fault, int]]:
        """Which calls fail, and how; each way begins at another call."""
        counting = Shim(None, Fault.EIO)
        trial, read = self.set(), self.place / "count"

        def tell(_: Trial) -> None:
            read.write_text(str(counting.count))

        performed(trial, [*self.acts, tell], counting.install)
        calls = int(read.read_text())
        ways = list(Fault)
        return [
            (fault, at)
            for shift, fault in enumerate(ways)
            for at in range(1 + shift * STRIDE // len(ways), calls + 1, STRIDE)
        ]

    def _rehearsed(self) -> list[Tree]:
        with self.set() as trial:
            trees = [trial.both()]
            for act in self.acts:
                act(trial)
                trees.append(trial.both())
        return trees
