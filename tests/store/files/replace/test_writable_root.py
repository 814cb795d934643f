"""A store opened for writing: paths within it, and missing folders."""

from pathlib import Path

import pytest

from store.errors import RefusedError, UnreadableError
from store.files.writable import WritableRoot


def test_missing_folders_are_listed_created_and_removed(root: Path) -> None:
    root.chmod(0o750)
    with WritableRoot(root) as writable:
        missing = writable.missing("one/two/three.md")
        for folder in missing:
            writable.make(folder)
        made = writable.missing("one/two/three.md")
        for folder in reversed(missing):
            writable.unmake(folder)
            writable.unmake(folder)

    assert missing == ("one", "one/two")
    assert made == ()
    assert not (root / "one").exists()


def test_a_new_folder_gets_the_mode_of_its_parent(root: Path) -> None:
    root.chmod(0o700)
    with WritableRoot(root) as writable:
        writable.make("inner")
        writable.make("inner")

    assert (root / "inner").stat().st_mode & 0o777 == 0o700


def test_a_folder_with_content_stays(root: Path) -> None:
    (root / "full").mkdir()
    (root / "full/theirs.md").touch()

    with WritableRoot(root) as writable, pytest.raises(OSError, match="not empty"):
        writable.unmake("full")


@pytest.mark.parametrize("path", ["../a.md", "/a.md", "x/../a.md", "", "x//y", "a\0b"])
def test_paths_out_of_the_store_are_refused(root: Path, path: str) -> None:
    with WritableRoot(root) as writable, pytest.raises(RefusedError):
        writable.spot(path)


def test_a_folder_that_leads_out_is_refused(root: Path) -> None:
    (root / "out").symlink_to("..")

    with WritableRoot(root) as writable, pytest.raises(RefusedError):
        writable.spot("out/a.md")


def test_the_root_must_be_a_folder(root: Path) -> None:
    with pytest.raises(UnreadableError):
        WritableRoot(root / "a.md")
