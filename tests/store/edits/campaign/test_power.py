"""The power fails at any call: acknowledged changes survive, others not at all."""

import os
from pathlib import Path

from tests.store.edits.campaign import acts
from tests.store.edits.campaign.harness import Outcome, Stage
from tests.store.edits.campaign.power import Power

STRIDE = int(os.environ.get("RECOLLECT_TEST_STRIDE", "97"))
DAY = (
    acts.edit,
    acts.link,
    acts.pin,
    acts.undo,
    acts.redo,
    acts.edit_locked,
    acts.delete,
    acts.create,
    acts.edit_linked,
    acts.add,
    acts.add_to_open_line,
    acts.put_away,
    acts.undo,
)


def test_acknowledged_changes_survive(tmp_path: Path) -> None:
    outcome = _played(tmp_path, STRIDE // 3 + 1, is_honest=True)

    assert outcome.bad == []
    assert outcome.acknowledged > 0


def test_without_durable_writes_the_campaign_sees_losses(tmp_path: Path) -> None:
    outcome = _played(tmp_path, 29, is_honest=False)

    assert len(outcome.bad) > outcome.injections // 4


def _played(folder: Path, stride: int, *, is_honest: bool) -> Outcome:
    stage = Stage(folder, DAY)
    counting = Power(stage.place, None)
    outcome = Outcome()
    for at in range(1, stage.count(lambda: counting.count, counting.install), stride):
        power = Power(stage.place, at, is_honest=is_honest)
        stage.play(power.install, f"power at {at}", outcome)
    return outcome
