"""No space, no permission: what was there still is, and the program goes on."""

import resource
from collections.abc import Callable
from pathlib import Path

import pytest

from store.edits.refusals import NotWrittenError
from tests.store.edits.campaign import acts
from tests.store.edits.campaign.capabilities import forgo_privileges
from tests.store.edits.campaign.harness import performed
from tests.store.edits.trial import Trial, tree

SIZES = [1000 + step * step * 130 for step in range(20)]


@pytest.mark.parametrize("size", SIZES)
def test_no_file_may_grow_and_then_it_may(size: int, tmp_path: Path) -> None:
    trial = Trial.at(tmp_path)
    before = trial.tree()

    def grow(trial: Trial) -> None:
        steps = [trial.step(path, b"x" * 50_000) for path in ("a.md", "new.md")]
        limited(size, lambda: refused(trial, lambda: trial.apply(*steps)))
        assert trial.tree() == before
        trial.apply(*steps)

    assert performed(trial, [grow], lambda: None) == (1, None)
    assert trial.raw("new.md") == b"x" * 50_000


@pytest.mark.parametrize("act", [acts.create, acts.delete, acts.pin])
def test_in_a_folder_that_is_read_only_nothing_is_made_or_removed(
    act: acts.Act, tmp_path: Path
) -> None:
    trial = Trial.at(tmp_path)
    before = trial.tree()

    def attempt(trial: Trial) -> None:
        (trial.root / "notes").chmod(0o500)
        trial.root.chmod(0o500)
        refused(trial, lambda: act(trial))
        trial.root.chmod(0o755)
        (trial.root / "notes").chmod(0o755)
        act(trial)

    assert performed(trial, [attempt], forgo_privileges) == (1, None)
    assert tree(trial.root) != before


def test_in_such_a_folder_a_file_is_overwritten_in_place(tmp_path: Path) -> None:
    trial = Trial.at(tmp_path)
    trial.root.chmod(0o500)

    def attempt(trial: Trial) -> None:
        applied = trial.apply(trial.step("a.md", b"new\n"))
        assert "in place" in applied.notes[0]
        trial.engine.undo()
        trial.engine.redo()

    assert performed(trial, [attempt], forgo_privileges) == (1, None)
    assert trial.raw("a.md") == b"new\n"


def test_a_file_that_is_read_only_stays_as_it_is(tmp_path: Path) -> None:
    trial = Trial.at(tmp_path)
    (trial.root / "a.md").chmod(0o444)
    before = trial.tree()

    with pytest.raises(NotWrittenError, match="write-protected"):
        acts.tag(trial)

    assert trial.tree() == before


def limited(size: int, act: Callable[[], object]) -> None:
    """Do something while no file may become larger than that."""
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        act()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def refused(trial: Trial, act: Callable[[], object]) -> None:
    before = trial.tree()
    with pytest.raises(NotWrittenError):
        act()
    assert trial.tree() == before
