"""Changes can be undone for a while, and are then removed."""

from pathlib import Path

import pytest

from store.edits import undo as retention
from store.errors import NotPossibleError
from tests.store.edits.trial import Trial

DAY = 24 * 60 * 60 * 1_000_000


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only five operations stay."""
    monkeypatch.setattr(retention, "FEWEST", 5)


def edit_often(trial: Trial, times: int) -> None:
    for number in range(times):
        trial.apply(trial.step("a.md", b"%d\n" % number * 100))


def blobs(trial: Trial) -> set[str]:
    return {path.name for path in (trial.changes / "blobs").iterdir()}


def test_recent_and_small_changes_stay(trial: Trial) -> None:
    edit_often(trial, 12)

    trial.engine.recover()

    assert len(trial.engine.past()) == 12


def test_old_changes_are_removed_but_never_the_last_ones(trial: Trial) -> None:
    edit_often(trial, 12)
    before = blobs(trial)
    trial.now += 31 * DAY

    trial.engine.recover()

    assert len(trial.engine.past()) == 5
    assert blobs(trial) < before
    for _ in range(5):
        trial.engine.undo()
    assert trial.raw("a.md") == b"6\n" * 100


def test_changes_over_the_size_limit_are_removed(
    trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit_often(trial, 20)
    monkeypatch.setattr(retention, "BYTES", 3000)

    trial.engine.recover()

    assert 5 <= len(trial.engine.past()) < 20
    assert trial.engine.verify()[1].is_good


def test_a_change_and_its_undo_are_removed_together(trial: Trial) -> None:
    edit_often(trial, 3)
    trial.engine.undo()
    edit_often(trial, 5)
    trial.now += 31 * DAY

    trial.engine.recover()

    assert not any(past.undone for past in trial.engine.past())


def test_purging_forgets_everything(trial: Trial, tmp_path: Path) -> None:
    trial.apply(trial.step("a.md", b"secret\n"))
    trial.apply(trial.step("a.md", b"harmless\n"))

    freed = trial.engine.purge()

    assert freed > 0
    assert trial.engine.past() == []
    kept = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(b"secret" in raw for raw in kept)
    with pytest.raises(NotPossibleError):
        trial.engine.undo()
