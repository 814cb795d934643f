"""Each system call fails once in every way; nothing is ever half done."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.store.edits.campaign import acts
from tests.store.edits.campaign.acts import Act
from tests.store.edits.campaign.harness import Outcome, Stage
from tests.store.edits.campaign.naive import InPlace, Renaming, as_engine
from tests.store.edits.campaign.shim import Fault, Shim
from tests.store.edits.trial import Trial

STRIDE = int(os.environ.get("RECOLLECT_TEST_STRIDE", "97"))
"""Every how many-th call fails; 1 for all of them."""

SEQUENCES: dict[str, Sequence[Act]] = {
    **{name: (act,) for name, act in acts.ALL.items()},
    "undo": (acts.link, acts.undo),
    "redo": (acts.pin, acts.undo, acts.redo),
    "undo of lines": (acts.add_elsewhere_too, acts.undo),
    "redo of lines": (acts.add_to_open_line, acts.undo, acts.redo),
}


@pytest.mark.parametrize("name", SEQUENCES)
def test_any_failure_leaves_a_change_complete_or_absent(
    name: str, tmp_path: Path
) -> None:
    stage = Stage(tmp_path, SEQUENCES[name])
    outcome = Outcome()

    for fault, at in faults(stage, STRIDE):
        stage.play(Shim(at, fault).install, f"{name}, {fault.name} at {at}", outcome)

    assert outcome.bad == []
    assert outcome.injections > 0


@pytest.mark.parametrize("name", ["link", "edit linked", "put away"])
def test_a_recovery_may_fail_as_well(name: str, tmp_path: Path) -> None:
    stage = Stage(tmp_path, SEQUENCES[name])
    outcome = Outcome()

    for at in range(1, 300, STRIDE):
        for again in range(1 + at % 7, 120, max(STRIDE, 11)):
            ends, ends_too = Shim(at, Fault.LAST), Shim(again, Fault.LAST)
            ending = f"{name} at {at}, recovery at {again}"
            stage.play(ends.install, ending, outcome, ends_too.install)

    assert outcome.bad == []


def test_a_failed_recovery_leaves_no_lock_behind(tmp_path: Path) -> None:
    stage, outcome = Stage(tmp_path, [acts.edit_locked]), Outcome()
    counting = Shim(None, Fault.EIO)
    calls = stage.count(lambda: counting.count, counting.install)

    for at in (calls * 3 // 4, calls - 7):
        for again in range(1, 120, max(1, STRIDE // 9)):
            ends, ends_too = Shim(at, Fault.LAST), Shim(again, Fault.LAST)
            ending = f"at {at}, recovery at {again}"
            stage.play(ends.install, ending, outcome, ends_too.install)

    assert outcome.bad == []


@pytest.mark.parametrize("writer", [InPlace(), Renaming()])
def test_the_campaign_catches_naive_writers(writer: InPlace, tmp_path: Path) -> None:
    def with_writer(trial: Trial) -> None:
        trial.engine = as_engine(writer)
        acts.tag(trial)

    stage = Stage(tmp_path, [with_writer])
    outcome = Outcome()

    for fault, at in faults(stage, 5):
        stage.play(Shim(at, fault).install, f"{fault.name} at {at}", outcome)

    assert len(outcome.bad) > outcome.injections // 4


def faults(stage: Stage, stride: int) -> Iterator[tuple[Fault, int]]:
    """The calls that fail, and how; each way begins at another call."""
    counting = Shim(None, Fault.EIO)
    calls = stage.count(lambda: counting.count, counting.install)
    for shift, fault in enumerate(Fault):
        for at in range(1 + shift * stride // len(Fault), calls + 1, stride):
            yield fault, at
