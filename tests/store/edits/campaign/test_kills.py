"""The program is killed within any call; the next start repairs the store."""

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from tests.store.edits.campaign import acts, kills
from tests.store.edits.campaign.acts import Act
from tests.store.edits.campaign.harness import Outcome, Stage

STRIDE = int(os.environ.get("RECOLLECT_TEST_STRIDE", "61"))
"""Every how many-th call is the last; 1 for all of them."""

PLAYS: dict[str, Sequence[Act]] = {
    "link": (acts.link,),
    "pin": (acts.pin,),
    "edit locked": (acts.edit_locked,),
    "row": (acts.row,),
    "undo": (acts.link, acts.undo),
    "add": (acts.add,),
    "put away": (acts.put_away, acts.undo),
}


@pytest.fixture(scope="module", autouse=True)
def traced() -> None:
    reason = kills.why_not()
    if reason:
        pytest.skip(reason)


@pytest.mark.parametrize("name", PLAYS)
def test_a_kill_leaves_all_or_nothing(name: str, tmp_path: Path) -> None:
    stage = Stage(tmp_path, PLAYS[name])
    outcome = Outcome()

    for shift, call in enumerate(kills.CALLS):
        number = 1 + shift * STRIDE // len(kills.CALLS)
        while stage.play(
            partial(kills.kill_at, call, number), f"{call} {number}", outcome
        ) < len(PLAYS[name]):
            number += STRIDE

    assert outcome.bad == []
    assert outcome.injections > 0
