"""A file made where there is none, and a file taken away."""

import os
from pathlib import Path

import pytest

from store.files.replacing import (
    Attributes,
    ForeignError,
    Ground,
    publish,
    renaming,
    seen_at,
    withdraw,
)
from tests.store.files.replacing.ground import TEMP, Away


@pytest.fixture(params=["at once", "step by step"], autouse=True)
def manner(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the system can, and as others can."""
    if request.param == "step by step":
        monkeypatch.setattr(renaming, "_ANEW", 1 << 20)


def test_a_new_file_is_as_open_as_is_wanted_and_the_umask_lets(root: Path) -> None:
    umask = os.umask(0o027)
    try:
        with Ground(root) as ground:
            publish(ground.spot("new.md"), TEMP, b"new\n", None, 0o666)
    finally:
        os.umask(umask)

    assert (root / "new.md").read_bytes() == b"new\n"
    assert (root / "new.md").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in root.iterdir()) == ["a.md", "new.md"]


def test_a_file_that_is_there_stays(root: Path) -> None:
    with Ground(root) as ground, pytest.raises(ForeignError) as caught:
        publish(ground.spot("a.md"), TEMP, b"new\n", None, 0o600)

    assert caught.value.theirs == b"old\n"
    assert (root / "a.md").read_bytes() == b"old\n"
    assert len(list(root.iterdir())) == 1


def test_a_file_comes_back_as_it_was(root: Path) -> None:
    like = Attributes(0o640, os.getuid(), os.getgid(), 1_000_000_000_000_000_000)

    with Ground(root) as ground:
        spot = ground.spot("back.md")
        publish(spot, TEMP, b"back\n", like, 0o600)
        seen = seen_at(spot)

    assert seen is not None
    assert seen.attributes == like


def test_a_file_goes_and_is_put_away(root: Path, away: Away) -> None:
    with Ground(root) as ground:
        withdraw(ground.spot("a.md"), TEMP, b"old\n", away.care)

    assert list(root.iterdir()) == []
    assert away.raws == [b"old\n"]


def test_a_file_that_another_changed_does_not_go(root: Path, away: Away) -> None:
    with Ground(root) as ground, pytest.raises(ForeignError):
        withdraw(ground.spot("a.md"), TEMP, b"older\n", away.care)

    assert (root / "a.md").read_bytes() == b"old\n"
