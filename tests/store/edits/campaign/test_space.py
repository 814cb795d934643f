"""Without space or permission nothing is lost, and the program continues."""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from store.errors import NotWrittenError, ReadOnlyError
from tests.store.edits.campaign import acts
from tests.store.edits.campaign.capabilities import forgo_privileges
from tests.store.edits.campaign.harness import performed
from tests.store.edits.campaign.limits import limited
from tests.store.edits.trial import Trial, tree

ADDED_TO = ("lines", "open")
SIZES = [1000 + step * step * 130 for step in range(20)]


@pytest.mark.parametrize("size", SIZES)
def test_changes_fail_without_room_and_succeed_once_there_is_some(
    size: int, tmp_path: Path
) -> None:
    trial = Trial.at(tmp_path)
    before = trial.tree()

    def grow(trial: Trial) -> None:
        steps = [trial.step(path, b"x" * 50_000) for path in ("a.md", "new.md")]
        limited(size, lambda: refused(trial, lambda: trial.apply(*steps)))
        assert trial.tree() == before
        trial.apply(*steps)

    assert performed(trial, [grow], lambda: None) == (1, None)
    assert trial.raw("new.md") == b"x" * 50_000


@pytest.mark.parametrize("size", SIZES[::4])
def test_a_line_without_room_leaves_no_part_of_itself(
    size: int, tmp_path: Path
) -> None:
    trial = Trial.at(tmp_path)
    acts.furnish(trial)
    (trial.root / "open.jsonl").write_bytes(b"{}\n" * (size // 3) + b"{}")

    def add(trial: Trial) -> None:
        steps = [trial.adding(f"{name}.jsonl", b"x" * 5000) for name in ADDED_TO]
        limited(size, lambda: refused(trial, lambda: trial.apply(*steps)))
        trial.apply(*steps)
        trial.engine.undo()

    before = trial.tree()
    assert performed(trial, [add], lambda: None) == (1, None)
    assert trial.tree() == before


@pytest.mark.parametrize("act", [acts.create, acts.delete, acts.pin])
def test_in_a_read_only_folder_nothing_is_created_or_removed(
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


def test_in_a_read_only_folder_a_file_is_overwritten_in_place(tmp_path: Path) -> None:
    trial = Trial.at(tmp_path)
    trial.root.chmod(0o500)

    def attempt(trial: Trial) -> None:
        applied = trial.apply(trial.step("a.md", b"new\n"))
        assert "in place" in applied.notes[0]
        trial.engine.undo()
        trial.engine.redo()

    assert performed(trial, [attempt], forgo_privileges) == (1, None)
    assert trial.raw("a.md") == b"new\n"


def test_a_read_only_file_stays_unchanged(tmp_path: Path) -> None:
    trial = Trial.at(tmp_path)
    (trial.root / "a.md").chmod(0o444)
    before = trial.tree()

    with pytest.raises(NotWrittenError, match="write-protected") as refused:
        acts.tag(trial)

    assert refused.value.exit_code == ReadOnlyError.exit_code
    assert trial.tree() == before


def refused(trial: Trial, act: Callable[[], object]) -> None:
    before = trial.tree()
    with pytest.raises(NotWrittenError):
        act()
    assert trial.tree() == before


@pytest.fixture(params=["store", "state"])
def full(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A small disk, linked from the store or from the program's own folder."""
    disk = tmp_path / "disk"
    disk.mkdir()
    options = ["-t", "tmpfs", "-o", "size=96k,nr_inodes=40", "none", str(disk)]
    mounted = subprocess.run(["mount", *options], check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip("disks may not be mounted here")
    (disk / "there").mkdir()
    (tmp_path / str(request.param)).symlink_to(disk / "there")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


@pytest.mark.parametrize("room", range(0, 40_000, 8_000))
def test_a_full_disk_loses_nothing(full: Path, room: int, tmp_path: Path) -> None:
    trial = Trial.at(tmp_path)
    trial.apply(trial.step("b.md", b"so that the journal is there\n"))
    before = trial.tree()
    ballast = fill_up(full, room)

    steps = [trial.step(path, b"x" * 50_000) for path in ("a.md", "new.md")]
    refused(trial, lambda: trial.apply(*steps))
    assert trial.tree() == before

    ballast.unlink()
    trial.apply(trial.step("a.md", b"there is room again\n"))
    trial.engine.undo()
    assert trial.tree() == before


def test_a_disk_without_free_inodes_refuses_a_change(
    full: Path, tmp_path: Path
) -> None:
    trial = Trial.at(tmp_path)
    trial.apply(trial.step("b.md", b"so that the journal is there\n"))
    before = trial.tree()
    last = use_up_files(full)
    after = b"other bytes than ever before\n"

    refused(trial, lambda: trial.apply(trial.step("a.md", after)))

    for file in last:
        file.unlink()
    assert trial.tree() == before
    trial.apply(trial.step("a.md", after))


def fill_up(disk: Path, room: int) -> Path:
    """Fill a disk except for some bytes; returns the file used."""
    about = os.statvfs(disk)
    ballast = disk / ".ballast"
    size = max(0, about.f_bavail * about.f_frsize - room)
    with ballast.open("wb") as file, suppress(OSError):
        file.write(b"x" * size)
    return ballast


def use_up_files(folder: Path) -> list[Path]:
    """Create as many files as a disk takes."""
    made: list[Path] = []
    with suppress(OSError):
        while True:
            path = folder / f".ballast-{len(made)}"
            path.touch()
            made.append(path)
    return made
