"""Runs acts in a process that fails at some point, then recovers.

The result must be that of all acknowledged acts, and of the next one all or nothing.
"""

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from store.errors import NotPossibleError, RecollectError
from tests.store.edits.campaign.acts import Act, furnish
from tests.store.edits.trial import Here, Trial, tree

Tree = dict[str, Here | None]
DERIVED = "_index.json"
"""May be what it was before, where it could not be written."""

LOCK = ".lock"
"""May be left until the next start, where it could not be removed."""

Wound = Callable[[], None]
"""Done in the process before it acts: sets up what will happen to it."""


@dataclass
class Outcome:
    """The faults found by a campaign."""

    injections: int = 0
    acknowledged: int = 0
    refused: int = 0
    bad: list[str] = field(default_factory=list[str])


class Stage:
    """The first state of a store, and the expected state after each act."""

    def __init__(self, folder: Path, acts: Sequence[Act]) -> None:
        self._folder, self._acts = folder, acts
        self._first = folder / "first"
        with Trial.at(self._first) as trial:
            furnish(trial)
        self.place = folder / "at"
        self.expected = self._rehearsed()

    def play(
        self, wound: Wound, name: str, outcome: Outcome, later: Wound | None = None
    ) -> int:
        """One performance, and the recovery after it; how many acts were acknowledged.

        `later` wounds a first recovery.
        """
        trial = self._set()
        acked, error = performed(trial, self._acts, wound)
        outcome.injections += 1
        outcome.acknowledged += acked
        outcome.refused += error is not None
        found = tree(trial.root) if error else {}
        if later:
            performed(trial, [lambda again: again.engine.recover()], later)
        for fault in self._faults(trial, acked, error, found):
            outcome.bad.append(f"{name}: {fault}")
        return acked

    def count(self, counter: Callable[[], int], wound: Wound) -> int:
        """The total number of calls of the acts, counted by an idle shim."""
        trial = self._set()
        read, write = os.pipe()
        if not os.fork():
            wound()
            for act in self._acts:
                act(trial)
            os.write(write, b"%d" % counter())
            os._exit(0)
        os.wait()
        os.close(write)
        answer = os.read(read, 20)
        os.close(read)
        return int(answer)

    def _faults(
        self, trial: Trial, acked: int, error: str | None, found: Tree
    ) -> list[str]:
        faults: list[str] = []
        was = hard(self.expected[acked])
        if error and "next start" not in error and _unlocked(hard(found)) != was:
            faults.append(f"said «{error}», and the store is not as it was")
        with Trial(trial.root, trial.places) as later:
            later.engine.recover()
            once = tree(trial.root)
            again = later.engine.recover()
            if again or tree(trial.root) != once:
                faults.append(f"a second recovery did something: {again}")
        following = [hard(each) for each in self.expected[acked : acked + 2]]
        if once.get(DERIVED) not in [each.get(DERIVED) for each in self.expected]:
            faults.append("the derived file is none that ever was")
        if hard(once) not in following:
            faults.append(f"mixed after {acked}: {_difference(hard(once), following)}")
        if any(trial.changes.glob("blobs/*.new")):
            faults.append("a blob was left half written")
        return faults

    def _set(self) -> Trial:
        shutil.rmtree(self.place, ignore_errors=True)
        copy(self._first, self.place)
        return Trial.again(self.place)

    def _rehearsed(self) -> list[Tree]:
        """The state of the store at first and after each act."""
        with self._set() as trial:
            trees = [trial.tree()]
            for act in self._acts:
                act(trial)
                trees.append(trial.tree())
        return trees


def hard(found: Tree) -> Tree:
    """Everything except derived files and empty folders."""
    return {
        name: here
        for name, here in found.items()
        if name != DERIVED
        and (here or any(other.startswith(f"{name}/") for other in found))
    }


def _unlocked(found: Tree) -> Tree:
    return {name: here for name, here in found.items() if name != LOCK}


def performed(
    trial: Trial, acts: Sequence[Act], wound: Wound
) -> tuple[int, str | None]:
    """Do the acts in another process; returns how many succeeded, and its error."""
    read, write = os.pipe()
    if not (child := os.fork()):
        try:
            os.close(read)
            _perform(trial, acts, wound, os.write, write)
        finally:
            os._exit(7)
    os.close(write)
    told = b"".join(iter(lambda: os.read(read, 65536), b"")).decode()
    os.close(read)
    os.waitpid(child, 0)
    acks, _, error = told.partition("!")
    return acks.count("."), error or None


def _perform(
    trial: Trial,
    acts: Sequence[Act],
    wound: Wound,
    tell: Callable[[int, bytes], int],
    to: int,
) -> None:
    wound()
    for act in acts:
        try:
            act(trial)
        except RecollectError as error:
            tell(to, b"!" + str(error).encode())
            return
        except BaseException as error:
            tell(to, f"!{type(error).__name__} escaped: {error} next start".encode())
            raise
        tell(to, b".")


def copy(source: Path, target: Path) -> None:
    """Copy a folder with its links, keeping files with two names."""
    shutil.copytree(source, target, symlinks=True)
    one, two = (target / "store/twins" / name for name in ("one.md", "two.md"))
    if two.exists():
        two.unlink()
        two.hardlink_to(one)


def undo_all(trial: Trial) -> None:
    """Undo until there is nothing left."""
    while True:
        try:
            trial.engine.undo()
        except NotPossibleError:
            return


def _difference(found: Tree, expected: Sequence[Tree]) -> str:
    """The files that match none of the states, or different ones."""
    told: list[str] = []
    for tree_expected in expected:
        names = {*found, *tree_expected}
        told.append(
            ", ".join(
                sorted(
                    name
                    for name in names
                    if found.get(name, "-") != tree_expected.get(name, "-")
                )
            )
        )
    return " | ".join(told)
