"""Checks of everything that undo needs."""

import os
import time
from collections.abc import Callable

import pytest

from tests.store.edits.trial import Trial


def faults(trial: Trial) -> set[str]:
    return {verdict.name for verdict in trial.engine.verify() if not verdict.is_good}


def damage_journal(trial: Trial) -> None:
    path = trial.changes / "journal.jsonl"
    path.write_bytes(b"what is this\n" + path.read_bytes())


def damage_blob(trial: Trial) -> None:
    next(iter((trial.changes / "blobs").iterdir())).write_bytes(b"what is this")


def open_to_all(trial: Trial) -> None:
    (trial.changes / "blobs").chmod(0o755)


def leave_lock(trial: Trial) -> None:
    lock = trial.root / ".lock"
    lock.touch()
    os.utime(lock, (time.time() - 60, time.time() - 60))


def test_everything_is_sound_at_first_and_after_changes(trial: Trial) -> None:
    assert faults(trial) == set()
    trial.apply(trial.step("a.md", b"new\n"), lock=".lock")
    trial.engine.undo()
    before = trial.tree()

    assert faults(trial) == set()
    assert trial.tree() == before
    assert not (trial.changes / "trial").exists()


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        (damage_journal, {"journal"}),
        (damage_blob, {"backups"}),
        (open_to_all, {"permissions"}),
        (leave_lock, {"locks"}),
    ],
)
def test_each_kind_of_damage_is_named(
    damage: Callable[[Trial], None], named: set[str], trial: Trial
) -> None:
    trial.apply(trial.step("b.md", b"new\n"), lock=".lock")

    damage(trial)

    assert faults(trial) >= named
