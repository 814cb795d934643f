"""The power fails with a real file system: only data on its disk survives.

The program is killed within a call, and the disk is copied at once, without the data
that the system had not written yet. The copy is mounted and recovered.
"""

import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.store.edits.campaign import acts, shim
from tests.store.edits.campaign.harness import LOCK, copy, hard, performed
from tests.store.edits.campaign.shim import Fault, Shim
from tests.store.edits.trial import Trial

POINTS = (40, 130, 310)
"""After how many calls it fails; all of them in steps of so many, where asked."""

STRIDE = int(os.environ.get("RECOLLECT_TEST_POWER", "0"))
DAY = (
    acts.edit,
    acts.link,
    acts.add_to_open_line,
    acts.pin,
    acts.undo,
    acts.put_away,
    acts.edit_locked,
    acts.add,
    acts.delete,
)


@pytest.mark.parametrize("is_honest", [True, False])
def test_acknowledged_changes_are_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_honest: bool
) -> None:
    if not _can_mount(tmp_path):
        pytest.skip("disks may not be mounted here")
    if is_honest:
        monkeypatch.setattr(shim, "_quick", os.fsync)
    first, disk = tmp_path / "first", tmp_path / "disk.img"
    with Trial.at(first) as trial:
        acts.furnish(trial)
    expected = _rehearsed(first, tmp_path / "rehearsed")
    bad: list[int] = []

    for at in range(3, 900, STRIDE) if STRIDE else POINTS:
        with _mounted(_made(disk), tmp_path / "mnt") as place:
            copy(first, place / "at")
            os.sync()
            ends = Shim(at, Fault.LAST)
            trial = Trial.again(place / "at")
            acknowledged, _ = performed(trial, DAY, ends.install)
            left = Path(shutil.copyfile(disk, tmp_path / "left.img"))
        mounted = _mounted(left, tmp_path / "mnt")
        with mounted as place, Trial.again(place / "at") as later:
            later.engine.recover()
            found = later.tree()
            assert later.engine.recover() == []
        found.pop(LOCK, None)
        if hard(found) not in expected[acknowledged : acknowledged + 2]:
            bad.append(at)

    assert bool(bad) is not is_honest


def _rehearsed(first: Path, place: Path) -> list[object]:
    """The state of the store at first and after each act."""
    copy(first, place)
    with Trial.again(place) as trial:
        trees = [hard(trial.tree())]
        for act in DAY:
            act(trial)
            trees.append(hard(trial.tree()))
    return [*trees]


def _made(disk: Path) -> Path:
    """A new disk, as a file."""
    disk.unlink(missing_ok=True)
    with disk.open("wb") as file:
        file.truncate(16 * 1024 * 1024)
    subprocess.run(["mkfs.ext4", "-q", "-F", str(disk)], check=True)
    return disk


@contextmanager
def _mounted(disk: Path, place: Path) -> Generator[Path]:
    place.mkdir(exist_ok=True)
    options = ["-o", "loop,commit=300", str(disk), str(place)]
    subprocess.run(["mount", *options], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def _can_mount(folder: Path) -> bool:
    if not (shutil.which("mkfs.ext4") and shutil.which("mount")):
        return False
    try:
        with _mounted(_made(folder / "trial.img"), folder / "trial"):
            return True
    except (OSError, subprocess.CalledProcessError):
        return False
