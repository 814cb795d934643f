"""Every kind of change of every format, undone and redone, with any failure."""

from pathlib import Path

import pytest

from tests.store.edits.campaign.harness import Outcome
from tests.store.edits.campaign.kinds import KINDS
from tests.store.edits.campaign.plays import Play
from tests.store.edits.campaign.shim import Shim


@pytest.mark.usefixtures("allowed")
@pytest.mark.parametrize("name", KINDS)
def test_each_change_is_complete_or_absent_and_undo_restores_the_bytes(
    name: str, tmp_path: Path
) -> None:
    play, outcome = Play(tmp_path, KINDS[name]), Outcome()
    before, after, undone, redone = play.expected
    assert before == undone != after == redone

    for fault, at in play.faults():
        wrong, _ = play.wounded(Shim(at, fault).install)
        outcome.injections += 1
        outcome.bad += [f"{fault.name} at {at}: {one}" for one in wrong]

    assert outcome.bad == []
    assert outcome.injections > 0
