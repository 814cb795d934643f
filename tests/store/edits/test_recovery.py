"""Interrupted changes are settled at the next start, or left to the user."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.files import locks as lock
from tests.examples import examples
from tests.store.edits.campaign import acts
from tests.store.edits.campaign.harness import performed
from tests.store.edits.campaign.shim import Ending
from tests.store.edits.trial import FILES, Trial


@pytest.fixture
def broken_off(trial: Trial) -> Trial:
    """A change of three files of which only the first is written."""
    ending = Ending(lambda: trial.raw("a.md") != FILES["a.md"])
    performed(trial, [acts.tag], ending.install)
    assert trial.raw("a.md") == b"tagged\n" + FILES["a.md"]
    assert trial.raw("notes/c.md") == FILES["notes/c.md"]
    return trial


def test_a_begun_change_is_finished(broken_off: Trial) -> None:
    told = broken_off.engine.recover()

    assert told == ["“test” was interrupted; it was finished."]
    assert broken_off.raw("notes/c.md") == b"tagged\n" + FILES["notes/c.md"]
    assert broken_off.engine.recover() == []
    broken_off.engine.undo()
    assert {path: broken_off.raw(path) for path in FILES} == FILES


def test_the_next_change_also_recovers_and_reports_it(broken_off: Trial) -> None:
    applied = broken_off.apply(broken_off.step("_index.json", b"{}\n"))

    assert applied.notes == ("“test” was interrupted; it was finished.",)
    assert broken_off.raw("b.md") == b"tagged\n" + FILES["b.md"]


@pytest.mark.parametrize("path", ["a.md", "notes/c.md"])
def test_recovery_touches_nothing_that_another_program_wrote(
    broken_off: Trial, path: str
) -> None:
    (broken_off.root / path).write_bytes(b"theirs\n")
    before = {path: broken_off.raw(path) for path in FILES}

    (told,) = broken_off.engine.recover()

    assert "“test” was interrupted; it is half done, because another" in told
    assert {path: broken_off.raw(path) for path in FILES} == before
    assert list(broken_off.root.glob(".recollect-*")) == []
    ((past, (conflict,)),) = broken_off.engine.half_done()
    assert past.change in told
    assert (conflict.path, conflict.theirs) == (path, b"theirs\n")
    assert (conflict.base, conflict.ours) == (FILES[path], b"tagged\n" + FILES[path])


def test_recovery_waits_for_a_missing_store(broken_off: Trial) -> None:
    away = broken_off.root.with_name("away")
    broken_off.root.rename(away)

    (told,) = broken_off.engine.recover()
    assert "can't be completed yet" in told

    away.rename(broken_off.root)
    (told,) = broken_off.engine.recover()
    assert told.endswith("finished.")


def test_recovery_waits_for_a_locked_store(
    trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "PATIENCE", 0)
    path = trial.root / ".lock"
    performed(trial, [acts.edit_locked], Ending(path.exists).install)
    path.write_bytes(b"1\n")

    (told,) = trial.engine.recover()
    assert "locked by process 1" in told

    path.unlink()
    (told,) = trial.engine.recover()
    assert told.endswith("it was undone.")
    assert not path.exists()


def test_a_lock_left_behind_is_removed(trial: Trial) -> None:
    path = trial.root / ".lock"
    performed(trial, [acts.edit_locked], Ending(path.exists).install)
    assert path.exists()

    trial.engine.recover()

    assert not path.exists()
    trial.apply(trial.step("b.md", b"new\n"), lock=".lock")


def test_late_writes_are_kept_and_reported(trial: Trial) -> None:
    trial.apply(trial.step("a.md", b"new\n"))
    (left,) = (trial.changes / "limbo").iterdir()
    with left.open("ab") as file:
        file.write(b"too late\n")

    (told,) = trial.engine.recover()

    kept = Path(told.partition(" saved in ")[2].partition(". ")[0])
    assert kept.read_bytes() == FILES["a.md"] + b"too late\n"
    assert trial.engine.recover() == []


@examples(20)
@given(st.integers(0, 3500))
def test_a_journal_cut_off_anywhere_leaves_all_old_or_all_new(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    trial = Trial.at(tmp_path_factory.mktemp("cut"))
    trees = [trial.tree()]
    acts.link(trial)
    trees.append(trial.tree())
    acts.tag(trial)
    trees.append(trial.tree())
    journal = trial.changes / "journal.jsonl"
    os.truncate(journal, min(cut, journal.stat().st_size))

    with Trial(trial.root, trial.places) as later:
        later.engine.recover()
        again = later.engine.recover()

    assert trial.tree() in trees
    assert again == []
