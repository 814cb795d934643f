"""A store opened to be written: where paths lead, and the folders on the way."""

from pathlib import Path

import pytest

from store.errors import RefusedError, UnreadableError
from store.files.replacing import Ground


def test_missing_folders_are_named_made_and_unmade(root: Path) -> None:
    root.chmod(0o750)
    with Ground(root) as ground:
        missing = ground.missing("one/two/three.md")
        for folder in missing:
            ground.make(folder)
        made = ground.missing("one/two/three.md")
        for folder in reversed(missing):
            ground.unmake(folder)
            ground.unmake(folder)

    assert missing == ("one", "one/two")
    assert made == ()
    assert not (root / "one").exists()


def test_a_new_folder_is_as_open_as_the_one_around_it(root: Path) -> None:
    root.chmod(0o700)
    with Ground(root) as ground:
        ground.make("inner")
        ground.make("inner")

    assert (root / "inner").stat().st_mode & 0o777 == 0o700


def test_a_folder_with_something_in_it_stays(root: Path) -> None:
    (root / "full").mkdir()
    (root / "full/theirs.md").touch()

    with Ground(root) as ground, pytest.raises(OSError, match="not empty"):
        ground.unmake("full")


@pytest.mark.parametrize("path", ["../a.md", "/a.md", "x/../a.md", "", "x//y", "a\0b"])
def test_paths_lead_nowhere_else(root: Path, path: str) -> None:
    with Ground(root) as ground, pytest.raises(RefusedError):
        ground.spot(path)


def test_a_folder_that_leads_out_is_refused(root: Path) -> None:
    (root / "out").symlink_to("..")

    with Ground(root) as ground, pytest.raises(RefusedError):
        ground.spot("out/a.md")


def test_what_is_no_folder_is_no_ground(root: Path) -> None:
    with pytest.raises(UnreadableError):
        Ground(root / "a.md")
