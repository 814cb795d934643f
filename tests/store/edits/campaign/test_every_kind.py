"""Every kind of change of every format, undone and redone, whatever fails meanwhile."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from store.edits.draft import Draft, FileStep, Marking
from tests.store.edits.campaign.acts import Act
from tests.store.edits.campaign.harness import Outcome, Tree, hard, performed
from tests.store.edits.campaign.kinds import KINDS, Kind
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


@pytest.fixture
def allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner of this machine says that Claudia's databases may be changed."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    settings = tmp_path / "config" / "recollect" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[claudia]\nwrites = true\n", encoding="utf-8")


@pytest.mark.usefixtures("allowed")
@pytest.mark.parametrize("name", KINDS)
def test_it_is_done_or_not_and_undo_gives_the_first_bytes_back(
    name: str, tmp_path: Path
) -> None:
    play, outcome = Play(tmp_path, KINDS[name]), Outcome()
    before, after, undone, redone = play.expected
    assert before == undone != after == redone

    for fault, at in play.faults():
        wrong = injected(play, Shim(at, fault))
        outcome.injections += 1
        outcome.bad += [f"{fault.name} at {at}: {one}" for one in wrong]

    assert outcome.bad == []
    assert outcome.injections > 0


def injected(play: Play, shim: Shim) -> list[str]:
    """What is wrong after a fault, and after the next start."""
    trial = play.set()
    acked, error = performed(trial, play.acts, shim.install)
    wrong: list[str] = []
    was = play.plain(play.expected[acked])
    if error and "next start" not in error and play.plain(trial.both()) != was:
        wrong.append(f"said «{error}», and the stores are not as they were")
    with Stand.again(play.place) as later:
        later.engine.recover()
        found = later.both()
        if later.engine.recover() or later.both() != found:
            wrong.append("a second recovery did something")
    known = [play.plain(each) for each in play.expected[acked : acked + 2]]
    if play.plain(found) not in known:
        wrong.append(f"mixed after {acked}")
    return wrong + [
        f"{path} is none that ever was"
        for path in play.derived
        if found.get(path) not in [each.get(path) for each in play.expected]
    ]
