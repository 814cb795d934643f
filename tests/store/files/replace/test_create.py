"""Create a new file, and remove a file."""

import os
from pathlib import Path

import pytest

from store.files import replace as renaming
from store.files.replace import publish, withdraw
from store.files.writable import Attributes, ForeignError, WritableRoot, seen_at
from tests.store.files.replace.writable import TEMP, Away


@pytest.fixture(params=["at once", "step by step"], autouse=True)
def style(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """As this system does it, and as others do."""
    if request.param == "step by step":
        monkeypatch.setattr(renaming, "_ANEW", 1 << 20)


def test_a_new_file_gets_the_wanted_mode_within_the_umask(root: Path) -> None:
    umask = os.umask(0o027)
    try:
        with WritableRoot(root) as writable:
            publish(writable.spot("new.md"), TEMP, b"new\n", None, 0o666)
    finally:
        os.umask(umask)

    assert (root / "new.md").read_bytes() == b"new\n"
    assert (root / "new.md").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in root.iterdir()) == ["a.md", "new.md"]


def test_an_existing_file_is_not_replaced(root: Path) -> None:
    with WritableRoot(root) as writable, pytest.raises(ForeignError) as caught:
        publish(writable.spot("a.md"), TEMP, b"new\n", None, 0o600)

    assert caught.value.theirs == b"old\n"
    assert (root / "a.md").read_bytes() == b"old\n"
    assert len(list(root.iterdir())) == 1


def test_a_restored_file_is_as_it_was(root: Path) -> None:
    like = Attributes(0o640, os.getuid(), os.getgid(), 1_000_000_000_000_000_000)

    with WritableRoot(root) as writable:
        spot = writable.spot("back.md")
        publish(spot, TEMP, b"back\n", like, 0o600)
        seen = seen_at(spot)

    assert seen is not None
    assert seen.attributes == like


def test_a_file_is_removed_and_kept_aside(root: Path, away: Away) -> None:
    with WritableRoot(root) as writable:
        withdraw(writable.spot("a.md"), TEMP, b"old\n", away.hooks)

    assert list(root.iterdir()) == []
    assert away.raws == [b"old\n"]


def test_a_file_changed_by_another_program_is_not_removed(
    root: Path, away: Away
) -> None:
    with WritableRoot(root) as writable, pytest.raises(ForeignError):
        withdraw(writable.spot("a.md"), TEMP, b"older\n", away.hooks)

    assert (root / "a.md").read_bytes() == b"old\n"
