"""Any three changes, interrupted anywhere: short sequences find most faults."""

import os
from pathlib import Path
from random import Random

import pytest

from tests.store.edits.campaign import acts
from tests.store.edits.campaign.harness import Outcome, Stage, hard, undo_all
from tests.store.edits.campaign.shim import Fault, Shim
from tests.store.edits.trial import Trial

SEQUENCES = int(os.environ.get("RECOLLECT_TEST_SEQUENCES", "24"))
BREAKS = 4
"""How often each is broken off."""


@pytest.mark.parametrize("seed", range(SEQUENCES))
def test_three_interrupted_changes_can_all_be_undone(seed: int, tmp_path: Path) -> None:
    chance = Random(seed)  # noqa: S311  # nothing secret
    names = chance.choices(sorted(acts.ALL), k=chance.randint(1, 3))
    stage = Stage(tmp_path, [acts.ALL[name] for name in names])
    counting = Shim(None, Fault.EIO)
    calls = stage.count(lambda: counting.count, counting.install)
    outcome = Outcome()

    for at in sorted(chance.sample(range(1, calls + 2), min(BREAKS, calls + 1))):
        stage.play(Shim(at, Fault.LAST).install, f"{names} at {at}", outcome)
        with Trial.again(stage.place) as trial:
            undo_all(trial)
            assert hard(trial.tree()) == hard(stage.expected[0]), f"{names} at {at}"

    assert outcome.bad == []
