"""One kind of change of a format in stores of its own: made, undone, redone."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from store.edits.draft import Draft, FileStep, Marking
from tests.store.edits.campaign.acts import Act
from tests.store.edits.campaign.harness import Tree, Wound, hard, performed
from tests.store.edits.campaign.kinds import Kind
from tests.store.edits.campaign.shim import Fault, Shim
from tests.store.edits.trial import Trial, tree
from tests.store.formats.changed_stores import Changed

STRIDE = 47 * int(os.environ.get("RECOLLECT_TEST_STRIDE", "61"))
"""Every how many-th call fails, in each way; there are about a thousand."""


class Stand(Trial):
    """A store, and another beside it; marks of the program do not matter here."""

    def _remember(self, root: Path, marks: Sequence[Marking], now: int) -> None:
        """Marks are tested elsewhere."""

    def both(self) -> Tree:
        """The content of both stores."""
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
    """A kind of change, and the expected stores afterwards."""

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
        """Everything except derived files."""
        return {name: one for name, one in found.items() if name not in self.derived}

    def calls(self) -> int:
        """The total number of calls of the acts."""
        counting = Shim(None, Fault.EIO)
        trial, read = self.set(), self.place / "count"

        def tell(_: Trial) -> None:
            read.write_text(str(counting.count))

        performed(trial, [*self.acts, tell], counting.install)
        return int(read.read_text())

    def faults(self) -> list[tuple[Fault, int]]:
        """The calls that fail, and how; each way begins at another call."""
        calls = self.calls()
        ways = list(Fault)
        return [
            (fault, at)
            for shift, fault in enumerate(ways)
            for at in range(1 + shift * STRIDE // len(ways), calls + 1, STRIDE)
        ]

    def wounded(self, wound: Wound) -> tuple[list[str], bool]:
        """The faults after the next start, and whether the acts were interrupted."""
        trial = self.set()
        acked, error = performed(trial, self.acts, wound)
        wrong: list[str] = []
        was = self.plain(self.expected[acked])
        if error and "next start" not in error and self.plain(trial.both()) != was:
            wrong.append(f"said «{error}», and the stores are not as they were")
        with Stand.again(self.place) as later:
            later.engine.recover()
            found = later.both()
            if later.engine.recover() or later.both() != found:
                wrong.append("a second recovery did something")
        known = [self.plain(each) for each in self.expected[acked : acked + 2]]
        if self.plain(found) not in known:
            wrong.append(f"mixed after {acked}")
        wrong += [
            f"{path} is none that ever was"
            for path in self.derived
            if found.get(path) not in [each.get(path) for each in self.expected]
        ]
        return wrong, acked < len(self.acts) and not error

    def _rehearsed(self) -> list[Tree]:
        with self.set() as trial:
            trees = [trial.both()]
            for act in self.acts:
                act(trial)
                trees.append(trial.both())
        return trees
