"""What broke off is settled at the next start, or left to people where it has to be."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.edits.refusals import NotPossibleError
from store.files.locking import lock
from tests.store.edits.campaign import acts
from tests.store.edits.campaign.harness import performed
from tests.store.edits.campaign.shim import Ending
from tests.store.edits.trial import FILES, Trial


@pytest.fixture
def broken_off(trial: Trial) -> Trial:
    """A change of three files, the first of which is written."""
    ending = Ending(lambda: trial.raw("a.md") != FILES["a.md"])
    performed(trial, [acts.tag], ending.install)
    assert trial.raw("a.md") == b"tagged\n" + FILES["a.md"]
    assert trial.raw("notes/c.md") == FILES["notes/c.md"]
    return trial


def test_what_was_begun_is_finished(broken_off: Trial) -> None:
    told = broken_off.engine.recover()

    assert told == ["“test” had broken off; it was finished."]
    assert broken_off.raw("notes/c.md") == b"tagged\n" + FILES["notes/c.md"]
    assert broken_off.engine.recover() == []
    broken_off.engine.undo()
    assert {path: broken_off.raw(path) for path in FILES} == FILES


def test_the_next_change_settles_it_too_and_tells_it(broken_off: Trial) -> None:
    applied = broken_off.apply(broken_off.step("_index.json", b"{}\n"))

    assert applied.notes == ("“test” had broken off; it was finished.",)
    assert broken_off.raw("b.md") == b"tagged\n" + FILES["b.md"]


@pytest.mark.parametrize("path", ["a.md", "notes/c.md"])
def test_where_another_wrote_meanwhile_nothing_is_touched(
    broken_off: Trial, path: str
) -> None:
    (broken_off.root / path).write_bytes(b"theirs\n")
    before = {path: broken_off.raw(path) for path in FILES}

    (told,) = broken_off.engine.recover()

    assert "another program wrote meanwhile" in told
    assert {path: broken_off.raw(path) for path in FILES} == before
    assert list(broken_off.root.glob(".recollect-*")) == []
    (past,) = broken_off.engine.unsettled()
    (conflict,) = broken_off.engine.conflict(past.change)
    assert (conflict.path, conflict.theirs) == (path, b"theirs\n")
    assert (conflict.base, conflict.ours) == (FILES[path], b"tagged\n" + FILES[path])
    assert not broken_off.engine.verify()[0].is_good


def test_somebody_looks_at_it_and_that_is_that(broken_off: Trial) -> None:
    (broken_off.root / "a.md").write_bytes(b"theirs\n")
    broken_off.engine.recover()
    (past,) = broken_off.engine.unsettled()

    broken_off.engine.dismiss(past.change)

    assert broken_off.engine.unsettled() == []
    assert broken_off.engine.verify()[0].is_good
    with pytest.raises(NotPossibleError):
        broken_off.engine.dismiss(past.change)


def test_a_store_that_is_gone_is_waited_for(broken_off: Trial) -> None:
    away = broken_off.root.with_name("away")
    broken_off.root.rename(away)

    (told,) = broken_off.engine.recover()
    assert "still to be settled" in told

    away.rename(broken_off.root)
    (told,) = broken_off.engine.recover()
    assert told.endswith("finished.")


def test_a_store_that_is_locked_is_waited_for(
    trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "PATIENCE", 0)
    path = trial.root / ".lock"
    performed(trial, [acts.edit_locked], Ending(path.exists).install)
    path.write_bytes(b"1\n")

    (told,) = trial.engine.recover()
    assert "held by process 1" in told

    path.unlink()
    (told,) = trial.engine.recover()
    assert told.endswith("nothing of it is left.")
    assert not path.exists()


def test_a_lock_that_was_left_behind_goes(trial: Trial) -> None:
    path = trial.root / ".lock"
    performed(trial, [acts.edit_locked], Ending(path.exists).install)
    assert path.exists()

    trial.engine.recover()

    assert not path.exists()
    trial.apply(trial.step("b.md", b"new\n"), lock=".lock")


def test_what_was_written_too_late_is_kept_and_told(trial: Trial) -> None:
    trial.apply(trial.step("a.md", b"new\n"))
    (left,) = (trial.changes / "limbo").iterdir()
    with left.open("ab") as file:
        file.write(b"too late\n")

    (told,) = trial.engine.recover()

    kept = Path(told.rpartition(" ")[2].rstrip("."))
    assert kept.read_bytes() == FILES["a.md"] + b"too late\n"
    assert trial.engine.recover() == []


@settings(max_examples=20)
@given(st.integers(0, 3500))
def test_a_journal_that_was_cut_off_anywhere_leaves_all_old_or_all_new(
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
