"""Replace a file only if it is unchanged, and keep its attributes."""

import os
import sys
from pathlib import Path

import pytest

from store.errors import RefusedError
from store.files import replace as renaming
from store.files import writable as looking
from store.files.replace import Method
from store.files.writable import BusyError, ForeignError, ProtectedError
from tests.store.files.replace.writable import Away, swapped


def test_the_bytes_are_replaced_and_the_old_ones_kept(root: Path, away: Away) -> None:
    style = swapped(root, "a.md", b"old\n", b"new\n", away)

    assert style is Method.AT_ONCE
    assert (root / "a.md").read_bytes() == b"new\n"
    assert away.raws == [b"old\n"]
    assert [path.name for path in root.iterdir()] == ["a.md"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o4755])
def test_mode_and_owner_stay(root: Path, away: Away, mode: int) -> None:
    path = root / "a.md"
    if os.geteuid() == 0:
        os.chown(path, 1234, 4321)
    path.chmod(mode)
    before = path.stat()

    swapped(root, "a.md", b"old\n", b"new\n", away)

    after = path.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (
        before.st_mode,
        before.st_uid,
        before.st_gid,
    )


@pytest.mark.skipif(sys.platform != "linux", reason="Python reads them on Linux only")
def test_extended_attributes_stay(root: Path, away: Away) -> None:
    try:
        os.setxattr(root / "a.md", "user.origin", b"an agent")
    except OSError:
        pytest.skip("the file system has none")

    swapped(root, "a.md", b"old\n", b"new\n", away)

    assert os.getxattr(root / "a.md", "user.origin") == b"an agent"


def test_a_link_stays_and_its_target_is_replaced(root: Path, away: Away) -> None:
    (root / "deep").mkdir()
    (root / "a.md").rename(root / "deep/real.md")
    (root / "a.md").symlink_to("deep/real.md")

    swapped(root, "a.md", b"old\n", b"new\n", away)

    assert (root / "a.md").is_symlink()
    assert (root / "deep/real.md").read_bytes() == b"new\n"


@pytest.mark.parametrize("target", ["../outside.md", "/etc/hostname", "nowhere.md"])
def test_a_link_out_of_the_store_or_a_broken_one_is_refused(
    root: Path, away: Away, target: str
) -> None:
    (root.parent / "outside.md").write_bytes(b"old\n")
    (root / "a.md").unlink()
    (root / "a.md").symlink_to(target)

    with pytest.raises(RefusedError):
        swapped(root, "a.md", b"old\n", b"new\n", away)

    assert (root.parent / "outside.md").read_bytes() == b"old\n"


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_anything_but_a_file_is_refused_without_waiting(
    root: Path, away: Away, make: object
) -> None:
    (root / "a.md").unlink()
    assert callable(make)
    make(root / "a.md")

    with pytest.raises(RefusedError):
        swapped(root, "a.md", b"old\n", b"new\n", away)


def test_a_file_with_two_names_keeps_both(root: Path, away: Away) -> None:
    (root / "b.md").hardlink_to(root / "a.md")

    style = swapped(root, "a.md", b"old\n", b"new and longer\n", away)

    assert style is Method.IN_PLACE
    assert away.was_overwritten
    assert (root / "b.md").read_bytes() == b"new and longer\n"
    assert (root / "a.md").samefile(root / "b.md")


def test_bytes_of_another_program_are_kept_and_reported(root: Path, away: Away) -> None:
    (root / "a.md").write_bytes(b"theirs\n")

    with pytest.raises(ForeignError) as caught:
        swapped(root, "a.md", b"old\n", b"new\n", away)

    assert caught.value.theirs == b"theirs\n"
    assert (root / "a.md").read_bytes() == b"theirs\n"


def test_a_protected_file_is_left_alone(root: Path, away: Away) -> None:
    (root / "a.md").chmod(0o444)

    with pytest.raises(ProtectedError):
        swapped(root, "a.md", b"old\n", b"new\n", away)

    assert (root / "a.md").read_bytes() == b"old\n"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who has it open")
def test_a_file_open_for_writing_elsewhere_is_left_alone(
    root: Path, away: Away, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "PATIENCE", 0)

    with (root / "a.md").open("ab"):
        with pytest.raises(BusyError):
            swapped(root, "a.md", b"old\n", b"new\n", away)
        assert (root / "a.md").read_bytes() == b"old\n"

    with (root / "a.md").open("rb"):
        swapped(root, "a.md", b"old\n", b"new\n", away)
    assert (root / "a.md").read_bytes() == b"new\n"


def test_without_atomic_exchange_it_takes_three_steps(
    root: Path, away: Away, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renaming, "_EXCHANGE", 1 << 20)

    swapped(root, "a.md", b"old\n", b"new\n", away)

    assert (root / "a.md").read_bytes() == b"new\n"
    assert away.raws == [b"old\n"]
    assert [path.name for path in root.iterdir()] == ["a.md"]


@pytest.mark.parametrize("length", [1, 100, 255])
def test_any_name_and_empty_content_work(root: Path, away: Away, length: int) -> None:
    name = "é" * (length // 2) + "x" * (length % 2)
    (root / name).write_bytes(b"")

    swapped(root, name, b"", b"some\n", away)
    swapped(root, name, b"some\n", b"", away)

    assert (root / name).read_bytes() == b""
